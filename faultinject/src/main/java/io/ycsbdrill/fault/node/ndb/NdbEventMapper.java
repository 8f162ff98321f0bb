package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.ndb.mgm.MgmEvent;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What NDB's events mean for a recovery. Fed with events in order of arrival it can be run again on a recording. Owned by
 * one thread.
 *
 * <p>Every survivor reports a failure, and both the master and the other survivors report the progress of a recovery, the
 * others in coarse steps and their last one (<em>Restart completed</em>) up to ten seconds early. Therefore each signal is
 * given once per failure, by the first event that is certain:
 * <ul>
 *   <li>NODE_DOWN: NODE_FAILREP, "Node failed, fail handling ongoing", NDBStopForced (by the angel), or the end of the
 *       process as seen by us; when no other node is up to report it, the management server's Disconnected;
 *   <li>FAILURE_HANDLED: NodeFailCompleted of all blocks (0) by all nodes (0), or "Node failure handling complete";
 *   <li>PROCESS_STARTED: "Allocated node id", or the management server's Connected; for a node that was restarted to wait
 *       for the order to start, the first of them after the order, or NDBStartStarted;
 *   <li>SYNCHRONISE_STARTED: after a node restart "Synchronize start node with live nodes"; after an <em>initial</em> node
 *       restart, which restores nothing of its own and copies first, "Restore fragments ongoing" or NR_CopyFragsStarted;
 *   <li>WAIT_CHECKPOINT_STARTED: "Wait LCP to ensure durability" or the start of the wait as the master logs it, for
 *       all nodes at once when the whole cluster restarts (which has no synchronise phase);
 *   <li>RECOVERED: NDBStartCompleted of the node itself, or "Restart completed" from a node that went through the
 *       hand-over of subscriptions with it, which only the master does.
 * </ul>
 */
final class NdbEventMapper {
    static final String SOURCE = "mgmd";

    private static final Pattern NR_STATUS = Pattern.compile("NR Status: node=(\\d+),OLD=(.*),NEW=(.*)");
    private static final Pattern START_KIND = Pattern.compile("Start node: (\\d+) using (initial )?node restart");
    private static final Pattern STAGE_LINE = Pattern.compile(
            "(?:Restore Database Off-line|Bring Database On-line|Make On-line Database recoverable).* on node (\\d+).*");

    private static final String ALLOCATED = "Allocated node id";
    private static final String RESTORE = "Restore fragments ongoing";
    private static final String SYNCHRONIZE = "Synchronize start node with live nodes";
    private static final String WAIT_LCP = "Wait LCP to ensure durability";
    private static final String WAIT_LCP_LOGGED = "Make On-line Database recoverable by waiting for LCP Starting";
    private static final String WAIT_LCP_ALL =
            WAIT_LCP_LOGGED + ", LCP id"; // a restart of the whole cluster names no node
    private static final String HANDOVER = "Wait handover of subscriptions";

    /** How far a node's recovery has come, as far as was said. */
    private enum Stage {
        WHOLE,
        DOWN,
        HANDLED,
        STARTING,
        SYNCHRONISING,
        WAITING;

        boolean recovering() {
            return compareTo(STARTING) >= 0;
        }
    }

    private static final class Node {
        Stage stage = Stage.WHOLE;
        boolean initial;
        boolean waitsForOrder;
        boolean ordered;
        String master = "";
        boolean downBefore;
        long downNanos;
        final Set<Integer> reporters = new HashSet<>();
        boolean reportersKnown = true;
        final Set<String> stepsSeen = new HashSet<>();
    }

    private final Map<Integer, Node> nodes = new HashMap<>();
    private final Consumer<EngineEvent> out;
    private long emitted;

    /** @param dataNodes ids of the nodes to follow; events about others are ignored */
    NdbEventMapper(List<Integer> dataNodes, Consumer<EngineEvent> out) {
        dataNodes.forEach(id -> nodes.put(id, new Node()));
        this.out = out;
    }

