package io.ycsbdrill.binding.rest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a thread's own HTTP/1.1 connection makes of all that a server may do. */
@Timeout(60)
class LinkTest {
    /** What the connection runs on. */
    private enum Transport {
        PLAIN,
        TLS
    }

    @TempDir
    static Path folder;

    private static TestCertificate certificate;

    private final List<AutoCloseable> open = new ArrayList<>();
    private ServerSocket server;

    /** One connection's server: reads requests and answers with raw bytes. */
    private interface Script {
        void run(BufferedReader in, OutputStream out, Socket socket) throws Exception;
    }

    @BeforeAll
    static void makeCertificate() throws Exception {
        certificate = TestCertificate.in(folder);
    }

    private void listen(Transport transport) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        server = transport == Transport.TLS
                ? certificate.factory().createServerSocket(0, 50, loopback)
                : new ServerSocket(0, 50, loopback);
        open.add(server);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private Link link(Transport transport, Script script, String... more) throws Exception {
        listen(transport);
        return connect(transport, script, more);
    }

    private Link connect(Transport transport, Script script, String... more) throws Exception {
        Thread thread = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    BufferedReader in = new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
                    script.run(in, socket.getOutputStream(), socket);
                } catch (Exception e) {
                    // The test looks at what the client makes of it.
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        Properties properties = new Properties();
        properties.setProperty(
                "rest.endpoints",
                (transport == Transport.TLS ? "https" : "http") + "://localhost:" + server.getLocalPort());
        properties.setProperty("rest.tls.ca", certificate.pem());
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        HttpSettings settings = HttpSettings.of(
                new BindingProperties(properties), Map.of(), Duration.ofSeconds(30), timeout -> Map.of());
        Link link = new Connector(settings).open(settings.endpoints().get(0));
        open.add(link);
        return link;
    }

    private static Reply get(Link link) throws LinkFailure {
        return link.send(new Request().begin("GET", false).path("/x"));
    }

    private static String skip(BufferedReader in) throws IOException {
        String first = in.readLine();
        for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
            first += "\n" + line;
        }
        return first;
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static String text(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static void fails(Link link, Kind kind) {
        assertThatThrownBy(() -> get(link)).isInstanceOfSatisfying(LinkFailure.class, e -> assertThat(e.kind())
                .isEqualTo(kind));
    }

    @ParameterizedTest
    @EnumSource
    void requestsGoOverOneConnectionWithTheirHeaders(Transport transport) throws Exception {
        List<String> heads = new ArrayList<>();
        Link link = link(
                transport,
                (in, out, socket) -> {
                    for (int i = 0; i < 2; i++) {
                        heads.add(skip(in));
                        write(out, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n" + i);
                    }
                },
                "rest.user",
                "me",
                "rest.password",
                "pw");

        assertThat(text(get(link))).isEqualTo("0");
        assertThat(text(get(link))).isEqualTo("1");
        assertThat(heads.get(1))
                .startsWith("GET /x HTTP/1.1\nHost: localhost:")
                .contains("Accept-Encoding: gzip", "Authorization: Basic bWU6cHc=");
    }

    @ParameterizedTest
    @EnumSource
    void aReplyInChunksAndBitsIsPutTogether(Transport transport) throws Exception {
        Link link = link(transport, (in, out, socket) -> {
            skip(in);
            String reply =
                    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"
                            + "7\r\n, world\r\n0\r\n\r\n";
            for (char c : reply.toCharArray()) {
                write(out, String.valueOf(c));
            }
            skip(in);
        });

        assertThat(text(get(link))).isEqualTo("hello, world");
    }

    @ParameterizedTest
    @EnumSource
    void aCompressedReplyIsUnpackedAndADamagedOneBreaksTheLink(Transport transport) throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("squeezed".getBytes(StandardCharsets.US_ASCII));
        }
        Link link = link(transport, (in, out, socket) -> {
            for (int cut = 0; cut <= 6; cut += 6) {
                skip(in);
                write(
                        out,
                        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + (packed.size() - cut)
                                + "\r\n\r\n");
                out.write(packed.toByteArray(), 0, packed.size() - cut);
            }
            skip(in);
        });

        assertThat(text(get(link))).isEqualTo("squeezed");
        fails(link, Kind.BROKEN);
    }

