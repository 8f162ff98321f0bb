package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * How far one data node's recovery has come, as reported. Gives each signal once per failure. Methods that give a signal
 * return whether the report had a meaning, even when it repeated what was known. Owned by one thread.
 *
 * <p>Long, as it is one state machine: each report changes what the next ones mean.
 */
final class NodeProgress {

    /** A report: when it was made, by whom, and in what words. */
    record Report(long nanos, Instant wall, String source, String text) {}

    private enum Stage {
        /** The server of the first look had no contact with it, and nobody has reported anything of it since. */
        UNSEEN,
        RECOVERED,
        DOWN,
        HANDLED,
        STARTING,
        SYNCHRONISING,
        WAITING;

        boolean recovering() {
            return compareTo(STARTING) >= 0;
        }
    }

    /** Within that time a node's failure is reported by another one: four heartbeats of 5 s, NDB's default, and some more. */
    private static final long DETECTION_NANOS = 30_000_000_000L;

    private final BiConsumer<Signal, Report> out;
    private Stage stage = Stage.RECOVERED;
    private boolean initial;
    private boolean waitsForOrder;
    private boolean ordered;
    private String master = "";
    private boolean downBefore;
    private long downNanos;
    /** Who has reported its failure, each in the two ways that a survivor has: an event, and a line of text. */
    private final Set<String> reporters = new HashSet<>();

    private boolean reportersKnown = true;
    private final Set<String> stepsSeen = new HashSet<>();
    /** The management server's report that it has lost its connection to the node; null when it has one. */
    private Report lost;

    private int lostBy;
    /** Whether its last failure is known only from the management server's having no connection to it. */
    private boolean unconfirmed;
    /** When a server whose stream has begun was first seen to have no contact with it; null once its state is certain. */
    private Report noContact;
    /** The management server's report that it has connected to the node, which was unseen until then; else null. */
    private Report reached;
    /** Whether a process of it runs that has no node id yet. */
    private boolean begun;
    /** Whether the other nodes have it among them, or may have: they do not report the end of one that has only its id. */
    private boolean joined = true;

    /** Whether it is started without the data that it is to have. */
    private boolean empty;
    /** Whether its process is known to have started: without its data the node recovers for some time after that. */
    private boolean started;

    NodeProgress(BiConsumer<Signal, Report> out) {
        this.out = out;
    }

    /** Whether nothing contradicts that the node is recovered: no failure without its recovery. */
    boolean recovered() {
        return stage == Stage.RECOVERED;
    }

    /** Whether the node is down and has not begun to recover. */
    boolean down() {
        return stage == Stage.DOWN || stage == Stage.HANDLED;
    }

    /** Whether a process of it is on its way to take part, and has not started yet. */
    boolean isStarting() {
        return stage.recovering() && !started;
    }

    /** Whether the management server has had no contact with it so far, and nobody has reported anything of it. */
    boolean outOfSight() {
        return stage == Stage.UNSEEN && reached == null;
    }

    /** Whether the node restarts without files. */
    boolean initial() {
        return initial;
    }

    void initial(boolean restartsWithoutFiles) {
        initial = restartsWithoutFiles;
    }

    /** The node stops; whether it then restarts and waits for the order to start. */
    void stopping(boolean waits) {
        if (!ordered) {
            waitsForOrder = waits;
        }
    }

    /** The node was ordered to restart and to wait for a second order to start. */
    void willWaitForOrder() {
        waitsForOrder = true;
        ordered = false;
    }

    /** The node, which waited, was ordered to start: what comes next is its start. */
    void orderGiven() {
        waitsForOrder = false;
        ordered = true;
    }

    /** The master of the node's recovery, the only one that goes through the hand-over of subscriptions with it. */
    void master(String source) {
        master = source;
    }

    boolean isMaster(String source) {
        return master.equals(source);
    }

    /** A marker within the recovery. */
    void step(Report report) {
        out.accept(Signal.STEP, report);
    }

