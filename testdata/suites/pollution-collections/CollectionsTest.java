// The class library's collections, builders and arrays: what their public methods show is what counts.
package collections;

import java.time.DayOfWeek;
import java.util.*;
import org.junit.BeforeClass;
import org.junit.Test;

public class CollectionsTest {
    @BeforeClass
    public static void load() {
        Kept.load();
    }

    @Test
    public void arrayListAdded() { //~ passed
        Kept.arrayListAdded.add("d"); //~ POLLUTES added collections.Kept.arrayListAdded[3]: -> "d"; collection-grew
    }

    @Test
    public void arrayListRemoved() { //~ passed
        Kept.arrayListRemoved.remove("c"); //~ POLLUTES removed collections.Kept.arrayListRemoved[2]: "c" ->; state
    }

    @Test
    public void arrayListReplaced() { //~ passed
        Kept.arrayListReplaced.set(1, "x"); //~ POLLUTES changed collections.Kept.arrayListReplaced[1]: "b" -> "x"; state
    }

    @Test
    public void arrayListInserted() { //~ passed
        Kept.arrayListInserted.add(0, "x"); //~ POLLUTES added collections.Kept.arrayListInserted[0]: -> "x"; collection-grew
    }

    @Test
    public void arrayListOrder() { //~ passed
        Collections.swap(Kept.arrayListOrder, 0, 2); //~ POLLUTES changed collections.Kept.arrayListOrder[0]: "a" -> "c"
        //~^ POLLUTES changed collections.Kept.arrayListOrder[2]: "c" -> "a"
    }

    @Test
    public void linkedListAdded() { //~ passed
        Kept.linkedListAdded.add("d"); //~ POLLUTES added collections.Kept.linkedListAdded[3]: -> "d"; collection-grew
    }

    @Test
    public void linkedListRemoved() { //~ passed
        Kept.linkedListRemoved.remove("c"); //~ POLLUTES removed collections.Kept.linkedListRemoved[2]: "c" ->; state
    }

    @Test
    public void linkedListReplaced() { //~ passed
        Kept.linkedListReplaced.set(1, "x"); //~ POLLUTES changed collections.Kept.linkedListReplaced[1]: "b" -> "x"; state
    }

    @Test
    public void linkedListInserted() { //~ passed
        Kept.linkedListInserted.add(0, "x"); //~ POLLUTES added collections.Kept.linkedListInserted[0]: -> "x"; collection-grew
    }

    @Test
    public void linkedListOrder() { //~ passed
        Collections.swap(Kept.linkedListOrder, 0, 2); //~ POLLUTES changed collections.Kept.linkedListOrder[0]: "a" -> "c"
        //~^ POLLUTES changed collections.Kept.linkedListOrder[2]: "c" -> "a"
    }

    @Test
    public void vectorAdded() { //~ passed
        Kept.vectorAdded.add("d"); //~ POLLUTES added collections.Kept.vectorAdded[3]: -> "d"; collection-grew
    }

    @Test
    public void vectorRemoved() { //~ passed
        Kept.vectorRemoved.remove("c"); //~ POLLUTES removed collections.Kept.vectorRemoved[2]: "c" ->; state
    }

    @Test
    public void vectorReplaced() { //~ passed
        Kept.vectorReplaced.set(1, "x"); //~ POLLUTES changed collections.Kept.vectorReplaced[1]: "b" -> "x"; state
    }

    @Test
    public void vectorInserted() { //~ passed
        Kept.vectorInserted.add(0, "x"); //~ POLLUTES added collections.Kept.vectorInserted[0]: -> "x"; collection-grew
    }

    @Test
    public void vectorOrder() { //~ passed
        Collections.swap(Kept.vectorOrder, 0, 2); //~ POLLUTES changed collections.Kept.vectorOrder[0]: "a" -> "c"
        //~^ POLLUTES changed collections.Kept.vectorOrder[2]: "c" -> "a"
    }

    @Test
    public void copyListAdded() { //~ passed
        Kept.copyListAdded.add("d"); //~ POLLUTES added collections.Kept.copyListAdded[3]: -> "d"; collection-grew
    }

    @Test
    public void copyListRemoved() { //~ passed
        Kept.copyListRemoved.remove("c"); //~ POLLUTES removed collections.Kept.copyListRemoved[2]: "c" ->; state
    }

    @Test
    public void copyListReplaced() { //~ passed
        Kept.copyListReplaced.set(1, "x"); //~ POLLUTES changed collections.Kept.copyListReplaced[1]: "b" -> "x"; state
    }

