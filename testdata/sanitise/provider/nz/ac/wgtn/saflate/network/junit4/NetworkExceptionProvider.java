package nz.ac.wgtn.saflate.network.junit4;

/** The service as saflate declares it, for a suite that brings providers of its own. */
public interface NetworkExceptionProvider {
    Class<? extends Exception>[] getNetworkExceptionClassesToBeSanitised();
}
