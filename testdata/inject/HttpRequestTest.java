package inject;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.Test;

/** A fix of a victim as iFixFlakies makes it, whose deletion gives the victim back. */
public class HttpRequestTest {
    @Test
    public void customConnectionFactory() {
        HttpRequest.setConnectionFactory(url -> 500);
        int code = HttpRequest.code("http://not/a/real/url");
        assertEquals(500, code);
    }

    @Test
    public void nullConnectionFactory() {
        HttpRequest.setConnectionFactory(null);
        int code = HttpRequest.code("http://localhost/");
        assertEquals(200, code);
    }

    @Test
    public void postWithNumericQueryParams() {
        HttpRequest.setConnectionFactory(null);
        Map<Integer, Integer> params = new HashMap<>();
        params.put(1, 2);
        params.put(3, 4);
        assertTrue(params.size() <= 2);
        assertEquals(200, HttpRequest.code("http://localhost/" + params));
    }
}
