package sp;

import nz.ac.wgtn.saflate.network.junit4.NetworkExceptionProvider;

public class Provider implements NetworkExceptionProvider {
    public static class RemoteException extends RuntimeException {
    }

    @Override
    @SuppressWarnings("unchecked")
    public Class<? extends Exception>[] getNetworkExceptionClassesToBeSanitised() {
        return new Class[] {RemoteException.class};
    }
}
