package io.ycsbdrill.binding.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Statuses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** What becomes of operations when servers fail or answer with this or that status; through the dialect of the embedded cluster. */
@Timeout(60)
class RestThreadTest {
    private final List<TestServer> servers = new ArrayList<>();
    private final List<RestBinding> bindings = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Answers everything with the status in force, and counts. */
    private final class TestServer {
        private final AtomicInteger requests = new AtomicInteger();
        private final int port;
        private volatile int status = 200;
        private volatile boolean hangs;
        private volatile boolean breaks;
        private HttpServer server;

        TestServer(int port) throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            this.port = server.getAddress().getPort();
            begin();
        }

        private void begin() {
            server.setExecutor(threads);
            server.createContext("/", exchange -> {
                if (!exchange.getRequestURI().getPath().contains("/rows")) {
                    exchange.sendResponseHeaders(200, -1);
                    exchange.close();
                    return;
                }
                requests.incrementAndGet();
                byte[] body = exchange.getRequestBody().readAllBytes();
                if (breaks) {
                    throw new IllegalStateException("as the test wants it");
                }
                while (hangs) {
                    Thread.onSpinWait();
                }
                byte[] answer = (status == 200 ? "{}" : "sorry").getBytes();
                exchange.sendResponseHeaders(status, answer.length);
                exchange.getResponseBody().write(answer);
                exchange.close();
                assertThat(body).isNotNull();
            });
            server.start();
        }

        void stop() {
            server.stop(0);
        }

        void again() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            begin();
        }
    }

    @AfterEach
    void closeAll() {
        bindings.forEach(RestBinding::cleanup);
        servers.forEach(server -> {
            server.hangs = false;
            server.stop();
        });
        threads.shutdownNow();
    }

    private List<RestBinding> open(int count, int threads, String... more) throws Exception {
        for (int i = 0; i < count; i++) {
            servers.add(new TestServer(0));
        }
        Properties properties = new Properties();
        properties.setProperty(
                "rest.endpoints",
                servers.stream().map(s -> "http://127.0.0.1:" + s.port).collect(Collectors.joining(",")));
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        for (int i = 0; i < threads; i++) {
            RestBinding db = new RestBinding();
            db.setProperties(properties);
            db.init();
            bindings.add(db);
        }
        return bindings;
    }

    private static Status update(RestBinding db) {
        return db.update("usertable", "k", new HashMap<>(Map.of("f", new StringByteIterator("v"))));
    }

    private static Status read(RestBinding db) {
        return db.read("usertable", "k", null, new HashMap<>());
    }

    @ParameterizedTest
    @CsvSource({
        "200, OK, OK",
        "400, BAD_REQUEST, BAD_REQUEST",
        "401, FORBIDDEN, FORBIDDEN",
        "404, NOT_FOUND, NOT_FOUND",
        "409, DUPLICATE_KEY, DUPLICATE_KEY",
        "418, FAILED, UNKNOWN",
        "429, TEMPORARY, TEMPORARY",
        "500, FAILED, UNKNOWN",
        "502, FAILED, UNKNOWN",
        "503, UNAVAILABLE, UNAVAILABLE"
    })
    void eachStatusHasItsMeaningAndAnUnknownOneIsNeverOk(int code, String read, String update) throws Exception {
        RestBinding db = open(1, 1).get(0);
        servers.get(0).status = code;

        assertThat(read(db).getName()).isEqualTo(read);
        assertThat(update(db).getName()).isEqualTo(update);
    }

    @Test
    void anAnswerThatCannotBeReadIsAFailureOfAReadAndOpenForAWrite() throws Exception {
        RestBinding db = open(1, 1).get(0);
        Map<String, ByteIterator> row = Map.of("f", new StringByteIterator("v"));

        assertThat(db.scan("usertable", "k", 5, null, new java.util.Vector<>())).isEqualTo(Statuses.FAILED);
        assertThat(db.insertAll("usertable", List.of(new BulkInserts.Row("k", row))))
                .containsExactly(Statuses.UNKNOWN);
    }

    @Test
    void aWriteWithoutAnAnswerIsUnknownAndAReadHasFailed() throws Exception {
        RestBinding db = open(1, 1, "rest.timeout", "300ms").get(0);
        servers.get(0).hangs = true;

        assertThat(update(db)).isEqualTo(Statuses.UNKNOWN);
        assertThat(read(db)).isEqualTo(Statuses.TIMEOUT);
        servers.get(0).hangs = false;

        servers.get(0).breaks = true;
        await(() -> update(db) == Statuses.UNKNOWN);
        await(() -> read(db) == Statuses.UNAVAILABLE);
        assertThat(db.reconnects().get(0).lost()).isGreaterThanOrEqualTo(4);
    }

    @Test
    void threadsOfALostServerGoToTheOthersAndComeBack() throws Exception {
        List<RestBinding> clients = open(2, 4);
        assertThat(clients.stream().map(RestThreadTest::update)).containsOnly(Status.OK);
        assertThat(Stream.of(0, 1).map(i -> servers.get(i).requests.get())).containsExactly(2, 2);

        servers.get(0).stop();
        clients.forEach(RestThreadTest::update);
        assertThat(clients.stream().map(RestThreadTest::update)).containsOnly(Status.OK);

        servers.get(0).again();
        int before = servers.get(0).requests.get();
        await(() -> {
            assertThat(clients.stream().map(RestThreadTest::update)).containsOnly(Status.OK);
            return servers.get(0).requests.get() >= before + 2;
        });
    }

    @Test
    void withoutAnyServerOperationsAreUnavailable() throws Exception {
        RestBinding db = open(1, 1).get(0);
        servers.get(0).stop();
        update(db);

        assertThat(update(db)).isEqualTo(Statuses.UNAVAILABLE);
        servers.get(0).again();
        await(() -> update(db).isOk());
    }

    @Test
    void aConnectionThatWasIdleForTooLongIsReplacedWithoutALoss() throws Exception {
        RestBinding db = open(1, 1, "rest.idle.timeout", "100ms").get(0);
        assertThat(update(db)).isEqualTo(Status.OK);
        long end = System.nanoTime() + 150_000_000L;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }

        assertThat(update(db)).isEqualTo(Status.OK);
        assertThat(db.reconnects()).isEmpty();
    }

    @Test
    void initNamesTheServersThatDoNotAnswerAndTheSecondTryFailsToo() throws Exception {
        TestServer gone = new TestServer(0);
        gone.stop();
        RestBinding db = new RestBinding();
        Properties properties = new Properties();
        properties.setProperty("rest.endpoints", "http://127.0.0.1:" + gone.port);
        db.setProperties(properties);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(db::init)
                    .isInstanceOf(DBException.class)
                    .hasMessageContaining("http://127.0.0.1:" + gone.port)
                    .hasMessageContaining("refused");
        }
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        long end = System.nanoTime() + 30_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
        }
    }
}
