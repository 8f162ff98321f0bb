package io.ycsbdrill.fault.node.harperdb;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Makes events of the differences between one state of a cluster and the next. Owned by one thread. */
final class HarperDbHistory {
    /** A node that is whole at one look may only not have begun to catch up. */
    private static final int LOOKS = 2;

    private final Map<String, Node> nodes = new LinkedHashMap<>();

    /** What is known of a node. */
    private static final class Node {
        private boolean down;
        private boolean handled;
        private boolean recovering;
        private boolean synchronising;
        private int whole;
    }

    /** @param names the nodes, all of which are up so far as is known */
    HarperDbHistory(List<String> names) {
        names.forEach(name -> nodes.put(name, new Node()));
    }

    /**
     * Takes in a state.
     *
     * @param atNanos when it was told, on the scale of {@link System#nanoTime()}
     */
    void take(HarperDbState state, long atNanos, Instant wall, Consumer<EngineEvent> events) {
        nodes.forEach((name, node) -> take(
                name,
                node,
                state,
                (signal, text) -> events.accept(new EngineEvent(atNanos, wall, name, signal, "cluster_status", text))));
    }

    private interface Teller {
        void tell(Signal signal, String text);
    }

    private static void take(String name, Node node, HarperDbState state, Teller teller) {
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
            node.whole = 0;
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
                    state.isCopiedTo(name) ? "it is sent a copy of all data" : "it receives what it has missed");
        }
        node.whole = state.isWhole(name) ? node.whole + 1 : 0;
        if (node.whole == LOOKS) {
            node.recovering = false;
            teller.tell(Signal.RECOVERED, "it is connected with all peers and has received what they sent");
        }
    }
}
