package poldet.shim;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceLoader;

/** Services of the suite that name exceptions to be sanitised, as saflate reads them. */
final class Providers {
    private static final String[] SERVICES = {
        "nz.ac.wgtn.saflate.network.junit5.NetworkExceptionProvider",
        "nz.ac.wgtn.saflate.network.junit4.NetworkExceptionProvider",
    };

    private Providers() {
    }

    static void ask() {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        for (String service : SERVICES) {
            if (loader.getResource("META-INF/services/" + service) != null) {
                ask(service, loader);
            }
        }
    }

    private static void ask(String service, ClassLoader loader) {
        Iterator<?> providers;
        Class<?> type;
        try {
            type = Class.forName(service, true, loader);
            providers = ServiceLoader.load(type, loader).iterator();
        } catch (Throwable problem) {
            ignored(service, problem);
            return;
        }
        // A provider that cannot be made is passed by; a loader that gets no further is given up.
        for (int i = 0; i < 1000; i++) {
            try {
                if (!providers.hasNext()) {
                    return;
                }
                ask(type, providers.next());
            } catch (Throwable problem) {
                ignored(service, problem);
            }
        }
    }

    private static void ask(Class<?> service, Object provider) throws Throwable {
        Object[] types;
        try {
            types = (Object[]) service.getMethod("getNetworkExceptionClassesToBeSanitised").invoke(provider);
        } catch (java.lang.reflect.InvocationTargetException thrown) {
            ignored(provider.getClass().getName(), thrown.getCause());
            return;
        }
        List<String> names = new ArrayList<String>();
        for (Object type : types) {
            names.add(((Class<?>) type).getName());
        }
        Events.networkExceptions(names.toArray(new String[0]));
    }

    private static void ignored(String what, Throwable problem) {
        String text;
        try {
            text = problem.toString();
        } catch (Throwable broken) {
            text = problem.getClass().getName();
        }
        Events.warning("ignored the provider of network exceptions \"" + what + "\": " + text);
    }
}
