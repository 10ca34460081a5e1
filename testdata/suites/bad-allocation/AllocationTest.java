package bad;

import java.util.ArrayList;
import java.util.List;
import org.junit.Test;

public class AllocationTest {
    @Test
    public void a_smallObjectsWithoutEnd() { //~ error java.lang.OutOfMemoryError
        List<Object> all = new ArrayList<>();
        while (true) {
            all.add(new long[100]);
        }
    }

    @Test
    public void b_oneThatNeverFits() { //~ error java.lang.OutOfMemoryError
        System.out.println(new long[Integer.MAX_VALUE - 8].length);
    }

    @Test
    public void c_catchesIt() { //~ passed
        try {
            List<byte[]> all = new ArrayList<>();
            while (true) {
                all.add(new byte[1 << 20]);
            }
        } catch (OutOfMemoryError e) {
            // What was reachable only from the block is free again.
        }
        byte[] again = new byte[8 << 20];
        again[again.length - 1] = 1;
    }

    @Test
    public void d_after() { //~ passed
    }
}
