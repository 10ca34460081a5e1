// States are equal when their graphs are, whichever objects they are made of.
package identity;

import static org.junit.Assert.assertSame;

import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import org.junit.BeforeClass;
import org.junit.Test;

public class IdentityTest {
    @BeforeClass
    public static void load() {
        Graph.load();
    }

    @Test
    public void sharingIsLost() { //~ passed
        assertSame(Graph.shared, Graph.alsoShared);
        Graph.alsoShared = new Graph.Node("shared"); //~ POLLUTES replaced identity.Graph.alsoShared
    }

    @Test
    public void sharingIsMade() { //~ passed
        Graph.other = Graph.one; //~ POLLUTES replaced identity.Graph.other
    }

    @Test
    public void sharingInAnArray() { //~ passed
        Graph.pair[1] = Graph.pair[0]; //~ POLLUTES replaced identity.Graph.pair[1]
    }

    @Test
    public void equalCopyOfAStructure() { //~ passed
        //~ CLEAN
        Graph.copied = Graph.table();
    }

    @Test
    public void equalCopyOfAList() { //~ passed
        //~ CLEAN
        Graph.listCopied.put("b", new ArrayList<>(Graph.listCopied.get("b")));
    }

    @Test
    public void equalCopyOfACycle() { //~ passed
        //~ CLEAN strictly
        Graph.cycle = Graph.Node.ring(3);
    }

    @Test
    public void turnedCycle() { //~ passed
        //~ CLEAN strictly
        Graph.cycle = Graph.cycle.next;
    }

    @Test
    public void longerCycle() { //~ passed
        Graph.selfish.next = new Graph.Node("ring"); //~ POLLUTES replaced identity.Graph.selfish.next
        Graph.selfish.next.next = Graph.selfish;
    }

    @Test
    public void unrolledCycleLooksTheSameButIsLarger() { //~ passed
        Graph.unrolled = Graph.Node.ring(2); //~ POLLUTES replaced identity.Graph.unrolled
    }

    @Test
    public void deepPath() { //~ passed
        Graph.root.a.b[2].c = 6; //~ POLLUTES changed identity.Graph.root.a.b[2].c: 5 -> 6
    }

    @Test
    public void deepInAMap() { //~ passed
        Graph.table.get("c").set(1, 20); //~ POLLUTES changed identity.Graph.table["c"][1]: 2 -> 20
    }

    @Test
    public void exchangedObjects() { //~ passed
        Graph.Node kept = Graph.swapA;
        Graph.swapA = Graph.swapB; //~ POLLUTES replaced identity.Graph.swapA
        Graph.swapB = kept; //~ POLLUTES replaced identity.Graph.swapB
    }

    @Test
    public void exchangedEqualObjects() { //~ passed
        //~ CLEAN strictly
        Graph.Node kept = Graph.twins[0];
        Graph.twins[0] = Graph.twins[1];
        Graph.twins[1] = kept;
    }

    @Test
    public void copyOfASharedElement() { //~ passed
        Graph.withShared.remove(Graph.inSet);
        Graph.withShared.add(new Graph.Node("in a set")); //~ POLLUTES replaced identity.Graph.withShared
    }

    @Test
    public void copyOfWhatAnEnumConstantHolds() { //~ passed
        Graph.ofRed = new Graph.Node("owned"); //~ POLLUTES replaced identity.Graph$Color.RED.owned
    }

    @Test
    public void tableThatHasGrownKeepsItsElements() { //~ passed
        //~ CLEAN
        Set<Graph.Node> more = Graph.nodes("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n");
        Graph.grown.addAll(more);
        Graph.grown.removeAll(more);
        Graph.copied = Graph.table();
    }

    @Test
    public void anotherNotANumber() { //~ passed
        //~ CLEAN
        Graph.nans[1] = Double.longBitsToDouble(0x7ff8000000000001L);
        Graph.nans = Graph.nans.clone();
    }

    @Test
    public void equalCopiesInUnorderedCollections() { //~ passed
        //~ CLEAN
        Graph.nodes = Graph.nodes("c", "a", "b");
        Graph.byNode = Graph.byNode("z", "y", "x");
        Graph.immutableSet = Set.of("d", "c", "b", "a");
        Graph.immutableMap = Map.of("c", 3, "b", 2, "a", 1);
        Graph.byKey = Graph.byKey(3, 2, 1);
    }

    @Test
    public void sharingBetweenCollectionsIsLost() { //~ passed
        Graph.mapped.put("first", new Graph.Node("in both")); //~ POLLUTES replaced identity.Graph.mapped["first"]
    }

    @Test
    public void listThatHoldsItself() { //~ passed
        //~ CLEAN
        Graph.itself = Graph.itself();
    }

    @Test
    public void endOfALongChain() { //~ passed
        Graph.Node last = Graph.chain;
        while (last.next != null) {
            last = last.next;
        }
        last.next = new Graph.Node("end"); //~ POLLUTES changed identity.Graph.chain.next{5000}: null -> _
    }

    @Test
    public void equalLongChain() { //~ passed
        //~ CLEAN strictly
        Graph.longChain = Graph.chain(5000);
    }
}
