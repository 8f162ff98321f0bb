package io.ycsbdrill.binding.rest.http;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.concurrent.Promise;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLException;
import site.ycsb.DBException;

/** Opens connections to the servers, with the timeouts and certificates of the settings. Thread-safe. */
public final class Connector {
    private final HttpSettings settings;
    private final Optional<SslContext> tls;
    private final Deadlines deadlines;

    /** @throws DBException when the certificates to trust cannot be read */
    public Connector(HttpSettings settings) throws DBException {
        this.settings = settings;
        this.deadlines = new Deadlines(settings.timeout());
        try {
            this.tls = settings.endpoints().stream().anyMatch(Endpoint::tls)
                    ? Optional.of(tls(settings))
                    : Optional.empty();
        } catch (SSLException | IllegalArgumentException e) {
            throw new DBException("rest.tls.ca=" + settings.authority().orElse("") + " cannot be used: " + e, e);
        }
    }

    private static SslContext tls(HttpSettings settings) throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        if (!settings.verify()) {
            // Netty itself compares the certificate's name with the host's, unless configured not to.
            builder.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null);
        } else if (settings.authority().isPresent()) {
            builder.trustManager(new File(settings.authority().get()));
        }
        return builder.build();
    }

    /**
     * Opens a connection of the calling thread.
     *
     * @throws IOException when the server accepts no connection in time
     */
    public Link open(Endpoint endpoint) throws IOException {
        return endpoint.tls() ? OwnLink.open(this, settings, endpoint) : PlainLink.open(this, settings, endpoint);
    }

    /** A connection that is being opened, and the end of its TLS handshake; whoever waits for it may end that by a failure. */
    record Opening(Channel channel, Promise<Channel> ready) {}

    /** Starts to connect, with TLS. */
    Opening connect(Endpoint endpoint, EventLoopGroup loop) {
        Promise<Channel> made = loop.next().newPromise();
        ChannelFuture connected = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.connectTimeout().toMillis())
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        SslHandler handler =
                                tls.orElseThrow().newHandler(channel.alloc(), endpoint.host(), endpoint.port());
                        handler.setHandshakeTimeoutMillis(
                                settings.connectTimeout().toMillis());
                        channel.pipeline().addLast(handler, new Handshake(made));
                    }
                })
                .connect(endpoint.host(), endpoint.port());
        connected.addListener(done -> {
            if (!done.isSuccess()) {
                made.tryFailure(done.cause());
            }
        });
        return new Opening(connected.channel(), made);
    }

    /** Waits for the end of the TLS handshake. */
    private static final class Handshake extends ChannelInboundHandlerAdapter {
        private final Promise<Channel> made;

        Handshake(Promise<Channel> made) {
            this.made = made;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent end) {
                if (end.isSuccess()) {
                    made.trySuccess(context.channel());
                    context.pipeline().remove(this);
                } else {
                    made.tryFailure(end.cause());
                }
            }
            context.fireUserEventTriggered(event);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            made.tryFailure(cause);
            context.close();
        }
    }

    /** Those of all plain connections. */
    Deadlines deadlines() {
        return deadlines;
    }

    /** Reads HTTP/1.1 from the connection. */
    static void readReplies(Channel channel, OneReply reply) {
        channel.pipeline()
                .addLast(new HttpResponseDecoder(new HttpDecoderConfig().setValidateHeaders(false)))
                .addLast(new ReplyReader(reply));
    }

    /** The headers that are sent with every request to the server. */
    byte[] fixedHeaders(Endpoint endpoint) {
        StringBuilder lines = new StringBuilder();
        Map<String, String> headers = fixedHeaders();
        line(lines, "Host", host(headers, endpoint));
        headers.forEach((name, value) -> line(lines, name, value));
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Taken out of the headers where it is one of them: it has a place of its own. */
    private static String host(Map<String, String> headers, Endpoint endpoint) {
        String given = headers.remove("Host");
        return given == null ? endpoint.authority() : given;
    }

    /** Each name once, however it is written: those of the dialect replace our own. */
    private Map<String, String> fixedHeaders() {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("User-Agent", "ycsb-drill");
        headers.put("Accept", "application/json");
        if (settings.gzip()) {
            headers.put("Accept-Encoding", "gzip");
        }
        settings.credentials().forEach((name, value) -> headers.put(name, value.text()));
        headers.putAll(settings.headers());
        return headers;
    }

    private static void line(StringBuilder out, String name, String value) {
        out.append(name).append(": ").append(value).append("\r\n");
    }

    /** The failure of a connection that was not opened in time. */
    static IOException late(HttpSettings settings) {
        return new IOException(
                "no connection within " + settings.connectTimeout().toMillis() + " ms");
    }

    /** The failure of a connection attempt, as an {@link IOException}. */
    static IOException failure(Throwable cause) {
        return cause instanceof IOException e ? e : new IOException(String.valueOf(cause.getMessage()), cause);
    }
}
