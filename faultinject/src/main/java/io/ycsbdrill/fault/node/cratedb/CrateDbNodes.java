package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.cratedb.CrateDbState.Health;
import io.ycsbdrill.fault.node.http.PolledCluster;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The nodes of a CrateDB cluster that somebody else runs. They are watched, by asking the cluster twice a second, but not
 * touched: what is done to them is done by the user's own commands. Thread-safe; the watching thread is {@code cratedb-watch}.
 */
public final class CrateDbNodes extends PolledCluster<CrateDbState> {
    private final CrateDbSql sql;

    private CrateDbNodes(CrateDbSql sql, List<NodeInfo> nodes) {
        super(nodes, new CrateDbHistory(names(nodes)));
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
                CrateDbState.ask(sql).hosts().entrySet().stream()
                        .map(node -> new NodeInfo(node.getKey(), node.getValue(), 0))
                        .toList());
    }

    @Override
    protected CrateDbState ask() {
        return CrateDbState.ask(sql);
    }

    @Override
    public String engine() {
        return CrateDbEngine.NAME;
    }

    @Override
    public String engineVersion() {
        try {
            return sql.rows("select version['number'] from sys.nodes limit 1")
                    .path(0)
                    .path(0)
                    .asText("unknown");
        } catch (NodeControlException e) {
            return "unknown";
        }
    }

    @Override
    public List<NodeStatus> status() {
        CrateDbState state = ask();
        return nodes().stream()
                .map(node -> new NodeStatus(
                        node.id(),
                        state(state, node.id()),
                        state.health().map(health -> "sys.health is " + health).orElse(""),
                        OptionalLong.empty()))
                .toList();
    }

    /** When copies are missing although every node is there, any of them may be the one that has not recovered. */
    private State state(CrateDbState state, String node) {
        if (!state.isIn(node)) {
            return State.DOWN;
        }
        boolean allThere = nodes().stream().allMatch(each -> state.isIn(each.id()));
        boolean moving = !state.movingOn(node).isEmpty();
        return state.is(Health.GREEN) || !allThere && !moving ? State.STARTED : State.STARTING;
    }

    @Override
    public Optional<String> primary() {
        return ask().master();
    }
}
