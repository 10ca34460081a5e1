// Sorting primitives, boxed values with comparators, and records by several keys.
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

public class Sorting {
    record Person(String name, int age) {
    }

    public static void main(String[] args) {
        Random random = new Random(42);
        int[] ints = new int[300_000];
        for (int i = 0; i < ints.length; i++) {
            ints[i] = random.nextInt();
        }
        Arrays.sort(ints);
        List<Integer> boxed = new ArrayList<>();
        for (int i = 0; i < 60_000; i++) {
            boxed.add(random.nextInt(1000));
        }
        Collections.sort(boxed);
        boxed.sort((a, b) -> b - a);
        List<Person> people = new ArrayList<>();
        for (int i = 0; i < 25_000; i++) {
            people.add(new Person("n" + random.nextInt(5000), random.nextInt(90)));
        }
        people.sort(Comparator.comparing(Person::name).thenComparing(Person::age, Comparator.reverseOrder()));
        long sum = 0;
        for (int i = 0; i < ints.length; i += 1000) {
            sum = sum * 31 + ints[i];
        }
        System.out.println(sum + " " + boxed.get(777) + " " + people.get(12_345));
    }
}
