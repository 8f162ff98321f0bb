package io.ycsbdrill.binding.rest.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2EventAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The requests on one connection with HTTP/2, each a stream. More than the server takes at once wait until others have ended.
 * Runs on the connection's event loop, but for {@link #call} and {@link #ending}.
 */
final class Http2Streams extends Http2EventAdapter {
    private static final int STREAM_WINDOW = 1 << 20;
    private static final int CONNECTION_WINDOW = 16 << 20;

    private final Channel channel;
    private final String prefix;
    private final Http2Headers fixed;
    private final Http2Connection connection = new DefaultHttp2Connection(false);
    private final Http2ConnectionHandler handler;
    private final ChannelHandlerContext context;
    /** By the numbers of their streams; those that are not sent yet, too. */
    private final Map<Integer, Call> calls = new TreeMap<>();

    private long heardNanos = System.nanoTime();
    private volatile String ending;

    /** One request and its reply. Made by the thread that waits for it. */
    static final class Call {
        private final Thread thread = Thread.currentThread();
        private final long startNanos = System.nanoTime();
        private volatile Reply reply;
        private volatile LinkFailure failure;
        private final Http2Headers request;
        private final byte[] content;
        private final ReplyBody body = new ReplyBody();
        private Http2Headers head;
        private int stream;

        private Call(Http2Headers request, byte[] content) {
            this.request = request;
            this.content = content;
        }

        /** When this was created, on the scale of {@link System#nanoTime()}. */
        long startNanos() {
            return startNanos;
        }

        boolean isDone() {
            return reply != null || failure != null;
        }

        void answer(Reply received) {
            reply = received;
            LockSupport.unpark(thread);
        }

        void fail(Kind kind, String reason, boolean linkGoesOn) {
            failure = new LinkFailure(kind, reason, linkGoesOn);
            LockSupport.unpark(thread);
        }

        /**
         * Waits for a reply or a failure.
         *
         * @param end on the scale of {@link System#nanoTime()}
         * @return false when the time is over, or the thread is interrupted
         */
        boolean await(long end) {
            while (!isDone()) {
                long left = end - System.nanoTime();
                if (left <= 0 || Thread.currentThread().isInterrupted()) {
                    return false;
                }
                LockSupport.parkNanos(this, left);
            }
            return true;
        }

        /** What came; {@link #isDone} must be true. */
        Reply result() throws LinkFailure {
            if (failure != null) {
                throw failure;
            }
            return reply;
        }
    }

    /** @param channel connected, and agreed on HTTP/2 */
    Http2Streams(Channel channel, String prefix, Http2Headers fixed) {
        this.channel = channel;
        this.prefix = prefix;
        this.fixed = fixed;
        this.handler = new Http2ConnectionHandlerBuilder()
                .connection(connection)
                .frameListener(this)
                .initialSettings(new Http2Settings().pushEnabled(false).initialWindowSize(STREAM_WINDOW))
                .encoderEnforceMaxConcurrentStreams(true)
                .decoupleCloseAndGoAway(true)
                .build();
        connection.addListener(this);
        channel.pipeline().addLast(new Heard(), handler, new End());
        this.context = channel.pipeline().context(handler);
        try {
            // All streams together may be sent more than one of them.
            connection.local().flowController().incrementWindowSize(connection.connectionStream(), CONNECTION_WINDOW);
        } catch (Http2Exception e) {
            throw new IllegalStateException("a window of " + CONNECTION_WINDOW + " bytes", e);
        }
        channel.flush();
    }

