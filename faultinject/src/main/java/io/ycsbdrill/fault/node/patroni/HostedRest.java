package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.node.EngineContext;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Where and how the Patronis of an inventory are asked, by properties. */
final class HostedRest {
    /** Patroni's own port by default. */
    private static final String USUAL = "http://{host}:8008";

    private static final String ADDRESS = "patroni.rest";

    /**
     * Reads the properties.
     *
     * @return one address for each node, in their order
     * @throws IllegalArgumentException naming the property that is invalid
     */
    static HttpServers of(List<HostedNode> nodes, EngineContext context) {
        String given = context.property(ADDRESS);
        List<String> texts = Stream.of((given.isEmpty() ? USUAL : given).split(","))
                .map(String::strip)
                .toList();
        if (texts.size() != 1 && texts.size() != nodes.size()) {
            throw new IllegalArgumentException(ADDRESS + " has " + texts.size() + " addresses, and data_nodes has "
                    + nodes.size() + "; expected one for each, or one with {host} or {node} in it");
        }
        List<String> addresses = Stream.iterate(0, i -> i + 1)
                .limit(nodes.size())
                .map(i -> address(texts.get(texts.size() == 1 ? 0 : i), nodes.get(i)))
                .toList();
        if (addresses.stream().distinct().count() < addresses.size()) {
            throw new IllegalArgumentException(ADDRESS + "=" + Secrets.inText(given)
                    + ": two nodes have the same address; use {host} or {node} in it, or give one for each node");
        }
        String user = context.property(ADDRESS + ".user");
        if (user.isEmpty() && !context.property(ADDRESS + ".password").isEmpty()) {
            throw new IllegalArgumentException(ADDRESS + ".password has no " + ADDRESS + ".user beside it");
        }
        String pair = user + ":" + context.property(ADDRESS + ".password");
        return new HttpServers(
                        addresses,
                        user.isEmpty()
                                ? Map.of()
                                : Map.of(
                                        "Authorization",
                                        "Basic "
                                                + Base64.getEncoder()
                                                        .encodeToString(pair.getBytes(StandardCharsets.UTF_8))),
                        true,
                        Optional.of(context.property(ADDRESS + ".ca"))
                                .filter(file -> !file.isEmpty())
                                .map(Path::of))
                .in(context.workingDirectory());
    }

    private static String address(String text, HostedNode node) {
        String address = text.replace("{host}", node.host().address()).replace("{node}", node.id());
        try {
            URI uri = new URI(address);
            boolean plain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            if (plain && uri.getHost() != null && List.of("http", "https").contains(uri.getScheme())) {
                return address.replaceAll("/+$", "");
            }
        } catch (URISyntaxException e) {
            // said below
        }
        throw new IllegalArgumentException(ADDRESS + " gives \"" + Secrets.inText(address) + "\" for node " + node.id()
                + "; expected http://HOST:PORT or https://HOST:PORT, without anything else; user and password are "
                + ADDRESS + ".user and " + ADDRESS + ".password");
    }
}
