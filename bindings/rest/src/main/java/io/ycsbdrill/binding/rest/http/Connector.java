package io.ycsbdrill.binding.rest.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
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
        return Link.open(this, settings, endpoint);
    }

    /** What encrypts a connection to the server and begins the handshake as soon as it can; empty without TLS. */
    Optional<SslHandler> encryption(Endpoint endpoint) {
        if (!endpoint.tls()) {
            return Optional.empty();
        }
        SslHandler handler = tls.orElseThrow().newHandler(ByteBufAllocator.DEFAULT, endpoint.host(), endpoint.port());
        handler.setHandshakeTimeoutMillis(0); // a connection has its deadline
        return Optional.of(handler);
    }

    /** Those of all connections. */
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
}
