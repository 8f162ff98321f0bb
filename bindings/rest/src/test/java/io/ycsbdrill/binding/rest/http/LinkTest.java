package io.ycsbdrill.binding.rest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ycsbdrill.binding.rest.RestSettings;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a link makes of all that a server may do; 0 connections stands for a thread's own, 1 for a shared one. */
@Timeout(60)
class LinkTest {
    private final List<AutoCloseable> open = new ArrayList<>();
    private ServerSocket server;

    /** One connection's server: reads requests and answers with raw bytes. */
    private interface Script {
        void run(BufferedReader in, OutputStream out, Socket socket) throws Exception;
    }

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        open.add(server);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private Link link(int connections, Script script, String... more) throws Exception {
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
        properties.setProperty("rest.endpoints", "http://127.0.0.1:" + server.getLocalPort());
        properties.setProperty("rest.connections", Integer.toString(connections));
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        RestSettings settings = RestSettings.of(properties, Map.of());
        Connector connector = new Connector(settings);
        if (connections == 0) {
            Link own = OwnLink.open(connector, settings, settings.endpoints().get(0));
            open.add(own);
            return own;
        }
        SharedLinks shared = new SharedLinks(connector, settings);
        open.add(shared);
        return shared.place(settings.endpoints().get(0));
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
    @ValueSource(ints = {0, 1})
    void requestsGoOverOneConnectionWithTheirHeaders(int connections) throws Exception {
        List<String> heads = new ArrayList<>();
        Link link = link(
                connections,
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
                .startsWith("GET /x HTTP/1.1\nHost: 127.0.0.1:")
                .contains("Accept-Encoding: gzip", "Authorization: Basic bWU6cHc=");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aReplyInChunksAndBitsIsPutTogether(int connections) throws Exception {
        Link link = link(connections, (in, out, socket) -> {
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
    @ValueSource(ints = {0, 1})
    void aCompressedReplyIsUnpackedAndADamagedOneBreaksTheLink(int connections) throws Exception {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write("squeezed".getBytes(StandardCharsets.US_ASCII));
        }
        Link link = link(connections, (in, out, socket) -> {
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
    @ValueSource(ints = {0, 1})
    void theEndOfTheConnectionWithinAReplyIsNoReply(int connections) throws Exception {
        Link link = link(connections, (in, out, socket) -> {
            skip(in);
            write(out, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
        });

        fails(link, Kind.BROKEN);
        assertThat(link.usable()).isFalse();
        fails(link, Kind.NOT_SENT);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aResetAfterTheRequestIsABrokenLink(int connections) throws Exception {
        Link link = link(connections, (in, out, socket) -> {
            skip(in);
            socket.setSoLinger(true, 0);
        });

        fails(link, Kind.BROKEN);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void whatIsNotHttpIsABrokenLink(int connections) throws Exception {
        Link link = link(connections, (in, out, socket) -> {
            skip(in);
            write(out, "SSH-2.0-OpenSSH\r\n\r\n");
            skip(in);
        });

        fails(link, Kind.BROKEN);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aReplyThatDoesNotEndInTimeIsTimedOut(int connections) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Link link = link(
                connections,
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
        Link link = link(0, (in, out, socket) -> {
            in.readLine();
            write(out, "HTTP/1.1 413 Too much\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        });
        Request large = new Request().begin("POST", true).path("/x").body("text/plain", new byte[32 << 20]);

        assertThat(link.send(large).code()).isEqualTo(413);
        assertThat(link.usable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aSecondReplyToOneRequestEndsTheConnection(int connections) throws Exception {
        Link link = link(connections, (in, out, socket) -> {
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
    @ValueSource(ints = {0, 1})
    void largeRepliesAreReadWholeOneAfterTheOther(int connections) throws Exception {
        int[] lengths = {5_000, 3_000_000, 10, 70_000};
        Link link = link(connections, (in, out, socket) -> {
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
    @ValueSource(ints = {0, 1})
    void anInterruptEndsTheWaitAndIsKept(int connections) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Thread waiting = Thread.currentThread();
        Link link = link(connections, (in, out, socket) -> {
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
    @ValueSource(ints = {0, 1})
    void aConnectionThatTheServerEndsIsNotUsedAgain(int connections) throws Exception {
        Link link = link(connections, (in, out, socket) -> {
            skip(in);
            write(out, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
            skip(in);
        });

        assertThat(text(get(link))).isEqualTo("ok");
        assertThat(link.usable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void theEndOfAnIdleConnectionIsSeenBeforeTheNextRequest(int connections) throws Exception {
        CompletableFuture<Socket> accepted = new CompletableFuture<>();
        Link link = link(connections, (in, out, socket) -> {
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
    @ValueSource(ints = {0, 1})
    void nobodyListeningIsAFailureOfTheConnectionNotOfARequest(int connections) throws Exception {
        server.close();

        assertThatThrownBy(() -> link(connections, (in, out, socket) -> {}))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(LinkFailure.class)
                .hasMessageContaining("refused");
    }

    @Test
    void requestsOfSeveralThreadsAreOnTheirWayTogetherAndEachGetsItsOwnReply() throws Exception {
        Link link = link(1, (in, out, socket) -> {
            List<String> paths = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                paths.add(skip(in).split(" ")[1]);
            }
            for (String path : paths) {
                write(out, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + path);
            }
            skip(in);
        });

        List<CompletableFuture<String>> replies = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            String path = "/" + i;
            replies.add(CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return text(
                                    link.send(new Request().begin("GET", false).path(path)));
                        } catch (LinkFailure e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    command -> new Thread(command).start()));
        }

        for (int i = 0; i < 3; i++) {
            assertThat(replies.get(i).get()).isEqualTo("/" + i);
        }
    }

    @Test
    void whenOneReplyDoesNotComeInTimeTheOthersBehindItAreLost() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Link link = link(1, (in, out, socket) -> over.await(), "rest.timeout", "200ms");
        CompletableFuture<Kind> other = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        get(link);
                    } catch (LinkFailure e) {
                        other.complete(e.kind());
                    }
                })
                .start();

        Kind own = null;
        try {
            get(link);
        } catch (LinkFailure e) {
            own = e.kind();
        }

        assertThat(List.of(own, other.get())).contains(Kind.TIMED_OUT).containsAnyOf(Kind.TIMED_OUT, Kind.BROKEN);
        assertThat(link.usable()).isFalse();
        over.countDown();
    }
}
