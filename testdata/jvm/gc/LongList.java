// jvm: --max-heap=512m
// A linked list of five million nodes: marking must not recurse on the host's stack.
public class LongList {
    static final class Node { final int v; Node next; Node(int v, Node n) { this.v = v; next = n; } }

    public static void main(String[] args) {
        Node head = null;
        for (int i = 0; i < 5_000_000; i++) {
            head = new Node(i, head);
        }
        System.gc();
        long sum = 0;
        int n = 0;
        for (Node x = head; x != null; x = x.next) {
            sum += x.v;
            n++;
        }
        System.out.println(n + " " + sum);
        head = null;
        System.gc();
        Object[] deep = null;
        for (int i = 0; i < 300_000; i++) {
            deep = new Object[] {deep, null};
        }
        System.gc();
        int depth = 0;
        for (Object[] d = deep; d != null; d = (Object[]) d[0]) {
            depth++;
        }
        System.out.println(depth);
    }
}
