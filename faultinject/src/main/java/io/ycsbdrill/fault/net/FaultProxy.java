package io.ycsbdrill.fault.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.ycsbdrill.fault.net.Disturbance.Conditions;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/**
 * A TCP proxy before one server, on a thread of its own ({@code fault-proxy}). It passes on every byte, the end of each
 * stream and resets, and does to them what the disturbances in force say. It listens whether the server is there or not; a
 * connection to a server that cannot be reached is closed, in a black hole when that is lifted.
 *
 * <pre>{@code
 * try (FaultProxy proxy = FaultProxy.before("127.0.0.1", 3306)) {
 *     client.connect("127.0.0.1", proxy.address().getPort());
 *     Disturbance delay = new Disturbance.Delay(Duration.ofMillis(50), Duration.ZERO, Direction.BOTH);
 *     proxy.disturb(delay);
 *     proxy.restore(delay);
 * }
 * }</pre>
 *
 * <p>Each connection through it has two channels and two pipes, all on the proxy's one thread:
 *
 * <pre>
 *            client channel                                        server channel
 *   client ------ read -----&gt; Pipe toServer [ HeldBytes ] --- write ------&gt; server
 *   client &lt;----- write ----- [ HeldBytes ] Pipe toClient &lt;-- read ------- server
 *                                   ^
 *    Disturbances in force --(fold)--&gt; Conditions, one for each direction
 * </pre>
 *
 * <p>A pipe writes at once what it reads while its conditions are free; else {@link HeldBytes} says which bytes may go when.
 * A new disturbance is a record in {@link Disturbance}, which folds itself into the conditions, with what {@code HeldBytes}
 * makes of a new kind of condition, and an entry in the drill parser's table and in the drill schema.
 *
 * <p>Thread-safe. Bytes are held up to 1 MiB for each stream; then the sender is not read any more, as with any slow peer.
 */
public final class FaultProxy implements AutoCloseable {
    private static final Duration CONNECT_BOUND = Duration.ofSeconds(10);
    private static final Duration CONTROL_BOUND = Duration.ofSeconds(30);
    private static final int BACKLOG = 512;

    private final String host;
    private final int port;
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("fault-proxy", true), NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final Channel listener;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    /** Clients whose server is not there, which in a black hole nobody tells them. */
    private final Set<Channel> unserved = ConcurrentHashMap.newKeySet();

    private final List<Disturbance> inForce = new ArrayList<>();
    /** The traces of disturbances in force, and of the last of each kind that was over at once. */
    private final Map<Disturbance, Traces> traces = new HashMap<>();

    private final long seed;
    private volatile Conditions toServer = Conditions.FREE;
    private volatile Conditions toClient = Conditions.FREE;
    private long accepted;

    /** Both channels and both streams of a client's connection. */
    private record Connection(Channel client, Channel server, Pipe toServer, Pipe toClient) {
        void pump() {
            toServer.pump();
            toClient.pump();
        }

        void meet(Disturbance.Fate fate) {
            FaultProxy.meet(client, fate);
            FaultProxy.meet(server, fate);
        }
    }

    private static void meet(Channel channel, Disturbance.Fate fate) {
        switch (fate) {
            case KEPT -> {}
            case CLOSED -> channel.close();
            case RESET -> Pipe.reset(channel);
        }
    }

