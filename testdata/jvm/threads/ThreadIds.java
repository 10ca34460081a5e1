// Numbers and names of threads: HotSpot's own threads take some before the first of a program.
import java.util.*;

public class ThreadIds {
    public static void main(String[] args) throws Exception {
        System.out.println("main " + Thread.currentThread().getId());
        Thread.getAllStackTraces().keySet().stream().filter(t -> !t.getName().equals("process reaper"))
            .sorted(Comparator.comparing(Thread::getId))
            .forEach(t -> System.out.println(t.getId() + " " + t.getName() + " " + t.isDaemon() + " " + t.getThreadGroup().getName()
                + " " + t.getPriority()));
        for (int i = 0; i < 3; i++) {
            Thread t = new Thread(() -> { });
            System.out.println(t.getId() + " " + t);
            t.start();
            t.join();
        }
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        System.out.println(group.activeCount() + " " + group.getParent().activeCount());
    }
}
