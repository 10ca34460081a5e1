import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** Remote objects in one process: exported, called through sockets, found in a registry, withdrawn. */
public class RemoteObjects {
    public interface Counter extends Remote {
        int add(int n) throws RemoteException;

        void fail(String text) throws RemoteException;

        void call(Counter other, int n) throws RemoteException;
    }

    static class Impl implements Counter {
        int value;

        public synchronized int add(int n) {
            return value += n;
        }

        public void fail(String text) {
            throw new IllegalStateException(text);
        }

        public void call(Counter other, int n) throws RemoteException {
            other.add(n);
        }
    }

    static Counter export(Impl impl) throws RemoteException {
        return (Counter) UnicastRemoteObject.exportObject(impl, 0);
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("java.rmi.server.hostname", "localhost");
        Impl first = new Impl();
        Impl second = new Impl();
        Counter stub = export(first);
        System.out.println(stub.add(2) + " " + stub.add(3) + " " + first.value);
        try {
            stub.fail("broken");
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        stub.call(export(second), 7);
        System.out.println(second.value);
        // A remote object is passed by its stub.
        stub.call(second, 1);
        System.out.println(second.value);

        Registry registry = LocateRegistry.createRegistry(0);
        registry.bind("counter", stub);
        Counter found = (Counter) registry.lookup("counter");
        System.out.println(found.add(10) + " " + found.equals(stub));
        try {
            registry.lookup("other");
        } catch (NotBoundException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(UnicastRemoteObject.unexportObject(first, true));
        try {
            stub.add(1);
        } catch (NoSuchObjectException e) {
            System.out.println(e.getMessage());
        }
        System.exit(0);
    }
}
