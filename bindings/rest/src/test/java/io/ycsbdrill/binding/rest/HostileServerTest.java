package io.ycsbdrill.binding.rest;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.DBException;

/** Servers that begin a reply and never end it: the first request has the bound of {@code rest.timeout}, too. */
class HostileServerTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            a body that drips         | "HTTP/1.1 200 OK~Content-Length: 100000~~"   | x
            headers that drip         | "HTTP/1.1 200 OK~X: "                        | x
            far too little of a body  | "HTTP/1.1 200 OK~Content-Length: 100000~~a"  | ""
            100 Continue for ever     | "HTTP/1.1 100 Continue~~"                    | "HTTP/1.1 100 Continue~~"
            nothing at all            | ""                                           | ""
            """)
    @Timeout(60)
    void theFirstRequestEndsAtItsTimeout(String what, String first, String more) throws Exception {
        assertEnds("harperdb", what, first, more);
    }

    /** To create a table may take minutes, but a server that never answers is not waited for so long. */
    @ParameterizedTest
    @ValueSource(strings = {"ignite", "cratedb", "faunadb"})
    @Timeout(25)
    void soItIsWhenATableIsToBeCreated(String dialect) throws Exception {
        assertEnds(dialect, dialect, "HTTP/1.1 200 OK~X: ", "x");
    }

    private static void assertEnds(String dialect, String what, String first, String more) throws Exception {
        try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> serve(listening, bytes(first), bytes(more)), "hostile-server");
            server.setDaemon(true);
            server.start();
            RestBinding db = new RestBinding();
            Properties properties = new Properties();
            properties.setProperty("rest.endpoints", "http://127.0.0.1:" + listening.getLocalPort());
            properties.setProperty("rest.dialect", dialect);
            properties.setProperty("rest.timeout", "300ms");
            db.setProperties(properties);

            assertThatThrownBy(db::init)
                    .as(what)
                    .isInstanceOf(DBException.class)
                    .hasMessageContaining("no reply within 300 ms");
        }
    }

    private static byte[] bytes(String text) {
        return text == null ? new byte[0] : text.replace("~", "\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    private static void serve(ServerSocket listening, byte[] first, byte[] more) {
        try (Socket connection = listening.accept()) {
            OutputStream out = connection.getOutputStream();
            out.write(first);
            while (!listening.isClosed()) {
                out.write(more);
                out.flush();
                Thread.sleep(20);
            }
        } catch (IOException | InterruptedException e) {
            // The client is gone.
        }
    }
}