    @ParameterizedTest
    @EnumSource
    void theEndOfTheConnectionWithinAReplyIsNoReply(Transport transport) throws Exception {
        Link link = link(transport, (in, out, socket) -> {
            skip(in);
            write(out, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
        });

        fails(link, Kind.BROKEN);
        assertThat(link.usable()).isFalse();
        fails(link, Kind.NOT_SENT);
    }

    @ParameterizedTest
    @EnumSource
    void aResetAfterTheRequestIsABrokenLink(Transport transport) throws Exception {
        Link link = link(transport, (in, out, socket) -> {
            skip(in);
            socket.setSoLinger(true, 0);
        });

        fails(link, Kind.BROKEN);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotHttpIsABrokenLink(Transport transport) throws Exception {
        Link link = link(transport, (in, out, socket) -> {
            skip(in);
            write(out, "SSH-2.0-OpenSSH\r\n\r\n");
            skip(in);
        });

        fails(link, Kind.BROKEN);
    }

    @ParameterizedTest
    @EnumSource
    void aReplyThatDoesNotEndInTimeIsTimedOut(Transport transport) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Link link = link(
                transport,
                (in, out, socket) -> {
                    skip(in);
                    write(out, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nslow");
                    over.await();
                },
                "rest.timeout",
                "100ms");

        fails(link, Kind.TIMED_OUT);
        over.countDown();
    }

    /** As a server does with a request that is too large for it: the rest of it is answered by a reset. */
    @Test
    void aReplyThatComesBeforeTheRequestIsWholeIsTaken() throws Exception {
        Link link = link(Transport.PLAIN, (in, out, socket) -> {
            in.readLine();
            write(out, "HTTP/1.1 413 Too much\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        });
        Request large = new Request().begin("POST", true).path("/x").body("text/plain", new byte[32 << 20]);

        assertThat(link.send(large).code()).isEqualTo(413);
        assertThat(link.usable()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void aSecondReplyToOneRequestEndsTheConnection(Transport transport) throws Exception {
        Link link = link(transport, (in, out, socket) -> {
            skip(in);
            write(
                    out,
                    "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n1" + "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n2");
            skip(in);
        });

        assertThat(text(get(link))).isEqualTo("1");
        while (link.usable()) {
            Thread.onSpinWait();
        }
    }

    /** Values that do not fit into what is read at once. */
    @ParameterizedTest
    @EnumSource
    void largeRepliesAreReadWholeOneAfterTheOther(Transport transport) throws Exception {
        int[] lengths = {5_000, 3_000_000, 10, 70_000};
        Link link = link(transport, (in, out, socket) -> {
            for (int length : lengths) {
                skip(in);
                write(out, "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n" + "v".repeat(length));
            }
        });

        for (int length : lengths) {
            assertThat(text(get(link)).equals("v".repeat(length)))
                    .as("%d bytes", length)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptEndsTheWaitAndIsKept(Transport transport) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Thread waiting = Thread.currentThread();
        Link link = link(transport, (in, out, socket) -> {
            skip(in);
            waiting.interrupt();
            over.await();
        });

        LinkFailure failure = catchThrowableOfType(LinkFailure.class, () -> get(link));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(failure).hasMessage("interrupted").returns(Kind.BROKEN, LinkFailure::kind);
        over.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatTheServerEndsIsNotUsedAgain(Transport transport) throws Exception {
        Link link = link(transport, (in, out, socket) -> {
            skip(in);
            write(out, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
            skip(in);
        });

        assertThat(text(get(link))).isEqualTo("ok");
        assertThat(link.usable()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void theEndOfAnIdleConnectionIsSeenBeforeTheNextRequest(Transport transport) throws Exception {
        CompletableFuture<Socket> accepted = new CompletableFuture<>();
        Link link = link(transport, (in, out, socket) -> {
            skip(in);
            write(out, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            accepted.complete(socket);
        });
        assertThat(text(get(link))).isEqualTo("ok");
        accepted.get();

        while (link.usable()) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @EnumSource
    void nobodyListeningIsAFailureOfTheConnectionNotOfARequest(Transport transport) throws Exception {
        listen(transport);
        server.close();

        assertThatThrownBy(() -> connect(transport, (in, out, socket) -> {}))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(LinkFailure.class)
                .hasMessageContaining("refused");
    }
}
