// What fixtures and tests write to.
package fixtures;

import java.util.ArrayList;
import java.util.List;

public class Shared {
    static int classes;
    static int after;
    static int before;
    static int cleaned;
    static int atTheEnd;
    static String log = "";
    static final List<String> opened = new ArrayList<>();
    static final List<String> left = new ArrayList<>();
}
