package io.ycsbdrill.fault.node.http;

import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;

/** Which servers' certificates are taken. */
final class TlsTrust {
    /**
     * Those that the file has, or that one of its certificates has signed.
     *
     * @throws IOException when it cannot be read
     * @throws IllegalArgumentException when there is no certificate in it
     */
    static SSLContext in(Path pem) throws IOException {
        try (InputStream certificates = Files.newInputStream(pem)) {
            return context(SslContextBuilder.forClient().trustManager(certificates));
        }
    }

    /** Any, for any name. */
    static SSLContext inAnybody() throws IOException {
        return context(SslContextBuilder.forClient().trustManager(InsecureTrustManagerFactory.INSTANCE));
    }

    private static SSLContext context(SslContextBuilder trusting) throws IOException {
        return ((JdkSslContext) trusting.sslProvider(SslProvider.JDK).build()).context();
    }
}
