package io.ycsbdrill.fault.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whom a watcher trusts: a server whose certificate is for {@code localhost} and signed by itself. */
@Timeout(120)
class JsonClientTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path folder;

    private static HttpsServer server;
    private static Path certificate;

    @BeforeAll
    static void start() throws Exception {
        Path store = folder.resolve("store.p12");
        String keytoolPath =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String arguments = "-genkeypair -storetype PKCS12 -alias server -keyalg EC -dname CN=localhost"
                + " -ext san=dns:localhost -validity 2 -storepass changeit -keystore store.p12";
        Process keytool = new ProcessBuilder((keytoolPath + " " + arguments).split(" "))
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor()).as(folder + "/keytool.log").isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        certificate = Files.writeString(
                folder.resolve("server.pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(keys.getCertificate("server").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/q", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] body = ("{\"key\":\"" + exchange.getRequestHeaders().getFirst("X-Key") + "\"}")
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    private static String ask(String host, boolean verify, Optional<Path> authority) throws Exception {
        HttpServers servers = new HttpServers(
                List.of("https://" + host + ":" + server.getAddress().getPort()),
                Map.of("X-Key", "secret"),
                verify,
                authority);
        assertThat(servers.toString()).doesNotContain("secret");
        JsonClient questions = new JsonClient(servers, "/q");
        return questions
                .ask(questions.addresses().get(0), JsonNodeFactory.instance.objectNode(), Duration.ofSeconds(5))
                .body()
                .path("key")
                .asText();
    }

    @Test
    void aCertificateThatIsTrustedIsTakenForItsOwnNameOnly() throws Exception {
        assertThat(ask("localhost", true, Optional.of(certificate))).isEqualTo("secret");
        assertThatThrownBy(() -> ask("127.0.0.1", true, Optional.of(certificate)))
                .isInstanceOf(SSLException.class);
    }

    @Test
    void anUnknownCertificateIsRefusedUnlessAsked() throws Exception {
        assertThatThrownBy(() -> ask("localhost", true, Optional.empty())).isInstanceOf(SSLException.class);
        assertThat(ask("127.0.0.1", false, Optional.empty())).isEqualTo("secret");
    }

    @Test
    void aFileOfCertificatesThatCannotBeReadIsNamed() {
        assertThatThrownBy(() -> ask("localhost", true, Optional.of(folder.resolve("none.pem"))))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("none.pem");
    }

    @Test
    void aFileWithoutCertificatesIsNamed() throws Exception {
        Path empty = Files.createFile(folder.resolve("empty.pem"));

        assertThatThrownBy(() -> ask("localhost", true, Optional.of(empty)))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("empty.pem");
    }
}
