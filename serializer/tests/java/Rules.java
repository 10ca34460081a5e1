import java.util.ArrayList;
import java.util.List;

/** What rules hide is counted by roots, however it is hidden. */
class Rules {
    static class Box {
        int noise, more;
    }

    static int hiddenNumber;
    static List<String> hiddenList = new ArrayList<>();
    static Box box = new Box();
    static int number;
    static List<String> list = new ArrayList<>();

    public static void main(String[] args) {
        list.add("");
        Probe.boundary("start");
        //= by place: 2 by mine
        hiddenNumber++;
        hiddenList.add("a");
        hiddenList.add("b");
        Probe.boundary("by place");
        //= by field: changed Rules.box.more: 0 -> 1; Counter by main
        //= by field: 1 by mine
        box.noise++;
        box.more++;
        Probe.boundary("by field");
        //= by writer: changed Rules.number: 1 -> 2; Counter by main
        byMachine();
        Probe.boundary("by writer, only");
        //= by writer, only: 2 by mine
        number++;
        Probe.boundary("by writer");
    }

    static void byMachine() {
        number = 1;
        list.add("a");
        list.add("b");
    }
}
