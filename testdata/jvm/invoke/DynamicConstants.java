// Dynamic constants, method handle and method type constants, and failing bootstraps: what they are called with,
// how often, and what is thrown the first and the second time.
import java.lang.invoke.*;
import java.lang.reflect.InvocationTargetException;
import java.util.*;

public class DynamicConstants {
    static int calls;

    public static int prim(MethodHandles.Lookup l, String n, Class<?> t) {
        calls++;
        System.out.println("prim " + n + " " + t);
        return 42;
    }

    public static Object any(MethodHandles.Lookup l, String n, Class<?> t, Object... args) {
        calls++;
        System.out.println("any " + n + " " + t + " " + Arrays.deepToString(args));
        return switch (n) {
            case "nul" -> null;
            case "lng" -> 7L;
            case "boom" -> raise(new IllegalStateException("b"));
            case "err" -> raise(new AssertionError("e"));
            case "str" -> "S" + args.length;
            case "wrong" -> "notint";
            case "ch" -> 'c';
            case "dbl" -> 2.5;
            case "bool" -> true;
            case "arr" -> new int[] {1, 2};
            default -> n;
        };
    }

    static Object raise(Throwable t) { DynamicConstants.<RuntimeException>sneak(t); return null; }
    @SuppressWarnings("unchecked")
    static <T extends Throwable> void sneak(Throwable t) throws T { throw (T) t; }

    public static CallSite mut(MethodHandles.Lookup l, String n, MethodType t) {
        calls++;
        return new MutableCallSite(MethodHandles.constant(String.class, "mut"));
    }

    public static CallSite bad(MethodHandles.Lookup l, String n, MethodType t) {
        calls++;
        System.out.println("bad");
        switch (n) {
            case "nul": return null;
            case "ex": throw new IllegalArgumentException("iae");
            case "err": throw new StackOverflowError("soe");
            case "lnk": throw new NoSuchMethodError("nsme");
            default: return new ConstantCallSite(MethodHandles.constant(int.class, 1));
        }
    }

    public static Object notSite(MethodHandles.Lookup l, String n, MethodType t) { return "x"; }

