// An interface has static state too.
package writes;

import java.util.ArrayList;
import java.util.List;

public interface Constants {
    List<String> NAMES = new ArrayList<>();
    int[] SIZES = {1, 2};
}
