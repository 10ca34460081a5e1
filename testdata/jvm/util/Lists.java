// Lists of every kind: growth, iterators, sublists, concurrent modification, immutables, wrappers, sorting stability.
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public class Lists {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    static void exercise(String name, Supplier<List<Integer>> mk) {
        List<Integer> l = mk.get();
        for (int i = 0; i < 20; i++) l.add(i * 7 % 11);
        l.add(3, 100);
        l.remove(5);
        l.remove((Integer) 9);
        l.set(0, -1);
        l.addAll(2, List.of(50, 51));
        System.out.println(name + " " + l + " " + l.indexOf(3) + l.lastIndexOf(3) + l.contains(77) + l.hashCode());
        ListIterator<Integer> it = l.listIterator(4);
        it.next();
        it.remove();
        it.add(200);
        it.previous();
        it.set(201);
        System.out.println(it.nextIndex() + " " + it.hasPrevious() + " " + l.subList(2, 6));
        l.subList(1, 4).clear();
        l.replaceAll(x -> x + 1);
        l.removeIf(x -> x % 2 == 0);
        l.sort(null);
        System.out.println(l + " " + l.equals(new LinkedList<>(l)) + Arrays.toString(l.toArray(new Integer[0])));
        t("cme", () -> { for (Integer x : l) l.add(x); return 0; });
        t("cme sub", () -> { List<Integer> s = l.subList(0, 2); l.add(1); return s.size(); });
        t("iter end", () -> { Iterator<Integer> i = l.iterator(); while (true) i.next(); });
        t("remove twice", () -> { Iterator<Integer> i = l.iterator(); i.next(); i.remove(); i.remove(); return 0; });
        t("oob", () -> l.get(l.size()));
        t("add oob", () -> { l.add(999, 1); return 0; });
        l.clear();
        System.out.println(l.isEmpty() + " " + l);
    }
    public static void main(String[] args) {
        exercise("ArrayList", ArrayList::new);
        exercise("LinkedList", LinkedList::new);
        exercise("Vector", Vector::new);
        exercise("checked", () -> Collections.checkedList(new ArrayList<>(), Integer.class));
        List<Integer> of = List.of(1, 2, 3), as = Arrays.asList(4, 5, 6), cp = List.copyOf(as);
        as.set(0, 9);
        System.out.println(of + "" + as + cp);
        t("of add", () -> of.add(1));
        t("of null", () -> of.contains(null));
        t("of set", () -> of.set(0, 1));
        t("as add", () -> as.add(1));
        t("copyOf null", () -> List.copyOf(Arrays.asList(1, null)));
        t("unmod", () -> Collections.unmodifiableList(new ArrayList<>(of)).remove(0));
        t("checked", () -> { ((List) Collections.checkedList(new ArrayList<>(), Integer.class)).add("s"); return 0; });
        List<int[]> st = new ArrayList<>();
        for (int i = 0; i < 50; i++) st.add(new int[] {i % 5, i});
        st.sort(Comparator.comparingInt(x -> x[0]));
        System.out.println(st.stream().map(x -> x[0] + ":" + x[1]).collect(Collectors.joining(" ")));
        List<Integer> l = IntStream.range(0, 10).boxed().collect(Collectors.toCollection(ArrayList::new));
        Collections.rotate(l, 3);
        System.out.print(l);
        Collections.swap(l, 0, 9);
        Collections.reverse(l);
        System.out.print(l);
        Collections.shuffle(l, new Random(7));
        System.out.print(l);
        Collections.sort(l, Collections.reverseOrder());
        System.out.println(l + " " + Collections.binarySearch(l, 4, Collections.reverseOrder()) + Collections.max(l)
            + Collections.min(l) + Collections.frequency(l, 3) + Collections.nCopies(3, "x")
            + Collections.disjoint(l, of) + Collections.indexOfSubList(List.of(1, 2, 3, 2, 3), List.of(2, 3))
            + Collections.lastIndexOfSubList(List.of(1, 2, 3, 2, 3), List.of(2, 3)) + Collections.emptyList()
            + Collections.singletonList(1));
        Collections.fill(l.subList(0, 3), -1);
        Collections.replaceAll(l, -1, 8);
        Collections.addAll(l, 1, 2);
        System.out.println(l);
        ArrayList<Integer> big = new ArrayList<>();
        for (int i = 0; i < 5000; i++) big.add(0, i % 100 == 0 ? i : big.size());
        big.ensureCapacity(10000);
        big.trimToSize();
        System.out.println(big.size() + " " + big.hashCode() + " " + ((ArrayList<?>) big.clone()).equals(big));
        Stack<Integer> s = new Stack<>();
        s.push(1);
        s.push(2);
        System.out.println(s.peek() + s.pop() + s.search(1) + "" + s + s.empty());
        LinkedList<Integer> ll = new LinkedList<>(of);
        ll.addFirst(0);
        ll.addLast(4);
        ll.push(-1);
        System.out.println(ll.peekFirst() + "" + ll.pollLast() + ll.removeFirst() + ll.getLast()
            + ll.removeLastOccurrence(2) + ll + ll.element() + ll.offerFirst(9) + ll.descendingIterator().next());
        t("ll empty", () -> new LinkedList<>().remove());
        AbstractList<String> ab = new AbstractList<>() {
            @Override public String get(int i) { return "v" + i; }
            @Override public int size() { return 3; }
        };
        System.out.println(ab + " " + ab.subList(1, 3) + ab.contains("v2") + ab.stream().map(String::length).toList());
        t("ab add", () -> ab.add("x"));
        Spliterator<Integer> sp = new ArrayList<>(List.of(1, 2, 3, 4)).spliterator(), half = sp.trySplit();
        StringBuilder sb = new StringBuilder();
        half.forEachRemaining(sb::append);
        sb.append('|');
        sp.tryAdvance(sb::append);
        System.out.println(sb + " " + sp.estimateSize() + sp.hasCharacteristics(Spliterator.SIZED));
        System.out.println(List.of().equals(Collections.emptyList()) + " " + List.of(1, 2).equals(Arrays.asList(1, 2))
            + " " + new ArrayList<>(List.of(1)).equals(Set.of(1)) + " " + List.of(1, List.of(2)).hashCode() + " "
            + List.of(1, 2, 3).toString() + Arrays.asList(1, null));
        t("sort contract", () -> { List<Integer> bad = new ArrayList<>();
            for (int i = 0; i < 100; i++) bad.add(i * 31 % 17); bad.sort((a, b) -> a < b ? 1 : 1); return bad.size();
            });
    }
}