    // javac cannot write these constants. Class Gen: one static method per name below; it loads a constant whose
    // bootstrap is `prim` or `any`, or makes a call whose bootstrap is `bad`, `mut`, `notSite` or is missing.
    static final String GEN =
        "yv66vgAAAD0AowEAA0dlbgcAAQEAEGphdmEvbGFuZy9PYmplY3QHAAMBAARwcmltAQADKClJAQAQRHluYW1pY0NvbnN0YW50cwcABwEA" +
        "TShMamF2YS9sYW5nL2ludm9rZS9NZXRob2RIYW5kbGVzJExvb2t1cDtMamF2YS9sYW5nL1N0cmluZztMamF2YS9sYW5nL0NsYXNzOylJ" +
        "DAAFAAkKAAgACg8GAAsBAAFwAQABSQwADQAOEQAAAA8BAAlwcmltQXNBbnkBAANhbnkBAHEoTGphdmEvbGFuZy9pbnZva2UvTWV0aG9k" +
        "SGFuZGxlcyRMb29rdXA7TGphdmEvbGFuZy9TdHJpbmc7TGphdmEvbGFuZy9DbGFzcztbTGphdmEvbGFuZy9PYmplY3Q7KUxqYXZhL2xh" +
        "bmcvT2JqZWN0OwwAEgATCgAIABQPBgAVAQAFd3JvbmcMABcADhEAAQAYAQADbG5nAQADKClKAQABSgwAGgAcEQABAB0BAANkYmwBAAMo" +
        "KUQBAAFEDAAfACERAAEAIgEAAmNoAQADKClDAQABQwwAJAAmEQABACcBAARib29sAQADKClaAQABWgwAKQArEQABACwBAANudWwBABQo" +
        "KUxqYXZhL2xhbmcvT2JqZWN0OwEAEkxqYXZhL2xhbmcvT2JqZWN0OwwALgAwEQABADEBAANzdHIBABQoKUxqYXZhL2xhbmcvU3RyaW5n" +
        "OwMAAAABBQAAAAAAAAACBEBAAAAGQBAAAAAAAAABAARmaXZlCAA7AQAQamF2YS9sYW5nL1RocmVhZAcAPQEABChJKVYQAD8BABJMamF2" +
        "YS9sYW5nL1N0cmluZzsMADMAQREAAgBCAQAHb25lbnVsbBEAAwBCAQAGb25lYXJyAQADYXJyDABHADARAAEASBEABABCAQAEYm9vbQwA" +
        "SwAwEQABAEwBAANlcnIMAE4AMBEAAQBPAQAFbm9ic20BAAdtaXNzaW5nDABSABMKAAgAUw8GAFQBAAF4DABWADARAAUAVwEABW5vY2xz" +
        "AQAJTG5vL1N1Y2g7DABWAFoRAAEAWwEAAm1oAQAQamF2YS9sYW5nL1N0cmluZwcAXgEABmxlbmd0aAwAYAAGCgBfAGEPBQBiAQAFbWhi" +
        "YWQBAAdsZW5ndGhoDABlAAYKAF8AZg8FAGcBAAZtaHByaXYBAAV2YWx1ZQEAAltCDABqAGsJAF8AbA8BAG0BAAJtdAEAFShMamF2YS91" +
        "dGlsL0xpc3Q7SilbSRAAcAEABW10YmFkAQAMKExuby9TdWNoOylWEABzAQAIaW5keV9udWwBAANiYWQBAHMoTGphdmEvbGFuZy9pbnZv" +
        "a2UvTWV0aG9kSGFuZGxlcyRMb29rdXA7TGphdmEvbGFuZy9TdHJpbmc7TGphdmEvbGFuZy9pbnZva2UvTWV0aG9kVHlwZTspTGphdmEv" +
        "bGFuZy9pbnZva2UvQ2FsbFNpdGU7DAB2AHcKAAgAeA8GAHkMAC4ANBIABgB7AQAHaW5keV9leAEAAmV4DAB+ADQSAAYAfwEACGluZHlf" +
        "ZXJyDABOADQSAAYAggEACGluZHlfbG5rAQADbG5rDACFADQSAAYAhgEACWluZHlfdHlwZQEABHR5cGUMAIkANBIABgCKAQAIaW5keV9t" +
        "dXQBAANtdXQMAI0AdwoACACODwYAjwEAAW0MAJEANBIABwCSAQAIaW5keV9ub3QBAAdub3RTaXRlAQBqKExqYXZhL2xhbmcvaW52b2tl" +
        "L01ldGhvZEhhbmRsZXMkTG9va3VwO0xqYXZhL2xhbmcvU3RyaW5nO0xqYXZhL2xhbmcvaW52b2tlL01ldGhvZFR5cGU7KUxqYXZhL2xh" +
        "bmcvT2JqZWN0OwwAlQCWCgAIAJcPBgCYEgAIAJIBAAxpbmR5X21pc3NpbmcBAARub3BlDACcAHcKAAgAnQ8GAJ4SAAkAkgEABENvZGUB" +
        "ABBCb290c3RyYXBNZXRob2RzAAEAAgAEAAAAAAAbAAkABQAGAAEAoQAAAA8AAQAAAAAAAxIQrAAAAAAACQARAAYAAQChAAAADwABAAAA" +
        "AAADEhmsAAAAAAAJABoAGwABAKEAAAAQAAIAAAAAAAQUAB6tAAAAAAAJAB8AIAABAKEAAAAQAAIAAAAAAAQUACOvAAAAAAAJACQAJQAB" +
        "AKEAAAAPAAEAAAAAAAMSKKwAAAAAAAkAKQAqAAEAoQAAAA8AAQAAAAAAAxItrAAAAAAACQAuAC8AAQChAAAADwABAAAAAAADEjKwAAAA" +
        "AAAJADMANAABAKEAAAAPAAEAAAAAAAMSQ7AAAAAAAAkARAA0AAEAoQAAAA8AAQAAAAAAAxJFsAAAAAAACQBGADQAAQChAAAADwABAAAA" +
        "AAADEkqwAAAAAAAJAEsALwABAKEAAAAPAAEAAAAAAAMSTbAAAAAAAAkATgAvAAEAoQAAAA8AAQAAAAAAAxJQsAAAAAAACQBRAC8AAQCh" +
        "AAAADwABAAAAAAADEliwAAAAAAAJAFkALwABAKEAAAAPAAEAAAAAAAMSXLAAAAAAAAkAXQAvAAEAoQAAAA8AAQAAAAAAAxJjsAAAAAAA" +
        "CQBkAC8AAQChAAAADwABAAAAAAADEmiwAAAAAAAJAGkALwABAKEAAAAPAAEAAAAAAAMSbrAAAAAAAAkAbwAvAAEAoQAAAA8AAQAAAAAA" +
        "AxJxsAAAAAAACQByAC8AAQChAAAADwABAAAAAAADEnSwAAAAAAAJAHUANAABAKEAAAASAAEAAAAAAAa6AHwAALAAAAAAAAkAfQA0AAEA" +
        "oQAAABIAAQAAAAAABroAgAAAsAAAAAAACQCBADQAAQChAAAAEgABAAAAAAAGugCDAACwAAAAAAAJAIQANAABAKEAAAASAAEAAAAAAAa6" +
        "AIcAALAAAAAAAAkAiAA0AAEAoQAAABIAAQAAAAAABroAiwAAsAAAAAAACQCMADQAAQChAAAAEgABAAAAAAAGugCTAACwAAAAAAAJAJQA" +
        "NAABAKEAAAASAAEAAAAAAAa6AJoAALAAAAAAAAkAmwA0AAEAoQAAABIAAQAAAAAABroAoAAAsAAAAAAAAQCiAAAAQAAKAAwAAAAWAAAA" +
        "FgAJADUANgA4ADkAPAA+AEAAMgAeABYAAQAyABYAAQBJAFUAAAB6AAAAkAAAAJkAAACfAAA=";

    public static void main(String[] args) throws Throwable {
        Class<?> gen = MethodHandles.lookup().defineClass(Base64.getDecoder().decode(GEN));
        for (String n : List.of("prim", "primAsAny", "lng", "dbl", "ch", "bool", "nul", "str", "onenull", "onearr",
            "boom", "err", "nobsm", "nocls", "mh", "mhbad", "mhpriv", "mt", "mtbad", "indy_nul", "indy_ex",
            "indy_err", "indy_lnk", "indy_type", "indy_mut", "indy_not", "indy_missing"))
            for (int i = 0; i < 2; i++) call(gen, n);
    }

    static void call(Class<?> gen, String name) throws Exception {
        int before = calls;
        StringBuilder out = new StringBuilder(name);
        try {
            out.append(" = ").append(gen.getMethod(name).invoke(null));
        } catch (InvocationTargetException e) {
            for (Throwable t = e.getCause(); t != null; t = t.getCause()) out.append(" ! ").append(t);
        }
        System.out.println(out.toString().replaceAll("@[0-9a-f]+", "@") + " calls " + (calls - before));
    }
}
