package io.ycsbdrill.fault.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.net.Disturbance.Blackhole;
import io.ycsbdrill.fault.net.Disturbance.Cut;
import io.ycsbdrill.fault.net.Disturbance.Delay;
import io.ycsbdrill.fault.net.Disturbance.Reset;
import io.ycsbdrill.fault.net.Disturbance.Throttle;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Through real sockets, before a server that sends back what it gets and, after the client's end, ends too. */
@Timeout(120)
class FaultProxyTest {
    private static final int BOUND_MILLIS = 30_000;

    private ServerSocket server;
    private FaultProxy proxy;
    private final List<Socket> sockets = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread accepting = new Thread(this::serve, "echo");
        accepting.setDaemon(true);
        accepting.start();
        proxy = FaultProxy.before("127.0.0.1", server.getLocalPort());
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        proxy.close();
        server.close();
    }

    private void serve() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread thread = new Thread(() -> echo(socket), "echo-connection");
                thread.setDaemon(true);
                thread.start();
            }
        } catch (IOException e) {
            // closed: the end of the test
        }
    }

    private static void echo(Socket socket) {
        try (socket) {
            socket.getInputStream().transferTo(socket.getOutputStream());
            socket.shutdownOutput();
        } catch (IOException e) {
            // what the test does to it
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(proxy.address(), BOUND_MILLIS);
        socket.setSoTimeout(BOUND_MILLIS);
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    private static String say(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes());
        return hear(socket, text.length());
    }

    private static String hear(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length));
    }

    private static long millisOf(long fromNanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - fromNanos);
    }

    @Test
    void everyByteArrivesAndEachEndIsPassedOnAlone() throws Exception {
        byte[] sent = new byte[20_000_000];
        new Random(7).nextBytes(sent);
        Socket client = connect();
        CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
            try {
                client.getOutputStream().write(sent);
                client.shutdownOutput();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });

        byte[] received = client.getInputStream().readAllBytes();

        sending.get(BOUND_MILLIS, TimeUnit.MILLISECONDS);
        assertThat(digest(received)).isEqualTo(digest(sent));
        awaitConnections(0);
    }

    @Test
    void aSenderIsHeldUpWhenItsReceiverDoesNotRead() throws Exception {
        Socket client = connect();
        client.setSoTimeout(BOUND_MILLIS);
        OutputStream out = client.getOutputStream();
        CompletableFuture<Integer> sending = CompletableFuture.supplyAsync(() -> {
            int chunks = 0;
            try {
                for (; chunks < 2_000; chunks++) {
                    out.write(new byte[100_000]); // comes back, and nobody reads it
                }
            } catch (IOException e) {
                // closed by the test
            }
            return chunks;
        });

        assertThatThrownBy(() -> sending.get(3, TimeUnit.SECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        client.close();
        assertThat(sending.get(BOUND_MILLIS, TimeUnit.MILLISECONDS)).isLessThan(2_000);
    }

    @Test
    void delayIsFeltByLiveConnectionsAndLiftedAgain() throws Exception {
        Socket client = connect();
        assertThat(say(client, "a")).isEqualTo("a");
        Delay delay = new Delay(Duration.ofMillis(300), Duration.ZERO, Direction.BOTH);

        proxy.disturb(delay);
        long slow = System.nanoTime();
        assertThat(say(client, "b")).isEqualTo("b");
        assertThat(millisOf(slow)).isGreaterThanOrEqualTo(600);

        proxy.disturb(new Delay(Duration.ofHours(1), Duration.ZERO, Direction.TO_CLIENT));
        client.getOutputStream().write("cde".getBytes());
        proxy.restoreAll();
        assertThat(hear(client, 3)).isEqualTo("cde");
    }

    private Sight look(Disturbance disturbance) {
        return proxy.look(disturbance);
    }

    /** The last look that found the effect, or the last one at all. */
    private Sight awaitEffect(Disturbance disturbance) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BOUND_MILLIS);
        while (!look(disturbance).effect() && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        return look(disturbance);
    }

    @Test
    void aDisturbanceHasAnEffectOnlyWhenAConnectionFeelsIt() throws Exception {
        Socket client = connect();
        assertThat(say(client, "a")).isEqualTo("a");
        Disturbance delay = new Delay(Duration.ofMillis(50), Duration.ZERO, Direction.TO_SERVER);
        Disturbance throttle = new Disturbance.Throttle(1_000, Direction.TO_CLIENT);
        Disturbance blackhole = new Disturbance.Blackhole(Direction.BOTH);
        Disturbance reset = new Disturbance.Reset();
        Disturbance cut = new Disturbance.Cut();

        proxy.disturb(delay);
        assertThat(look(delay).effect()).as("no byte has come").isFalse();
        assertThat(say(client, "b")).isEqualTo("b");
        assertThat(awaitEffect(delay).effect()).isTrue();
        assertThat(look(delay).text()).matches("longest delay of a byte: \\d+\\.\\d ms");
        proxy.restoreAll();

        proxy.disturb(throttle);
        assertThat(say(client, "c")).isEqualTo("c");
        assertThat(look(throttle).effect()).as("slower than the limit").isFalse();
        assertThat(say(client, "d".repeat(100))).hasSize(100);
        assertThat(awaitEffect(throttle).effect()).isTrue();
        proxy.restoreAll();

        proxy.disturb(blackhole);
        assertThat(look(blackhole).effect()).isFalse();
        client.getOutputStream().write('e');
        assertThat(awaitEffect(blackhole)).isEqualTo(new Sight(true, "bytes held back: 1"));
        proxy.restoreAll();
        assertThat(hear(client, 1)).isEqualTo("e");

        proxy.disturb(reset);
        assertThat(look(reset)).isEqualTo(new Sight(true, "connections reset: 1"));
        awaitConnections(0);
        proxy.disturb(reset);
        assertThat(look(reset).effect()).as("nobody was there").isFalse();

        proxy.disturb(cut);
        assertThat(look(cut).effect()).isFalse();
        Socket late = connect();
        assertThat(late.getInputStream().read()).isEqualTo(-1);
        assertThat(awaitEffect(cut)).isEqualTo(new Sight(true, "connections closed: 0, refused: 1"));
    }

    @Test
    void aShortDelayAfterALongOneThatWasLiftedIsShort() throws Exception {
        Socket client = connect();
        assertThat(say(client, "a")).isEqualTo("a");
        proxy.disturb(new Delay(Duration.ofHours(1), Duration.ZERO, Direction.TO_SERVER));
        client.getOutputStream().write('b');
        assertThat(proxy.connections()).isEqualTo(1);
        client.setSoTimeout(300);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        proxy.restoreAll();
        client.setSoTimeout(BOUND_MILLIS);
        assertThat(hear(client, 1)).isEqualTo("b");

        proxy.disturb(new Delay(Duration.ofMillis(100), Duration.ZERO, Direction.TO_SERVER));

        assertThat(say(client, "c")).isEqualTo("c");
    }

    @Test
    void throttleHoldsTheRate() throws Exception {
        Socket client = connect();
        proxy.disturb(new Throttle(20_000, Direction.TO_SERVER));
        long start = System.nanoTime();

        assertThat(say(client, "x".repeat(20_000))).hasSize(20_000);

        assertThat(millisOf(start)).isBetween(950L, 2_000L);
    }

    @Test
    void anotherDisturbanceDoesNotWipeWhatProvesOne() throws Exception {
        Socket client = connect();
        assertThat(say(client, "a")).isEqualTo("a");
        Blackhole blackhole = new Blackhole(Direction.BOTH);
        Delay delay = new Delay(Duration.ofMillis(50), Duration.ZERO, Direction.BOTH);
        proxy.disturb(blackhole);
        client.getOutputStream().write('b');
        assertThat(awaitEffect(blackhole).effect()).isTrue();

        proxy.disturb(delay);

        assertThat(look(blackhole)).isEqualTo(new Sight(true, "bytes held back: 1"));
        assertThat(look(delay).effect()).isFalse();
    }

    @Test
    void whatAnEqualDisturbanceDidBeforeIsNoProof() throws Exception {
        Socket client = connect();
        assertThat(say(client, "a")).isEqualTo("a");
        Blackhole blackhole = new Blackhole(Direction.BOTH);
        proxy.disturb(blackhole);
        client.getOutputStream().write('b');
        assertThat(awaitEffect(blackhole).effect()).isTrue();
        proxy.restore(blackhole);
        assertThat(hear(client, 1)).isEqualTo("b");

        proxy.disturb(blackhole);

        assertThat(look(blackhole).effect()).isFalse();
    }

    @Test
    void aBlackHoleHoldsBytesAndEndsBackAndDeliversThemLater() throws Exception {
        Socket client = connect();
        assertThat(say(client, "a")).isEqualTo("a");
        Blackhole blackhole = new Blackhole(Direction.TO_CLIENT);
        proxy.disturb(blackhole);
        client.getOutputStream().write("bc".getBytes());
        client.shutdownOutput();
        client.setSoTimeout(300);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        Socket late = connect();
        late.setSoTimeout(300);
        late.getOutputStream().write('d');
        assertThatThrownBy(() -> late.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

        proxy.restore(blackhole);
        client.setSoTimeout(BOUND_MILLIS);
        late.setSoTimeout(BOUND_MILLIS);

        assertThat(new String(client.getInputStream().readAllBytes())).isEqualTo("bc");
        assertThat(hear(late, 1)).isEqualTo("d");
    }

    @Test
    void cutClosesWhatIsThereAndWhatComesUntilItIsLifted() throws Exception {
        Socket client = connect();
        assertThat(say(client, "a")).isEqualTo("a");
        Cut cut = new Cut();

        proxy.disturb(cut);

        assertThat(closed(client)).isTrue();
        assertThat(closed(connect())).isTrue();
        proxy.restore(cut);
        assertThat(say(connect(), "b")).isEqualTo("b");
    }

    @Test
    void resetIsOnceAndSeenAsSuch() throws Exception {
        Socket client = connect();
        assertThat(say(client, "a")).isEqualTo("a");

        proxy.disturb(new Reset());

        assertThatThrownBy(() -> client.getInputStream().read())
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
        assertThat(say(connect(), "b")).isEqualTo("b");
        awaitConnections(1);
    }

    @Test
    void twoOfAKindAreLiftedOneByOne() throws Exception {
        Cut cut = new Cut();
        proxy.disturb(cut);
        proxy.disturb(cut);
        proxy.restore(cut);
        assertThat(closed(connect())).isTrue();
        proxy.restore(cut);
        proxy.restore(cut);
        assertThat(say(connect(), "a")).isEqualTo("a");
    }

    /** A port without a server. Bound and not listening: connections are refused, and no other process gets it meanwhile. */
    private Socket nobody() throws IOException {
        Socket nobody = new Socket();
        sockets.add(nobody);
        nobody.setReuseAddress(true);
        nobody.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return nobody;
    }

    @ParameterizedTest
    @EnumSource
    void aBlackHoleDoesNotSayThatTheServerHasGone(Direction direction) throws Exception {
        proxy.close();
        proxy = FaultProxy.before("127.0.0.1", nobody().getLocalPort());
        Blackhole blackhole = new Blackhole(direction);
        proxy.disturb(blackhole);

        Socket client = connect();
        client.setSoTimeout(300);
        assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        proxy.restore(blackhole);
        client.setSoTimeout(BOUND_MILLIS);
        assertThat(client.getInputStream().read()).isEqualTo(-1);

        proxy.disturb(blackhole);
        Socket late = connect();
        late.setSoTimeout(300);
        assertThatThrownBy(() -> late.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        late.setSoTimeout(BOUND_MILLIS);
        proxy.disturb(new Cut());
        assertThat(closed(late)).isTrue();
    }

    @Test
    void listensWithoutAServerAndWorksWhenItIsThere() throws Exception {
        Socket nobodyElse = nobody();
        int port = nobodyElse.getLocalPort();
        proxy.close();
        proxy = FaultProxy.before("127.0.0.1", port);
        assertThat(closed(connect())).isTrue();

        nobodyElse.close();
        server.close();
        server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        Thread accepting = new Thread(this::serve, "echo");
        accepting.setDaemon(true);
        accepting.start();
        assertThat(say(connect(), "a")).isEqualTo("a");
    }

    @Test
    void saysWhyItCannotListenOrBeChanged() {
        assertThatThrownBy(() -> FaultProxy.before("127.0.0.1", 3306, proxy.address(), 0))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining(String.valueOf(proxy.address().getPort()));
        assertThatThrownBy(() -> FaultProxy.before("127.0.0.1", 0)).isInstanceOf(IllegalArgumentException.class);
        proxy.close();
        assertThatThrownBy(() -> proxy.disturb(new Cut())).isInstanceOf(NodeControlException.class);
    }

    private static boolean closed(Socket socket) {
        try (InputStream in = socket.getInputStream()) {
            return in.read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private void awaitConnections(int count) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BOUND_MILLIS);
        while (proxy.connections() != count && System.nanoTime() < end) {
            Thread.sleep(5);
        }
        assertThat(proxy.connections()).isEqualTo(count);
    }

    private static byte[] digest(byte[] bytes) throws Exception {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }
}
