// An agent without Instrumentation, which comes second.
package second;

import helper.Helper;

public class Second {
    public static void premain(String options) {
        Helper.told.add("second " + options);
        System.out.println("second: " + options + " after " + Helper.told.get(0));
        if ("fail".equals(options)) {
            throw new IllegalStateException("asked to");
        }
    }
}
