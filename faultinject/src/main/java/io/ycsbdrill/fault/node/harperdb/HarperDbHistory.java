package io.ycsbdrill.fault.node.harperdb;

import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.polled.ClusterHistory;
import java.util.List;

/** Makes events of the differences between one state of a cluster and the next. Owned by one thread. */
final class HarperDbHistory extends ClusterHistory<HarperDbState, HarperDbHistory.Node> {
    /** A node that looks recovered once may only not have begun to catch up. */
    private static final int LOOKS = 2;

    /** What is known of a node. */
    static final class Node {
        private boolean down;
        private boolean handled;
        private boolean recovering;
        private boolean synchronising;
        private int looksRecovered;
        private final Misses misses = new Misses();
    }

    /** @param names the nodes, all of which are in the cluster so far as is known */
    HarperDbHistory(List<String> names) {
        super(names, Node::new, "cluster_status");
    }

    @Override
    protected void take(String name, Node node, HarperDbState state, Teller teller) {
        boolean answers = state.answers(name);
        if (node.misses.begin(answers, teller) && !node.down) {
            teller.tell(Signal.NOTE, name + " cannot be reached from this client");
        }
        // A lost question of this client's is not yet the word of the cluster.
        if (!answers && state.isMissedBySome(name)) {
            down(node, name + " does not answer, and a peer is not connected to it", teller, teller.atNanos());
        } else if (node.misses.many()) {
            down(node, name + " has not answered " + MISSES + " times in a row", teller, node.misses.sinceNanos());
        }
        if (node.down && !node.handled && state.isMissedByAll(name)) {
            node.handled = true;
            teller.tell(Signal.FAILURE_HANDLED, "no peer is connected to " + name);
        }
        if (node.down && answers) {
            node.down = false;
            node.recovering = true;
            node.synchronising = false;
            node.looksRecovered = 0;
            teller.tell(Signal.PROCESS_STARTED, name + " answers again");
        }
        if (node.recovering) {
            recover(name, node, state, teller);
        }
    }

    @Override
    protected void lost(Node node, Teller teller) {
        down(node, "no node of the cluster answers", teller, teller.atNanos());
    }

    private static void down(Node node, String text, Teller teller, long sinceNanos) {
        if (!node.down) {
            node.down = true;
            node.handled = false;
            node.recovering = false;
            teller.tell(Signal.NODE_DOWN, text, sinceNanos);
        }
    }

    private static void recover(String name, Node node, HarperDbState state, Teller teller) {
        if (!node.synchronising && state.isCatchingUp(name)) {
            node.synchronising = true;
            teller.tell(
                    Signal.SYNCHRONISE_STARTED,
                    state.isCopiedTo(name)
                            ? "it is receiving a copy of all data"
                            : "it is receiving the changes that it missed");
        }
        node.looksRecovered = state.isRecovered(name) ? node.looksRecovered + 1 : 0;
        if (node.looksRecovered == LOOKS) {
            node.recovering = false;
            teller.tell(
                    Signal.RECOVERED,
                    state.isAlone(name)
                            ? "it answers, and does not replicate"
                            : "it is connected to all peers and has received all that they sent");
        }
    }
}
