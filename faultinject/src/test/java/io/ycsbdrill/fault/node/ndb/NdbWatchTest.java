package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.ndb.mgm.ConnectString;
import io.ycsbdrill.fault.node.ndb.mgm.MgmClient;
import io.ycsbdrill.fault.node.ndb.mgm.ScriptedMgmd;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NdbWatchTest {
    private static final String FAILURE =
            "log event reply\ntype=28\ntime=0\nsource_nodeid=1\nfailed_node=2\nfailure_state=0\n\n";
    private static final String STARTED = "log event reply\ntype=11\ntime=0\nsource_nodeid=2\nversion=591618\n\n";

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final BlockingQueue<EngineEvent> told = new LinkedBlockingQueue<>();
    private volatile String statusOfNode2 = "STARTED";

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
        try (ScriptedMgmd first = new ScriptedMgmd(this::answer);
                ScriptedMgmd second = new ScriptedMgmd(this::answer);
                NdbWatch watch = watch(first.address() + "," + second.address())) {
            watch.open();
            watch.listen(told::add);
            statusOfNode2 = "NO_CONTACT";
            first.listening.poll(10, TimeUnit.SECONDS).close();

            assertThat(next().text()).startsWith("event stream of " + first.address() + " lost");
            assertThat(next()).satisfies(e -> {
                assertThat(e.signal()).isEqualTo(Signal.NOTE);
                assertThat(e.text())
                        .isEqualTo("event stream of " + second.address()
                                + " is open again; events since it was lost are missing");
            });
            assertThat(next()).satisfies(e -> {
                assertThat(e.signal()).isEqualTo(Signal.NODE_DOWN);
                assertThat(e.text()).isEqualTo("status NO_CONTACT (seen after a gap in the event stream)");
            });
            ScriptedMgmd.sendInPieces(second.listening.poll(10, TimeUnit.SECONDS), STARTED);
            assertThat(next().signal()).isEqualTo(Signal.RECOVERED);
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
                        java.time.Duration.ofMillis(500))) {
            assertThatThrownBy(watch::open)
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("requires TLS");
        }
    }

    private NdbWatch watch(String servers) {
        return new NdbWatch(
                new MgmClient(ConnectString.parse(servers), loop),
                List.of(1, 2),
                loop.next(),
                java.time.Duration.ofSeconds(60));
    }

    private String answer(List<String> request) {
        return switch (request.get(0)) {
            case "set clientversion" -> "set clientversion reply\nresult: Ok\n\n";
            case "get status" ->
                "node status\nnodes: 2\nnode.1.type: NDB\nnode.1.status: STARTED\nnode.1.dynamic_id: 1\n"
                        + "node.2.type: NDB\nnode.2.status: " + statusOfNode2 + "\nnode.2.dynamic_id: 2\n\n";
            default -> "listen event\nresult: 0\n\n";
        };
    }

    private EngineEvent next() throws InterruptedException {
        EngineEvent event = told.poll(30, TimeUnit.SECONDS);
        assertThat(event).as("an event within 30 s").isNotNull();
        return event;
    }
}
