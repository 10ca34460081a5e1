/** Classes of which a file of rules says something. */
class Known {
    static class Bag {
        Object[] items = new Object[4];
        int count;
        int limit = 10;
        int changes;

        void add(Object o) {
            items[count++] = o;
            changes++;
        }
    }

    static class Id {
        final String name;
        int uses;

        Id(String name) {
            this.name = name;
        }
    }

    static Bag bag = new Bag();
    static Id id = new Id("first");
    static String tally = "b";

    public static void main(String[] args) {
        bag.add("a");
        bag.add("b");
        Probe.boundary("start");
        //= order: changed Known.bag.changes: 2 -> 3; Counter by main (internal)
        Object first = bag.items[0];
        bag.items[0] = bag.items[1];
        bag.items[1] = first;
        bag.changes++;
        Probe.boundary("order");
        //= elements: added Known.bag["c"]: (absent) -> "c"; CollectionGrew by add
        //= elements: changed Known.bag.limit: 10 -> 11; Counter by main
        bag.limit++;
        bag.add("c");
        Probe.boundary("elements");
        //= caption: replaced Known.id: Known$Id("first") -> Known$Id("second"); State by main
        id = new Id("second");
        Probe.boundary("caption");
        //= hidden field: changed Known.id.uses: 0 -> 1; Counter by main (internal)
        id.uses++;
        Probe.boundary("hidden field");
        //= label: changed Known.tally: "b" -> "a"; Counter by main
        tally = "a";
        Probe.boundary("label");
    }
}
