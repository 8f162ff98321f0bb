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
    private final OneReply reply;
    private final ReplyBody body = new ReplyBody();
    private HttpResponse head;

    ReplyReader(OneReply reply) {
        this.reply = reply;
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
            reply.reply(
                    new Reply(
                            response.status().code(),
                            response.headers()::get,
                            body.plain(response.headers().get(HttpHeaderNames.CONTENT_ENCODING))),
                    HttpUtil.isKeepAlive(response));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        reply.gone(head == null ? "the server closed the connection" : "the connection ended within a reply");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        fail(context, String.valueOf(cause.getMessage()));
    }

    private void fail(ChannelHandlerContext context, String reason) {
        head = null;
        reply.gone(reason);
        context.close();
    }
}
