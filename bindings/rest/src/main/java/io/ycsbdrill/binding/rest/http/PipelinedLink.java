package io.ycsbdrill.binding.rest.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.util.CharsetUtil;
import io.ycsbdrill.binding.rest.RestSettings;
import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A shared connection with HTTP/1.1: requests go out as they come, without waiting for the replies before them, and the replies
 * come in the same order. When one reply does not come in time the connection is closed, as all others are behind it: they
 * fail, too. {@code inFlight} belongs to the event loop.
 */
final class PipelinedLink extends SharedLink implements ReplyReader.Listener {
    private final byte[] prefix;
    private final byte[] fixed;
    private final Channel channel;
    private final Queue<Sent> toSend = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final ArrayDeque<Waiting> inFlight = new ArrayDeque<>();
    private volatile String gone;

    private static final class Sent extends Waiting {
        private final ByteBuf request;

        Sent(ByteBuf request) {
            this.request = request;
        }
    }

    PipelinedLink(RestSettings settings, Endpoint endpoint, byte[] fixed, Channel channel) {
        super(settings);
        this.prefix = endpoint.prefix().getBytes(CharsetUtil.US_ASCII);
        this.fixed = fixed;
        this.channel = channel;
        Connector.readReplies(channel, this);
    }

    @Override
    boolean isOpen() {
        return gone == null;
    }

    @Override
    String protocol() {
        return "HTTP/1.1";
    }

    @Override
    Reply send(Request request) throws LinkFailure {
        if (gone != null) {
            throw new LinkFailure(Kind.NOT_SENT, gone);
        }
        ByteBuf out = channel.alloc().directBuffer(1024);
        request.writeTo(out, prefix, fixed);
        Sent waiting = new Sent(out);
        toSend.add(waiting);
        if (scheduled.compareAndSet(false, true)) {
            channel.eventLoop().execute(this::sendAll);
        }
        if (!waiting.await(end(waiting))) {
            close();
            Kind kind = givenUp();
            throw new LinkFailure(kind, reason(kind));
        }
        return waiting.result();
    }

    /** On the event loop: writes what has gathered, in one go. */
    private void sendAll() {
        scheduled.set(false);
        boolean any = false;
        for (Sent next = toSend.poll(); next != null; next = toSend.poll()) {
            if (gone != null) {
                next.request.release();
                next.fail(Kind.NOT_SENT, gone, false);
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
        used();
        if (!more) {
            // Before the thread goes on: its next look must not find the link usable.
            gone("the server said that it closes the connection");
            channel.close();
        }
        first.answer(reply);
    }

    @Override
    public void gone(String reason) {
        if (gone == null) {
            gone = reason;
        }
        for (Waiting next = inFlight.poll(); next != null; next = inFlight.poll()) {
            next.fail(Kind.BROKEN, gone, false);
        }
        sendAll();
    }

    @Override
    void close() {
        String reason = "closed, as a reply before did not come in time";
        if (gone == null) {
            gone = reason; // now, and not when the event loop comes to it: nobody takes it any more
        }
        channel.eventLoop().execute(() -> gone(reason));
        channel.close();
    }
}
