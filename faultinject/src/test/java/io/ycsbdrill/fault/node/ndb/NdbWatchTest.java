package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.ndb.mgm.ConnectString;
import io.ycsbdrill.fault.node.ndb.mgm.MgmClient;
import io.ycsbdrill.fault.node.ndb.mgm.ScriptedMgmd;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NdbWatchTest {
    private static final String FAILURE =
            "log event reply\ntype=28\ntime=0\nsource_nodeid=1\nfailed_node=2\nfailure_state=0\n\n";
    private static final String STARTED = "log event reply\ntype=11\ntime=0\nsource_nodeid=2\nversion=591618\n\n";

    /** Longer than the tests' servers need, and short enough to be waited for. */
    private static final Duration CONTACT_BOUND = Duration.ofSeconds(3);

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final BlockingQueue<EngineEvent> told = new LinkedBlockingQueue<>();
    private volatile String statusOfNode2 = "STARTED";

    /** How many more times the server is asked before it has contact with the nodes. */
    private final AtomicInteger withoutContact = new AtomicInteger();

    /** How many more times it is asked before it knows the states of those that it has contact with. */
    private final AtomicInteger unknown = new AtomicInteger();

    private volatile CountDownLatch inContact = new CountDownLatch(1);

    @AfterEach
    void stopLoop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void eventsInPiecesReachTheListener() throws Exception {
        try (ScriptedMgmd server = new ScriptedMgmd(this::answer);
                NdbWatch watch = watch(server.address())) {
            watch.open();
            AutoCloseable subscription = watch.listen(told::add);
            Socket stream = server.listening.poll(10, TimeUnit.SECONDS);
            ScriptedMgmd.sendInPieces(stream, "<PING>\n" + FAILURE + "<PING>\n");

            assertThat(next()).satisfies(e -> {
                assertThat(e.signal()).isEqualTo(Signal.NODE_DOWN);
                assertThat(e.node()).isEqualTo("2");
                assertThat(e.source()).isEqualTo("mgmd");
            });
            subscription.close();
            subscription.close();
            assertThat(server.requests)
                    .contains(List.of(
                            "listen event",
                            "parsable: 1",
                            "filter: 250=15 251=15 253=7 254=15 255=15 256=15 257=15 258=15"));
        }
    }

    @Test
    void lostStreamIsOpenedAgainAtTheNextServerAndTheGapIsTold() throws Exception {
        AtomicBoolean hangs = new AtomicBoolean();
        try (ScriptedMgmd first = new ScriptedMgmd(
                        request -> hangs.get() && request.get(0).equals("get status") ? "" : answer(request));
                ScriptedMgmd second = new ScriptedMgmd(this::answer);
                NdbWatch watch = watch(first.address() + "," + second.address())) {
            watch.open();
            watch.listen(told::add);
            statusOfNode2 = "NO_CONTACT";
            hangs.set(true);
            first.listening.poll(10, TimeUnit.SECONDS).close();

            assertThat(next().text()).startsWith("event stream of " + first.address() + " lost");
            EngineEvent open = next();
            assertThat(open.signal()).isEqualTo(Signal.NOTE);
            assertThat(open.text())
                    .isEqualTo("event stream of " + second.address()
                            + " is open again; events since it was lost are missing");
            Socket stream = second.listening.poll(10, TimeUnit.SECONDS);
            assertThat(nextOf(stream)).satisfies(e -> {
                assertThat(e.signal()).isEqualTo(Signal.NODE_DOWN);
                assertThat(e.text()).isEqualTo("status NO_CONTACT (seen after a gap in the event stream)");
                assertThat(e.atNanos() - open.atNanos()).as("the first look").isLessThan(CONTACT_BOUND.toNanos());
            });
            ScriptedMgmd.sendInPieces(stream, STARTED);
            assertThat(next().signal()).isEqualTo(Signal.RECOVERED);
        }
    }

    @Test
    void aManagementServerThatWasRestartedHasNoContactWithNodesThatAreUpForAMoment() throws Exception {
        try (ScriptedMgmd first = new ScriptedMgmd(this::answer);
                ScriptedMgmd second = new ScriptedMgmd(this::answer);
                NdbWatch watch = watch(first.address() + "," + second.address())) {
            watch.open();
            watch.listen(told::add);
            inContact = new CountDownLatch(1);
            withoutContact.set(2);
            first.listening.poll(10, TimeUnit.SECONDS).close();

            assertThat(next().signal()).isEqualTo(Signal.NOTE);
            assertThat(next().signal()).isEqualTo(Signal.NOTE);
            assertThat(inContact.await(30, TimeUnit.SECONDS)).isTrue();
            Socket stream = second.listening.poll(10, TimeUnit.SECONDS);
            ScriptedMgmd.sendInPieces(stream, ofManagement(0, 1) + ofManagement(0, 2) + FAILURE);
            assertThat(next().text()).startsWith("NODE_FAILREP");
        }
    }

    @Test
    void aNodeThatTheServerReachesAfterTheFirstLookHasNotStarted() throws Exception {
        withoutContact.set(2);
        try (ScriptedMgmd server = new ScriptedMgmd(this::answer);
                NdbWatch watch = watch(server.address())) {
            watch.open();
            watch.listen(told::add);
            Socket stream = server.listening.poll(10, TimeUnit.SECONDS);
            ScriptedMgmd.sendInPieces(stream, ofManagement(0, 1) + ofManagement(0, 2) + FAILURE);

            assertThat(next().text()).startsWith("NODE_FAILREP");
        }
    }

    @Test
    void aNodeThatTheServerDoesNotReachForLongIsNeitherUpNorDown() throws Exception {
        withoutContact.set(Integer.MAX_VALUE);
        try (ScriptedMgmd server = new ScriptedMgmd(this::answer);
                NdbWatch watch = watch(server.address())) {
            watch.open();
            watch.listen(told::add);
            assertThat(watch.recovered(1)).isFalse();
            Socket stream = server.listening.poll(10, TimeUnit.SECONDS);
            withoutContact.set(0);
            ScriptedMgmd.sendInPieces(stream, ofManagement(0, 1) + ofManagement(0, 2) + FAILURE);

            assertThat(next().text()).startsWith("NODE_FAILREP");
            NodeLocks.await(
                    Duration.ofSeconds(30), () -> watch.recovered(1), () -> "node 1 is up, and that is not noticed");
            assertThat(told).noneMatch(e -> e.node().equals("1"));
        }
    }

    @Test
    void aNodeThatTheServerReachesTooLateIsFoundRecovered() throws Exception {
        try (ScriptedMgmd first = new ScriptedMgmd(this::answer);
                ScriptedMgmd second = new ScriptedMgmd(this::answer);
                NdbWatch watch = watch(first.address() + "," + second.address(), Duration.ofMillis(200))) {
            watch.open();
            watch.listen(told::add);
            withoutContact.set(Integer.MAX_VALUE);
            first.listening.poll(10, TimeUnit.SECONDS).close();
            assertThat(next().signal()).isEqualTo(Signal.NOTE);
            assertThat(next().signal()).isEqualTo(Signal.NOTE);
            assertThat(next().signal()).isEqualTo(Signal.NODE_DOWN);
            assertThat(next().signal()).isEqualTo(Signal.NODE_DOWN);

            withoutContact.set(0);
            ScriptedMgmd.sendInPieces(
                    second.listening.poll(10, TimeUnit.SECONDS), ofManagement(0, 1) + ofManagement(0, 2));

            awaitRecovered(2);
        }
    }

    @Test
    void aStateThatTheServerDoesNotKnowIsAskedForAgain() throws Exception {
        statusOfNode2 = "UNKNOWN";
        try (ScriptedMgmd server = new ScriptedMgmd(this::answer);
                NdbWatch watch = new NdbWatch(
                        new MgmClient(ConnectString.parse(server.address()), loop),
                        List.of(1, 2),
                        loop.next(),
                        Duration.ofSeconds(2),
                        CONTACT_BOUND,
                        node -> Optional.empty())) {
            assertThatThrownBy(watch::open)
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("node 2 is UNKNOWN");
        }
    }

    @Test
    void whatTheDataNodesAreConnectedToIsNotAskedAbout() throws Exception {
        try (ScriptedMgmd server = new ScriptedMgmd(this::answer);
                NdbWatch watch = watch(server.address())) {
            watch.open();
            watch.listen(told::add);
            Socket stream = server.listening.poll(10, TimeUnit.SECONDS);
            statusOfNode2 = "STARTING";
            ScriptedMgmd.sendInPieces(stream, ofManagement(1, 1) + ofManagement(1, 2));
            ScriptedMgmd.sendInPieces(stream, ofManagement(0, 2) + ofManagement(0, 1));
            awaitRecovered(1);
            long asked = questions(server);

            statusOfNode2 = "STARTED";
            ScriptedMgmd.sendInPieces(stream, ofManagement(0, 2).replace("source_nodeid=65", "source_nodeid=1"));

            assertThat(told.poll(500, TimeUnit.MILLISECONDS)).isNull();
            assertThat(questions(server)).isEqualTo(asked);
        }
    }

    private static long questions(ScriptedMgmd server) {
        return server.requests.stream()
                .filter(request -> request.get(0).equals("get status"))
                .count();
    }

    @Test
    void nodesThatWereOnlyOutOfTheServersSightAreFoundRecovered() throws Exception {
        try (ScriptedMgmd server = new ScriptedMgmd(this::answer);
                NdbWatch watch = watch(server.address())) {
            watch.open();
            watch.listen(told::add);
            Socket stream = server.listening.poll(10, TimeUnit.SECONDS);
            ScriptedMgmd.sendInPieces(stream, ofManagement(1, 1) + ofManagement(1, 2));
            assertThat(next().signal()).isEqualTo(Signal.STEP);
            assertThat(next().signal()).isEqualTo(Signal.NODE_DOWN);
            assertThat(next().signal()).isEqualTo(Signal.NODE_DOWN);
            assertThat(watch.recovered(1)).isFalse();

            unknown.set(2);
            ScriptedMgmd.sendInPieces(stream, ofManagement(0, 1) + ofManagement(0, 2));
            awaitRecovered(2);
            assertThat(watch.recovered(1)).isTrue();
            assertThat(watch.recovered(2)).isTrue();
        }
    }

    @Test
    void listenerThatFailsDoesNotHoldUpTheOthers() throws Exception {
        try (ScriptedMgmd server = new ScriptedMgmd(this::answer);
                NdbWatch watch = watch(server.address())) {
            watch.open();
            watch.listen(e -> {
                throw new IllegalStateException("listener fails on purpose");
            });
            watch.listen(told::add);
            ScriptedMgmd.sendInPieces(server.listening.poll(10, TimeUnit.SECONDS), FAILURE);

            assertThat(next().signal()).isEqualTo(Signal.NODE_DOWN);
        }
    }

    @Test
    void refusedSubscriptionIsToldWithItsReason() throws IOException {
        try (ScriptedMgmd server = new ScriptedMgmd(request -> "Authorization failed\nError: requires TLS\n\n");
                NdbWatch watch = new NdbWatch(
                        new MgmClient(ConnectString.parse(server.address()), loop),
                        List.of(1, 2),
                        loop.next(),
                        Duration.ofMillis(500),
                        CONTACT_BOUND,
                        node -> Optional.empty())) {
            assertThatThrownBy(watch::open)
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("requires TLS");
        }
    }

    private NdbWatch watch(String servers) {
        return watch(servers, CONTACT_BOUND);
    }

    private NdbWatch watch(String servers, Duration contactBound) {
        return new NdbWatch(
                new MgmClient(ConnectString.parse(servers), loop),
                List.of(1, 2),
                loop.next(),
                Duration.ofSeconds(60),
                contactBound,
                node -> Optional.empty());
    }

    private String answer(List<String> request) {
        return switch (request.get(0)) {
            case "set clientversion" -> "set clientversion reply\nresult: Ok\n\n";
            case "get status" ->
                oneOf(withoutContact)
                        ? status("NO_CONTACT", "NO_CONTACT")
                        : oneOf(unknown) ? status("UNKNOWN", "UNKNOWN") : statusInContact();
            default -> "listen event\nresult: 0\n\n";
        };
    }

    private static boolean oneOf(AtomicInteger left) {
        return left.getAndUpdate(times -> Math.max(0, times - 1)) > 0;
    }

    private String statusInContact() {
        inContact.countDown();
        return status("STARTED", statusOfNode2);
    }

    private static String status(String node1, String node2) {
        return "node status\nnodes: 2\nnode.1.type: NDB\nnode.1.status: " + node1 + "\nnode.1.dynamic_id: 1\n"
                + "node.2.type: NDB\nnode.2.status: " + node2 + "\nnode.2.dynamic_id: 2\n\n";
    }

    /** The server is connected to a node (0), or no longer (1). */
    private static String ofManagement(int type, int node) {
        return "log event reply\ntype=" + type + "\ntime=0\nsource_nodeid=65\nnode=" + node + "\n\n";
    }

    /** As {@link #next}, for longer than a stream may be silent. */
    private EngineEvent nextOf(Socket stream) throws Exception {
        for (int second = 0; second < 60 && told.isEmpty(); second++) {
            ScriptedMgmd.sendInPieces(stream, "<PING>\n");
            EngineEvent event = told.poll(1, TimeUnit.SECONDS);
            if (event != null) {
                return event;
            }
        }
        return next();
    }

    /** On the same stream: with the next one the server is asked about all nodes anew. */
    private void awaitRecovered(int nodes) throws InterruptedException {
        for (int recovered = 0; recovered < nodes; ) {
            EngineEvent event = next();
            assertThat(event.signal()).as(event.text()).isNotEqualTo(Signal.NOTE);
            recovered += event.signal() == Signal.RECOVERED ? 1 : 0;
        }
    }

    private EngineEvent next() throws InterruptedException {
        EngineEvent event = told.poll(30, TimeUnit.SECONDS);
        assertThat(event).as("an event within 30 s").isNotNull();
        return event;
    }
}