    /** One event of the stream. */
    void event(MgmEvent e, long atNanos, Instant wall) {
        At at = new At(atNanos, wall, SOURCE, e.text());
        if (e.isText()) {
            text(e, at);
            return;
        }
        int own = e.source();
        switch (e.type()) {
            case MgmEvent.NODE_FAIL_REPORT -> failed(e.number("failed_node"), e.source(), at);
            case MgmEvent.NODE_FAIL_COMPLETED -> {
                if (e.number("block") == 0 && e.number("completing_node") == 0) {
                    handled(e.number("failed_node"), at);
                }
            }
            case MgmEvent.CONNECTED -> {
                if (!nodes.containsKey(e.source())) { // said by the management server
                    processStarted(e.number("node"), at);
                }
            }
            case MgmEvent.DISCONNECTED -> {
                int node = e.number("node");
                if (!nodes.containsKey(e.source()) && !(othersDown(node) && down(node, at))) {
                    step(node, at);
                }
            }
            case MgmEvent.START_STARTED -> startOrdered(own, at);
            case MgmEvent.START_COMPLETED -> recovered(own, at);
            case MgmEvent.COPY_FRAGMENTS_STARTED -> {
                int node = e.number("dest_node");
                step(node, at);
                if (nodes.containsKey(node) && nodes.get(node).initial) {
                    synchronise(node, at);
                }
            }
            case MgmEvent.COPY_FRAGMENTS_COMPLETED -> step(e.number("dest_node"), at);
            case MgmEvent.START_PHASE_COMPLETED -> {
                if (nodes.containsKey(own) && e.number("starttype") == 3) {
                    nodes.get(own).initial = true;
                }
                step(own, at);
            }
            case MgmEvent.STOP_COMPLETED -> {
                if (nodes.containsKey(own) && !nodes.get(own).ordered) {
                    // Bits of the action: 1 restart, 2 wait for the order to start, 4 without files.
                    nodes.get(own).waitsForOrder = (e.number("action") & 3) == 3;
                }
                step(own, at);
            }
            case MgmEvent.STOP_FORCED -> { // said by the angel, whose node process has ended
                if (!down(own, at)) {
                    step(own, at);
                }
            }
            case MgmEvent.STOP_STARTED -> step(own, at);
            case MgmEvent.MISSED_HEARTBEAT, MgmEvent.DEAD_DUE_TO_HEARTBEAT -> step(e.number("node"), at);
            default -> {
                // Progress in detail, checkpoints, arbitration: nothing that a recovery is measured by.
            }
        }
    }

    private void text(MgmEvent e, At at) {
        Matcher status = NR_STATUS.matcher(at.text);
        if (status.matches()) {
            nodeStatus(Integer.parseInt(status.group(1)), e.source(), status.group(3), at);
            return;
        }
        Matcher kind = START_KIND.matcher(at.text);
        if (kind.find()) {
            int id = Integer.parseInt(kind.group(1));
            if (nodes.containsKey(id)) {
                nodes.get(id).initial = kind.group(2) != null;
                step(id, at);
            }
            return;
        }
        if (at.text.startsWith(WAIT_LCP_ALL)) {
            nodes.keySet().forEach(id -> waitCheckpoint(id, at));
            return;
        }
        Matcher stage = STAGE_LINE.matcher(at.text);
        if (stage.matches()) {
            int id = Integer.parseInt(stage.group(1));
            if (at.text.startsWith(WAIT_LCP_LOGGED)) {
                waitCheckpoint(id, at);
            }
            step(id, at);
        }
    }

    private void nodeStatus(int id, int source, String now, At at) {
        Node node = nodes.get(id);
        if (node == null) {
            return;
        }
        boolean meaning =
                switch (now) {
                    case "Node failed, fail handling ongoing" -> failed(id, source, at);
                    case "Node failure handling complete" -> handled(id, at);
                    case ALLOCATED -> processStarted(id, at);
                    case RESTORE -> node.initial && synchronise(id, at);
                    case SYNCHRONIZE -> synchronise(id, at);
                    case WAIT_LCP -> waitCheckpoint(id, at);
                    case HANDOVER -> {
                        node.master = Integer.toString(source);
                        yield false;
                    }
                    case "Restart completed" -> {
                        if (!node.master.equals(Integer.toString(source))) {
                            yield true; // a survivor's early word: neither a signal nor a step
                        }
                        yield recovered(id, at);
                    }
                    case "Included in heartbeat protocol" -> startOrdered(id, at);
                    default -> false;
                };
        if (!meaning && node.stage != Stage.WHOLE && node.stepsSeen.add(now)) {
            step(id, at);
        }
    }

    /**
     * The node's process ended, as seen by whoever runs it.
     *
     * @param aliveNanos when it was last seen alive: an end that others have reported since then is not a second one
     */
    void processEnded(int id, String text, long aliveNanos, long atNanos, Instant wall) {
        At at = new At(atNanos, wall, "process", text);
        Node node = nodes.get(id);
        boolean known = node.downBefore && node.downNanos - aliveNanos > 0;
        if (known || !down(id, at)) {
            step(id, at);
        }
    }

    /** Something that whoever runs the node did or saw; a marker only. */
    void processStep(int id, String text, long atNanos, Instant wall) {
        step(id, new At(atNanos, wall, "process", text));
    }

    /** The node was told to restart and to wait for the order to start. */
    void willWaitForOrder(int id) {
        nodes.get(id).waitsForOrder = true;
        nodes.get(id).ordered = false;
    }

    /** A node that waited was ordered to start: what comes next is its start. */
    void orderGiven(int id) {
        nodes.get(id).waitsForOrder = false;
        nodes.get(id).ordered = true;
    }

