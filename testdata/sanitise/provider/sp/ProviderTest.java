package sp;

import java.net.SocketException;
import java.util.concurrent.TimeoutException;
import org.junit.Test;

public class ProviderTest {
    //~ sanitised thrown sp.Provider$RemoteException -
    @Test
    public void named() {
        throw new Provider.RemoteException();
    }

    //~ sanitised thrown java.net.SocketException -
    @Test
    public void builtIn() throws SocketException {
        throw new SocketException();
    }

    //~ error
    @Test
    public void other() throws TimeoutException {
        throw new TimeoutException();
    }
}
