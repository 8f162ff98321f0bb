package io.ycsbdrill.binding.rest;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.CharsetUtil;
import io.ycsbdrill.binding.rest.LinkFailure.Kind;
import java.io.IOException;

/**
 * A thread's own connection with HTTP/1.1. The thread runs the connection's event loop itself while it waits, so that a request costs no
 * change of threads. Between requests nobody runs it: what the server did meanwhile is seen before the next one. Owned by the
 * thread that opened it.
 */
final class OwnLink implements Link, ReplyReader.Listener {
    private static final int LARGEST_KEPT = 1 << 20;

    private final RestSettings settings;
    private final OwnLoop loop;
    private final byte[] prefix;
    private final byte[] fixed;
    private final Channel channel;
    /** Of one request after the other: it is ours alone again when it was written. */
    private ByteBuf out;

    private boolean waiting;
    private Reply reply;
    private String gone;

    private OwnLink(RestSettings settings, Endpoint endpoint, byte[] fixed, OwnLoop loop, Channel channel) {
        this.settings = settings;
        this.prefix = endpoint.prefix().getBytes(CharsetUtil.US_ASCII);
        this.fixed = fixed;
        this.loop = loop;
        this.channel = channel;
        Connector.readReplies(channel, this);
    }

    /**
     * A connection of the calling thread, with HTTP/2 where the server takes it.
     *
     * @throws IOException when the server takes no connection in time
     */
    static Link open(Connector connector, RestSettings settings, Endpoint endpoint) throws IOException {
        OwnLoop loop = new OwnLoop(settings);
        Connector.Opening<Link> opening = connector.connect(endpoint, loop.group(), new Connector.Links<>() {
            @Override
            public Link http1(Channel channel) {
                return new OwnLink(settings, endpoint, connector.fixedHeaders(endpoint), loop, channel);
            }

            @Override
            public Link http2(Channel channel) {
                return new OwnHttp2Link(settings, connector, endpoint, loop, channel);
            }
        });
        boolean opened = false;
        try {
            Link link = loop.await(opening.link());
            opened = true;
            return link;
        } finally {
            if (!opened) {
                opening.channel().close();
                loop.close();
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
        long end = System.nanoTime() + settings.timeout().toNanos();
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
        loop.used(System.nanoTime());
        return reply;
    }

    @Override
    public boolean usable() {
        if (gone == null && loop.isIdleTooLong()) {
            gone = "idle for longer than rest.idle.timeout";
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

    @Override
    public String protocol() {
        return "HTTP/1.1";
    }

    /** Another thread than the owner cannot run the loop; it only asks for the end. */
    @Override
    public void close() {
        gone("closed");
        channel.close();
        if (out != null) {
            out.release();
            out = null;
        }
        loop.close();
    }
}
