package io.ycsbdrill.fault.node.cratedb;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a cluster says of itself at one time.
 *
 * @param hosts of the nodes that are in the cluster, by name
 * @param master the name of the elected master, if there is one
 * @param health of the worst table; empty when it could not be found out
 * @param moving the shards that are not started; empty when they could not be found out
 */
record CrateDbState(
        Map<String, String> hosts, Optional<String> master, Optional<Health> health, Optional<List<Shard>> moving) {

    /** In the order of CrateDB's severity, which begins with 1. */
    enum Health {
        /** Every shard has all its copies. */
        GREEN,
        /** Copies are missing, but no data. */
        YELLOW,
        /** Data is missing. */
        RED,
        /** The cluster has a master, and no tables yet: it waits for more of its nodes before it reads them. */
        UNRECOVERED
    }

    /**
     * A copy of a part of a table.
     *
     * @param node where it is; empty when it is nowhere
     * @param stage of its recovery, or empty
     * @param type where its recovery takes the data from: {@code PEER}, {@code EXISTING_STORE}, ...; or empty
     */
    record Shard(String node, String routing, String stage, String type) {
        boolean initialisesFromPeer() {
            return routing.equals("INITIALIZING") && type.equals("PEER");
        }
    }

    /** Asks one server by SQL. */
    interface Rows {
        JsonNode of(String statement) throws IOException;
    }

    /**
     * Asks for the state as one server sees it. Just after a node has died, some system tables fail for a moment: their part
     * is empty then.
     *
     * @throws IOException when the server does not answer
     * @throws NodeControlException when not even the nodes can be found out
     */
    static CrateDbState ask(Rows sql) throws IOException {
        Map<String, String> hosts = new LinkedHashMap<>();
        Map<String, String> names = new LinkedHashMap<>();
        for (JsonNode row : sql.of("select id, name, hostname from sys.nodes order by name")) {
            names.put(row.path(0).asText(), row.path(1).asText());
            hosts.put(row.path(1).asText(), row.path(2).asText());
        }
        if (hosts.size() < names.size()) {
            throw new NodeControlException("two nodes of the CrateDB cluster have the same name: " + names.values());
        }
        return new CrateDbState(hosts, master(sql, names), health(sql), moving(sql));
    }

    private static Optional<String> master(Rows sql, Map<String, String> names) {
        try {
            String id = sql.of("select master_node from sys.cluster")
                    .path(0)
                    .path(0)
                    .asText();
            return Optional.ofNullable(names.get(id));
        } catch (IOException | NodeControlException e) {
            return Optional.empty();
        }
    }

    private static Optional<Health> health(Rows sql) {
        try {
            JsonNode worst =
                    sql.of("select max(severity) from sys.health").path(0).path(0);
            if (!worst.isNumber()) {
                return Optional.of(recovered(sql) ? Health.GREEN : Health.UNRECOVERED);
            }
            int severity = Math.max(1, Math.min(worst.asInt(), Health.RED.ordinal() + 1));
            return Optional.of(Health.values()[severity - 1]);
        } catch (IOException | NodeControlException e) {
            return Optional.empty();
        }
    }

    /**
     * Whether a cluster without a table has none: before it has recovered its state after the loss of all nodes it knows of
     * none. Releases before {@code sys.cluster_health} cannot tell, and are believed.
     */
    private static boolean recovered(Rows sql) throws IOException {
        try {
            return sql.of("select health from sys.cluster_health")
                    .path(0)
                    .path(0)
                    .asText()
                    .equals(Health.GREEN.name());
        } catch (NodeControlException e) {
            if (e.getMessage().contains("RelationUnknown")) {
                return true;
            }
            throw e;
        }
    }

    private static Optional<List<Shard>> moving(Rows sql) {
        try {
            List<Shard> shards = new ArrayList<>();
            for (JsonNode row : sql.of("select node['name'], routing_state, recovery['stage'], recovery['type'] from"
                    + " sys.shards where routing_state != 'STARTED'")) {
                shards.add(new Shard(text(row, 0), text(row, 1), text(row, 2), text(row, 3)));
            }
            return Optional.of(shards);
        } catch (IOException | NodeControlException e) {
            return Optional.empty();
        }
    }

    private static String text(JsonNode row, int column) {
        JsonNode value = row.path(column);
        return value.isNull() ? "" : value.asText();
    }

    /**
     * The view to believe: a server that was ejected sees the others gone. That of a server with a master, and of these the
     * one with the most nodes.
     */
    static CrateDbState best(List<CrateDbState> views) {
        return views.stream()
                .max(Comparator.<CrateDbState, Boolean>comparing(
                                view -> view.master().isPresent())
                        .thenComparing(view -> view.hosts().size()))
                .orElseThrow();
    }

    boolean isIn(String node) {
        return hosts.containsKey(node);
    }

    boolean is(Health wanted) {
        return health.filter(h -> h == wanted).isPresent();
    }

    /** Without a master, or while system tables fail, the health is that of an earlier time. */
    private boolean current() {
        return master.isPresent() && moving.isPresent();
    }

    /** Every shard has a copy that serves. */
    boolean noDataMissing() {
        return current() && (is(Health.GREEN) || is(Health.YELLOW));
    }

    /** What the health is, in the words of the system tables; empty when it could not be found out. */
    String told() {
        return is(Health.UNRECOVERED)
                ? "the state is not recovered: there are no tables yet"
                : health.map(known -> "sys.health is " + known).orElse("");
    }

    /** Some shard has no copy that serves. Not the opposite of {@link #noDataMissing}: while tables fail, neither is known. */
    boolean dataMissing() {
        return current() && (is(Health.RED) || is(Health.UNRECOVERED));
    }

    /** Every shard has all its copies. */
    boolean complete() {
        return current() && is(Health.GREEN);
    }

    /**
     * Whether a node that is in the cluster has nothing left to copy. When copies are missing although every node is there, any of
     * them may be the one that has not recovered. While there are no tables yet, none has.
     *
     * @param all names of the nodes
     */
    boolean settled(String node, Collection<String> all) {
        boolean allThere = all.stream().allMatch(this::isIn);
        return is(Health.GREEN)
                || !is(Health.UNRECOVERED) && !allThere && movingOn(node).isEmpty();
    }

    /** The shards on this node that are not started; none when that is not known. */
    List<Shard> movingOn(String node) {
        return moving.orElse(List.of()).stream()
                .filter(shard -> shard.node().equals(node))
                .toList();
    }
}
