// A library beside the suite.
package library;

import java.util.ArrayList;
import java.util.List;

public class Registry {
    public static final List<String> NAMES = new ArrayList<>();
    public static int count;

    public static void register(String name) {
        NAMES.add(name); //~ POLLUTES origin.OriginTest#allThree added library.Registry.NAMES[0]: -> "all"; library, collection-grew
        //~^ POLLUTES origin.OriginTest#ofTheLibrary added library.Registry.NAMES[1]: -> "one"; library, collection-grew
    }
}
