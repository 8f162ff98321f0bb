package io.ycsbdrill.client.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.net.ProxiedCluster;
import io.ycsbdrill.fault.node.NodeInfo;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The servers that the binding {@code jdbc} is told to use: {@code db.hosts}, else the one of {@code db.url}. */
final class SqlServers {
    private static final Pattern URL = Pattern.compile(
            "jdbc:(mysql|mariadb|postgresql|crate)://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(:\\d{1,5})?(/[^?]*)?(\\?.*)?");

    private SqlServers() {}

    /**
     * Each as {@code host:port}.
     *
     * @throws ConfigException when there are none that a proxy could stand before
     */
    static List<String> of(Access access, RunSpecBuilder spec) {
        Properties properties = spec.properties();
        String hosts = properties.getProperty("db.hosts", "");
        String url = properties.getProperty("db.url", "");
        Matcher single = URL.matcher(url);
        if (url.isEmpty()) {
            throw new ConfigException(
                    "faults of the network (cut, reset, blackhole, delay, throttle) need the binding jdbc,"
                            + " whose servers are known by db.hosts or db.url; the binding is " + access.binding());
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

    /** Sends the binding to the proxies, and writes into {@code run.json} which is before which server. */
    static void replace(RunSpecBuilder spec, ProxiedCluster proxied) {
        spec.properties()
                .setProperty("db.hosts", String.join(",", proxied.addresses().values()));
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
