// skip-stderr
// A security manager of the program's own: caller-sensitive methods with other annotations before that one.

import java.security.Permission;

@SuppressWarnings("removal")
public class SetSecurityManager {
    public static void main(String[] args) throws Exception {
        StringBuilder asked = new StringBuilder();
        System.setSecurityManager(new SecurityManager() {
            @Override
            public void checkPermission(Permission permission) {
                if (permission.getName().equals("no.such.property")) {
                    throw new SecurityException("not " + permission.getName());
                }
                if (permission.getName().equals("setSecurityManager")) {
                    asked.append(permission);
                }
            }

            @Override
            public ThreadGroup getThreadGroup() {
                return new ThreadGroup("of the manager");
            }
        });
        try {
            System.getProperty("no.such.property");
        } catch (SecurityException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new Thread(() -> {}).getThreadGroup().getName());
        System.setSecurityManager(null);
        System.out.println(asked);
        System.out.println(System.getSecurityManager());
        System.out.println(System.getProperty("no.such.property"));
    }
}