    /** As {@link #step}, once per recovery for reports of the same words; nothing while the node is recovered. */
    void stepOnce(String words, Report report) {
        if (stage != Stage.RECOVERED && stepsSeen.add(words)) {
            step(report);
        }
    }

    /**
     * A survivor reports the node's failure.
     *
     * @param reporter the survivor and the kind of its report, of which it makes one for each failure
     */
    boolean failed(String reporter, Report report) {
        boolean reportedBefore = !reporters.add(reporter);
        // While it recovers, the first report of a survivor that has not reported yet may still be about the failure
        // before.
        if (stage.recovering() && reportersKnown && !reportedBefore) {
            return true;
        }
        if (stage == Stage.HANDLED) {
            return true;
        }
        boolean first = down(report);
        reporters.add(reporter);
        return first;
    }

    boolean down(Report report) {
        if (down()) {
            return false;
        }
        fail(report);
        return true;
    }

    /**
     * As {@link #down(Report)}, by the end of its process. The failure of a node that the others do not have among them yet is
     * over at once.
     *
     * @param othersServe whether there is one that could report more
     */
    boolean ended(Report report, boolean othersServe) {
        if (!othersServe || !outside() && !(begun && stage == Stage.HANDLED)) {
            return down(report);
        }
        fail(report);
        String text = "the other nodes did not have it among them yet: " + report.text();
        return handled(new Report(report.nanos(), report.wall(), report.source(), text));
    }

    /** A process of it runs, as seen by whoever runs it. */
    void processSeen() {
        begun = down();
    }

    /** It is in the cluster: from now on the other nodes report its end. */
    void joined() {
        joined = true;
    }

    /** Whether it has its node id, and is not in the cluster yet. */
    boolean outside() {
        return stage == Stage.STARTING && !joined;
    }

    private void fail(Report report) {
        stage = Stage.DOWN;
        begun = false;
        started = false;
        downBefore = true;
        downNanos = report.nanos();
        initial = false;
        master = "";
        unconfirmed = false;
        reporters.clear();
        reportersKnown = true;
        stepsSeen.clear();
        give(Signal.NODE_DOWN, report);
    }

    /** A management server has lost its connection to the node. */
    void lost(int server, Report report) {
        lost = report;
        lostBy = server;
        reached = null;
    }

    /** Whether the management server has lost its connection to the node, and does not have it again. */
    boolean isLost(int server) {
        return lost != null && lostBy == server;
    }

    /**
     * The management server has no connection to any node by now. If that to this one was lost long before, the node did not
     * fail: another one would have reported it.
     */
    void lostWithAll(long nowNanos) {
        if (lost != null && nowNanos - lost.nanos() <= DETECTION_NANOS && down(lost)) {
            unconfirmed = true;
        }
    }

    /**
     * Whether all that is known of it since the management server had no connection to it is that it has one: it may have been
     * up all the time.
     */
    boolean onlyConnected() {
        return reached != null || unconfirmed && stage == Stage.STARTING;
    }

    /** Whether the node's last failure was reported after a time. */
    boolean downSince(long nanos) {
        return downBefore && downNanos - nanos > 0;
    }

    boolean handled(Report report) {
        if (stage == Stage.RECOVERED || stage.recovering()) {
            return false;
        }
        if (stage == Stage.DOWN) {
            stage = Stage.HANDLED;
            give(Signal.FAILURE_HANDLED, report);
        }
        return true;
    }

    /** The management server has a connection to the node. One that was unseen may be up, or have just started. */
    boolean connected(Report report) {
        lost = null;
        if (stage == Stage.UNSEEN) {
            if (reached == null) {
                reached = report;
            }
            return true;
        }
        return processStarted(report);
    }

    boolean processStarted(Report report) {
        return !waitsForOrder && startOrdered(report);
    }