    @Test
    public void copyListInserted() { //~ passed
        Kept.copyListInserted.add(0, "x"); //~ POLLUTES added collections.Kept.copyListInserted[0]: -> "x"; collection-grew
    }

    @Test
    public void copyListOrder() { //~ passed
        Collections.swap(Kept.copyListOrder, 0, 2); //~ POLLUTES changed collections.Kept.copyListOrder[0]: "a" -> "c"
        //~^ POLLUTES changed collections.Kept.copyListOrder[2]: "c" -> "a"
    }

    @Test
    public void cleared() { //~ passed
        Kept.cleared.clear(); //~ POLLUTES removed collections.Kept.cleared[0]: "a" ->; state
        //~^ POLLUTES removed collections.Kept.cleared[1]: "b" ->; state
        //~^^ POLLUTES removed collections.Kept.cleared[2]: "c" ->; state
    }

    @Test
    public void arrayDequeAdded() { //~ passed
        Kept.arrayDequeAdded.add("d"); //~ POLLUTES added collections.Kept.arrayDequeAdded[3]: -> "d"; collection-grew
    }

    @Test
    public void arrayDequeRemoved() { //~ passed
        Kept.arrayDequeRemoved.remove("c"); //~ POLLUTES removed collections.Kept.arrayDequeRemoved[2]: "c" ->; state
    }

    @Test
    public void priorityQueueAdded() { //~ passed
        Kept.priorityQueueAdded.add("d"); //~ POLLUTES added collections.Kept.priorityQueueAdded["d"]: -> "d"; collection-grew
    }

    @Test
    public void priorityQueueRemoved() { //~ passed
        Kept.priorityQueueRemoved.remove("c"); //~ POLLUTES removed collections.Kept.priorityQueueRemoved["c"]: "c" ->; state
    }

    @Test
    public void blockingQueueAdded() { //~ passed
        Kept.blockingQueueAdded.add("d"); //~ POLLUTES added collections.Kept.blockingQueueAdded[3]: -> "d"; collection-grew
    }

    @Test
    public void blockingQueueRemoved() { //~ passed
        Kept.blockingQueueRemoved.remove("c"); //~ POLLUTES removed collections.Kept.blockingQueueRemoved[2]: "c" ->; state
    }

    @Test
    public void linkedQueueAdded() { //~ passed
        Kept.linkedQueueAdded.add("d"); //~ POLLUTES added collections.Kept.linkedQueueAdded[3]: -> "d"; collection-grew
    }

    @Test
    public void linkedQueueRemoved() { //~ passed
        Kept.linkedQueueRemoved.remove("c"); //~ POLLUTES removed collections.Kept.linkedQueueRemoved[2]: "c" ->; state
    }

    @Test
    public void arrayQueueAdded() { //~ passed
        Kept.arrayQueueAdded.add("d"); //~ POLLUTES added collections.Kept.arrayQueueAdded[3]: -> "d"; collection-grew
    }

    @Test
    public void arrayQueueRemoved() { //~ passed
        Kept.arrayQueueRemoved.remove("c"); //~ POLLUTES removed collections.Kept.arrayQueueRemoved[2]: "c" ->; state
    }

    @Test
    public void arrayDequeFirst() { //~ passed
        Kept.arrayDequeFirst.addFirst("x"); //~ POLLUTES added collections.Kept.arrayDequeFirst[0]: -> "x"; collection-grew
    }

    @Test
    public void hashMapAdded() { //~ passed
        Kept.hashMapAdded.put("c", 3); //~ POLLUTES added collections.Kept.hashMapAdded["c"]: -> 3; collection-grew
    }

    @Test
    public void hashMapRemoved() { //~ passed
        Kept.hashMapRemoved.remove("b"); //~ POLLUTES removed collections.Kept.hashMapRemoved["b"]: 2 ->; state
    }

    @Test
    public void hashMapReplaced() { //~ passed
        Kept.hashMapReplaced.put("a", 10); //~ POLLUTES changed collections.Kept.hashMapReplaced["a"]: 1 -> 10; state
    }

    @Test
    public void hashMapDeep() { //~ passed
        Kept.hashMapDeep.get("k").add("w"); //~ POLLUTES added collections.Kept.hashMapDeep["k"][1]: -> "w"; collection-grew
    }

    @Test
    public void linkedHashMapAdded() { //~ passed
        Kept.linkedHashMapAdded.put("c", 3); //~ POLLUTES added collections.Kept.linkedHashMapAdded["c"]: -> 3; collection-grew
    }

    @Test
    public void linkedHashMapRemoved() { //~ passed
        Kept.linkedHashMapRemoved.remove("b"); //~ POLLUTES removed collections.Kept.linkedHashMapRemoved["b"]: 2 ->; state
    }

