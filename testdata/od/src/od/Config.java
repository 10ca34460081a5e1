package od;

import java.util.HashMap;
import java.util.Map;

/** State that the tests of this folder share. */
final class Config {
    static String mode = "default";
    static String user;
    static final Map<String, Integer> SIZES = new HashMap<String, Integer>();
    static boolean armed;
    static boolean broken;
    static final ThreadLocal<String> SESSION = new ThreadLocal<String>();

    private Config() {
    }
}