    boolean startOrdered(Report report) {
        if (!down() && stage != Stage.UNSEEN) {
            return false;
        }
        waitsForOrder = false;
        stage = Stage.STARTING;
        ordered = false;
        begun = false;
        started = false;
        joined = unconfirmed; // it may have been up all the time
        give(Signal.PROCESS_STARTED, reached == null ? report : reached);
        return true;
    }

    boolean synchronise(Report report) {
        return advance(Stage.SYNCHRONISING, Signal.SYNCHRONISE_STARTED, report);
    }

    boolean waitCheckpoint(Report report) {
        return advance(Stage.WAITING, Signal.WAIT_CHECKPOINT_STARTED, report);
    }

    private boolean advance(Stage to, Signal signal, Report report) {
        if (!stage.recovering() || stage.compareTo(to) >= 0) {
            return false;
        }
        stage = to;
        give(signal, report);
        return true;
    }

    /** It is started without the data that it is to have, and has not recovered before it is {@link #filled}. */
    void emptied() {
        empty = true;
    }

    /** It has them. */
    void filled(Report report) {
        empty = false;
        recovered(report);
    }

    boolean recovered(Report report) {
        started = true;
        if (empty) {
            step(report);
        } else if (stage != Stage.RECOVERED) {
            stage = Stage.RECOVERED;
            waitsForOrder = false;
            give(Signal.RECOVERED, report);
        }
        return true;
    }

    /** Whatever is known of the node by now is later than these. */
    private void give(Signal signal, Report report) {
        lost = null;
        noContact = null;
        reached = null;
        out.accept(signal, report);
    }

    /** What the server of the last stream saw is not what the server of the next one sees. */
    void streamBegins() {
        lost = null;
        unconfirmed &= down();
        noContact = null;
        reached = null;
    }

    /**
     * The server of a stream that has begun has no contact with the node, which may be up all the same.
     *
     * @return the first report of it since the stream began, and since any signal
     */
    Report noContact(Report report) {
        if (noContact == null) {
            noContact = report;
        }
        return noContact;
    }

    /** The process of a node that is out of sight is known to be gone: the node was down before the first look. */
    void gone() {
        if (stage == Stage.UNSEEN) {
            stage = Stage.HANDLED;
            reached = null;
        }
    }

    /**
     * The state when an event stream begins, or when the management server has connected to the node; when {@code missed},
     * signals may be lost.
     */
    void status(MgmNode state, boolean missed, Report report) {
        Report first = noContact == null ? report : noContact;
        noContact = null;
        if (!missed) {
            stage = atFirst(state);
            waitsForOrder = waits(state);
        } else if (stage == Stage.UNSEEN) {
            if (state.started()) {
                stage = Stage.RECOVERED;
            } else if (state.starting() || waits(state)) {
                processStarted(report);
            }
        } else if (state.out() && !onlyConnected()) {
            if (!isBeginning(state) && down(first)) {
                unconfirmed = state.noContact();
            }
        } else if (state.starting()) {
            if (stage == Stage.RECOVERED) {
                down(first);
            }
            startOrdered(report);
        } else if (state.started()) {
            if (down()) {
                startOrdered(report);
            }
            recovered(report);
        }
        if (stage != Stage.UNSEEN) {
            reached = null;
        }
        reportersKnown = false;
        joined |= !isBeginning(state);
    }

    /** A process that has its node id is {@code NOT_STARTED} until the management server knows better: that is no failure. */
    private boolean isBeginning(MgmNode state) {
        return stage == Stage.STARTING && !waitsForOrder && waits(state);
    }

    private Stage atFirst(MgmNode state) {
        if (state.noContact()) {
            return down() ? stage : Stage.UNSEEN;
        }
        return state.started() ? Stage.RECOVERED : waits(state) ? Stage.HANDLED : Stage.STARTING;
    }

    /** Whether the node's process waits for the order to start, or is about to begin. */
    private static boolean waits(MgmNode state) {
        return state.status().equals("NOT_STARTED");
    }
}