    private FaultProxy(String host, int port, InetSocketAddress listen, long seed) {
        this.host = host;
        this.port = port;
        this.seed = seed;
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel client) {
                        accept(client);
                    }
                });
        ChannelFuture bound = bootstrap.bind(listen).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new NodeControlException(
                    "the proxy before " + host + ":" + port + " cannot listen on " + listen + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        listener = bound.channel();
    }

    /**
     * A proxy before a server, listening on a free port of the loopback interface.
     *
     * @param port 1 to 65535
     * @throws NodeControlException when it cannot listen
     */
    public static FaultProxy before(String host, int port) {
        return before(host, port, new InetSocketAddress("127.0.0.1", 0), 0);
    }

    /**
     * A proxy that listens on the given address; port 0 takes a free one.
     *
     * @param seed of the jitter: the n-th connection gets the same sequence in each direction whenever the seed is the same
     * @throws NodeControlException when it cannot listen there
     */
    public static FaultProxy before(String host, int port, InetSocketAddress listen, long seed) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is not between 1 and 65535");
        }
        return new FaultProxy(host, port, listen, seed);
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** The server behind it, as {@code host:port}. */
    public String server() {
        return host + ":" + port;
    }

    /** Connections through it now. */
    public int connections() {
        return connections.size();
    }

    /**
     * Puts a disturbance in force for all connections, those there are and those to come; returns when it is. The same one may
     * be put in force several times, and is to be lifted as often.
     *
     * @throws NodeControlException when the proxy does not respond, as after its end
     */
    public void disturb(Disturbance disturbance) {
        onLoop(() -> {
            Traces own = new Traces();
            traces.put(disturbance, own);
            if (!disturbance.momentary()) {
                inForce.add(disturbance);
                fold();
            }
            if (disturbance.existing() != Disturbance.Fate.KEPT) {
                for (Connection each : List.copyOf(connections)) {
                    each.meet(disturbance.existing());
                    own.ended();
                }
                for (Channel each : List.copyOf(unserved)) {
                    meet(each, disturbance.existing());
                    own.ended();
                }
            }
        });
    }

    /**
     * Looks whether a disturbance that is in force, or was over at once, has affected a connection by now; of equal ones the last.
     * Without connections, and without bytes on them, there is nothing to see.
     *
     * @throws NodeControlException when the proxy does not respond, as after its end
     */
    public Sight look(Disturbance disturbance) {
        AtomicReference<Sight> sight = new AtomicReference<>();
        onLoop(() -> sight.set(disturbance.seenIn(traces.getOrDefault(disturbance, new Traces()))));
        return sight.get();
    }

    /**
     * Lifts a disturbance; returns when what it alone held back is on its way. Bytes that another delay holds too keep the time
     * that they were given when they came. Does nothing when it is not in force.
     *
     * @throws NodeControlException when the proxy does not respond, as after its end
     */
    public void restore(Disturbance disturbance) {
        onLoop(() -> {
            if (inForce.remove(disturbance)) {
                if (!inForce.contains(disturbance)) {
                    traces.remove(disturbance);
                }
                lifted();
            }
        });
    }

    /**
     * Lifts every disturbance.
     *
     * @throws NodeControlException when the proxy does not respond, as after its end
     */
    public void restoreAll() {
        onLoop(() -> {
            inForce.clear();
            traces.clear();
            lifted();
        });
    }

    private void fold() {
        toServer = Conditions.of(inForce, Direction.TO_SERVER);
        toClient = Conditions.of(inForce, Direction.TO_CLIENT);
    }

    /** Whether a black hole keeps from clients what has become of the server. */
    private boolean silent() {
        return toServer.blackhole() || toClient.blackhole();
    }

    private void lifted() {
        fold();
        List.copyOf(connections).forEach(Connection::pump);
        if (!silent()) {
            unserved.forEach(Channel::close);
        }
    }

    private void onLoop(Runnable change) {
        try {
            loop.submit(change).get(CONTROL_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeControlException("interrupted while changing the proxy before " + server(), e);
        } catch (ExecutionException | TimeoutException | java.util.concurrent.RejectedExecutionException e) {
            throw new NodeControlException("the proxy before " + server() + " does not respond: " + e, e);
        }
    }

    private void accept(SocketChannel client) {
        if (toServer.refused()) {
            traces.values().forEach(Traces::refused);
            client.close();
            return;
        }
        accepted++;
        Pipe up = new Pipe(() -> toServer, jitter(seed, accepted, Direction.TO_SERVER), traces.values());
        Pipe down = new Pipe(() -> toClient, jitter(seed, accepted, Direction.TO_CLIENT), traces.values());
        new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_BOUND.toMillis())
                .handler(down)
                .connect(host, port)
                .addListener((ChannelFuture connected) -> {
                    if (!connected.isSuccess() && silent() && !toServer.refused()) {
                        unserved.add(client);
                        client.closeFuture().addListener(closed -> unserved.remove(client));
                        return;
                    }
                    if (!connected.isSuccess() || toServer.refused() || !client.isActive()) {
                        client.close();
                        connected.channel().close();
                        return;
                    }
                    join(new Connection(client, connected.channel(), up, down));
                });
    }

    /**
     * The jitter of one stream.
     *
     * @param connection 1 for the first connection that the proxy accepted
     */
    static RandomGenerator jitter(long seed, long connection, Direction stream) {
        SplittableRandom mixed = new SplittableRandom(seed);
        return new SplittableRandom(mixed.nextLong() + 2 * connection + (stream == Direction.TO_SERVER ? 0 : 1));
    }

    private void join(Connection connection) {
        connections.add(connection);
        connection.client().pipeline().addLast(connection.toServer());
        connection.client().closeFuture().addListener(f -> gone(connection));
        connection.server().closeFuture().addListener(f -> gone(connection));
        connection.toServer().join(connection.client(), connection.server(), connection.toClient());
        connection.toClient().join(connection.server(), connection.client(), connection.toServer());
    }

    private void gone(Connection connection) {
        if (!connection.client().isOpen() && !connection.server().isOpen()) {
            connections.remove(connection);
            connection.toServer().release();
            connection.toClient().release();
        }
    }

    /** Ends all connections and stops listening. Closing twice is harmless. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        List.copyOf(connections).forEach(c -> c.meet(Disturbance.Fate.CLOSED));
        unserved.forEach(Channel::close);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(CONTROL_BOUND.toMillis());
    }
}
