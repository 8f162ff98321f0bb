package io.ycsbdrill.binding.rest.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * A server for {@code https://localhost} that offers HTTP/2, and does with each request what a script says. Over HTTP/1.1 it
 * answers everything with 200 and the version as body. Thread-safe.
 */
final class Http2Server implements AutoCloseable {
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final Channel listening;
    private final List<Channel> connections = new CopyOnWriteArrayList<>();
    private final List<Long> resets = new CopyOnWriteArrayList<>();

    /** What becomes of a request, which has come whole. On the server's event loop. */
    interface Script {
        void answer(Asked request);
    }

    /** A request, and what can be done with it. */
    record Asked(ChannelHandlerContext context, Http2FrameStream stream, Http2Headers headers, String body) {
        String path() {
            return headers.path().toString();
        }

        void head(int status, boolean last, String... namesAndValues) {
            headers(new DefaultHttp2Headers().status(Integer.toString(status)), last, namesAndValues);
        }

        /** What follows the body. */
        void trailers(String... namesAndValues) {
            headers(new DefaultHttp2Headers(), true, namesAndValues);
        }

        private void headers(Http2Headers head, boolean last, String... namesAndValues) {
            for (int i = 0; i < namesAndValues.length; i += 2) {
                head.add(namesAndValues[i], namesAndValues[i + 1]);
            }
            context.writeAndFlush(new DefaultHttp2HeadersFrame(head, last).stream(stream));
        }

        void data(byte[] bytes, boolean last) {
            context.writeAndFlush(new DefaultHttp2DataFrame(Unpooled.wrappedBuffer(bytes), last).stream(stream));
        }

        void ok(String text) {
            head(200, false, "content-type", "application/json");
            data(text.getBytes(StandardCharsets.UTF_8), true);
        }

        void reset(Http2Error error) {
            context.writeAndFlush(new DefaultHttp2ResetFrame(error).stream(stream));
        }

        /** No more streams than those up to the last one. By the frame writer, as the codec itself takes all that came. */
        void goAway(int last) {
            ChannelHandlerContext codec = context.pipeline().context(Http2FrameCodec.class);
            ((Http2FrameCodec) codec.handler())
                    .encoder()
                    .frameWriter()
                    .writeGoAway(codec, last, Http2Error.NO_ERROR.code(), Unpooled.EMPTY_BUFFER, codec.newPromise());
            codec.flush();
        }
    }

    Http2Server(TestCertificate certificate, Http2Settings settings, Script script) throws Exception {
        SslContext tls = SslContextBuilder.forServer(certificate.keys())
                .sslProvider(SslProvider.JDK)
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        ApplicationProtocolNames.HTTP_2,
                        ApplicationProtocolNames.HTTP_1_1))
                .build();
        listening = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        connections.add(channel);
                        channel.pipeline().addLast(tls.newHandler(channel.alloc()), new Spoken(settings, script));
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .sync()
                .channel();
    }

    String url() {
        return "https://localhost:" + ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** The connections so far. */
    List<Channel> connections() {
        return connections;
    }

    /** The errors with which the client has reset streams. */
    List<Long> resets() {
        return resets;
    }

    @Override
    public void close() {
        listening.close();
        connections.forEach(Channel::close);
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private final class Spoken extends ApplicationProtocolNegotiationHandler {
        private final Http2Settings settings;
        private final Script script;

        Spoken(Http2Settings settings, Script script) {
            super(ApplicationProtocolNames.HTTP_1_1);
            this.settings = settings;
            this.script = script;
        }

        /** A client that does not trust the certificate. */
        @Override
        protected void handshakeFailure(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext context, String protocol) {
            if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
                context.pipeline()
                        .addLast(Http2FrameCodecBuilder.forServer()
                                .initialSettings(settings)
                                .decoupleCloseAndGoAway(true)
                                .build())
                        .addLast(new Http2(script));
            } else {
                context.pipeline().addLast(new HttpServerCodec(), new Http1());
            }
        }
    }

    private static final class Http1 extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest) {
                ByteBuf body = Unpooled.copiedBuffer("\"HTTP/1.1\"", StandardCharsets.US_ASCII);
                DefaultFullHttpResponse reply =
                        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
                reply.headers().set("content-length", body.readableBytes());
                context.writeAndFlush(reply);
            }
            ReferenceCountUtil.release(message);
        }
    }

    private final class Http2 extends ChannelInboundHandlerAdapter {
        private final Script script;
        private final Map<Http2FrameStream, Http2Headers> heads = new HashMap<>();
        private final Map<Http2FrameStream, StringBuilder> bodies = new HashMap<>();

        Http2(Script script) {
            this.script = script;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof Http2HeadersFrame head) {
                heads.put(head.stream(), head.headers());
                bodies.put(head.stream(), new StringBuilder());
                come(context, head.stream(), head.isEndStream());
            } else if (message instanceof Http2DataFrame data) {
                bodies.get(data.stream()).append(data.content().toString(StandardCharsets.UTF_8));
                come(context, data.stream(), data.isEndStream());
            } else if (message instanceof Http2ResetFrame reset) {
                resets.add(reset.errorCode());
            }
            ReferenceCountUtil.release(message);
        }

        private void come(ChannelHandlerContext context, Http2FrameStream stream, boolean whole) {
            if (whole) {
                script.answer(new Asked(
                        context,
                        stream,
                        heads.remove(stream),
                        bodies.remove(stream).toString()));
            }
        }
    }
}
