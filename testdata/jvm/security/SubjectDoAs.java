// Subject.doAs hands its subject down the stack and to the threads that are started there; UnixSystem knows the user.

import com.sun.security.auth.module.UnixSystem;
import java.security.AccessControlContext;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.security.PrivilegedActionException;
import java.security.PrivilegedExceptionAction;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.security.auth.Subject;
import javax.security.auth.x500.X500Principal;

@SuppressWarnings("removal")
public class SubjectDoAs {
    static String who() {
        Subject subject = Subject.getSubject(AccessController.getContext());
        return subject == null ? "nobody" : subject.getPrincipals().iterator().next().getName();
    }

    static void say(String where) {
        System.out.println(where + ": " + who());
    }

    static Subject subject(String name) {
        Subject subject = new Subject();
        subject.getPrincipals().add(new X500Principal("CN=" + name));
        return subject;
    }

    static <T> T as(String name, PrivilegedAction<T> action) {
        return Subject.doAs(subject(name), action);
    }

    public static void main(String[] args) throws Exception {
        say("outside");
        as("Duke", () -> {
            say("inside");
            as("Inner", () -> {
                say("further inside");
                return null;
            });
            say("inside again");
            AccessController.doPrivileged((PrivilegedAction<Void>) () -> {
                say("privileged");
                return null;
            });
            AccessController.doPrivilegedWithCombiner((PrivilegedAction<Void>) () -> {
                say("privileged with combiner");
                return null;
            });
            join(new Thread(() -> say("a thread")));
            return null;
        });
        say("outside again");
        AccessControlContext kept = as("Kept", AccessController::getContext);
        AccessController.doPrivileged((PrivilegedAction<Void>) () -> {
            say("with a kept context");
            join(new Thread(() -> say("a thread of that")));
            return null;
        }, kept);
        System.out.println(Subject.getSubject(kept).getPrincipals().size());
        Subject.doAsPrivileged(subject("Privileged"), (PrivilegedAction<Void>) () -> {
            say("as privileged");
            return null;
        }, null);
        try {
            Subject.doAs(subject("Thrower"), (PrivilegedExceptionAction<Void>) () -> {
                throw new Exception(who());
            });
        } catch (PrivilegedActionException e) {
            System.out.println(e.getException().getMessage());
        }
        ExecutorService pool = as("Pool", () -> {
            ExecutorService made = Executors.newSingleThreadExecutor();
            made.submit(() -> say("the pool's first task"));
            return made;
        });
        pool.submit(() -> say("its second")).get();
        pool.shutdown();
        UnixSystem unix = new UnixSystem();
        System.out.println(unix.getUsername().equals(System.getProperty("user.name")));
        System.out.println(unix.getUid() >= 0 && unix.getGid() >= 0 && unix.getGroups() != null);
    }

    static void join(Thread thread) {
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
