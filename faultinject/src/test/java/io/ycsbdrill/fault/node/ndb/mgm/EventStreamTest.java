package io.ycsbdrill.fault.node.ndb.mgm;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EventStreamTest {
    private static final String FAILURE =
            "log event reply\ntype=28\ntime=0\nsource_nodeid=1\nfailed_node=2\nfailure_state=0\n\n";
    /** Longer than this test is ever held up. */
    private static final Duration LONG = Duration.ofSeconds(3);

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final CountDownLatch goOn = new CountDownLatch(1);

    @AfterEach
    void stopLoop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /** What has arrived meanwhile is read before the stream is given up, and no event is lost. */
    @Test
    void aListenerThatTakesLongerThanTheServerMayBeSilentLosesNoEvent() throws Exception {
        try (ScriptedMgmd server = new ScriptedMgmd(request -> "listen event\nresult: 0\n\n")) {
            EventStream stream = new EventStream(ConnectString.parse(server.address()), loop.next(), LONG, new Slow());
            stream.open();
            Socket socket = server.listening.poll(30, TimeUnit.SECONDS);
            assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("connected");
            ScriptedMgmd.sendInPieces(socket, FAILURE);
            assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("event");

            Thread.sleep(LONG.toMillis() + 500);
            ScriptedMgmd.sendInPieces(socket, "<PING>\n" + FAILURE);
            goOn.countDown();

            assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("event");
            stream.close();
        }
    }

    @Test
    void aServerThatSaysNothingIsGivenUp() throws Exception {
        goOn.countDown();
        try (ScriptedMgmd server = new ScriptedMgmd(request -> "listen event\nresult: 0\n\n")) {
            EventStream stream = new EventStream(
                    ConnectString.parse(server.address()), loop.next(), Duration.ofMillis(300), new Slow());
            stream.open();

            assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("connected");
            assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("nothing heard for 300 ms");
            assertThat(told.poll(30, TimeUnit.SECONDS)).isEqualTo("connected");
            stream.close();
        }
    }

    private final class Slow implements EventStream.Listener {
        @Override
        public void event(MgmEvent event, long atNanos) {
            told.add("event");
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void connected(ConnectString.Server server, boolean again) {
            told.add("connected");
        }

        @Override
        public void disconnected(ConnectString.Server server, String reason) {
            told.add(reason);
        }
    }
}