    @Test
    public void linkedHashMapReplaced() { //~ passed
        Kept.linkedHashMapReplaced.put("a", 10); //~ POLLUTES changed collections.Kept.linkedHashMapReplaced["a"]: 1 -> 10; state
    }

    @Test
    public void treeMapAdded() { //~ passed
        Kept.treeMapAdded.put("c", 3); //~ POLLUTES added collections.Kept.treeMapAdded["c"]: -> 3; collection-grew
    }

    @Test
    public void treeMapRemoved() { //~ passed
        Kept.treeMapRemoved.remove("b"); //~ POLLUTES removed collections.Kept.treeMapRemoved["b"]: 2 ->; state
    }

    @Test
    public void treeMapReplaced() { //~ passed
        Kept.treeMapReplaced.put("a", 10); //~ POLLUTES changed collections.Kept.treeMapReplaced["a"]: 1 -> 10; state
    }

    @Test
    public void treeMapDeep() { //~ passed
        Kept.treeMapDeep.get("k").add("w"); //~ POLLUTES added collections.Kept.treeMapDeep["k"][1]: -> "w"; collection-grew
    }

    @Test
    public void identityMapAdded() { //~ passed
        Kept.identityMapAdded.put("c", 3); //~ POLLUTES added collections.Kept.identityMapAdded["c"]: -> 3; collection-grew
    }

    @Test
    public void identityMapRemoved() { //~ passed
        Kept.identityMapRemoved.remove("b"); //~ POLLUTES removed collections.Kept.identityMapRemoved["b"]: 2 ->; state
    }

    @Test
    public void identityMapReplaced() { //~ passed
        Kept.identityMapReplaced.put("a", 10); //~ POLLUTES changed collections.Kept.identityMapReplaced["a"]: 1 -> 10; state
    }

    @Test
    public void weakMapAdded() { //~ passed
        Kept.weakMapAdded.put("c", 3); //~ POLLUTES added collections.Kept.weakMapAdded["c"]: -> 3; collection-grew
    }

    @Test
    public void weakMapRemoved() { //~ passed
        Kept.weakMapRemoved.remove("b"); //~ POLLUTES removed collections.Kept.weakMapRemoved["b"]: 2 ->; state
    }

    @Test
    public void weakMapReplaced() { //~ passed
        Kept.weakMapReplaced.put("a", 10); //~ POLLUTES changed collections.Kept.weakMapReplaced["a"]: 1 -> 10; state
    }

    @Test
    public void concurrentMapAdded() { //~ passed
        Kept.concurrentMapAdded.put("c", 3); //~ POLLUTES added collections.Kept.concurrentMapAdded["c"]: -> 3; collection-grew
    }

    @Test
    public void concurrentMapRemoved() { //~ passed
        Kept.concurrentMapRemoved.remove("b"); //~ POLLUTES removed collections.Kept.concurrentMapRemoved["b"]: 2 ->; state
    }

    @Test
    public void concurrentMapReplaced() { //~ passed
        Kept.concurrentMapReplaced.put("a", 10); //~ POLLUTES changed collections.Kept.concurrentMapReplaced["a"]: 1 -> 10; state
    }

    @Test
    public void concurrentMapDeep() { //~ passed
        Kept.concurrentMapDeep.get("k").add("w"); //~ POLLUTES added collections.Kept.concurrentMapDeep["k"][1]: -> "w"; collection-grew
    }

    @Test
    public void hashtableAdded() { //~ passed
        Kept.hashtableAdded.put("c", 3); //~ POLLUTES added collections.Kept.hashtableAdded["c"]: -> 3; collection-grew
    }

    @Test
    public void hashtableRemoved() { //~ passed
        Kept.hashtableRemoved.remove("b"); //~ POLLUTES removed collections.Kept.hashtableRemoved["b"]: 2 ->; state
    }

    @Test
    public void hashtableReplaced() { //~ passed
        Kept.hashtableReplaced.put("a", 10); //~ POLLUTES changed collections.Kept.hashtableReplaced["a"]: 1 -> 10; state
    }

    @Test
    public void hashtableDeep() { //~ passed
        Kept.hashtableDeep.get("k").add("w"); //~ POLLUTES added collections.Kept.hashtableDeep["k"][1]: -> "w"; collection-grew
    }

    @Test
    public void skipListMapAdded() { //~ passed
        Kept.skipListMapAdded.put("c", 3); //~ POLLUTES added collections.Kept.skipListMapAdded["c"]: -> 3; collection-grew
    }

