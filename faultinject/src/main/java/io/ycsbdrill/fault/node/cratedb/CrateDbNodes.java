package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.cratedb.CrateDbState.Health;
import io.ycsbdrill.fault.node.http.ClusterWatch;
import io.ycsbdrill.fault.node.http.HttpServers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The nodes of a CrateDB cluster that somebody else runs. They are watched, by asking the cluster twice a second, but not
 * touched: what is done to them is done by the user's own commands. Thread-safe; the watching thread is {@code cratedb-watch}.
 */
public final class CrateDbNodes implements NodeController {
    private final CrateDbSql sql;
    private final List<NodeInfo> nodes;
    private final ClusterWatch watch;

    private CrateDbNodes(CrateDbSql sql) {
        this.sql = sql;
        this.nodes = CrateDbState.ask(sql).hosts().entrySet().stream()
                .map(node -> new NodeInfo(node.getKey(), node.getValue(), 0))
                .toList();
        CrateDbHistory history =
                new CrateDbHistory(nodes.stream().map(NodeInfo::id).toList());
        this.watch = new ClusterWatch(
                engine(), events -> history.take(CrateDbState.ask(sql), System.nanoTime(), Instant.now(), events));
    }

    /**
     * Asks a cluster for its nodes, all of which should be up.
     *
     * @param servers some or all of them, {@code http://host:4200}
     * @throws IllegalArgumentException when an address is none
     * @throws NodeControlException when none of them answers
     */
    public static CrateDbNodes connect(HttpServers servers) {
        return new CrateDbNodes(new CrateDbSql(servers));
    }

    @Override
    public String engine() {
        return "cratedb";
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
    public List<NodeInfo> nodes() {
        return nodes;
    }

    @Override
    public List<NodeStatus> status() {
        CrateDbState state = CrateDbState.ask(sql);
        return nodes.stream()
                .map(node -> new NodeStatus(
                        node.id(),
                        state(state, node.id()),
                        state.health().map(health -> "sys.health is " + health).orElse(""),
                        OptionalLong.empty()))
                .toList();
    }

    /** When copies are missing although every node is there, any of them may be the one that is not whole. */
    private State state(CrateDbState state, String node) {
        if (!state.isIn(node)) {
            return State.DOWN;
        }
        boolean allThere = nodes.stream().allMatch(each -> state.isIn(each.id()));
        boolean moving = !state.movingOn(node).isEmpty();
        return state.is(Health.GREEN) || !allThere && !moving ? State.STARTED : State.STARTING;
    }

    @Override
    public Optional<String> primary() {
        return CrateDbState.ask(sql).master();
    }

    /** None: only the user's own commands can do something to a node. */
    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return Optional.empty();
    }

    @Override
    public AutoCloseable listen(Consumer<EngineEvent> listener) {
        return watch.listen(listener);
    }

    @Override
    public void close() {
        watch.close();
    }
}
