package io.ycsbdrill.binding.rest;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Puts the parts of each reply together. Runs on the connection's event loop. */
final class ReplyReader extends ChannelInboundHandlerAdapter {
    private static final int LARGEST_BODY = 256 << 20;

    private final Listener listener;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(4096);
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
                body.reset();
            }
            if (part instanceof HttpContent content && head != null) {
                add(context, content.content());
                if (part instanceof LastHttpContent) {
                    finish();
                }
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void add(ChannelHandlerContext context, ByteBuf content) throws IOException {
        if (body.size() + content.readableBytes() > LARGEST_BODY) {
            fail(context, "a reply of more than " + LARGEST_BODY + " bytes");
            return;
        }
        content.readBytes(body, content.readableBytes());
    }

    private void finish() throws IOException {
        HttpResponse response = head;
        head = null;
        // 100 to 199 announce the reply, and are none.
        if (response.status().code() >= 200) {
            listener.reply(
                    new Reply(response.status().code(), response.headers()::get, plain(response.headers())),
                    HttpUtil.isKeepAlive(response));
        }
    }

    /** @throws IOException when it is packed in a way that was not asked for, or not whole */
    private byte[] plain(HttpHeaders headers) throws IOException {
        String coding = headers.get(HttpHeaderNames.CONTENT_ENCODING);
        if (coding == null || coding.equals("identity") || body.size() == 0) {
            return body.toByteArray();
        }
        if (!coding.equals("gzip")) {
            throw new IOException("a reply with Content-Encoding " + coding);
        }
        try (InputStream unpacked = new GZIPInputStream(new ByteArrayInputStream(body.toByteArray()))) {
            byte[] bytes = unpacked.readNBytes(LARGEST_BODY);
            if (bytes.length == LARGEST_BODY) {
                throw new IOException("a reply of " + LARGEST_BODY + " bytes or more");
            }
            return bytes;
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
