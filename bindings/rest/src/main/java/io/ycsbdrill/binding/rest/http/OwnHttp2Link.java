package io.ycsbdrill.binding.rest.http;

import io.netty.channel.Channel;
import io.ycsbdrill.binding.rest.http.Http2Streams.Call;
import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;

/** A thread's own connection with HTTP/2. Owned by the thread that opened it. */
final class OwnHttp2Link implements Link {
    private final HttpSettings settings;
    private final OwnLoop loop;
    private final Channel channel;
    private final Http2Streams streams;

    OwnHttp2Link(HttpSettings settings, Connector connector, Endpoint endpoint, OwnLoop loop, Channel channel) {
        this.settings = settings;
        this.loop = loop;
        this.channel = channel;
        this.streams = new Http2Streams(channel, endpoint.prefix(), connector.fixedHttp2Headers(endpoint));
    }

    @Override
    public Reply send(Request request) throws LinkFailure {
        Call call = streams.call(request);
        streams.send(call);
        channel.flush();
        long end = call.startNanos() + settings.timeout().toNanos();
        while (!call.isDone()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                giveUp(call, Kind.TIMED_OUT, settings.noReply());
            } else {
                loop.run(left);
                if (Thread.currentThread().isInterrupted() && !call.isDone()) {
                    giveUp(call, Kind.BROKEN, "interrupted");
                }
            }
        }
        loop.used(System.nanoTime());
        return call.result();
    }

    /** The connection has no other user, so it is closed with the call. */
    private void giveUp(Call call, Kind kind, String reason) {
        streams.retire(reason);
        streams.cancel(call, kind, reason);
    }

    @Override
    public boolean usable() {
        if (loop.isIdleTooLong()) {
            streams.retire("idle for longer than rest.idle.timeout");
        }
        return streams.ending() == null;
    }

    @Override
    public String protocol() {
        return "HTTP/2";
    }

    @Override
    public void close() {
        channel.close();
        loop.close();
    }
}
