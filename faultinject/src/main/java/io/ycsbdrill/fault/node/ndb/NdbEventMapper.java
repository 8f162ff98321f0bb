package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.ndb.NodeProgress.Report;
import io.ycsbdrill.fault.node.ndb.mgm.MgmEvent;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates NDB's events into signals of a recovery; {@link NodeProgress} keeps each node's state. Fed with events in order of arrival it can be run again on a recording. Owned by
 * one thread.
 *
 * <p>Every survivor reports a failure, and both the master and the other survivors report the progress of a recovery, the
 * others in coarse steps and their last one (<em>Restart completed</em>) up to ten seconds early. Therefore each signal is
 * given once per failure, by the first event that is certain:
 * <ul>
 *   <li>NODE_DOWN: NODE_FAILREP, "Node failed, fail handling ongoing", NDBStopForced (by the angel), or the end of the
 *       process as seen by us; when no other node can report it, the management server's Disconnected, also when it comes
 *       to that only by further ones within 30 s;
 *   <li>FAILURE_HANDLED: NodeFailCompleted of all blocks (0) by all nodes (0), or "Node failure handling complete"; with
 *       NODE_DOWN for a node that the others did not have among them yet ("Included in heartbeat protocol");
 *   <li>PROCESS_STARTED: "Allocated node id", or the management server's Connected; for a node that was restarted to wait
 *       for the order to start, the first of them after the order, or NDBStartStarted; for a node with which the management
 *       server had no contact at the first look, its Connected once the node's state says that it is not up;
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

    /**
     * The start phase of a process that had started when it ended. While another one starts that is an earlier process, whose angel
     * reached no management server before.
     */
    private static final int HAD_STARTED = 255;

    private static final String ALLOCATED = "Allocated node id";
    private static final String INCLUDED = "Included in heartbeat protocol";
    private static final String RESTORE = "Restore fragments ongoing";
    private static final String SYNCHRONIZE = "Synchronize start node with live nodes";
    private static final String WAIT_LCP = "Wait LCP to ensure durability";
    private static final String WAIT_LCP_LOGGED = "Make On-line Database recoverable by waiting for LCP Starting";
    private static final String WAIT_LCP_ALL =
            WAIT_LCP_LOGGED + ", LCP id"; // a restart of the whole cluster names no node
    private static final String HANDOVER = "Wait handover of subscriptions";

    private final Map<Integer, NodeProgress> nodes = new HashMap<>();
    /** For events about nodes that are not followed. */
    private final NodeProgress ignored = new NodeProgress((signal, report) -> {});

    private final Consumer<EngineEvent> out;
    private final IntPredicate runs;
    private long changes;

    /**
     * @param dataNodes ids of the nodes to follow; events about others are ignored
     * @param runs whether a node's process is known to run
     */
    NdbEventMapper(List<Integer> dataNodes, Consumer<EngineEvent> out, IntPredicate runs) {
        this.runs = runs;
        dataNodes.forEach(
                id -> nodes.put(id, new NodeProgress((signal, report) -> emit(Integer.toString(id), signal, report))));
        this.out = out;
    }

    private NodeProgress node(int id) {
        return nodes.getOrDefault(id, ignored);
    }

    /** One event of the stream. */
    void event(MgmEvent e, long atNanos, Instant wall) {
        Report at = new Report(atNanos, wall, SOURCE, e.text());
        if (e.isText()) {
            text(e, at);
            return;
        }
        NodeProgress own = node(e.source());
        boolean byManagement = !nodes.containsKey(e.source());
        switch (e.type()) {
            case MgmEvent.NODE_FAIL_REPORT -> node(e.number("failed_node")).failed(e.source() + " event", at);
            case MgmEvent.NODE_FAIL_COMPLETED -> {
                if (e.number("block") == 0 && e.number("completing_node") == 0) {
                    node(e.number("failed_node")).handled(at);
                }
            }
            case MgmEvent.CONNECTED -> {
                if (byManagement) {
                    connected(e.number("node"), at);
                }
            }
            case MgmEvent.DISCONNECTED -> {
                if (byManagement) {
                    disconnected(e.number("node"), e.source(), at);
                }
            }
            case MgmEvent.START_STARTED -> own.startOrdered(at);
            case MgmEvent.START_COMPLETED -> own.recovered(at);
            case MgmEvent.COPY_FRAGMENTS_STARTED -> {
                NodeProgress node = node(e.number("dest_node"));
                node.step(at);
                if (node.initial()) {
                    node.synchronise(at);
                }
            }
            case MgmEvent.COPY_FRAGMENTS_COMPLETED ->
                node(e.number("dest_node")).step(at);
            case MgmEvent.START_PHASE_COMPLETED -> {
                if (e.number("starttype") == 3) {
                    own.initial(true);
                }
                if (e.number("phase") >= 1) {
                    own.joined();
                }
                own.step(at);
            }
            case MgmEvent.STOP_COMPLETED -> {
                // Bits of the action: 1 restart, 2 wait for the order to start, 4 without files.
                own.stopping((e.number("action") & 3) == 3);
                own.step(at);
            }
            case MgmEvent.STOP_FORCED -> { // reported by the angel, whose worker has ended
                boolean earlier = own.isStarting() && e.number("sphase") == HAD_STARTED;
                if (earlier || !ended(own, at)) {
                    own.step(at);
                }
            }
            case MgmEvent.STOP_STARTED -> own.step(at);
            case MgmEvent.MISSED_HEARTBEAT, MgmEvent.DEAD_DUE_TO_HEARTBEAT ->
                node(e.number("node")).step(at);
            default -> {
                // Progress in detail, checkpoints, arbitration: nothing that a recovery is measured by.
            }
        }
    }

    private void connected(int id, Report at) {
        if (nodes.containsKey(id)) {
            changes++;
        }
        node(id).connected(at);
    }

    private void disconnected(int lost, int server, Report at) {
        NodeProgress node = node(lost);
        boolean wasDown = node.down();
        node.lost(server, at);
        if (node.outside() && !runs.test(lost)) {
            ended(node, at); // nobody else will report it
        }
        if (nodes.keySet().stream().allMatch(id -> cannotReport(id, server))) {
            nodes.values().forEach(each -> each.lostWithAll(at.nanos()));
        }
        if (wasDown || !node.down()) {
            node.step(at);
        }
    }

    /** Whether a node is down, or as good as that for a server that has lost it or never had it. */
    private boolean cannotReport(int id, int server) {
        NodeProgress node = nodes.get(id);
        return node.down() || node.outOfSight() || node.isLost(server) && !runs.test(id);
    }

    private void text(MgmEvent e, Report at) {
        Matcher status = NR_STATUS.matcher(at.text());
        if (status.matches()) {
            nodeStatus(node(Integer.parseInt(status.group(1))), e.source(), status.group(3), at);
            return;
        }
        Matcher kind = START_KIND.matcher(at.text());
        if (kind.find()) {
            NodeProgress node = node(Integer.parseInt(kind.group(1)));
            node.initial(kind.group(2) != null);
            node.step(at);
            return;
        }
        if (at.text().startsWith(WAIT_LCP_ALL)) {
            nodes.values().forEach(node -> node.waitCheckpoint(at));
            return;
        }
        Matcher stage = STAGE_LINE.matcher(at.text());
        if (stage.matches()) {
            NodeProgress node = node(Integer.parseInt(stage.group(1)));
            if (at.text().startsWith(WAIT_LCP_LOGGED)) {
                node.waitCheckpoint(at);
            }
            node.step(at);
        }
    }

    private static void nodeStatus(NodeProgress node, int source, String now, Report at) {
        boolean meaning =
                switch (now) {
                    case "Node failed, fail handling ongoing" -> node.failed(source + " text", at);
                    case "Node failure handling complete" -> node.handled(at);
                    case ALLOCATED -> node.processStarted(at);
                    case RESTORE -> node.initial() && node.synchronise(at);
                    case SYNCHRONIZE -> node.synchronise(at);
                    case WAIT_LCP -> node.waitCheckpoint(at);
                    case HANDOVER -> {
                        node.master(Integer.toString(source));
                        yield false;
                    }
                    // From any other survivor it comes too early, and is neither a signal nor a step.
                    case "Restart completed" -> !node.isMaster(Integer.toString(source)) || node.recovered(at);
                    case INCLUDED -> {
                        boolean started = node.startOrdered(at);
                        node.joined();
                        yield started;
                    }
                    default -> false;
                };
        if (!meaning) {
            node.stepOnce(now, at);
        }
    }

    /**
     * The node's process ended, as seen by whoever runs it.
     *
     * @param aliveNanos when it was last seen alive: an end that others have reported since then is not a second one
     */
    void processEnded(int id, String text, long aliveNanos, long atNanos, Instant wall) {
        Report at = new Report(atNanos, wall, "process", text);
        NodeProgress node = nodes.get(id);
        if (node.downSince(aliveNanos) || !ended(node, at)) {
            node.step(at);
        }
    }

    /** A process of the node runs, as seen by whoever runs it. */
    void processSeen(int id) {
        nodes.get(id).processSeen();
    }

    private boolean ended(NodeProgress node, Report at) {
        return node.ended(at, nodes.values().stream().anyMatch(other -> other != node && other.recovered()));
    }

    /** Something that whoever runs the node did or saw; a marker only. */
    void processStep(int id, String text, long atNanos, Instant wall) {
        node(id).step(new Report(atNanos, wall, "process", text));
    }

    /** All nodes are started without the data that they are to have: none has recovered before they are {@link #filled}. */
    void emptied() {
        nodes.values().forEach(NodeProgress::emptied);
    }

    /** They have the data. */
    void filled(String text, long atNanos, Instant wall) {
        nodes.values().forEach(node -> node.filled(new Report(atNanos, wall, "faults", text)));
    }

    /** The node was ordered to restart and to wait for a second order to start. */
    void willWaitForOrder(int id) {
        nodes.get(id).willWaitForOrder();
    }

    /** A node that waited was ordered to start: what comes next is its start. */
    void orderGiven(int id) {
        nodes.get(id).orderGiven();
    }

    /**
     * What the management server says of the nodes when a stream begins, or when it has connected to them. When {@code
     * missed}, earlier events may be lost, and what the states say for certain is reported: a node that is out, starting or
     * recovered and was not known to be. A node that starts was down before, and one that has recovered had started; other
     * phases in between are not made up. When not {@code missed}, nothing is reported, and a node with which the server has
     * no contact is neither up nor down until something else is known of it.
     */
    void statusRead(List<MgmNode> states, boolean missed, long atNanos, Instant wall) {
        for (MgmNode state : states) {
            node(state.id()).status(state, missed, seen(state, missed, atNanos, wall));
        }
    }

    private static Report seen(MgmNode state, boolean missed, long atNanos, Instant wall) {
        String text = "status " + state.detail() + (missed ? " (seen after a gap in the event stream)" : "");
        return new Report(atNanos, wall, SOURCE, text);
    }

    /** Events come from another server from now on, or from one that was started again. */
    void streamBegins() {
        nodes.values().forEach(NodeProgress::streamBegins);
    }

    /**
     * As {@link #statusRead} after a gap, for a node with which the server has no contact, which it may just not have yet. To
     * be followed by {@link #statusRead}, which dates the failure, if it was one, at the first such report.
     *
     * @return when that was
     */
    long noContact(MgmNode state, long atNanos, Instant wall) {
        return node(state.id()).noContact(seen(state, true, atNanos, wall)).nanos();
    }

    /** The process of a node with which the server had no contact at the first look is known to be gone. */
    void gone(int id) {
        node(id).gone();
    }

    /** Whether the management server has had no contact with the node so far, and nobody has reported anything of it. */
    boolean outOfSight(int id) {
        return node(id).outOfSight();
    }

    /** Whether the management server, which had no connection to this node, has one, and no more is known of the node. */
    boolean onlyConnected(int id) {
        return node(id).onlyConnected();
    }

    /** Whether nothing contradicts that the node is recovered: no failure without its recovery. */
    boolean recovered(int id) {
        return nodes.get(id).recovered();
    }

    /** Grows with each event given out, and with each connection to a node. */
    long changes() {
        return changes;
    }

    private void emit(String node, Signal signal, Report at) {
        changes++;
        out.accept(new EngineEvent(at.nanos(), at.wall(), node, signal, at.source(), at.text()));
    }
}
