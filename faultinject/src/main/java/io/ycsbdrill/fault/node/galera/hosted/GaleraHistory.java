package io.ycsbdrill.fault.node.galera.hosted;

import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.polled.ClusterHistory;
import java.util.List;

/** Makes events of the differences between one state of a group and the next. Owned by one thread. */
final class GaleraHistory extends ClusterHistory<GaleraState, GaleraHistory.Node> {
    private static final String STATE = "wsrep_local_state_comment ";

    /** What is known of a node. */
    static final class Node {
        private boolean down;
        private boolean handled;
        private boolean unhandled;
        private boolean started;
        private boolean synchronising;
        private String state = "";
        private final Misses misses = new Misses();
        /** Counts the questions in a row at which it was silent and no member. */
        private final Misses gone = new Misses();
        /** Counts the questions in a row that no node which serves has answered. */
        private final Misses unserved = new Misses();
    }

    /** @param names the nodes, all of which are in the group so far as is known */
    GaleraHistory(List<String> names) {
        super(names, Node::new, "wsrep status");
    }

    @Override
    protected void take(String name, Node node, GaleraState state, Teller teller) {
        if (node.misses.begin(state.of(name).isPresent(), teller) && !node.down) {
            teller.tell(Signal.NOTE, name + " does not answer on its host");
        }
        // A lost question of this client's is not yet the word of the group.
        if (!state.serves(name) && state.missedBySome(name)) {
            down(
                    node,
                    name + " does not serve, and a node that does has it no longer as a member",
                    teller,
                    teller.atNanos());
        } else if (node.misses.many()) {
            down(node, name + " has not answered " + MISSES + " times in a row", teller, node.misses.sinceNanos());
        }
        // One that copies everything is silent, too, but a member.
        node.gone.begin(state.of(name).isPresent() || !state.missedByAll(name), teller);
        if (node.down && node.started && node.gone.many()) {
            node.down = false;
            down(
                    node,
                    name + " has failed again: it does not answer, and no node that serves has it as a member",
                    teller,
                    node.gone.sinceNanos());
            node.handled = true;
            teller.tell(
                    Signal.FAILURE_HANDLED,
                    "every node that serves has a primary view without " + name,
                    node.gone.sinceNanos());
        }
        node.unserved.begin(state.served(), teller);
        boolean open = node.down && !node.handled && !node.started;
        if (open && state.missedByAll(name)) {
            node.handled = true;
            teller.tell(Signal.FAILURE_HANDLED, "every node that serves has a primary view without " + name);
        } else if (open && !node.unhandled && node.unserved.many()) {
            node.unhandled = true;
            teller.tell(Signal.UNHANDLED, "no node that serves is left to handle the failure of " + name);
        }
        if (node.down) {
            comeBack(name, node, state, teller);
        }
    }

    @Override
    protected void lost(Node node, Teller teller) {
        down(node, "no node of the group answers", teller, teller.atNanos());
        node.handled = true; // nobody is left who could
    }

    private static void down(Node node, String text, Teller teller, long sinceNanos) {
        if (!node.down) {
            node.down = true;
            node.handled = false;
            node.unhandled = false;
            node.started = false;
            node.synchronising = false;
            node.state = "";
            teller.tell(Signal.NODE_DOWN, text, sinceNanos);
        }
    }

    /** While a whole node is copied to it a server does not answer: then the others say that it is there, and who donates. */
    private static void comeBack(String name, Node node, GaleraState state, Teller teller) {
        boolean answers = state.of(name).isPresent();
        boolean joined = node.handled && state.seenByAll(name);
        if (!node.started && (answers && (node.handled || state.serves(name)) || joined)) {
            node.started = true;
            teller.tell(
                    Signal.PROCESS_STARTED,
                    answers ? name + " answers again" : name + " is a member of the group again");
        }
        if (!node.started) {
            return;
        }
        String now = state.of(name).map(GaleraAnswer::state).orElse("");
        if (state.recovered(name)) {
            node.down = false;
            teller.tell(Signal.RECOVERED, STATE + now + ", and every node that serves has it as a member");
            return;
        }
        if (!node.synchronising
                && (now.startsWith("Joining") || now.equals("Joined") || !answers && state.donated(name))) {
            node.synchronising = true;
            teller.tell(
                    Signal.SYNCHRONISE_STARTED,
                    answers ? STATE + now : "another node is a donor, and " + name + " joins");
        } else if (!now.isEmpty() && !now.equals(node.state)) {
            teller.tell(Signal.STEP, STATE + now);
        }
        node.state = now;
    }
}
