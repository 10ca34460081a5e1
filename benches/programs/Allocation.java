// Short-lived objects and trees that are built, walked and dropped.
public class Allocation {
    static final class Node {
        final Node left;
        final Node right;

        Node(Node left, Node right) {
            this.left = left;
            this.right = right;
        }

        int count() {
            return left == null ? 1 : 1 + left.count() + right.count();
        }
    }

    static Node build(int depth) {
        return depth == 0 ? new Node(null, null) : new Node(build(depth - 1), build(depth - 1));
    }

    public static void main(String[] args) {
        long nodes = 0;
        for (int i = 0; i < 110; i++) {
            nodes += build(14).count();
        }
        long bytes = 0;
        for (int i = 0; i < 1_500_000; i++) {
            int[] a = new int[i & 15];
            bytes += a.length;
            Object o = new Object[] {a, null};
            bytes += ((int[]) ((Object[]) o)[0]).length;
        }
        System.out.println(nodes + " " + bytes);
    }
}
