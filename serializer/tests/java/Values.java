import java.math.BigDecimal;

/** Static fields, objects behind them, and who wrote them. */
class Values {
    static class Box {
        int v;
        String name;

        Box(int v) {
            this.v = v;
        }
    }

    static int number;
    static double ratio = 0.5;
    static String text = "a";
    static Integer boxed = 1000;
    static BigDecimal money = new BigDecimal("1.0");
    static Box box = new Box(1);
    static int[] array = new int[20];
    static Box[] boxes = {new Box(1), new Box(2)};
    static StringBuilder builder = new StringBuilder("x".repeat(100));

    public static void main(String[] args) {
        Probe.boundary("start");
        number = 5;
        number = 0;
        text = new String("a");
        boxed = Integer.valueOf(1000);
        ratio = 0.5;
        Probe.boundary("nothing");
        //= primitives: changed Values.number: 0 -> 5; Counter by main
        //= primitives: changed Values.ratio: 0.5 -> NaN; State by main
        number = 5;
        ratio = Double.NaN;
        Probe.boundary("primitives");
        //= values: changed Values.text: "a" -> "b"; State by main
        //= values: changed Values.boxed: 1000 -> null; State by main
        //= values: changed Values.money: 1.0 -> 1.00; State by main
        text = "b";
        boxed = null;
        money = new BigDecimal("1.00");
        Probe.boundary("values");
        //= inside: changed Values.box.v: 1 -> 2; Counter by main
        //= inside: changed Values.box.name: null -> "n"; State by main
        box.v = 2;
        box.name = "n";
        Probe.boundary("inside");
        //= arrays: changed Values.array[3]: 0 -> 7; State by main
        //= arrays: changed Values.boxes[1]: Values$Box{v=2} -> null; State by main
        array[3] = 7;
        boxes[1] = null;
        Probe.boundary("arrays");
        //= many elements: changed Values.array: int[20]{0, 0, 0, 7, 0, 0, …} with [6] = 0 -> int[20]{0, 0, 0, 7, 0, 0, …} with [6] = 6; State by main
        for (int i = 6; i < 20; i++) array[i] = i;
        Probe.boundary("many elements");
        //= long text: changed Values.builder: "…xxxxxxxxxx" -> "…xxxxxxxxxxy"; State by main
        builder.append("y");
        Probe.boundary("long text");
        //= replaced: replaced Values.box: Values$Box{v=2, name="n"} -> Values$Box{v=3}; State by main
        box = new Box(3);
        Probe.boundary("replaced");
        box = new Box(3);
        Probe.boundary("equal copy");
        //= last write: changed Values.number: 5 -> 7; Counter by second
        first();
        second();
        Probe.boundary("last write");
    }

    static void first() {
        number = 6;
    }

    static void second() {
        number = 7;
    }
}
