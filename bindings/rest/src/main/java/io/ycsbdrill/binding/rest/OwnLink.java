package io.ycsbdrill.binding.rest;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.CharsetUtil;
import io.netty.util.concurrent.Future;
import io.ycsbdrill.binding.rest.LinkFailure.Kind;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A thread's own connection. The thread runs the connection's event loop itself while it waits, so that a request costs no
 * change of threads. Between requests nobody runs it: what the server did meanwhile is seen before the next one. Owned by the
 * thread that opened it.
 */
final class OwnLink implements Link, ReplyReader.Listener {
    /** After so long without a request it is worth a look whether the server has closed the connection. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final int LARGEST_KEPT = 1 << 20;

    private final RestSettings settings;
    private final ManualIoEventLoop loop = new ManualIoEventLoop(Thread.currentThread(), NioIoHandler.newFactory());
    private final byte[] prefix;
    private final byte[] fixed;
    private Channel channel;
    private long lastNanos = System.nanoTime();
    /** Of one request after the other: it is ours alone again when it was written. */
    private ByteBuf out;

    private boolean waiting;
    private Reply reply;
    private String gone;

    private OwnLink(RestSettings settings, Endpoint endpoint, byte[] fixed) {
        this.settings = settings;
        this.prefix = endpoint.prefix().getBytes(CharsetUtil.US_ASCII);
        this.fixed = fixed;
    }

    /** @throws IOException when the server takes no connection in time */
    static OwnLink open(Connector connector, RestSettings settings, Endpoint endpoint) throws IOException {
        OwnLink link = new OwnLink(settings, endpoint, connector.fixedHeaders(endpoint));
        boolean opened = false;
        try {
            ChannelFuture connected = connector.connect(endpoint, link.loop, link);
            link.channel = connected.channel();
            link.await(connected);
            link.await(Connector.ready(link.channel));
            opened = true;
            return link;
        } finally {
            if (!opened) {
                link.close();
            }
        }
    }

    @Override
    public Reply send(Request request) throws LinkFailure {
        if (gone != null) {
            throw new LinkFailure(Kind.NOT_SENT, gone);
        }
        if (out == null || out.refCnt() != 1 || out.capacity() > LARGEST_KEPT) {
            // There is none, or the channel still holds it, or it is not worth keeping.
            if (out != null) {
                out.release();
            }
            out = channel.alloc().directBuffer(1024);
        }
        request.writeTo(out.clear(), prefix, fixed);
        reply = null;
        waiting = true;
        lastNanos = System.nanoTime();
        long end = lastNanos + settings.timeout().toNanos();
        // A failure reaches the reader of replies.
        channel.writeAndFlush(out.retain(), channel.voidPromise());
        while (reply == null && gone == null) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new LinkFailure(
                        Kind.TIMED_OUT, "no reply within " + settings.timeout().toMillis() + " ms");
            }
            loop.run(left);
            if (Thread.currentThread().isInterrupted()) {
                throw new LinkFailure(Kind.BROKEN, "interrupted");
            }
        }
        waiting = false;
        if (reply == null) {
            throw new LinkFailure(Kind.BROKEN, gone);
        }
        lastNanos = System.nanoTime();
        return reply;
    }

    @Override
    public boolean usable() {
        if (gone == null) {
            long idle = System.nanoTime() - lastNanos;
            if (idle > settings.idleTimeout().toNanos()) {
                gone = "idle for longer than rest.idle.timeout";
            } else if (idle > LOOK_NANOS) {
                loop.runNow();
            }
        }
        return gone == null;
    }

    @Override
    public void reply(Reply received, boolean more) {
        if (!waiting) {
            gone("a reply that nobody asked for");
            return;
        }
        reply = received;
        if (!more) {
            gone("the server said that it closes the connection");
        }
    }

    @Override
    public void gone(String reason) {
        if (gone == null) {
            gone = reason;
        }
    }

    /** Another thread than the owner cannot run the loop; it only asks for the end. */
    @Override
    public void close() {
        gone("closed");
        if (channel != null) {
            channel.close();
        }
        if (out != null) {
            out.release();
            out = null;
        }
        loop.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
        // Another thread than the owner cannot run the loop; it can only ask for the end.
        while (loop.inEventLoop(Thread.currentThread()) && !loop.isTerminated()) {
            loop.runNow();
        }
    }

    private void await(Future<?> future) throws IOException {
        long end = System.nanoTime() + settings.connectTimeout().toNanos();
        while (!future.isDone()) {
            long left = end - System.nanoTime();
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                throw new IOException(
                        "no connection within " + settings.connectTimeout().toMillis() + " ms");
            }
            loop.run(left);
        }
        if (!future.isSuccess()) {
            throw Connector.failure(future.cause());
        }
    }
}
