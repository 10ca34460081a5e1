package touch;

import java.util.ArrayList;
import java.util.List;

public class Before {
    static final List<String> loaded = new ArrayList<>();
    static Object newcomer;
    static int plain;
}
