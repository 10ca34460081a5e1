/** Says where an interval ends. */
class Probe {
    static native void boundary(String name);
}
