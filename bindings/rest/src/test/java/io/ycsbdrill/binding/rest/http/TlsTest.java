package io.ycsbdrill.binding.rest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.BindingProperties;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.DBException;

/** Whom the client trusts: a server whose certificate is for {@code localhost} and signed by itself. */
@Timeout(60)
class TlsTest {
    @TempDir
    static Path folder;

    private static TestCertificate certificate;
    private static ServerSocket server;

    @BeforeAll
    static void start() throws Exception {
        certificate = TestCertificate.in(folder);
        server = certificate.factory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread serving = new Thread(() -> answers(server));
        serving.setDaemon(true);
        serving.start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void certificateThatIsTrustedIsTaken() throws Exception {
        assertThat(get("localhost", "rest.tls.ca", certificate.pem())).isEqualTo(200);
    }

    @Test
    void unknownCertificateIsRefusedUnlessAsked() throws Exception {
        assertThatThrownBy(() -> get("localhost"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("certification path");
        assertThat(get("localhost", "rest.tls.verify", "false")).isEqualTo(200);
    }

    @Test
    void certificateForAnotherNameIsRefusedUnlessAsked() throws Exception {
        assertThatThrownBy(() -> get("127.0.0.1", "rest.tls.ca", certificate.pem()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1");
        assertThat(get("127.0.0.1", "rest.tls.verify", "false")).isEqualTo(200);
    }

    @Test
    void authorityThatCannotBeReadIsNamedBeforeTheRun() {
        assertThatThrownBy(() -> get("localhost", "rest.tls.ca", "no-such.pem"))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("rest.tls.ca=no-such.pem");
    }

    @Test
    void serverThatDoesNotAnswerIsGivenUpInTime() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> get("localhost", silent.getLocalPort(), "rest.connect.timeout", "100ms"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("no connection within 100 ms");
        }
    }

    @Test
    void serverWithoutTlsIsAFailureOfTheConnectionNotOfARequest() throws Exception {
        try (ServerSocket plain = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(() -> {
                try (Socket socket = plain.accept()) {
                    socket.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    socket.getInputStream().readAllBytes();
                } catch (IOException e) {
                    // The test looks at what the client makes of it.
                }
            });
            serving.setDaemon(true);
            serving.start();

            assertThatThrownBy(() -> get("localhost", plain.getLocalPort(), "rest.connect.timeout", "30s"))
                    .isInstanceOf(IOException.class)
                    .isNotInstanceOf(LinkFailure.class)
                    .hasMessageContaining("not an SSL/TLS record");
        }
    }

    private static int get(String host, String... more) throws Exception {
        return get(host, server.getLocalPort(), more);
    }

    private static int get(String host, int port, String... more) throws Exception {
        Properties properties = new Properties();
        properties.setProperty("rest.endpoints", "https://" + host + ":" + port);
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        HttpSettings settings = HttpSettings.of(
                new BindingProperties(properties), Map.of(), Duration.ofSeconds(30), timeout -> Map.of());
        try (Link link = new Connector(settings).open(settings.endpoints().get(0))) {
            return link.send(new Request().begin("GET", false).path("/x")).code();
        }
    }

    private static void answers(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
                for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {}
                socket.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1".getBytes(StandardCharsets.ISO_8859_1));
            } catch (IOException e) {
                // A client that does not trust the server goes at once.
            }
        }
    }
}
