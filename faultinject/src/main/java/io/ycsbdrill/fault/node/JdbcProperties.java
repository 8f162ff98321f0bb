package io.ycsbdrill.fault.node;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Properties with which the binding {@code jdbc} connects to the SQL servers of a local cluster. Stateless. */
public final class JdbcProperties {

    private JdbcProperties() {}

    /**
     * With MariaDB's driver, which also speaks to MySQL: an operation takes half of the processor time that it takes with Connector/J
     * ({@code docs/measurements/jdbc.md}).
     *
     * @param ports on the loopback interface, at least one, in order
     */
    public static Map<String, String> of(List<Integer> ports) {
        return at(ports.stream().map(port -> "127.0.0.1:" + port).toList());
    }

    /**
     * As {@link #of}.
     *
     * @param hosts address and port of each, at least one, in order
     */
    public static Map<String, String> at(List<String> hosts) {
        return Map.of(
                "db.url",
                "jdbc:mariadb://" + hosts.get(0) + "/ycsb",
                "db.hosts",
                hosts.stream().collect(Collectors.joining(",")),
                "db.user",
                "ycsb",
                "db.passwd",
                "");
    }
}