    /** Notes the time before anything is made of what came. */
    private final class Heard extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            heardNanos = System.nanoTime();
            context.fireChannelRead(message);
        }
    }

    /** What becomes of the connection as a whole. */
    private final class End extends ChannelInboundHandlerAdapter {
        @Override
        public void channelInactive(ChannelHandlerContext context) {
            end("the server closed the connection");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            end(String.valueOf(cause.getMessage()));
        }
    }

    /** Prepares a request, which may be reused afterwards. Any thread may call it. */
    Call call(Request request) {
        byte[] content = request.content();
        Http2Headers headers = new DefaultHttp2Headers(false).add(fixed);
        request.writeTo(headers, prefix);
        if (content.length > 0) {
            headers.setInt(HttpHeaderNames.CONTENT_LENGTH, content.length);
        }
        return new Call(headers, content);
    }

    /** Why no more requests are accepted; null when they are. Any thread may call it. */
    String ending() {
        return ending;
    }

    /** Whether the server has sent anything since that time. */
    boolean heardSince(long nanos) {
        return heardNanos - nanos > 0;
    }

    /** Writes the request, without flushing. */
    void send(Call call) {
        int stream = connection.local().incrementAndGetNextStreamId();
        if (ending == null && stream < 0) {
            retire("the connection has used all of HTTP/2's stream numbers");
        }
        if (ending != null) {
            call.fail(Kind.NOT_SENT, ending, true);
            return;
        }
        call.stream = stream;
        calls.put(stream, call);
        boolean bodiless = call.content.length == 0;
        handler.encoder()
                .writeHeaders(context, stream, call.request, 0, bodiless, context.newPromise())
                .addListener(written -> {
                    if (!written.isSuccess()) {
                        failed(
                                stream,
                                Kind.BROKEN,
                                String.valueOf(written.cause().getMessage()),
                                true);
                    }
                });
        if (!bodiless) {
            ByteBuf body = Unpooled.wrappedBuffer(call.content);
            handler.encoder().writeData(context, stream, body, 0, true, context.newPromise());
        }
    }

    /** Cancels a call. It fails as given, or as not sent when it was not sent. */
    void cancel(Call call, Kind kind, String reason) {
        failed(call.stream, kind, reason, ending == null);
        // By the encoder, which knows of streams that have not been sent.
        handler.encoder().writeRstStream(context, call.stream, Http2Error.CANCEL.code(), context.newPromise());
        channel.flush();
    }

    /** Accepts no more requests, and closes the connection when all have their replies. */
    void retire(String reason) {
        if (ending == null) {
            ending = reason;
        }
        closeWhenDone();
    }

    /** Ends the connection: all calls that wait fail. */
    void end(String reason) {
        if (ending == null) {
            ending = reason;
        }
        for (int stream : List.copyOf(calls.keySet())) {
            failed(stream, Kind.BROKEN, reason, false);
        }
        channel.close();
    }

    /** @param kind if it was sent */
    private void failed(int stream, Kind kind, String reason, boolean linkGoesOn) {
        Call call = calls.remove(stream);
        if (call != null) {
            boolean sent = connection.streamMayHaveExisted(stream);
            call.fail(sent ? kind : Kind.NOT_SENT, sent ? reason : reason + "; it was not sent", linkGoesOn);
            closeWhenDone();
        }
    }

    private void closeWhenDone() {
        if (ending != null && calls.isEmpty()) {
            channel.close();
        }
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context,
            int stream,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean last) {
        onHeadersRead(context, stream, headers, padding, last);
    }

    /** The reply's, an announcement of it (100 to 199), or what follows the body. */
    @Override
    public void onHeadersRead(
            ChannelHandlerContext context, int stream, Http2Headers headers, int padding, boolean last) {
        Call call = calls.get(stream);
        if (call == null) {
            return;
        }
        if (call.head == null && headers.status() != null && headers.status().charAt(0) != '1') {
            call.head = headers;
        }
        if (last) {
            answer(call);
        }
    }

    @Override
    public int onDataRead(ChannelHandlerContext context, int stream, ByteBuf data, int padding, boolean last) {
        int processed = data.readableBytes() + padding;
        Call call = calls.get(stream);
        if (call != null) {
            try {
                call.body.add(data);
                if (last) {
                    answer(call);
                }
            } catch (IOException e) {
                cancel(call, Kind.BROKEN, e.getMessage());
            }
        }
        return processed;
    }

    private void answer(Call call) {
        try {
            if (call.head == null) {
                throw new IOException("a reply without a status");
            }
            Http2Headers head = call.head;
            Reply reply = new Reply(
                    Integer.parseInt(head.status().toString()),
                    name -> text(head.get(name.toLowerCase(Locale.ROOT))),
                    call.body.plain(head.get(HttpHeaderNames.CONTENT_ENCODING)));
            calls.remove(call.stream);
            call.answer(reply);
            closeWhenDone();
        } catch (IOException | NumberFormatException e) {
            failed(call.stream, Kind.BROKEN, e.getMessage(), true);
        }
    }

    private static String text(CharSequence value) {
        return value == null ? null : value.toString();
    }

    /** Of a refused stream it is sure that the server has done nothing. */
    @Override
    public void onRstStreamRead(ChannelHandlerContext context, int stream, long code) {
        Kind kind = code == Http2Error.REFUSED_STREAM.code() ? Kind.NOT_SENT : Kind.BROKEN;
        failed(stream, kind, "the server ended the stream: " + name(code), true);
    }

    /** The streams up to the last one go on; of the others it is sure that the server has done nothing. */
    @Override
    public void onGoAwayReceived(int last, long code, ByteBuf explanation) {
        if (ending == null) {
            ending = "the server accepts no more requests on the connection: " + name(code);
        }
        for (int stream : List.copyOf(calls.keySet())) {
            if (stream > last) {
                failed(stream, Kind.NOT_SENT, ending, true);
            }
        }
        closeWhenDone();
    }

    private static String name(long code) {
        Http2Error known = Http2Error.valueOf(code);
        return known == null ? "error " + code : known.name();
    }

    /** By us, for what came on it: what the server did, or a time-out, is known before. */
    @Override
    public void onStreamClosed(Http2Stream stream) {
        failed(stream.id(), Kind.BROKEN, "the stream ended without a reply", true);
    }
}
