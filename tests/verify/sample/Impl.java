package sample;

import java.util.function.*;
import sample.other.Base;

public class Impl extends Base implements Face, Cloneable {
    private Impl inner;
    private int count;

    Impl(Impl inner) {
        this.inner = inner;
    }

    @Override
    public int size(long scale, Object... rest) {
        return (int) (scale * count) + rest.length + (inner == null ? 0 : inner.count++);
    }

    @Override
    public int twice() {
        return Face.super.twice() + guard(this) + inner.guarded;
    }

    <T> T pick(Supplier<? extends T> a, Function<T, T> f) {
        T t = a.get();
        Supplier<T> s = () -> f.apply(t);
        return count > 0 ? s.get() : t;
    }

    class Part {
        int of = count;

        int all() {
            return of + Impl.this.count + new Object() {
                int get() {
                    return count + of;
                }
            }.get();
        }
    }

    Object parts() throws CloneNotSupportedException {
        Part p = this.new Part();
        int[][] many = {{1}, {2, p.all()}};
        Impl other = (Impl) clone();
        Object o = other;
        for (int[] row : many.clone()) for (int x : row) o = x > 1 ? p : row;
        return o;
    }

    boolean tests(Object o, Face f) {
        assertSame(o, f);
        return o instanceof Face && ((Face) o).compareTo(f) == 0 || f instanceof Impl i && i.count == 2 || o != f;
    }

    private void assertSame(Object a, Object b) {
        if (a != b) throw new AssertionError(a + " is not " + b);
    }
}
