package io.ycsbdrill.binding;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where servers are managed over HTTP, and how they are asked. Its text has no secrets.
 *
 * @param addresses {@code http://host:port} or {@code https://…}, one or more
 * @param headers that say who asks, by name
 * @param verify whether a server must prove its name by a certificate
 * @param authority a PEM file with the certificates to trust; empty for Java's own
 */
public record ManagedServers(
        List<String> addresses, Map<String, String> headers, boolean verify, Optional<String> authority) {

    public ManagedServers {
        addresses = List.copyOf(addresses);
        headers = Map.copyOf(headers);
    }

    @Override
    public String toString() {
        return String.join(",", addresses);
    }
}