    /**
     * What the management server says of the nodes when a stream begins. When {@code missed}, events of before may be
     * lost, and what the states say for certain is told: a node that is out and was not known to be, and one that is
     * whole and was not known to be. Phases in between are not made up.
     */
    void statusRead(List<MgmNode> states, boolean missed, long atNanos, Instant wall) {
        for (MgmNode state : states) {
            Node node = nodes.get(state.id());
            if (node == null) {
                continue;
            }
            At at = new At(
                    atNanos,
                    wall,
                    SOURCE,
                    "status " + state.detail() + (missed ? " (seen after a gap in the event stream)" : ""));
            node.reportersKnown = false;
            if (!missed) {
                node.stage = state.started() ? Stage.WHOLE : state.out() ? Stage.HANDLED : Stage.STARTING;
                node.waitsForOrder = state.status().equals("NOT_STARTED");
            } else if (state.out()) {
                down(state.id(), at);
            } else if (state.started() && node.stage != Stage.WHOLE) {
                recovered(state.id(), at);
            }
        }
    }

    private boolean failed(int id, int reporter, At at) {
        Node node = nodes.get(id);
        if (node == null) {
            return false;
        }
        boolean reportedBefore = !node.reporters.add(reporter);
        // While it recovers, the first word of a survivor that has not yet spoken may still be about the failure
        // before.
        if (node.stage.recovering() && node.reportersKnown && !reportedBefore) {
            return true;
        }
        if (node.stage == Stage.HANDLED) {
            return true;
        }
        boolean first = down(id, at);
        node.reporters.add(reporter);
        return first;
    }

    private boolean down(int id, At at) {
        Node node = nodes.get(id);
        if (node == null || node.stage == Stage.DOWN || node.stage == Stage.HANDLED) {
            return false;
        }
        node.stage = Stage.DOWN;
        node.downBefore = true;
        node.downNanos = at.nanos;
        node.initial = false;
        node.master = "";
        node.reporters.clear();
        node.reportersKnown = true;
        node.stepsSeen.clear();
        emit(id, Signal.NODE_DOWN, at);
        return true;
    }

    private boolean othersDown(int id) {
        return nodes.entrySet().stream()
                .allMatch(n ->
                        n.getKey() == id || n.getValue().stage == Stage.DOWN || n.getValue().stage == Stage.HANDLED);
    }

    private boolean handled(int id, At at) {
        Node node = nodes.get(id);
        if (node == null || node.stage == Stage.WHOLE || node.stage.recovering()) {
            return false;
        }
        if (node.stage == Stage.DOWN) {
            node.stage = Stage.HANDLED;
            emit(id, Signal.FAILURE_HANDLED, at);
        }
        return true;
    }

    private boolean processStarted(int id, At at) {
        Node node = nodes.get(id);
        if (node == null) {
            return false;
        }
        if (node.waitsForOrder || node.stage == Stage.WHOLE || node.stage.recovering()) {
            return false;
        }
        return starting(id, node, at);
    }

    private boolean startOrdered(int id, At at) {
        Node node = nodes.get(id);
        if (node == null || node.stage == Stage.WHOLE || node.stage.recovering()) {
            return false;
        }
        node.waitsForOrder = false;
        return starting(id, node, at);
    }

    private boolean starting(int id, Node node, At at) {
        node.stage = Stage.STARTING;
        node.ordered = false;
        emit(id, Signal.PROCESS_STARTED, at);
        return true;
    }

    private boolean synchronise(int id, At at) {
        return advance(id, Stage.SYNCHRONISING, Signal.SYNCHRONISE_STARTED, at);
    }

    private boolean waitCheckpoint(int id, At at) {
        return advance(id, Stage.WAITING, Signal.WAIT_CHECKPOINT_STARTED, at);
    }

    private boolean advance(int id, Stage to, Signal signal, At at) {
        Node node = nodes.get(id);
        if (node == null || !node.stage.recovering() || node.stage.compareTo(to) >= 0) {
            return false;
        }
        node.stage = to;
        emit(id, signal, at);
        return true;
    }

    private boolean recovered(int id, At at) {
        Node node = nodes.get(id);
        if (node == null) {
            return false;
        }
        if (node.stage != Stage.WHOLE) {
            node.stage = Stage.WHOLE;
            node.waitsForOrder = false;
            emit(id, Signal.RECOVERED, at);
        }
        return true;
    }

    private void step(int id, At at) {
        if (nodes.containsKey(id)) {
            emit(id, Signal.STEP, at);
        }
    }

    /** Whether nothing speaks against the node's being whole: no failure without its recovery. */
    boolean whole(int id) {
        return nodes.get(id).stage == Stage.WHOLE;
    }

    /** Grows with each event given out. */
    long emitted() {
        return emitted;
    }

    private void emit(int id, Signal signal, At at) {
        emitted++;
        out.accept(new EngineEvent(at.nanos, at.wall, Integer.toString(id), signal, at.source, at.text));
    }

    private record At(long nanos, Instant wall, String source, String text) {}
}
