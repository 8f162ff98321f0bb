package io.ycsbdrill.binding.rest;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.util.CharsetUtil;
import java.io.File;
import java.io.IOException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import site.ycsb.DBException;

/** Makes connections as the settings say. Thread-safe. */
final class Connector {
    private final RestSettings settings;
    private final Optional<SslContext> tls;

    /** @throws DBException when the certificates to trust cannot be read */
    Connector(RestSettings settings) throws DBException {
        this.settings = settings;
        try {
            this.tls = settings.endpoints().stream().anyMatch(Endpoint::tls)
                    ? Optional.of(tls(settings))
                    : Optional.empty();
        } catch (SSLException | IllegalArgumentException e) {
            throw new DBException("rest.tls.ca=" + settings.authority().orElse("") + " cannot be used: " + e, e);
        }
    }

    private static SslContext tls(RestSettings settings) throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        if (!settings.verify()) {
            // Netty itself compares the certificate's name with the host's, unless told not to.
            builder.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null);
        } else if (settings.authority().isPresent()) {
            builder.trustManager(new File(settings.authority().get()));
        }
        return builder.build();
    }

    /** Begins to connect. */
    ChannelFuture connect(Endpoint endpoint, EventLoopGroup loop, ReplyReader.Listener listener) {
        return new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        settings.connectTimeout().toMillis())
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (endpoint.tls()) {
                            SslHandler handler =
                                    tls.orElseThrow().newHandler(channel.alloc(), endpoint.host(), endpoint.port());
                            handler.setHandshakeTimeoutMillis(
                                    settings.connectTimeout().toMillis());
                            channel.pipeline().addLast(handler);
                        }
                        channel.pipeline()
                                .addLast(new HttpResponseDecoder(new HttpDecoderConfig().setValidateHeaders(false)))
                                .addLast(new ReplyReader(listener));
                    }
                })
                .connect(endpoint.host(), endpoint.port());
    }

    /** What must end before the connection can be used: the TLS handshake, if there is one. */
    static io.netty.util.concurrent.Future<?> ready(Channel channel) {
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        return handler == null ? channel.newSucceededFuture() : handler.handshakeFuture();
    }

    /** Header lines that go with every request to the server. */
    byte[] fixedHeaders(Endpoint endpoint) {
        ByteBuf lines = Unpooled.buffer();
        line(lines, "Host", endpoint.authority());
        line(lines, "User-Agent", "ycsb-drill");
        line(lines, "Accept", "application/json");
        if (settings.gzip()) {
            line(lines, "Accept-Encoding", "gzip");
        }
        settings.credentials().forEach((name, value) -> line(lines, name, value.text()));
        settings.dialect().headers().forEach((name, value) -> line(lines, name, value));
        byte[] bytes = new byte[lines.readableBytes()];
        lines.readBytes(bytes);
        return bytes;
    }

    private static void line(ByteBuf out, String name, String value) {
        out.writeCharSequence(name + ": " + value + "\r\n", CharsetUtil.UTF_8);
    }

    /** Why a connection was not made, in words that name the server's side. */
    static IOException failure(Throwable cause) {
        return cause instanceof IOException e ? e : new IOException(String.valueOf(cause.getMessage()), cause);
    }
}
