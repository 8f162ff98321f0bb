package io.ycsbdrill.binding.rest.http;

import io.netty.channel.Channel;
import io.ycsbdrill.binding.rest.RestSettings;
import io.ycsbdrill.binding.rest.http.Http2Streams.Call;
import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A shared connection with HTTP/2: each request is a stream of its own, so that the replies come in any order and one that is
 * late holds up nobody. When it does not come in time it is cancelled, and the others go on, as long as the server has sent
 * anything at all since the request; otherwise the connection is given up.
 */
final class MultiplexedLink extends SharedLink {
    private final Http2Streams streams;
    private final Channel channel;
    private final Queue<Call> toSend = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    MultiplexedLink(RestSettings settings, Connector connector, Endpoint endpoint, Channel channel) {
        super(settings);
        this.streams = new Http2Streams(channel, endpoint.prefix(), connector.fixedHttp2Headers(endpoint));
        this.channel = channel;
    }

    @Override
    boolean isOpen() {
        return streams.ending() == null;
    }

    @Override
    String protocol() {
        return "HTTP/2";
    }

    @Override
    Reply send(Request request) throws LinkFailure {
        Call call = streams.call(request);
        toSend.add(call);
        if (scheduled.compareAndSet(false, true)) {
            channel.eventLoop().execute(this::sendAll);
        }
        if (!call.await(end(call))) {
            Kind kind = givenUp();
            channel.eventLoop().execute(() -> giveUp(call, kind));
            // The event loop says what became of it, and does so soon; an interrupt does not make it come sooner.
            while (!call.isDone()) {
                Thread.yield();
            }
        }
        used();
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

    private void giveUp(Call call, Kind kind) {
        if (call.isDone()) {
            return;
        }
        if (kind == Kind.BROKEN || streams.heardSince(call.startNanos())) {
            streams.cancel(call, kind, reason(kind));
        } else {
            String reason = "nothing came for as long as a reply may take";
            streams.retire(reason);
            streams.cancel(call, kind, reason(kind) + ", nor anything else");
            streams.end(reason);
        }
    }

    /** Those who wait still get their replies. */
    @Override
    void close() {
        channel.eventLoop().execute(() -> streams.retire("closed"));
    }
}
