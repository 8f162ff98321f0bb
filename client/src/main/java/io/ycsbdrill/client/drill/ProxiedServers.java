package io.ycsbdrill.client.drill;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.fault.net.ProxiedCluster;
import io.ycsbdrill.fault.node.NodeInfo;
import java.net.URI;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The servers that a proxy can stand before. Of {@code jdbc}: {@code db.hosts}, else the one of {@code db.url}; of {@code rest}:
 * {@code rest.endpoints}.
 */
final class ProxiedServers {
    private static final Pattern URL = Pattern.compile(
            "jdbc:(mysql|mariadb|postgresql|crate)://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?(/[^?]*)?(\\?.*)?");

    private ProxiedServers() {}

    /**
     * Each as {@code host:port}.
     *
     * @throws ConfigException when there are none that a proxy could stand before
     */
    static List<String> of(Access access, RunSpec.Builder spec) {
        Properties properties = spec.properties();
        if (isRest(properties)) {
            return rest(properties).map(URI::getAuthority).toList();
        }
        String hosts = properties.getProperty("db.hosts", "");
        String url = properties.getProperty("db.url", "");
        Matcher single = URL.matcher(url);
        if (url.isEmpty()) {
            throw new ConfigException(
                    "faults of the network (cut, reset, blackhole, delay, throttle) need the binding jdbc,"
                            + " whose servers are known by db.hosts or db.url, or the binding rest with rest.endpoints; the"
                            + " binding is " + access.binding());
        }
        if (!single.matches()) {
            throw new ConfigException("db.url: faults of the network need a URL with one server,"
                    + " jdbc:mysql://host:port/database; name several by db.hosts");
        }
        String byDefault =
                single.group(1).equals("postgresql") || single.group(1).equals("crate") ? ":5432" : ":3306";
        Stream<String> named = hosts.isBlank()
                ? Stream.of(single.group(2) + (single.group(3) == null ? "" : single.group(3)))
                : Stream.of(hosts.split(",")).map(String::strip);
        return named.map(h -> h.matches(".*:\\d+") ? h : h + byDefault).toList();
    }

    private static boolean isRest(Properties properties) {
        return properties.getProperty("db.url", "").isEmpty() && properties.containsKey("rest.endpoints");
    }

    /** @throws ConfigException when one of them is not plain HTTP with a port: a certificate is for the server's own name */
    private static Stream<URI> rest(Properties properties) {
        return Stream.of(properties.getProperty("rest.endpoints").split(","))
                .map(String::strip)
                .map(text -> {
                    if (!text.matches("http://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+]):\\d{1,5}(/[^?#]*)?")) {
                        throw new ConfigException(
                                "rest.endpoints: faults of the network need servers as http://host:port, not " + text);
                    }
                    return URI.create(text);
                });
    }

    /** Sends the binding to the proxies, and writes into {@code run.json} which is before which server. */
    static void replace(RunSpec.Builder spec, ProxiedCluster proxied) {
        List<String> addresses = List.copyOf(proxied.addresses().values());
        if (isRest(spec.properties())) {
            List<URI> endpoints = rest(spec.properties()).toList();
            spec.properties()
                    .setProperty(
                            "rest.endpoints",
                            IntStream.range(0, addresses.size())
                                    .mapToObj(i -> "http://" + addresses.get(i)
                                            + endpoints.get(i).getRawPath())
                                    .collect(Collectors.joining(",")));
        } else {
            spec.properties().setProperty("db.hosts", String.join(",", addresses));
        }
        ArrayNode proxies = JsonNodeFactory.instance.arrayNode();
        for (NodeInfo server : proxied.servers()) {
            proxies.addObject()
                    .put("id", server.id())
                    .put("server", server.host())
                    .put("listens", proxied.addresses().get(server.id()));
        }
        spec.extra("proxies", proxies);
    }
}
