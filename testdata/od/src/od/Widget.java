package od;

import java.util.ArrayList;
import java.util.List;

/** Its initialiser does something that others see. */
final class Widget {
    static {
        Names.KNOWN.add("widget");
    }

    private Widget() {
    }

    static int size() {
        return 1;
    }

    static final class Names {
        static final List<String> KNOWN = new ArrayList<String>();

        private Names() {
        }
    }

    /** Its initialiser takes what it finds. */
    static final class Captured {
        static final String MODE = System.getProperty("od.mode", "none");

        private Captured() {
        }
    }
}
