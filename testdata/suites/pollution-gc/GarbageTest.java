// Garbage comes and goes; the state stays what it is, and what changes in it is found at its place.
package gc;

import static org.junit.Assert.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.BeforeClass;
import org.junit.Test;

public class GarbageTest {
    static final List<Item> items = new ArrayList<>();
    static final Map<String, Item> byName = new HashMap<>();
    static Item current = new Item("current");
    static Item kept = new Item("kept");
    static Item dropped = new Item("dropped");

    static class Item {
        final String name;
        int used;
        Item link;

        Item(String name) {
            this.name = name;
        }
    }

    @BeforeClass
    public static void fill() {
        for (int i = 0; i < 1000; i++) {
            items.add(new Item("item " + i));
        }
        //~ FIXTURE any
    }

    private static void garbage() {
        int sum = 0;
        for (int i = 0; i < 400; i++) {
            Item[] some = new Item[1000];
            for (int j = 0; j < some.length; j++) {
                some[j] = new Item("garbage");
            }
            sum += some.length;
        }
        assertEquals(400000, sum);
        System.gc();
    }

    @Test
    public void onlyGarbage() { //~ passed
        //~ CLEAN
        garbage();
    }

    @Test
    public void pollutesBetween() { //~ passed
        garbage();
        items.get(500).used = 1; //~ POLLUTES changed gc.GarbageTest.items[500].used: 0 -> 1
        garbage();
    }

    @Test
    public void addsBetween() { //~ passed
        garbage();
        byName.put("new", new Item("new")); //~ POLLUTES added gc.GarbageTest.byName["new"]
        garbage();
    }

    @Test
    public void replacesByAnEqualOne() { //~ passed
        //~ CLEAN
        garbage();
        current = new Item("current");
        garbage();
        current = new Item("current");
        garbage();
    }

    @Test
    public void linksAndUnlinks() { //~ passed
        //~ CLEAN
        kept.link = new Item("for a while");
        garbage();
        kept.link = null;
        garbage();
    }

    @Test
    public void dropsAnOldOne() { //~ passed
        dropped = null; //~ POLLUTES changed gc.GarbageTest.dropped
        garbage();
    }
}
