package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.ndb.mgm.ConnectString;
import io.ycsbdrill.fault.node.ndb.mgm.ScriptedMgmd;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ArbitratorWatchTest {
    /** "President restarts arbitration thread", code 11. */
    private static final String ELECTING = event(11);

    /** "Prepare arbitrator node 65", code 22, with a state in the high half. */
    private static final String PREPARING = event(0x30000 | 22);

    /** "Started arbitrator node 65", code 31. */
    private static final String STARTED = event(0x10000 | 31);

    private static final Duration LONG = Duration.ofSeconds(20);

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @AfterEach
    void stopLoop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void electionIsNotEnough() throws Exception {
        try (ScriptedMgmd server = server();
                ArbitratorWatch watch = opened(server)) {
            Socket stream = server.listening.poll(20, TimeUnit.SECONDS);
            ScriptedMgmd.sendInPieces(stream, ELECTING + PREPARING);

            assertThatThrownBy(() -> watch.awaitStarted(Duration.ofMillis(500)))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("no arbitrator");

            ScriptedMgmd.sendInPieces(stream, STARTED);
            assertThatCode(() -> watch.awaitStarted(LONG)).doesNotThrowAnyException();
        }
    }

    @Test
    void eventThatCameBeforeTheWaitCounts() throws Exception {
        try (ScriptedMgmd server = server();
                ArbitratorWatch watch = opened(server)) {
            ScriptedMgmd.sendInPieces(server.listening.poll(20, TimeUnit.SECONDS), ELECTING + PREPARING + STARTED);

            watch.awaitStarted(LONG);
            watch.awaitStarted(LONG);
        }
    }

    private static ScriptedMgmd server() throws Exception {
        return new ScriptedMgmd(request -> "listen event\nresult: 0\n\n");
    }

    private ArbitratorWatch opened(ScriptedMgmd server) {
        ArbitratorWatch watch = new ArbitratorWatch(ConnectString.parse(server.address()), loop.next());
        watch.open(LONG);
        return watch;
    }

    private static String event(int code) {
        return "log event reply\ntype=29\ntime=0\nsource_nodeid=1\ncode=" + code
                + "\narbit_node=65\nticket_0=1\nticket_1=2\n\n";
    }
}
