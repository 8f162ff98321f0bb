package io.ycsbdrill.fault.node.harperdb;

import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.http.ClusterHistory;
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
    }

    /** @param names the nodes, all of which are in the cluster so far as is known */
    HarperDbHistory(List<String> names) {
        super(names, Node::new, "cluster_status");
    }

    @Override
    protected void take(String name, Node node, HarperDbState state, Teller teller) {
        boolean gone = !state.answers(name);
        if (gone && !node.down) {
            node.down = true;
            node.handled = false;
            node.recovering = false;
            teller.tell(Signal.NODE_DOWN, name + " does not answer");
        }
        if (node.down && !node.handled && state.isMissedByAll(name)) {
            node.handled = true;
            teller.tell(Signal.FAILURE_HANDLED, "no peer is connected to " + name);
        }
        if (node.down && !gone) {
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
            teller.tell(Signal.RECOVERED, "it is connected to all peers and has received all that they sent");
        }
    }
}
