package io.ycsbdrill.fault.node.ndb.mgm;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The events of a cluster, from whichever of its management servers can be reached. The server sends a {@code <PING>}
 * twice a second; a stream that is silent for longer is given up and opened again, at the next server, with growing pauses.
 * No event is sent twice and none later: what happens between two connections is lost, and the listener is notified.
 * Everything here runs on one event loop.
 */
public final class EventStream {
    private static final Duration CONNECT_BOUND = Duration.ofSeconds(3);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final long LAST_LOOK_NANOS = 100_000_000L;

    /** Everything but statistics, each category at its highest level; 252 is statistics, 253 checkpoints up to level 7. */
    private static final List<String> SUBSCRIPTION =
            List.of("listen event", "parsable: 1", "filter: 250=15 251=15 253=7 254=15 255=15 256=15 257=15 258=15");

    /** Is notified of what the stream does, on the event loop. */
    public interface Listener {
        void event(MgmEvent event, long atNanos);

        /** The subscription stands; {@code again} when there was one before, so that events may have been missed. */
        void connected(ConnectString.Server server, boolean again);

        /** The stream is gone or could not be opened; another attempt follows unless {@link #close} was called. */
        void disconnected(ConnectString.Server server, String reason);
    }

    private final ConnectString servers;
    private final EventLoop loop;
    private final Duration silence;
    private final Listener listener;
    private int next;
    private int failures;
    private boolean connectedBefore;
    private boolean closed;
    private Channel channel;

    /** @param silence longest time without a byte from the server */
    public EventStream(ConnectString servers, EventLoop loop, Duration silence, Listener listener) {
        this.servers = servers;
        this.loop = loop;
        this.silence = silence;
        this.listener = listener;
    }

    public void open() {
        loop.execute(this::connect);
    }

    public void close() {
        loop.execute(() -> {
            closed = true;
            if (channel != null) {
                channel.close();
            }
        });
    }

    private void connect() {
        if (closed) {
            return;
        }
        ConnectString.Server server = servers.servers().get(next);
        next = (next + 1) % servers.servers().size();
        MgmClient.bootstrap(loop, new Subscription(server), CONNECT_BOUND)
                .connect(server.host(), server.port())
                .addListener(done -> {
                    if (!done.isSuccess()) {
                        lost(server, done.cause().getMessage());
                    }
                });
    }

    private void lost(ConnectString.Server server, String reason) {
        channel = null;
        if (closed) {
            return;
        }
        listener.disconnected(server, reason);
        long pause = Math.min(LONGEST_PAUSE.toMillis(), SHORTEST_PAUSE.toMillis() << Math.min(failures, 10));
        failures++;
        loop.schedule(this::connect, pause, TimeUnit.MILLISECONDS);
    }

    private final class Subscription extends SimpleChannelInboundHandler<String> {
        private final ConnectString.Server server;
        private final MgmEventReader events = new MgmEventReader();
        private final List<String> answer = new ArrayList<>();
        private boolean subscribed;
        private String reason = "closed by the server";
        private long lastByteNanos;

        Subscription(ConnectString.Server server) {
            this.server = server;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            channel = context.channel();
            if (closed) {
                channel.close();
                return;
            }
            lastByteNanos = System.nanoTime();
            watch(context, false);
            MgmClient.send(context.channel(), SUBSCRIPTION);
        }

        /** @param silent whether nothing had been heard at the look before: this loop may have been held up, and reads first */
        private void watch(ChannelHandlerContext context, boolean silent) {
            long left = silence.toNanos() - (System.nanoTime() - lastByteNanos);
            if (left <= 0 && silent) {
                reason = "nothing heard for " + silence.toMillis() + " ms";
                context.close();
                return;
            }
            if (context.channel().isActive()) {
                loop.schedule(() -> watch(context, left <= 0), Math.max(left, LAST_LOOK_NANOS), TimeUnit.NANOSECONDS);
            }
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, String line) {
            long now = System.nanoTime();
            lastByteNanos = now;
            if (subscribed) {
                events.line(line).ifPresent(e -> listener.event(e, now));
                return;
            }
            if (!line.isEmpty()) {
                answer.add(line);
                return;
            }
            MgmReply reply = MgmReply.parse(answer);
            if (reply.refusedForTls()) {
                refused(context, MgmException.tlsRequired(server).getMessage());
            } else if (!reply.get("result", "").equals("0")) {
                refused(context, "listen event refused: " + reply.header() + " " + reply.fields());
            } else {
                subscribed = true;
                failures = 0;
                boolean again = connectedBefore;
                connectedBefore = true;
                listener.connected(server, again);
            }
        }

        private void refused(ChannelHandlerContext context, String why) {
            reason = why;
            context.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            lost(server, reason);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            reason = String.valueOf(cause.getMessage());
            context.close();
        }
    }
}
