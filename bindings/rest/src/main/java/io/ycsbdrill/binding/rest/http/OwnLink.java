package io.ycsbdrill.binding.rest.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.CharsetUtil;
import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;
import java.io.IOException;

/**
 * A thread's own connection with HTTP/1.1 and TLS. The thread runs the connection's event loop itself while it waits, so that a request costs no
 * change of threads. Between requests it does not run: what the server did meanwhile is seen before the next one. Owned by the
 * thread that opened it.
 */
final class OwnLink implements Link {
    private static final int LARGEST_KEPT = 1 << 20;

    private final HttpSettings settings;
    private final OwnLoop loop;
    private final byte[] prefix;
    private final byte[] fixed;
    private final Channel channel;
    /** The request to be written, one after the other: it is ours alone again when it was written. */
    private ByteBuf out;

    private final OneReply reply = new OneReply();

    private OwnLink(HttpSettings settings, Endpoint endpoint, byte[] fixed, OwnLoop loop, Channel channel) {
        this.settings = settings;
        this.prefix = endpoint.prefix().getBytes(CharsetUtil.US_ASCII);
        this.fixed = fixed;
        this.loop = loop;
        this.channel = channel;
        Connector.readReplies(channel, reply);
    }

    /** As {@link Connector#open}, with TLS. */
    static Link open(Connector connector, HttpSettings settings, Endpoint endpoint) throws IOException {
        OwnLoop loop = new OwnLoop(settings);
        Connector.Opening opening = connector.connect(endpoint, loop.group());
        try {
            Channel channel = loop.await(opening.ready());
            return new OwnLink(settings, endpoint, connector.fixedHeaders(endpoint), loop, channel);
        } catch (Throwable e) {
            opening.channel().close();
            loop.close();
            throw e;
        }
    }

    @Override
    public Reply send(Request request) throws LinkFailure {
        reply.begin();
        if (out == null || out.refCnt() != 1 || out.capacity() > LARGEST_KEPT) {
            // There is none, or the channel still holds it, or it is not worth keeping.
            if (out != null) {
                out.release();
            }
            out = channel.alloc().directBuffer(1024);
        }
        request.writeTo(out.clear(), prefix, fixed);
        long end = System.nanoTime() + settings.timeout().toNanos();
        // A failure reaches the reader of replies.
        channel.writeAndFlush(out.retain(), channel.voidPromise());
        while (!reply.isDone()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                throw new LinkFailure(Kind.TIMED_OUT, settings.noReply());
            }
            loop.run(left);
            if (Thread.currentThread().isInterrupted()) {
                throw new LinkFailure(Kind.BROKEN, "interrupted");
            }
        }
        loop.used(System.nanoTime());
        return reply.end();
    }

    @Override
    public boolean usable() {
        if (!reply.isGone() && loop.isIdleTooLong()) {
            reply.gone("idle for longer than rest.idle.timeout");
        }
        return !reply.isGone();
    }

    /** Another thread than the owner cannot run the loop; it only asks for the end. */
    @Override
    public void close() {
        reply.gone("closed");
        channel.close();
        if (out != null) {
            out.release();
            out = null;
        }
        loop.close();
    }
}
