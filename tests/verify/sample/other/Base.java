package sample.other;

public class Base {
    protected int guarded = 1;
    protected static long counter;
    protected final String label;

    protected Base(String label) {
        this.label = label;
    }

    protected Base() {
        this("base");
    }

    protected int guard(Base other) {
        return guarded + other.guarded;
    }

    protected Object clone() throws CloneNotSupportedException {
        return super.clone();
    }
}
