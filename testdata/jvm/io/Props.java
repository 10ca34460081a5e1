// Properties: load and store in text and XML, escapes, continuations, defaults, lists.
import java.io.*;
import java.util.*;

public class Props {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        String src
            =
            "# comment\n! also\na=1\nb : two words  \n  c\t\tthree\nd\ne=\n long = one \\\n   two\\\n three\nf\\ g=h\\=i\nu=\\u00e9\\u6f22\ntab=\\t|\\n|\\r|\\\\|\\q\n=empty key\na=again\nunicode=é\nx\\:y=z";
        Properties p = new Properties();
        p.load(new StringReader(src));
        new TreeMap<>(p).forEach((k, v) -> System.out.println("[" + k + "]=["
            + v.toString().replace("\n", "<n>").replace("\r", "<r>").replace("\t", "<t>") + "]"));
        Properties l = new Properties();
        l.load(new ByteArrayInputStream(src.getBytes("ISO-8859-1")));
        System.out.println(l.getProperty("unicode") + " " + l.equals(p));
        t("bad escape", () -> { new Properties().load(new StringReader("a=\\u12")); return 0; });
        StringWriter w = new StringWriter();
        Properties q = new Properties();
        q.setProperty(" sp ace", " v=1:2#3!");
        q.store(w, "head\nline");
        System.out.println(w.toString().replaceAll("(?m)^#\\w{3} .*$", "#DATE"));
        ByteArrayOutputStream bo = new ByteArrayOutputStream();
        q.setProperty("é", "漢\t");
        q.store(bo, null);
        Properties back = new Properties();
        back.load(new ByteArrayInputStream(bo.toByteArray()));
        System.out.println(back.equals(q) + " " + bo.toString().contains("\\u6F22"));
        bo.reset();
        q.storeToXML(bo, "cmt");
        Properties x = new Properties();
        x.loadFromXML(new ByteArrayInputStream(bo.toByteArray()));
        System.out.println(x.equals(q) + " " + bo.toString("UTF-8").lines().findFirst().get());
        t("bad xml", () -> { x.loadFromXML(new ByteArrayInputStream("<a/>".getBytes())); return 0; });
        Properties dflt = new Properties();
        dflt.setProperty("base", "b");
        dflt.setProperty("over", "no");
        Properties top = new Properties(dflt);
        top.setProperty("over", "yes");
        System.out.println(top.getProperty("base") + top.getProperty("over") + top.size()
            + new TreeSet<>(top.stringPropertyNames()) + top.containsKey("base")
            + Collections.list(top.propertyNames()).size());
        StringWriter lw = new StringWriter();
        Properties one = new Properties();
        one.setProperty("k", "v".repeat(50));
        one.list(new PrintWriter(lw, true));
        System.out.println(lw);
        t("null", () -> one.setProperty("a", null));
        t("non string", () -> { one.put("n", 5); one.store(new StringWriter(), ""); return 0; });
        System.out.println(one.getProperty("n") + " " + one.get("n"));
        System.out.println(System.console() == null);
    }
}
