package sk

import spock.lang.Specification

/** Spock: the same rules. */
class NetworkSpec extends Specification {
    static String fetch() {
        try {
            new Socket("localhost", 1).close()
            return "content"
        } catch (IOException e) {
            return null
        }
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    def "ends in the exception"() {
        when:
        new Socket("localhost", 1).close()

        then:
        noExceptionThrown()
    }

    //~ sanitised created java.net.ConnectException localhost:1
    def "swallows it"() {
        expect:
        fetch() != null
    }

    //~ failed
    def "expects it"() {
        when:
        new Socket("localhost", 1).close()

        then:
        thrown(ConnectException)
        1 == 2
    }

    //~ sanitised thrown java.net.ConnectException localhost:1
    def "expects something else"() {
        when:
        new Socket("localhost", 1).close()

        then:
        thrown(IllegalStateException)
    }

    //~ failed
    def "has nothing to do with it"() {
        expect:
        1 == 2
    }

    //~ passed
    def "passes"() {
        expect:
        fetch() == null
    }
}
