package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.BindingProperties;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import site.ycsb.DBException;

/**
 * The binding's properties, checked.
 *
 * @param endpoints the nodes' client addresses, {@code host:port}
 * @param requestTimeout after which an operation without an answer is given up
 * @param connectTimeout for one attempt to reach a node, and for reaching the first one in {@code init}
 * @param local whether reads give the copy of the node that is asked, whatever the others have
 * @param transactions of what kind they are; NONE when the binding is to have none
 * @param transactionTimeout after which the cluster rolls an open transaction back
 * @param ttl how long a row stays after its last write; empty for ever
 * @param table created in {@code init} when it is missing; empty when none is to be
 */
record EmbeddedSettings(
        List<String> endpoints,
        Duration requestTimeout,
        Duration connectTimeout,
        boolean local,
        TransactionKind transactions,
        Duration transactionTimeout,
        Optional<Duration> ttl,
        String table) {

    /** When transactions that touch the same rows find out about each other. */
    enum TransactionKind {
        NONE,
        /** At the first row: they wait. */
        PESSIMISTIC,
        /** At the commit: one of them fails. */
        OPTIMISTIC
    }

    static EmbeddedSettings of(Properties given) throws DBException {
        BindingProperties properties = new BindingProperties(given);
        String meaning = "the nodes' client addresses, host:port,host:port (`cluster up` prints them)";
        properties.requiredText("embedded.endpoints", meaning);
        List<String> endpoints = new ArrayList<>();
        for (String endpoint : properties.list("embedded.endpoints", List.of())) {
            if (valid(endpoint)) {
                endpoints.add(endpoint);
            } else {
                properties.problem("embedded.endpoints", endpoint, meaning);
            }
        }
        EmbeddedSettings settings = new EmbeddedSettings(
                List.copyOf(endpoints),
                properties.duration(
                        "embedded.timeout", Duration.ofSeconds(10), Duration.ofMillis(50), Duration.ofMinutes(10)),
                properties.duration(
                        "embedded.connect.timeout",
                        Duration.ofSeconds(5),
                        Duration.ofMillis(50),
                        Duration.ofMinutes(10)),
                properties.flag("embedded.read.local", false),
                properties.choice("embedded.transactions", TransactionKind.NONE),
                properties.duration(
                        "embedded.transaction.timeout",
                        Duration.ofSeconds(5),
                        Duration.ofMillis(50),
                        Duration.ofMinutes(10)),
                properties.timeToLive(),
                properties.flag("embedded.create.table", true) ? properties.text("table", "usertable") : "");
        if (settings.local && endpoints.size() > 1) {
            properties.problem("embedded.read.local", "true", "one node in embedded.endpoints: its copies are read");
        }
        if (endpoints.stream().map(EmbeddedSettings::port).distinct().count() < endpoints.size()) {
            properties.problem(
                    "embedded.endpoints",
                    String.join(",", endpoints),
                    "a port of its own for each node, by which nodes are told apart, whatever their hosts");
        }
        properties.check("embedded.");
        return settings;
    }

    /**
     * The client address of a node of the cluster: its endpoint, when it has one; else, for one that was added, at an address of its own,
     * if possible one at which there are endpoints.
     *
     * @param addresses of the node, as it says
     * @param port at which it takes clients
     */
    String endpointOf(Collection<String> addresses, int port) {
        List<String> own = addresses.stream()
                .map(address -> (address.contains(":") ? "[" + address + "]" : address) + ":" + port)
                .toList();
        Set<String> hosts = endpoints.stream().map(EmbeddedSettings::host).collect(Collectors.toSet());
        return endpoints.stream()
                .filter(endpoint -> port(endpoint) == port)
                .findFirst()
                .or(() -> own.stream()
                        .filter(endpoint -> hosts.contains(host(endpoint)))
                        .findFirst())
                .or(() -> own.stream().findFirst())
                .orElse(host(endpoints.get(0)) + ":" + port);
    }

    private static String host(String endpoint) {
        return endpoint.substring(0, endpoint.lastIndexOf(':'));
    }

    private static int port(String endpoint) {
        return Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1));
    }

    private static boolean valid(String endpoint) {
        try {
            URI uri = URI.create("tcp://" + endpoint);
            return uri.getHost() != null
                    && uri.getPort() > 0
                    && uri.getPort() < 65_536
                    && endpoint.endsWith(":" + uri.getPort());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
