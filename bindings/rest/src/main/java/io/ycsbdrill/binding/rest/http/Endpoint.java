package io.ycsbdrill.binding.rest.http;

import java.net.URI;
import java.util.Optional;

/**
 * The address of a server: {@code http://host:port/prefix}.
 *
 * @param tls whether it is https
 * @param host a name or an address, an IPv6 one without its brackets
 * @param port 1 to 65535
 * @param prefix put before every path; empty, or begins with a slash and does not end with one
 */
public record Endpoint(boolean tls, String host, int port, String prefix) {

    /** Parses a URL; empty when the text is not such a URL, or has a user, query or fragment. */
    static Optional<Endpoint> parse(String text) {
        URI uri;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        boolean tls = "https".equals(uri.getScheme());
        if (!tls && !"http".equals(uri.getScheme())
                || uri.getHost() == null
                || uri.getUserInfo() != null
                || uri.getQuery() != null
                || uri.getFragment() != null
                || uri.getPort() == 0
                || uri.getPort() > 65_535) {
            return Optional.empty();
        }
        int port = uri.getPort() < 0 ? tls ? 443 : 80 : uri.getPort();
        String host = uri.getHost().startsWith("[")
                ? uri.getHost().substring(1, uri.getHost().length() - 1)
                : uri.getHost();
        return Optional.of(new Endpoint(tls, host, port, uri.getRawPath().replaceAll("/+$", "")));
    }

    /** The value of the header {@code Host}. */
    String authority() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }

    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + authority() + prefix;
    }
}
