package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.cratedb.CrateDbState.Shard;
import io.ycsbdrill.fault.node.polled.ClusterHistory;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Makes events of the differences between one state of a cluster and the next. Owned by one thread. */
final class CrateDbHistory extends ClusterHistory<CrateDbState, CrateDbHistory.Node> {

    /** What is known of a node. */
    static final class Node {
        private boolean down;
        private boolean handled;
        private boolean recovering;
        private boolean synchronising;
        private String steps = "";
    }

    /** @param names the nodes, all of which are in the cluster so far as is known */
    CrateDbHistory(List<String> names) {
        super(names, Node::new, "_sql");
    }

    @Override
    protected void take(String name, Node node, CrateDbState state, Teller teller) {
        if (!state.isIn(name)) {
            down(node, name + " is not in sys.nodes", teller);
            if (!node.handled && state.noDataMissing()) {
                node.handled = true;
                teller.tell(Signal.FAILURE_HANDLED, state.told());
            }
            return;
        }
        if (node.down) {
            node.down = false;
            node.recovering = true;
            node.synchronising = false;
            node.steps = "";
            teller.tell(Signal.PROCESS_STARTED, name + " is in sys.nodes again");
        }
        if (node.recovering) {
            recover(node, state.movingOn(name), state, teller);
        }
    }

    @Override
    protected void lost(Node node, Teller teller) {
        down(node, "no node of the cluster answers", teller);
    }

    private static void down(Node node, String text, Teller teller) {
        if (!node.down) {
            node.down = true;
            node.handled = false;
            node.recovering = false;
            teller.tell(Signal.NODE_DOWN, text);
        }
    }

    private static void recover(Node node, List<Shard> shards, CrateDbState state, Teller teller) {
        if (!node.synchronising && shards.stream().anyMatch(Shard::initialisesFromPeer)) {
            node.synchronising = true;
            teller.tell(Signal.SYNCHRONISE_STARTED, "the first shard is initialised from a peer");
        }
        String steps = shards.stream()
                .filter(shard -> !shard.stage().isEmpty())
                .map(shard -> shard.type() + " " + shard.stage())
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .collect(Collectors.joining(", "));
        if (!steps.isEmpty() && !steps.equals(node.steps)) {
            node.steps = steps;
            teller.tell(Signal.STEP, steps);
        }
        if (state.complete()) {
            node.recovering = false;
            teller.tell(Signal.RECOVERED, "sys.health is GREEN");
        }
    }
}
