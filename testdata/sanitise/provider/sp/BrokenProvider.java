package sp;

import nz.ac.wgtn.saflate.network.junit4.NetworkExceptionProvider;

public class BrokenProvider implements NetworkExceptionProvider {
    @Override
    public Class<? extends Exception>[] getNetworkExceptionClassesToBeSanitised() {
        throw new IllegalStateException("the provider is broken");
    }
}
