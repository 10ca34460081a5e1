// Processes: pipes, exit codes, environment, working folder, redirection, time-outs, destruction, missing programs.
import java.io.*;
import java.util.*;

public class Processes {
    interface T { Object run() throws Throwable; }
    static void t(String n, T r) {
        try {
            System.out.println(n + " " + r.run());
        } catch (Throwable e) {
            System.out.println(n + " !" + e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
    public static void main(String[] args) throws Exception {
        Process pr = new ProcessBuilder("cat").redirectErrorStream(true).start();
        try (Writer o = new OutputStreamWriter(pr.getOutputStream())) { o.write("through cat"); }
        System.out.println(new String(pr.getInputStream().readAllBytes()) + pr.waitFor() + pr.exitValue()
            + pr.isAlive());
        Process sh = new ProcessBuilder("sh", "-c", "echo $V; echo err >&2; exit 7").directory(new File(".")).start();
        System.out.println(new String(sh.getInputStream().readAllBytes()).trim() + "|"
            + new String(sh.getErrorStream().readAllBytes()).trim() + "|" + sh.waitFor());
        ProcessBuilder env = new ProcessBuilder("sh", "-c", "echo $V");
        env.environment().put("V", "val");
        System.out.print(new String(env.start().getInputStream().readAllBytes()));
        t("no program", () -> new ProcessBuilder("/no/such/program").start());
        ProcessBuilder redirect = new ProcessBuilder("echo", "to file").redirectOutput(new File("o.txt"));
        redirect.start().waitFor();
        System.out.print(new String(new FileInputStream("o.txt").readAllBytes()));
        Process sl = new ProcessBuilder("sleep", "100").start();
        t("timeout", () -> sl.waitFor(5, java.util.concurrent.TimeUnit.MILLISECONDS));
        t("exitValue", sl::exitValue);
        sl.destroy();
        System.out.println(sl.waitFor() + " " + sl.toHandle().isAlive() + (ProcessHandle.current().pid() > 0));
        System.out.println(Runtime.getRuntime().exec(new String[] {"true"}).waitFor() + " "
            + Runtime.getRuntime().exec("false").waitFor());
    }
}
