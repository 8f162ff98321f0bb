package io.ycsbdrill.binding.rest.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;

/** Puts the parts of each reply together. Runs on the connection's event loop. */
final class ReplyReader extends ChannelInboundHandlerAdapter {
    private final Listener listener;
    private final ReplyBody body = new ReplyBody();
    private HttpResponse head;

    /** What becomes of a connection. */
    interface Listener {
        /** @param more whether the server takes another request on this connection */
        void reply(Reply reply, boolean more);

        /** The connection is gone; may be said more than once. */
        void gone(String reason);
    }

    ReplyReader(Listener listener) {
        this.listener = listener;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws IOException {
        try {
            HttpObject part = (HttpObject) message;
            if (part.decoderResult().isFailure()) {
                fail(context, "not HTTP: " + part.decoderResult().cause());
                return;
            }
            if (part instanceof HttpResponse response) {
                head = response;
                body.clear();
            }
            if (part instanceof HttpContent content && head != null) {
                body.add(content.content());
                if (part instanceof LastHttpContent) {
                    finish();
                }
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void finish() throws IOException {
        HttpResponse response = head;
        head = null;
        // 100 to 199 announce the reply, and are none.
        if (response.status().code() >= 200) {
            listener.reply(
                    new Reply(
                            response.status().code(),
                            response.headers()::get,
                            body.plain(response.headers().get(HttpHeaderNames.CONTENT_ENCODING))),
                    HttpUtil.isKeepAlive(response));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        listener.gone(head == null ? "the server closed the connection" : "the connection ended within a reply");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(context, String.valueOf(cause.getMessage()));
    }

    private void fail(ChannelHandlerContext context, String reason) {
        head = null;
        listener.gone(reason);
        context.close();
    }
}
