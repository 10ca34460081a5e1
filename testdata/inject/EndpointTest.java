package inject;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

/** Both tests begin with the same helper: without it each is brittle, and the other sets its state. */
public class EndpointTest {
    @Test
    public void testIdleTimeout() {
        Endpoint.reset();
        Endpoint.connect();
        Endpoint.close("TIMEOUT");
        assertEquals("TIMEOUT", Endpoint.message());
    }

    @Test
    public void testCloseReason() {
        Endpoint.reset();
        Endpoint.connect();
        Endpoint.close("CLOSED");
        assertEquals("CLOSED", Endpoint.message());
    }
}
