package io.ycsbdrill.binding.rest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http2.Http2Settings;
import io.ycsbdrill.binding.BindingProperties;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import site.ycsb.DBException;

/** Whom the client trusts: a server whose certificate is for {@code localhost} and signed by itself. */
@Timeout(60)
class TlsTest {
    @TempDir
    static Path folder;

    /** What a link is opened with. */
    private enum Connections {
        OWN_HTTP1,
        OWN_HTTP2,
        SHARED;

        void set(Properties properties) {
            properties.setProperty("rest.http2", Boolean.toString(this != OWN_HTTP1));
            properties.setProperty("rest.connections", this == SHARED ? "1" : "0");
        }
    }

    private static TestCertificate certificate;
    private static Http2Server server;

    @BeforeAll
    static void start() throws Exception {
        certificate = TestCertificate.in(folder);
        server = new Http2Server(certificate, new Http2Settings(), request -> request.ok("1"));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void certificateThatIsTrustedIsTaken(Connections connections) throws Exception {
        assertThat(get("localhost", connections, "rest.tls.ca", certificate.pem()))
                .isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void unknownCertificateIsRefusedUnlessAsked(Connections connections) throws Exception {
        assertThatThrownBy(() -> get("localhost", connections))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("certification path");
        assertThat(get("localhost", connections, "rest.tls.verify", "false")).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void certificateForAnotherNameIsRefusedUnlessAsked(Connections connections) throws Exception {
        assertThatThrownBy(() -> get("127.0.0.1", connections, "rest.tls.ca", certificate.pem()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("127.0.0.1");
        assertThat(get("127.0.0.1", connections, "rest.tls.verify", "false")).isEqualTo(200);
    }

    /** Neither for the threads, nor for the probe that decides whether it is up. */
    @Test
    void aServerWithoutHttp2IsRefusedForSharedConnections() throws Exception {
        try (ServerSocket http1 = certificate.factory().createServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread serving = new Thread(() -> handshakes(http1));
            serving.setDaemon(true);
            serving.start();
            HttpSettings settings =
                    settings("localhost", http1.getLocalPort(), Connections.SHARED, "rest.tls.verify", "false");
            Endpoint endpoint = settings.endpoints().get(0);
            Connector connector = new Connector(settings);

            try (SharedLinks shared = new SharedLinks(connector, settings)) {
                for (ThrowingCallable opening :
                        List.<ThrowingCallable>of(() -> shared.place(endpoint), () -> connector.open(endpoint))) {
                    assertThatThrownBy(opening)
                            .isInstanceOf(IOException.class)
                            .hasMessageContaining("does not offer HTTP/2, which shared connections need")
                            .hasMessageContaining("rest.connections=0");
                }
            }
        }
    }

    @Test
    void authorityThatCannotBeReadIsNamedBeforeTheRun() {
        assertThatThrownBy(() -> get("localhost", Connections.OWN_HTTP1, "rest.tls.ca", "no-such.pem"))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("rest.tls.ca=no-such.pem");
    }

    private static HttpSettings settings(String host, int port, Connections connections, String... more) {
        Properties properties = new Properties();
        properties.setProperty("rest.endpoints", "https://" + host + ":" + port);
        connections.set(properties);
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        return HttpSettings.of(
                new BindingProperties(properties), Map.of(), Duration.ofSeconds(30), timeout -> Map.of());
    }

    private static int get(String host, Connections connections, String... more) throws Exception {
        int port = URI.create(server.url()).getPort();
        HttpSettings settings = settings(host, port, connections, more);
        Connector connector = new Connector(settings);
        Endpoint endpoint = settings.endpoints().get(0);
        if (connections != Connections.SHARED) {
            try (Link link = connector.open(endpoint)) {
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

    private static void handshakes(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                socket.getInputStream().read();
            } catch (IOException e) {
                // The client goes at once.
            }
        }
    }
}
