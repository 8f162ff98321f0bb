package io.ycsbdrill.binding.rest.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Settings;
import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.RestBinding;
import io.ycsbdrill.binding.rest.http.Http2Server.Asked;
import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** HTTP/2 with a real server for it. */
@Timeout(60)
class Http2Test {
    private static final String LATE = "2s";

    /** Whose connection a link uses. */
    private enum Connections {
        OWN,
        SHARED;

        int number() {
            return ordinal();
        }
    }

    @TempDir
    static Path folder;

    private static TestCertificate certificate;

    private final List<AutoCloseable> open = new ArrayList<>();
    private Http2Server server;
    private HttpSettings settings;
    private Connector connector;
    private SharedLinks shared;

    @BeforeAll
    static void makeCertificate() throws Exception {
        certificate = TestCertificate.in(folder);
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private void serve(Http2Settings offered, Http2Server.Script script) throws Exception {
        server = new Http2Server(certificate, offered, script);
        open.add(server);
    }

    private Properties properties(Connections connections, String... more) {
        Properties properties = new Properties();
        properties.setProperty("rest.endpoints", server.url());
        properties.setProperty("rest.connections", Integer.toString(connections.number()));
        properties.setProperty("rest.tls.ca", certificate.pem());
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        return properties;
    }

    /** The first link; {@link #place} gives others. */
    private Link link(Connections connections, String... more) throws Exception {
        configure(properties(connections, more));
        if (connections == Connections.OWN) {
            Link own = connector.open(settings.endpoints().get(0));
            open.add(own);
            return own;
        }
        share();
        return place();
    }

    private void configure(Properties properties) throws Exception {
        settings = HttpSettings.of(
                new BindingProperties(properties), Map.of(), Duration.ofSeconds(30), timeout -> Map.of());
        connector = new Connector(settings);
    }

    private void share() {
        shared = new SharedLinks(connector, settings);
        open.add(shared);
    }

    private Link place() throws Exception {
        return shared.place(settings.endpoints().get(0));
    }

    private static Reply get(Link link, String path) throws LinkFailure {
        return link.send(new Request().begin("GET", false).path(path));
    }

    private static String text(Reply reply) {
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static LinkFailure failure(Link link, String path) {
        try {
            Reply reply = get(link, path);
            throw new AssertionError("a reply: " + reply.line());
        } catch (LinkFailure e) {
            return e;
        }
    }

    /** A request by a thread of its own. */
    private static final class Later extends CompletableFuture<Reply> {
        private final Thread thread;

        Later(Link link, String path) {
            thread = new Thread(() -> {
                try {
                    complete(Http2Test.get(link, path));
                } catch (LinkFailure e) {
                    completeExceptionally(e);
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        Later awaitWaiting() {
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            return this;
        }

        LinkFailure failure() throws Exception {
            try {
                throw new AssertionError("a reply: " + get().line());
            } catch (ExecutionException e) {
                return (LinkFailure) e.getCause();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestsAreStreamsOfOneConnectionWithTheirHeadersAndBodies(Connections connections) throws Exception {
        BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
        serve(new Http2Settings(), request -> {
            asked.add(request);
            request.ok("[" + asked.size() + "]");
        });
        Link link = link(connections, "rest.user", "me", "rest.password", "pw");

        assertThat(text(get(link, "/x?a=b"))).isEqualTo("[1]");
        Request post = new Request().begin("POST", true).segment("t");
        post.header("X-Mine", "1").json().writeNumber(42);
        Reply reply = link.send(post);

        assertThat(text(reply)).isEqualTo("[2]");
        assertThat(reply.code()).isEqualTo(200);
        assertThat(reply.header("Content-Type")).isEqualTo("application/json");
        assertThat(reply.header("X-None")).isNull();
        Asked first = asked.take();
        assertThat(first.path()).isEqualTo("/x?a=b");
        assertThat(first.headers().method()).hasToString("GET");
        assertThat(first.headers().get("authorization")).hasToString("Basic bWU6cHc=");
        assertThat(first.headers().authority()).hasToString(server.url().substring("https://".length()));
        Asked second = asked.take();
        assertThat(second.body()).isEqualTo("42");
        assertThat(second.headers().get("x-mine")).hasToString("1");
        assertThat(second.headers().get("content-length")).hasToString("2");
        assertThat(server.connections()).hasSize(1);
    }

    /** One after the other each would wait for an attempt of its own, behind those of all before it. */
    @Test
    void threadsWaitForOneAttemptAtASilentServerTogether() throws Exception {
        int threads = 16;
        long timeoutMillis = 300;
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Properties properties = new Properties();
            properties.setProperty("rest.endpoints", "https://127.0.0.1:" + silent.getLocalPort());
            properties.setProperty("rest.connections", "1");
            properties.setProperty("rest.connect.timeout", timeoutMillis + "ms");
            configure(properties);
            share();
            Callable<Link> place = this::place;

            long start = System.nanoTime();
            List<Future<Link>> places = executor.invokeAll(Collections.nCopies(threads, place));
            Duration all = Duration.ofNanos(System.nanoTime() - start);

            for (Future<Link> one : places) {
                assertThatThrownBy(one::get).hasCauseInstanceOf(IOException.class);
            }
            assertThat(all).isLessThan(Duration.ofMillis(threads * timeoutMillis / 2));
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void http1IsSpokenWhenAskedFor() throws Exception {
        serve(new Http2Settings(), request -> request.ok("\"HTTP/2\""));

        assertThat(text(get(link(Connections.SHARED), "/"))).isEqualTo("\"HTTP/2\"");
        assertThat(text(get(link(Connections.OWN), "/"))).isEqualTo("\"HTTP/2\"");
        assertThat(text(get(link(Connections.OWN, "rest.http2", "false"), "/"))).isEqualTo("\"HTTP/1.1\"");
    }

    @ParameterizedTest
    @EnumSource
    void aReplyMayBeAnnouncedLargeCompressedAndFollowedByMore(Connections connections) throws Exception {
        byte[] large = new byte[3 << 20];
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write("packed".getBytes(StandardCharsets.US_ASCII));
        }
        serve(new Http2Settings(), request -> {
            request.head(103, false, "link", "</x>");
            switch (request.path()) {
                case "/large" -> {
                    request.head(200, false);
                    request.data(large, true);
                }
                case "/packed" -> {
                    request.head(200, false, "content-encoding", "gzip");
                    request.data(packed.toByteArray(), false);
                    request.trailers("checksum", "1");
                }
                default -> request.head(204, true);
            }
        });
        Link link = link(connections);

        for (int i = 0; i < 8; i++) {
            assertThat(get(link, "/large").body()).hasSameSizeAs(large);
        }
        assertThat(text(get(link, "/packed"))).isEqualTo("packed");
        assertThat(get(link, "/none").code()).isEqualTo(204);
    }

    @ParameterizedTest
    @EnumSource
    void aStreamThatIsResetFailsAloneAndOnlyARefusedOneIsSurelyNotDone(Connections connections) throws Exception {
        serve(new Http2Settings(), request -> {
            switch (request.path()) {
                case "/refused" -> request.reset(Http2Error.REFUSED_STREAM);
                case "/error" -> request.reset(Http2Error.INTERNAL_ERROR);
                case "/half" -> {
                    request.head(200, false);
                    request.data(new byte[10], false);
                    request.reset(Http2Error.CANCEL);
                }
                default -> request.ok("1");
            }
        });
        Link link = link(connections);

        LinkFailure refused = failure(link, "/refused");
        assertThat(refused.kind()).isEqualTo(Kind.NOT_SENT);
        assertThat(refused).hasMessageContaining("REFUSED_STREAM");
        assertThat(refused.linkGoesOn()).isTrue();
        assertThat(failure(link, "/error").kind()).isEqualTo(Kind.BROKEN);
        assertThat(failure(link, "/half").kind()).isEqualTo(Kind.BROKEN);
        assertThat(link.usable()).isTrue();
        assertThat(text(get(link, "/"))).isEqualTo("1");
        assertThat(server.connections()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void afterGoAwayTheLastReplyStillComesAndThenTheConnectionIsReplaced(Connections connections) throws Exception {
        serve(new Http2Settings(), request -> {
            request.goAway(request.stream().id());
            request.ok("last");
        });
        Link link = link(connections);

        assertThat(text(get(link, "/"))).isEqualTo("last");
        assertThat(link.usable()).isFalse();
        server.connections().get(0).closeFuture().sync();
    }

    @Test
    void streamsAboveTheLastOneOfGoAwayAreSurelyNotDoneAndTheOthersGoOn() throws Exception {
        BlockingQueue<Asked> first = new LinkedBlockingQueue<>();
        serve(new Http2Settings(), request -> {
            if (request.path().equals("/first")) {
                first.add(request);
            } else if (request.path().equals("/second")) {
                request.goAway(first.element().stream().id());
            } else {
                request.ok("on another connection");
            }
        });
        Link link = link(Connections.SHARED);
        Later early = new Later(link, "/first");
        Asked waiting = first.take();
        first.add(waiting);

        LinkFailure above = failure(link, "/second");
        Link next = place();
        Reply another = get(next, "/third");
        waiting.context().executor().execute(() -> waiting.ok("still"));

        assertThat(above.kind()).isEqualTo(Kind.NOT_SENT);
        assertThat(above.linkGoesOn()).isTrue();
        assertThat(link.usable()).isFalse();
        assertThat(text(another)).isEqualTo("on another connection");
        assertThat(text(early.get())).isEqualTo("still");
        assertThat(server.connections()).hasSize(2);
        server.connections().get(0).closeFuture().sync();
    }

    @Test
    void repliesComeInAnyOrder() throws Exception {
        BlockingQueue<Asked> slow = new LinkedBlockingQueue<>();
        serve(new Http2Settings(), request -> {
            if (request.path().equals("/slow")) {
                slow.add(request);
            } else {
                request.ok("fast");
            }
        });
        Link link = link(Connections.SHARED);
        Later late = new Later(link, "/slow");
        Asked waiting = slow.take();

        assertThat(text(get(place(), "/fast"))).isEqualTo("fast");
        assertThat(late).isNotDone();
        waiting.context().executor().execute(() -> waiting.ok("slow"));
        assertThat(text(late.get())).isEqualTo("slow");
    }

    @Test
    void aStreamThatIsLateIsCancelledAndTheOthersGoOn() throws Exception {
        CountDownLatch come = new CountDownLatch(1);
        serve(new Http2Settings(), request -> {
            if (request.path().equals("/late")) {
                come.countDown();
            } else {
                request.ok("1");
            }
        });
        Link link = link(Connections.SHARED, "rest.timeout", LATE);
        Later late = new Later(link, "/late");
        come.await();
        Link other = place();
        get(other, "/"); // after the late one has begun, so that the connection is seen to live

        assertThat(late.failure().kind()).isEqualTo(Kind.TIMED_OUT);
        assertThat(late.failure().linkGoesOn()).isTrue();
        assertThat(link.usable()).isTrue();
        assertThat(text(get(link, "/"))).isEqualTo("1");
        assertThat(server.resets()).containsExactly(Http2Error.CANCEL.code());
        assertThat(server.connections()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionOnWhichNothingComesIsGivenUp(Connections connections) throws Exception {
        CountDownLatch come = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        serve(new Http2Settings(), request -> {
            if (request.path().equals("/late")) {
                come.countDown();
                try {
                    // Not even the server's machinery answers.
                    over.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            } else {
                request.ok("1");
            }
        });
        Link link = link(connections, "rest.timeout", LATE);
        get(link, "/");

        LinkFailure failure = failure(link, "/late");

        over.countDown();
        assertThat(failure.kind()).isEqualTo(Kind.TIMED_OUT);
        assertThat(failure.linkGoesOn()).isFalse();
        assertThat(link.usable()).isFalse();
        assertThat(come.getCount()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionThatEndsWithinAReplyIsBroken(Connections connections) throws Exception {
        serve(new Http2Settings(), request -> {
            request.head(200, false);
            request.context().close();
        });
        Link link = link(connections);

        LinkFailure failure = failure(link, "/");

        assertThat(failure.kind()).isEqualTo(Kind.BROKEN);
        assertThat(failure.linkGoesOn()).isFalse();
        assertThat(link.usable()).isFalse();
        assertThat(failure(link, "/").kind()).isEqualTo(Kind.NOT_SENT);
    }

    @Test
    void moreThanTheServerTakesAtOnceWait() throws Exception {
        BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
        serve(new Http2Settings().maxConcurrentStreams(1), asked::add);
        Link link = link(Connections.SHARED);
        // The server's limit is known when it has answered once.
        Later known = new Later(link, "/0");
        Asked zero = asked.take();
        zero.context().executor().execute(() -> zero.ok("0"));
        known.get();

        Later one = new Later(link, "/1");
        Asked first = asked.take();
        Later two = new Later(link, "/2");
        first.context().executor().execute(() -> first.ok("1"));
        Asked second = asked.take();
        second.context().executor().execute(() -> second.ok("2"));

        assertThat(text(one.get())).isEqualTo("1");
        assertThat(text(two.get())).isEqualTo("2");
        assertThat(server.resets()).isEmpty();
    }

    @Test
    void whatWaitsForItsTurnWhenTheConnectionEndsWasNotSent() throws Exception {
        BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
        serve(new Http2Settings().maxConcurrentStreams(1), request -> {
            if (request.path().equals("/0")) {
                request.ok("0");
            } else {
                asked.add(request);
            }
        });
        Link link = link(Connections.SHARED);
        get(link, "/0");
        Later one = new Later(link, "/1");
        Asked first = asked.take();
        Later two = new Later(place(), "/2").awaitWaiting();

        first.context().close();

        assertThat(one.failure().kind()).isEqualTo(Kind.BROKEN);
        assertThat(two.failure().kind()).isEqualTo(Kind.NOT_SENT);
        assertThat(asked).isEmpty();
    }

    @Test
    void whatWaitedForItsTurnInVainWasNotSent() throws Exception {
        BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
        serve(new Http2Settings().maxConcurrentStreams(1), request -> {
            if (request.path().equals("/ok")) {
                request.ok("1");
            } else {
                asked.add(request);
            }
        });
        Link link = link(Connections.SHARED);
        get(link, "/ok");
        Later first = new Later(link, "/first");
        Asked taken = asked.take();
        Later second = new Later(place(), "/second").awaitWaiting();

        second.thread.interrupt();

        assertThat(second.failure().kind()).isEqualTo(Kind.NOT_SENT);
        assertThat(second.failure().linkGoesOn()).isTrue();
        taken.context().executor().execute(() -> taken.ok("first"));
        assertThat(text(first.get())).isEqualTo("first");
        assertThat(text(get(link, "/ok"))).isEqualTo("1");
        assertThat(asked).isEmpty();
        assertThat(server.connections()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "OWN, REFUSED_STREAM, UNAVAILABLE",
        "OWN, INTERNAL_ERROR, UNKNOWN",
        "SHARED, REFUSED_STREAM, UNAVAILABLE",
        "SHARED, INTERNAL_ERROR, UNKNOWN"
    })
    void aWriteThatIsResetIsUnknownUnlessItWasRefused(Connections connections, Http2Error error, String outcome)
            throws Exception {
        serve(new Http2Settings(), request -> {
            if (request.path().startsWith("/t/")) {
                request.reset(error);
            } else {
                request.ok("{}");
            }
        });
        RestBinding db = opened(properties(connections));
        try {
            assertThat(db.insert("t", "k", Map.of()).getName()).isEqualTo(outcome);
            assertThat(db.read("t", "k", null, Map.of())).isSameAs(Statuses.UNAVAILABLE);
            assertThat(db.reconnects()).isEmpty();
        } finally {
            db.cleanup();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWriteWithoutAnAnswerIsUnknownAndAReadTimesOut(Connections connections) throws Exception {
        serve(new Http2Settings(), request -> {
            if (!request.path().startsWith("/t/")) {
                request.ok("{}");
            }
        });
        RestBinding db = opened(properties(connections, "rest.timeout", "1s"));
        try {
            assertThat(db.insert("t", "k", Map.of())).isSameAs(Statuses.UNKNOWN);
            assertThat(db.read("t", "k", null, Map.of())).isSameAs(Statuses.TIMEOUT);
        } finally {
            db.cleanup();
        }
    }

    private static RestBinding opened(Properties properties) throws Exception {
        Path file = Files.writeString(
                folder.resolve("requests.txt"),
                "insert.request = PUT /t/{key}\ninsert.body = {values}\nread.request = GET /t/{key}\n");
        properties.setProperty("rest.dialect", "generic");
        properties.setProperty("rest.generic.file", file.toString());
        RestBinding db = new RestBinding();
        db.setProperties(properties);
        db.init();
        return db;
    }
}
