package io.ycsbdrill.binding.rest.http;

import io.netty.channel.Channel;
import io.ycsbdrill.binding.rest.http.Http2Streams.Call;
import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An HTTP/2 connection that several threads share. Each request is a stream of its own, so that the replies come in any order
 * and a late one does not delay the others. A request that times out is cancelled, and the others continue, as long as the server has
 * sent anything at all since the request; otherwise the connection is given up. Thread-safe.
 */
final class SharedLink implements Link {
    private final HttpSettings settings;
    private final Http2Streams streams;
    private final Channel channel;
    private final Queue<Call> toSend = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile long lastNanos = System.nanoTime();

    SharedLink(HttpSettings settings, Connector connector, Endpoint endpoint, Channel channel) {
        this.settings = settings;
        this.streams = new Http2Streams(channel, endpoint.prefix(), connector.fixedHttp2Headers(endpoint));
        this.channel = channel;
    }

    /** Whether the connection accepts requests, and has not been idle for too long. */
    @Override
    public boolean usable() {
        return streams.ending() == null
                && System.nanoTime() - lastNanos < settings.idleTimeout().toNanos();
    }

    @Override
    public String protocol() {
        return "HTTP/2";
    }

    /** The other threads continue; {@link #retire} ends it. */
    @Override
    public void close() {}

    /** Accepts no more requests; those under way still get their replies. */
    void retire() {
        channel.eventLoop().execute(() -> streams.retire("closed"));
    }

    @Override
    public Reply send(Request request) throws LinkFailure {
        lastNanos = System.nanoTime();
        Call call = streams.call(request);
        toSend.add(call);
        if (scheduled.compareAndSet(false, true)) {
            channel.eventLoop().execute(this::sendAll);
        }
        if (!call.await(call.startNanos() + settings.timeout().toNanos())) {
            boolean interrupted = Thread.currentThread().isInterrupted();
            channel.eventLoop().execute(() -> giveUp(call, interrupted));
            // The event loop decides the result, and does so soon; an interrupt does not make it come sooner.
            while (!call.isDone()) {
                Thread.yield();
            }
        }
        lastNanos = System.nanoTime();
        return call.result();
    }

    private void sendAll() {
        scheduled.set(false);
        boolean any = false;
        for (Call next = toSend.poll(); next != null; next = toSend.poll()) {
            streams.send(next);
            any = true;
        }
        if (any) {
            channel.flush();
        }
    }

    private void giveUp(Call call, boolean interrupted) {
        if (call.isDone()) {
            return;
        }
        if (interrupted) {
            streams.cancel(call, Kind.BROKEN, "interrupted");
        } else if (streams.heardSince(call.startNanos())) {
            streams.cancel(call, Kind.TIMED_OUT, settings.noReply());
        } else {
            String reason = "the server sent nothing for as long as rest.timeout";
            streams.retire(reason);
            streams.cancel(call, Kind.TIMED_OUT, settings.noReply() + ", nor anything else");
            streams.end(reason);
        }
    }
}
