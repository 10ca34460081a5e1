package sample;

public interface Face extends Comparable<Face> {
    int size(long scale, Object... rest);

    default int twice() {
        return size(2L) * 2;
    }

    @Override
    default int compareTo(Face o) {
        return o.size(1L, this) - size(1L, o, "x");
    }

    static Face of(int n) {
        return (scale, rest) -> n + (int) scale + rest.length;
    }
}
