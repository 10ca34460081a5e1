// Differences that no public method shows are internal: listed, and counted only with --strict.
package internal;

import static org.junit.Assert.assertEquals;

import java.util.Collections;
import java.util.Iterator;
import org.junit.BeforeClass;
import org.junit.Test;

public class InternalTest {
    @BeforeClass
    public static void load() {
        Inner.trimmed.add("a"); //~ FIXTURE added internal.Inner.trimmed[0]: -> "a"; first touch, collection-grew
    }

    @Test
    public void putAndRemoved() { //~ passed
        Inner.put.put("b", 2); //~ POLLUTES changed internal.Inner.put.table; internal
        Inner.put.remove("b");
    }

    @Test
    public void grownAndShrunk() { //~ passed
        for (int i = 0; i < 100; i++) {
            Inner.grown.put("k" + i, i); //~ POLLUTES changed internal.Inner.grown.table; internal
        }
        for (int i = 0; i < 100; i++) {
            Inner.grown.remove("k" + i);
        }
        assertEquals(1, Inner.grown.size());
    }

    @Test
    public void viewsMadeLazily() { //~ passed
        assertEquals(1, Inner.viewed.keySet().size()); //~ POLLUTES changed internal.Inner.viewed.keySet; internal
        assertEquals(1, Inner.viewed.values().size());
        assertEquals(1, Inner.tree.navigableKeySet().size()); //~ POLLUTES changed internal.Inner.tree.navigableKeySet; internal
        assertEquals(1, Inner.tree.descendingMap().size());
        assertEquals(1, Inner.linked.entrySet().size()); //~ POLLUTES changed internal.Inner.linked.entrySet; internal
        assertEquals(1, Inner.concurrent.keySet().size()); //~ POLLUTES changed internal.Inner.concurrent.keySet; internal
    }

    @Test
    public void tableMadeLazily() { //~ passed
        Inner.untouchedTable.put("x", 1); //~ POLLUTES changed internal.Inner.untouchedTable.table; internal
        Inner.untouchedTable.clear();
    }

    @Test
    public void putAndRemovedElsewhere() { //~ passed
        //~ CLEAN
        Inner.tree.put("b", 2);
        Inner.tree.remove("b");
        Inner.linked.put("b", 2);
        Inner.linked.remove("b");
        Inner.concurrent.put("b", 2);
        Inner.concurrent.remove("b");
    }

    @Test
    public void ensuredCapacity() { //~ passed
        Inner.ensured.ensureCapacity(500); //~ POLLUTES changed internal.Inner.ensured.modCount: 0 -> 1; internal
    }

    @Test
    public void trimmedToSize() { //~ passed
        Inner.trimmed.trimToSize(); //~ POLLUTES changed internal.Inner.trimmed.modCount: 1 -> 2; internal
    }

    @Test
    public void addedAndRemoved() { //~ passed
        Inner.addedAndRemoved.add("c");
        Inner.addedAndRemoved.remove("c"); //~ POLLUTES changed internal.Inner.addedAndRemoved.modCount: 0 -> 2; internal
        Inner.linkedList.addFirst("x");
        Inner.linkedList.removeFirst(); //~ POLLUTES changed internal.Inner.linkedList.modCount: 1 -> 3; internal
    }

    @Test
    public void rotatedRoundTheArray() { //~ passed
        for (int i = 0; i < 50; i++) {
            Inner.rotated.addLast(Inner.rotated.pollFirst()); //~ POLLUTES changed internal.Inner.rotated.head; internal
        }
    }

    @Test
    public void heapInAnotherShape() { //~ passed
        Inner.queue.clear();
        Collections.addAll(Inner.queue, 3, 2, 1); //~ POLLUTES changed internal.Inner.queue.modCount: 0 -> 4; internal
    }

    @Test
    public void builderCapacity() { //~ passed
        Inner.builder.ensureCapacity(1000); //~ POLLUTES changed internal.Inner.builder.value; internal
        Inner.builder.append("more");
        Inner.builder.setLength(4);
    }

    @Test
    public void bitSetWords() { //~ passed
        Inner.bits.set(1000); //~ POLLUTES changed internal.Inner.bits.words; internal
        Inner.bits.clear(1000);
    }

    @Test
    public void sortedThatWas() { //~ passed
        Collections.sort(Inner.sorted); //~ POLLUTES changed internal.Inner.sorted.modCount: 0 -> 1; internal
    }

    @Test
    public void iterated() { //~ passed
        //~ CLEAN strictly
        int count = 0;
        for (Iterator<String> each = Inner.sorted.iterator(); each.hasNext(); each.next()) {
            count++;
        }
        assertEquals(2, count);
    }

    @Test
    public void hashOfAString() { //~ passed
        //~ CLEAN strictly
        assertEquals(Inner.text.hashCode(), new String(Inner.text).hashCode());
    }

    @Test
    public void madeOnDemand() { //~ passed
        assertEquals(false, Inner.file.exists()); //~ POLLUTES changed internal.Inner.file.status; internal, lazy-initialisation
    }

    @Test
    public void computedIntoAMap() { //~ passed
        Inner.nothing.computeIfAbsent("a", key -> 1); //~ POLLUTES changed internal.Inner.nothing["a"]: null -> 1
    }

    @Test
    public void ownCountersCount() { //~ passed
        Inner.own.modCount++; //~ POLLUTES changed internal.Inner.own.modCount: 0 -> 1; counter
    }

    @Test
    public void ownTransientFieldsCount() { //~ passed
        Inner.own.spare[0] = "x"; //~ POLLUTES changed internal.Inner.own.spare[0]: null -> "x"
    }
}
