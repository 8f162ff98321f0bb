package io.ycsbdrill.binding.rest;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.util.CharsetUtil;
import io.netty.util.concurrent.Future;
import io.ycsbdrill.binding.rest.LinkFailure.Kind;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A connection of several threads: requests go out as they come, without waiting for the replies before them, and the replies
 * come in the same order. When one reply does not come in time the connection is closed, as all others are behind it: they
 * fail, too. Thread-safe; {@code inFlight} belongs to the event loop.
 */
final class PipelinedLink implements ReplyReader.Listener {
    private final RestSettings settings;
    private final byte[] prefix;
    private final byte[] fixed;
    /** Set before anybody else knows of this. */
    private volatile Channel channel;

    private final Queue<Waiting> toSend = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ArrayDeque<Waiting> inFlight = new ArrayDeque<>();
    private volatile long lastNanos = System.nanoTime();
    private volatile String gone;

    /** A thread that waits for its reply. */
    private static final class Waiting {
        private final Thread thread = Thread.currentThread();
        private final ByteBuf request;
        private volatile Reply reply;
        private volatile LinkFailure failure;

        Waiting(ByteBuf request) {
            this.request = request;
        }

        boolean isDone() {
            return reply != null || failure != null;
        }

        void fail(Kind kind, String reason) {
            failure = new LinkFailure(kind, reason);
            LockSupport.unpark(thread);
        }
    }

    private PipelinedLink(RestSettings settings, Endpoint endpoint, byte[] fixed) {
        this.settings = settings;
        this.prefix = endpoint.prefix().getBytes(CharsetUtil.US_ASCII);
        this.fixed = fixed;
    }

    /** @throws IOException when the server takes no connection in time */
    static PipelinedLink open(Connector connector, RestSettings settings, Endpoint endpoint, EventLoopGroup loops)
            throws IOException {
        PipelinedLink link = new PipelinedLink(settings, endpoint, connector.fixedHeaders(endpoint));
        ChannelFuture connected = connector.connect(endpoint, loops, link);
        link.channel = connected.channel();
        try {
            link.await(connected);
            link.await(Connector.ready(link.channel));
            return link;
        } catch (IOException e) {
            link.close();
            throw e;
        }
    }

    /** One thread's use of it. */
    Link place() {
        return new Link() {
            @Override
            public Reply send(Request request) throws LinkFailure {
                return PipelinedLink.this.send(request);
            }

            @Override
            public boolean usable() {
                return PipelinedLink.this.usable();
            }

            @Override
            public void close() {
                // The others go on.
            }
        };
    }

    boolean usable() {
        return gone == null
                && System.nanoTime() - lastNanos < settings.idleTimeout().toNanos();
    }

    private Reply send(Request request) throws LinkFailure {
        if (gone != null) {
            throw new LinkFailure(Kind.NOT_SENT, gone);
        }
        ByteBuf out = channel.alloc().directBuffer(1024);
        request.writeTo(out, prefix, fixed);
        Waiting waiting = new Waiting(out);
        long start = System.nanoTime();
        lastNanos = start;
        toSend.add(waiting);
        if (scheduled.compareAndSet(false, true)) {
            channel.eventLoop().execute(this::sendAll);
        }
        await(waiting, start + settings.timeout().toNanos());
        if (waiting.failure != null) {
            throw waiting.failure;
        }
        return waiting.reply;
    }

    private void await(Waiting waiting, long end) throws LinkFailure {
        while (!waiting.isDone()) {
            long left = end - System.nanoTime();
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                close();
                throw left <= 0
                        ? new LinkFailure(
                                Kind.TIMED_OUT,
                                "no reply within " + settings.timeout().toMillis() + " ms")
                        : new LinkFailure(Kind.BROKEN, "interrupted");
            }
            LockSupport.parkNanos(this, left);
        }
    }

    /** On the event loop: writes what has gathered, in one go. */
    private void sendAll() {
        scheduled.set(false);
        boolean any = false;
        for (Waiting next = toSend.poll(); next != null; next = toSend.poll()) {
            if (gone != null) {
                next.request.release();
                next.fail(Kind.NOT_SENT, gone);
            } else {
                inFlight.add(next);
                channel.write(next.request);
                any = true;
            }
        }
        if (any) {
            channel.flush();
        }
    }

    @Override
    public void reply(Reply reply, boolean more) {
        Waiting first = inFlight.poll();
        if (first == null) {
            gone("a reply that nobody asked for");
            channel.close();
            return;
        }
        lastNanos = System.nanoTime();
        if (!more) {
            // Before the thread goes on: its next look must not find the link usable.
            gone("the server said that it closes the connection");
            channel.close();
        }
        first.reply = reply;
        LockSupport.unpark(first.thread);
    }

    @Override
    public void gone(String reason) {
        if (gone == null) {
            gone = reason;
        }
        for (Waiting next = inFlight.poll(); next != null; next = inFlight.poll()) {
            next.fail(Kind.BROKEN, gone);
        }
        sendAll();
    }

    /** Those who wait fail. */
    void close() {
        channel.eventLoop().execute(() -> gone("closed, as a reply before did not come in time"));
        channel.close();
    }

    private void await(Future<?> future) throws IOException {
        try {
            if (!future.await(settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(
                        "no connection within " + settings.connectTimeout().toMillis() + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (!future.isSuccess()) {
            throw Connector.failure(future.cause());
        }
    }
}
