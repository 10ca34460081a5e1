// Management facts that hold on every machine: beans exist, counts are sane, names and attributes are registered, MXBeans of our own.
import java.lang.management.*;
import java.util.*;
import javax.management.*;
import javax.management.openmbean.*;

public class Facts {
    public interface CounterMBean { int getCount(); void setCount(int c); int add(int x); String getName(); }
    public static class Counter implements CounterMBean {
        int c;
        public int getCount() { return c; }
        public void setCount(int c) { this.c = c; }
        public int add(int x) { return c += x; }
        public String getName() { return "counter"; }
    }
    public interface PtMXBean { Pt getPt(); List<String> getList(); }
    public static class Pt {
        @java.beans.ConstructorProperties({"x"}) public Pt(int x) { }
        public int getX() { return 7; }
    }
    public static class PtBean implements PtMXBean {
        public Pt getPt() { return new Pt(1); }
        public List<String> getList() { return List.of("a", "b"); }
    }
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        RuntimeMXBean r = ManagementFactory.getRuntimeMXBean();
        System.out.println((r.getName() != null) + " " + r.getSpecVersion() + (r.getUptime() >= 0)
            + (r.getStartTime() > 0) + r.getSystemProperties().containsKey("java.home")
            + (r.getInputArguments() != null));
        MemoryMXBean m = ManagementFactory.getMemoryMXBean();
        System.out.println((m.getHeapMemoryUsage().getUsed() >= 0) + " "
            + (m.getHeapMemoryUsage().getUsed() <= m.getHeapMemoryUsage().getCommitted()));
        ThreadMXBean th = ManagementFactory.getThreadMXBean();
        System.out.println((th.getThreadCount() >= 1) + " "
            + th.getThreadInfo(Thread.currentThread().getId()).getThreadName()
            + th.getThreadInfo(Thread.currentThread().getId()).getThreadState() + (th.findDeadlockedThreads() == null));
        System.out.println((ManagementFactory.getClassLoadingMXBean().getLoadedClassCount() > 100) + " "
            + (ManagementFactory.getOperatingSystemMXBean().getAvailableProcessors() >= 1)
            + ManagementFactory.getOperatingSystemMXBean().getName()
            + (ManagementFactory.getGarbageCollectorMXBeans().size() >= 1)
            + (ManagementFactory.getMemoryPoolMXBeans().size() >= 1));
        MBeanServer s = ManagementFactory.getPlatformMBeanServer();
        ObjectName n = new ObjectName("poldet:type=Counter,name=c1");
        Counter c = new Counter();
        s.registerMBean(c, n);
        s.setAttribute(n, new Attribute("Count", 5));
        System.out.println(s.invoke(n, "add", new Object[] {3}, new String[] {"int"}) + " " + s.getAttribute(n, "Count")
            + s.getAttribute(n, "Name") + c.c + s.isRegistered(n)
            + s.queryNames(new ObjectName("poldet:*"), null).size() + s.getMBeanInfo(n).getAttributes().length
            + s.getMBeanInfo(n).getOperations().length + s.isInstanceOf(n, "Facts$Counter"));
        t("dup", () -> s.registerMBean(new Counter(), n));
        t("no attr", () -> s.getAttribute(n, "Zip"));
        t("read only", () -> { s.setAttribute(n, new Attribute("Name", "x")); return 0; });
        t("bad type", () -> { s.setAttribute(n, new Attribute("Count", "x")); return 0; });
        t("missing", () -> s.getAttribute(new ObjectName("a:b=c"), "X"));
        t("bad name", () -> new ObjectName("nocolon"));
        t("not mbean", () -> s.registerMBean("str", new ObjectName("a:b=d")));
        ObjectName p = new ObjectName("poldet:type=Pt");
        s.registerMBean(new PtBean(), p);
        CompositeData cd = (CompositeData) s.getAttribute(p, "Pt");
        System.out.println(cd.get("x") + " " + Arrays.toString((String[]) s.getAttribute(p, "List")));
        CounterMBean proxy = JMX.newMBeanProxy(s, n, CounterMBean.class);
        proxy.setCount(40);
        System.out.println(proxy.add(2));
        NotificationBroadcasterSupport nb = new NotificationBroadcasterSupport();
        nb.addNotificationListener((x, h) -> System.out.println(x.getType() + h), null, "hb");
        nb.sendNotification(new Notification("t", "src", 1));
        s.unregisterMBean(n);
        System.out.println(s.isRegistered(n) + " " + new ObjectName("d:a=1,b=2").equals(new ObjectName("d:b=2,a=1"))
            + new ObjectName("d:b=2,a=1").getCanonicalName() + s.getDefaultDomain() + ObjectName.quote("a*b")
            + new ObjectName("d:*").apply(new ObjectName("d:k=v")));
    }
}
