// Virtual and interface calls at sites that see one, two and many classes; fields read and written.
public class Dispatch {
    interface Shape {
        int area();
    }

    abstract static class Base implements Shape {
        int calls;

        abstract int side();

        public int area() {
            calls++;
            return side() * side();
        }
    }

    static class A extends Base {
        int side() {
            return 2;
        }
    }

    static class B extends Base {
        int side() {
            return calls & 3;
        }
    }

    static class C extends B {
        @Override
        public int area() {
            return super.area() + 1;
        }
    }

    record D(int w, int h) implements Shape {
        public int area() {
            return w * h;
        }
    }

    static long virtual(Base[] shapes, int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += shapes[i % shapes.length].area();
        }
        return sum;
    }

    static long through(Shape[] shapes, int rounds) {
        long sum = 0;
        for (int i = 0; i < rounds; i++) {
            sum += shapes[i % shapes.length].area();
        }
        return sum;
    }

    public static void main(String[] args) {
        Base[] one = {new A()};
        Base[] three = {new A(), new B(), new C()};
        Shape[] four = {new A(), new B(), new C(), new D(3, 4), () -> 5};
        long sum = virtual(one, 1_400_000) + virtual(three, 1_400_000) + through(three, 1_000_000)
            + through(four, 1_400_000);
        System.out.println(sum + " " + three[2].calls);
    }
}
