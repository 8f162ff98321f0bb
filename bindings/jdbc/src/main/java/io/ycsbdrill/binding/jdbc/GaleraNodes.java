package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.binding.NodeReads.Node;
import io.ycsbdrill.binding.NodeReads.Nodes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Reads each node of a Galera cluster on its own: each has all rows. A read waits until the node has applied what was committed
 * before ({@code wsrep_sync_wait}), so what it shows is not merely late. Owned by one thread.
 *
 * @param urls one server each
 */
record GaleraNodes(List<JdbcUrl> urls, Witness witness) {
    GaleraNodes {
        urls = List.copyOf(urls);
    }

    private static final String QUESTION = "SHOW GLOBAL %s WHERE Variable_name IN ('wsrep_on', 'wsrep_node_name',"
            + " 'wsrep_gcomm_uuid', 'wsrep_cluster_size', 'wsrep_incoming_addresses', 'wsrep_node_incoming_address',"
            + " 'bind_address')";
    /** As {@code bind_address}: a server that listens there takes clients of its own host only. */
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "::1", "localhost");

    /** Asks a server about itself. */
    interface Witness {
        /**
         * @return values by name
         * @throws SQLException when it does not answer
         */
        Map<String, String> ask(JdbcUrl url) throws SQLException;
    }

    /**
     * Finds the nodes: the servers, when these are the nodes, each once; otherwise, as behind a proxy, those that the cluster names.
     *
     * @throws SQLException when no server answers
     */
    Nodes nodes() throws SQLException {
        if (!urls.get(0).isMysql()) {
            return Nodes.none("only the servers of a Galera cluster are known to have all rows each");
        }
        if (urls.get(0).severalServers()) {
            return Nodes.none("with several servers in db.url the driver chooses one; name them by db.hosts");
        }
        List<Node> nodes = new ArrayList<>();
        List<Map<String, String>> members = new ArrayList<>();
        SQLException silence = new SQLException("no server is named");
        for (JdbcUrl url : urls) {
            String name = url.host();
            try {
                Map<String, String> told = witness.ask(url);
                if (!"ON".equals(told.get("wsrep_on"))) {
                    return Nodes.none(
                            name + " is not a node of a Galera cluster (wsrep_on is not ON), and only Galera nodes"
                                    + " are known to have all rows each");
                }
                members.add(told);
                name = told.getOrDefault("wsrep_node_name", name);
            } catch (SQLException e) {
                silence = e;
            }
            nodes.add(node(name, url));
        }
        if (members.isEmpty()) {
            throw silence;
        }
        Set<String> identities = new HashSet<>();
        members.forEach(told -> identities.add(told.get("wsrep_gcomm_uuid")));
        boolean eachOnce = identities.size() == members.size();
        String addresses = members.get(0).getOrDefault("wsrep_incoming_addresses", "");
        boolean sizeFits = Objects.equals(members.get(0).get("wsrep_cluster_size"), Integer.toString(members.size()));
        boolean gaps = Arrays.stream(addresses.split(",", -1)).anyMatch(String::isBlank);
        if (gaps && !(eachOnce && sizeFits) && members.stream().anyMatch(GaleraNodes::withoutAddress)) {
            // One gap is a node's, and nobody knows whose the others are.
            return unreachable(addresses);
        }
        boolean all = sizeFits || addresses(addresses).size() == members.size();
        return eachOnce && all ? everywhere(nodes) : named(addresses);
    }

    /** Whether the cluster knows no address of a node: it is to find its own, and takes clients of its host only. */
    private static boolean withoutAddress(Map<String, String> told) {
        String own = told.getOrDefault("wsrep_node_incoming_address", "").strip();
        // Of a list the server considers the first one only.
        String bound = told.getOrDefault("bind_address", "").split(",", -1)[0].strip();
        return (own.isEmpty() || own.equals("AUTO")) && LOOPBACK.contains(bound);
    }

    /**
     * Those of the nodes. An arbitrator (garbd), which counts as a member and has no rows, has an empty one; so has a
     * node {@link #withoutAddress}.
     */
    private static List<String> addresses(String all) {
        return Arrays.stream(all.split(","))
                .map(String::strip)
                .filter(address -> !address.isEmpty())
                .toList();
    }

    /** A server's variables and figures by name, asked on a separate connection. */
    static Map<String, String> facts(Connector connector, JdbcUrl url) throws SQLException {
        Map<String, String> facts = new HashMap<>();
        try (Connection connection = connector.open(url);
                Statement statement = connection.createStatement()) {
            for (String what : List.of("VARIABLES", "STATUS")) {
                try (ResultSet rows = statement.executeQuery(Formatted.of(QUESTION, what))) {
                    while (rows.next()) {
                        facts.put(rows.getString(1), rows.getString(2));
                    }
                }
            }
        }
        return facts;
    }

    private Nodes named(String addresses) {
        List<Node> nodes = new ArrayList<>();
        boolean reachable = false;
        for (String address : addresses(addresses)) {
            if (!address.matches(JdbcSettings.HOST)) {
                return unreachable(addresses);
            }
            JdbcUrl url = urls.get(0).at(address).orElseThrow();
            String name = address;
            try {
                name = witness.ask(url).getOrDefault("wsrep_node_name", address);
                reachable = true;
            } catch (SQLException e) {
                // It may be down: it is read, and found to be unreadable.
            }
            nodes.add(node(name, url));
        }
        return reachable ? everywhere(nodes) : unreachable(addresses);
    }

    private static Nodes unreachable(String addresses) {
        return Nodes.none(
                "the servers of db.url and db.hosts are not all nodes, each once, and those that the cluster names"
                        + " (wsrep_incoming_addresses=" + addresses
                        + ") cannot be reached from here; name the nodes by db.hosts");
    }

    private static Nodes everywhere(List<Node> nodes) {
        return new Nodes(nodes, nodes.size(), Duration.ZERO, "");
    }

    private static Node node(String name, JdbcUrl url) {
        return new Node(
                name,
                Map.of(
                        "db.url",
                        url.withSession("wsrep_sync_wait=1").text(),
                        "db.hosts",
                        url.host(),
                        "db.table.create",
                        "false"));
    }
}
