import java.util.ArrayList;
import java.util.List;

/** Long chains and large collections. */
class Large {
    static class Node {
        int v;
        Node next;
    }

    static Node head = new Node();
    static List<int[]> list = new ArrayList<>();

    public static void main(String[] args) {
        Node at = head;
        for (int i = 0; i < 20_000; i++) {
            at.next = new Node();
            at = at.next;
        }
        for (int i = 0; i < 20_000; i++) list.add(new int[1]);
        Probe.boundary("start");
        for (Node n = head; n != null; n = n.next) {
            n.v = 1;
            n.v = 0;
        }
        for (int[] a : list) a[0] = 1;
        for (int[] a : list) a[0] = 0;
        Probe.boundary("written and put back");
        //= end of the chain: changed Large.head.next{20000}.v: 0 -> 1; Counter by main
        at.v = 1;
        Probe.boundary("end of the chain");
        Node old = head;
        for (Node n = old; n != null; n = n.next) n.v = 2;
        Node copy = null;
        for (int i = 0; i < 20_001; i++) {
            Node n = new Node();
            n.v = i == 0 ? 1 : 0;
            n.next = copy;
            copy = n;
        }
        head = copy;
        Probe.boundary("all changed, then replaced by an equal one");
    }
}
