package io.ycsbdrill.binding.rest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.rest.RestSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.DBException;

/** Whom the client trusts: a server whose certificate is for {@code localhost} and signed by itself. */
@Timeout(60)
class TlsTest {
    @TempDir
    static Path folder;

    private static ServerSocket server;
    private static TestCertificate certificate;

    @BeforeAll
    static void start() throws Exception {
        certificate = TestCertificate.in(folder);
        server = factory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread serving = new Thread(TlsTest::serve);
        serving.setDaemon(true);
        serving.start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void certificateThatIsTrustedIsTaken(int connections) throws Exception {
        assertThat(get("localhost", connections, "rest.tls.ca", certificate.pem()))
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void unknownCertificateIsRefusedUnlessAsked(int connections) throws Exception {
        assertThatThrownBy(() -> get("localhost", connections))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("certification path");
        assertThat(get("localhost", connections, "rest.tls.verify", "false")).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void certificateForAnotherNameIsRefusedUnlessAsked(int connections) throws Exception {
        assertThatThrownBy(() -> get("127.0.0.1", connections, "rest.tls.ca", certificate.pem()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1");
        assertThat(get("127.0.0.1", connections, "rest.tls.verify", "false")).isEqualTo(200);
    }

    @Test
    void authorityThatCannotBeReadIsNamedBeforeTheRun() {
        assertThatThrownBy(() -> get("localhost", 0, "rest.tls.ca", "no-such.pem"))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("rest.tls.ca=no-such.pem");
    }

    private static int get(String host, int connections, String... more) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("rest.endpoints", "https://" + host + ":" + server.getLocalPort());
        properties.setProperty("rest.connections", Integer.toString(connections));
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        RestSettings settings = RestSettings.of(properties, Map.of());
        Connector connector = new Connector(settings);
        Endpoint endpoint = settings.endpoints().get(0);
        if (connections == 0) {
            try (Link link = OwnLink.open(connector, settings, endpoint)) {
                return status(link);
            }
        }
        try (SharedLinks shared = new SharedLinks(connector, settings);
                Link link = shared.place(endpoint)) {
            return status(link);
        }
    }

    private static int status(Link link) throws LinkFailure {
        return link.send(new Request().begin("GET", false).path("/x")).code();
    }

    private static SSLServerSocketFactory factory() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(certificate.keys().getKeyManagers(), null, null);
        return context.getServerSocketFactory();
    }

    private static void serve() {
        while (!server.isClosed()) {
            try (SSLSocket socket = (SSLSocket) server.accept()) {
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
                String line = in.readLine();
                while (line != null && !line.isEmpty()) {
                    line = in.readLine();
                }
                if (line != null) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getOutputStream().flush();
                    in.readLine(); // until the client has gone
                }
            } catch (IOException e) {
                // A client that does not trust us goes at once.
            }
        }
    }
}
