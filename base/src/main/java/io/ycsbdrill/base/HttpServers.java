package io.ycsbdrill.base;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Servers that are managed over HTTP, and how they are asked. Immutable. Its text has no secrets.
 *
 * @param addresses {@code http://host:port} or {@code https://…}, one or more
 * @param headers that go with every request, by name: who asks
 * @param verify whether a server must prove its name by a certificate
 * @param authority a PEM file with the certificates to trust; empty for Java's own
 */
public record HttpServers(
        List<String> addresses, Map<String, String> headers, boolean verify, Optional<Path> authority) {

    public HttpServers {
        addresses = List.copyOf(addresses);
        headers = Map.copyOf(headers);
    }

    /** Servers that need no credentials, with the certificates that Java trusts. */
    public static HttpServers open(List<String> addresses) {
        return new HttpServers(addresses, Map.of(), true, Optional.empty());
    }

    /** The same servers, with a relative path of the authority taken from this directory. */
    public HttpServers in(Path directory) {
        return new HttpServers(addresses, headers, verify, authority.map(directory::resolve));
    }

    @Override
    public String toString() {
        return String.join(",", addresses);
    }
}