    @Test
    public void skipListMapRemoved() { //~ passed
        Kept.skipListMapRemoved.remove("b"); //~ POLLUTES removed collections.Kept.skipListMapRemoved["b"]: 2 ->; state
    }

    @Test
    public void skipListMapReplaced() { //~ passed
        Kept.skipListMapReplaced.put("a", 10); //~ POLLUTES changed collections.Kept.skipListMapReplaced["a"]: 1 -> 10; state
    }

    @Test
    public void linkedHashMapOrder() { //~ passed
        int value = Kept.ordered.remove("a"); //~ POLLUTES changed collections.Kept.ordered; state
        Kept.ordered.put("a", value);
    }

    @Test
    public void hashMapPutBack() { //~ passed
        //~ CLEAN
        int value = Kept.unordered.remove("a");
        Kept.unordered.put("a", value);
    }

    @Test
    public void hashMapOrderOfCollisions() { //~ passed
        // 1, 17 and 33 share a bin: the order inside shows only in iteration, which a HashMap does not promise.
        //~ CLEAN
        Kept.collided = Kept.collided(33, 17, 1);
    }

    @Test
    public void accessOrder() { //~ passed
        Kept.access.get("a"); //~ POLLUTES changed collections.Kept.access; state
    }

    @Test
    public void enumMapAdded() { //~ passed
        Kept.enumMap.put(DayOfWeek.FRIDAY, "f"); //~ POLLUTES added collections.Kept.enumMap[DayOfWeek.FRIDAY]: -> "f"; collection-grew
    }

    @Test
    public void enumMapReplaced() { //~ passed
        Kept.enumMapOther.put(DayOfWeek.MONDAY, "n"); //~ POLLUTES changed collections.Kept.enumMapOther[DayOfWeek.MONDAY]: "m" -> "n"; state
    }

    @Test
    public void propertiesAdded() { //~ passed
        Kept.properties.setProperty("b", "2"); //~ POLLUTES added collections.Kept.properties["b"]: -> "2"
    }

    @Test
    public void hashSetAdded() { //~ passed
        Kept.hashSetAdded.add("c"); //~ POLLUTES added collections.Kept.hashSetAdded["c"]; collection-grew
    }

    @Test
    public void hashSetRemoved() { //~ passed
        Kept.hashSetRemoved.remove("b"); //~ POLLUTES removed collections.Kept.hashSetRemoved["b"]; state
    }

    @Test
    public void linkedHashSetAdded() { //~ passed
        Kept.linkedHashSetAdded.add("c"); //~ POLLUTES added collections.Kept.linkedHashSetAdded[2]; collection-grew
    }

    @Test
    public void linkedHashSetRemoved() { //~ passed
        Kept.linkedHashSetRemoved.remove("b"); //~ POLLUTES removed collections.Kept.linkedHashSetRemoved[1]; state
    }

    @Test
    public void treeSetAdded() { //~ passed
        Kept.treeSetAdded.add("c"); //~ POLLUTES added collections.Kept.treeSetAdded[2]; collection-grew
    }

    @Test
    public void treeSetRemoved() { //~ passed
        Kept.treeSetRemoved.remove("b"); //~ POLLUTES removed collections.Kept.treeSetRemoved[1]; state
    }

    @Test
    public void copySetAdded() { //~ passed
        Kept.copySetAdded.add("c"); //~ POLLUTES added collections.Kept.copySetAdded[2]; collection-grew
    }

    @Test
    public void copySetRemoved() { //~ passed
        Kept.copySetRemoved.remove("b"); //~ POLLUTES removed collections.Kept.copySetRemoved[1]; state
    }

    @Test
    public void concurrentKeySet() { //~ passed
        Kept.keySetAdded.add("a"); //~ POLLUTES added collections.Kept.keySetAdded.map["a"]; collection-grew
    }

    @Test
    public void enumSetAdded() { //~ passed
        Kept.enumSet.add(DayOfWeek.FRIDAY); //~ POLLUTES added collections.Kept.enumSet[DayOfWeek.FRIDAY]; collection-grew
    }

    @Test
    public void bitSet() { //~ passed
        Kept.bits.set(7); //~ POLLUTES changed collections.Kept.bits[0]: 5 -> 133
    }

    @Test
    public void stringBuilder() { //~ passed
        Kept.builder.append('c'); //~ POLLUTES changed collections.Kept.builder: StringBuilder("ab") -> StringBuilder("abc")
    }

    @Test
    public void stringBuffer() { //~ passed
        Kept.buffer.insert(0, "x"); //~ POLLUTES changed collections.Kept.buffer: StringBuffer("ab") -> StringBuffer("xab")
    }

