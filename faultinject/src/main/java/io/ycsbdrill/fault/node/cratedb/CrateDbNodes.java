package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.http.JsonClient;
import io.ycsbdrill.fault.node.polled.PolledCluster;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The nodes of a CrateDB cluster that somebody else runs. They are watched, by asking the cluster twice a second, but not
 * touched: what is done to them is done by the user's own commands. Thread-safe; the watching thread is {@code cratedb-watch}.
 */
public final class CrateDbNodes extends PolledCluster<URI, CrateDbState, CrateDbState> {
    private final CrateDbSql sql;

    private CrateDbNodes(CrateDbSql sql, List<NodeInfo> nodes) {
        super(nodes, sql.servers(), new CrateDbHistory(names(nodes)));
        this.sql = sql;
    }

    /**
     * Asks a cluster for its nodes, all of which should be up.
     *
     * @param servers some or all of them, {@code http://host:4200}
     * @throws IllegalArgumentException when an address is none
     * @throws NodeControlException when none of them answers
     */
    public static CrateDbNodes connect(HttpServers servers) {
        CrateDbSql sql = new CrateDbSql(servers);
        return new CrateDbNodes(
                sql,
                sql
                        .anyOf(server -> CrateDbState.ask(statement -> sql.rows(server, statement, JsonClient.BOUND)))
                        .hosts()
                        .entrySet()
                        .stream()
                        .map(node -> new NodeInfo(node.getKey(), node.getValue(), 0))
                        .toList());
    }

    /** The nodes of a local cluster, which need not be up, to ask for their state. */
    static CrateDbNodes local(HttpServers servers, List<String> names) {
        return new CrateDbNodes(
                new CrateDbSql(servers),
                names.stream().map(name -> new NodeInfo(name, "127.0.0.1", 0)).toList());
    }

    /** What the cluster says of itself now. */
    CrateDbState now() {
        return look();
    }

    /**
     * Has whoever is decommissioned hand over all copies first; nobody leaves yet.
     *
     * @param node is to be decommissioned
     * @param index its place among the servers
     * @param bound the longest time for that
     * @throws NodeControlException when the others refuse, or there are none
     */
    void allowDecommission(String node, int index, Duration bound) {
        tellOthers(
                node,
                index,
                List.of(
                        "set global transient \"cluster.graceful_stop.min_availability\" = 'full'",
                        "set global transient \"cluster.graceful_stop.timeout\" = '" + bound.toHours() + "h'"));
    }

    /**
     * Lets a server hand over all copies that it has and end itself. Returns when the others have taken the order.
     *
     * @param index its place among the servers
     * @throws NodeControlException when they refuse; the order may be in force if one of them has not answered
     */
    void decommission(String node, int index) {
        tellOthers(node, index, List.of("alter cluster decommission '" + node + "'"));
    }

    /** Tells the first of the other servers that answers. */
    private void tellOthers(String node, int index, List<String> statements) {
        URI itself = sql.servers().get(index);
        NodeControlException last = new NodeControlException("no other server can be asked to let " + node + " go");
        for (URI server : sql.servers()) {
            if (server.equals(itself)) {
                continue;
            }
            try {
                for (String statement : statements) {
                    sql.rows(server, statement, JsonClient.BOUND);
                }
                return;
            } catch (IOException e) {
                last = new NodeControlException(server + " cannot be asked to let " + node + " go: " + e, e);
            }
        }
        throw last;
    }

    @Override
    protected CrateDbState ask(URI server) throws IOException {
        return CrateDbState.ask(statement -> sql.rows(server, statement, ANSWER_BOUND));
    }

    @Override
    protected CrateDbState join(List<CrateDbState> answers) {
        return CrateDbState.best(answers);
    }

    @Override
    public String engine() {
        return CrateDbEngine.NAME;
    }

    @Override
    public String engineVersion() {
        try {
            return sql.anyOf(server ->
                            sql.rows(server, "select version['number'] from sys.nodes limit 1", JsonClient.BOUND))
                    .path(0)
                    .path(0)
                    .asText("unknown");
        } catch (NodeControlException e) {
            return "unknown";
        }
    }

    @Override
    public List<NodeStatus> status() {
        CrateDbState state = look();
        return nodes().stream()
                .map(node -> new NodeStatus(node.id(), state(state, node.id()), state.told(), OptionalLong.empty()))
                .toList();
    }

    private State state(CrateDbState state, String node) {
        if (!state.isIn(node)) {
            return State.DOWN;
        }
        return state.settled(node, names(nodes())) ? State.STARTED : State.STARTING;
    }

    @Override
    public Optional<String> primary() {
        return look().master();
    }
}
