package io.ycsbdrill.binding.embedded;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * One client's connection. Rows of this node are read at once; everything else is left to the workers. Requests that come
 * before the answer to those ahead of them are worked on at the same time, and answered in their order. Belongs to its event
 * loop.
 */
final class HttpConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final HttpRows rows;
    private final Executor workers;
    private final ArrayDeque<Turn> turns = new ArrayDeque<>();
    private boolean reading;

    private static final class Turn {
        private final boolean keepAlive;
        private HttpAnswer answer;

        Turn(boolean keepAlive) {
            this.keepAlive = keepAlive;
        }
    }

    HttpConnection(HttpRows rows, Executor workers) {
        this.rows = rows;
        this.workers = workers;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        reading = true;
        Turn turn = new Turn(HttpUtil.isKeepAlive(request));
        turns.add(turn);
        if (request.headers().contains(HttpHeaderNames.ORIGIN)) {
            // A browser says so: anybody's web page could write rows by a form.
            answer(context, turn, HttpAnswer.error(403, "not for web pages: the request has the header Origin"));
            return;
        }
        HttpCall call;
        try {
            if (request.decoderResult().isFailure()) {
                throw new IllegalArgumentException(
                        "not HTTP: " + request.decoderResult().cause());
            }
            call = HttpCall.of(request);
        } catch (IllegalArgumentException e) {
            answer(context, turn, HttpAnswer.error(400, e.getMessage()));
            return;
        }
        if (rows.isHere(call)) {
            answer(context, turn, rows.answer(call));
            return;
        }
        try {
            workers.execute(() -> {
                HttpAnswer answer = rows.answer(call);
                context.executor().execute(() -> answer(context, turn, answer));
            });
        } catch (RejectedExecutionException e) {
            answer(context, turn, HttpAnswer.error(503, "the node is stopping"));
        }
    }

    private void answer(ChannelHandlerContext context, Turn turn, HttpAnswer answer) {
        turn.answer = answer;
        for (Turn first = turns.peek(); first != null && first.answer != null; first = turns.peek()) {
            turns.remove();
            write(context, first);
        }
        if (!reading) {
            context.flush();
        }
    }

    private static void write(ChannelHandlerContext context, Turn turn) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1,
                HttpResponseStatus.valueOf(turn.answer.status()),
                Unpooled.wrappedBuffer(turn.answer.body()));
        if (turn.answer.body().length > 0) {
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json");
        }
        if (turn.answer.status() != 204) {
            response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, turn.answer.body().length);
        }
        if (turn.keepAlive) {
            context.write(response);
        } else {
            response.headers().set(HttpHeaderNames.CONNECTION, "close");
            context.write(response).addListener(ChannelFutureListener.CLOSE);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        context.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