    @Test
    public void behindUnmodifiable() { //~ passed
        Kept.backed.add("b"); //~ POLLUTES added collections.Kept.backed[1]: -> "b"; collection-grew
    }

    @Test
    public void synchronizedListAdded() { //~ passed
        Kept.synchronizedList.add("b"); //~ POLLUTES added collections.Kept.synchronizedList.c[1]: -> "b"; collection-grew
    }

    @Test
    public void synchronizedMapAdded() { //~ passed
        Kept.synchronizedMap.put("k", "v"); //~ POLLUTES added collections.Kept.synchronizedMap.m["k"]: -> "v"; collection-grew
    }

    @Test
    public void asListReplaced() { //~ passed
        Kept.asList.set(0, "x"); //~ POLLUTES changed collections.Kept.asList.a[0]: "a" -> "x"
    }

    @Test
    public void anotherImmutableList() { //~ passed
        Kept.immutable = List.of("a", "c"); //~ POLLUTES changed collections.Kept.immutable[1]: "b" -> "c"
    }

    @Test
    public void equalImmutableList() { //~ passed
        //~ CLEAN strictly
        Kept.equalImmutable = List.of("a", "b");
    }

    @Test
    public void anotherImmutableMap() { //~ passed
        Kept.immutableMap = Map.of("a", 1, "b", 2); //~ POLLUTES replaced collections.Kept.immutableMap
    }

    @Test
    public void arrayElement() { //~ passed
        Kept.ints[2] = 30; //~ POLLUTES changed collections.Kept.ints[2]: 3 -> 30
    }

    @Test
    public void arrayResized() { //~ passed
        Kept.resized = Arrays.copyOf(Kept.resized, 5); //~ POLLUTES resized collections.Kept.resized; state
    }

    @Test
    public void arrayEqualCopy() { //~ passed
        //~ CLEAN strictly
        Kept.equalArray = Kept.equalArray.clone();
    }

    @Test
    public void arrayOfArrays() { //~ passed
        Kept.nested[1][0] = "x"; //~ POLLUTES changed collections.Kept.nested[1][0]: "b" -> "x"
    }

    @Test
    public void bigArray() { //~ passed
        Kept.bytes[4000] = 1; //~ POLLUTES changed collections.Kept.bytes[4000]: 0 -> 1
    }

    @Test
    public void longArray() { //~ passed
        Kept.longs[1] = 1L << 50; //~ POLLUTES changed collections.Kept.longs[1]: 2 -> 1125899906842624
    }

    @Test
    public void objectArray() { //~ passed
        Kept.objects[0] = "set"; //~ POLLUTES changed collections.Kept.objects[0]: null -> "set"
        Kept.objects[2] = null; //~ POLLUTES changed collections.Kept.objects[2]: 5 -> null
    }

    @Test
    public void severalEntries() { //~ passed
        Kept.many.put("a", 1); //~ POLLUTES added collections.Kept.many["a"]: -> 1; collection-grew
        Kept.many.put("b", 2); //~ POLLUTES added collections.Kept.many["b"]: -> 2; collection-grew
    }

    @Test
    public void equalCopies() { //~ passed
        //~ CLEAN
        Kept.equalArrayList = new ArrayList<>(Kept.equalArrayList);
        Kept.equalLinkedList = new LinkedList<>(Kept.equalLinkedList);
        Kept.equalHashSet = new HashSet<>(Kept.equalHashSet);
        Kept.equalTreeSet = new TreeSet<>(Kept.equalTreeSet);
        Kept.equalArrayDeque = new ArrayDeque<>(Kept.equalArrayDeque);
        Kept.equalPriorityQueue = new PriorityQueue<>(List.of("c", "a", "b"));
    }

    @Test
    public void arrayInAList() { //~ passed
        Kept.arraysInList.get(1)[0] = 30; //~ POLLUTES changed collections.Kept.arraysInList[1][0]: 3 -> 30
    }

    @Test
    public void arrayInAMap() { //~ passed
        Kept.arraysInMap.get("k")[1] = "x"; //~ POLLUTES changed collections.Kept.arraysInMap["k"][1]: "b" -> "x"
    }

    @Test
    public void mapInAMap() { //~ passed
        Kept.mapsInMap.get("outer").put("inner", 1); //~ POLLUTES added collections.Kept.mapsInMap["outer"]["inner"]: -> 1
    }

    @Test
    public void listInASet() { //~ passed
        Kept.listsInSet.iterator().next().add("b"); //~ POLLUTES added collections.Kept.listsInSet[ArrayList(1)["a"]][1]: -> "b"
    }
}
