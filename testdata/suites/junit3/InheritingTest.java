package three;

public class InheritingTest extends InheritingBase {
    //~ three.InheritingTest#testOfBase passed

    public void testOwn() { //~ passed
    }
}
