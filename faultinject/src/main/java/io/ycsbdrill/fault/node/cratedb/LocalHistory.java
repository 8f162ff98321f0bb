package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.cratedb.LocalNode.Life;
import io.ycsbdrill.fault.node.kit.Moment;
import io.ycsbdrill.fault.node.kit.ProcessHistory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Derives the events of a local cluster from the servers' processes, their logs and the system tables. The tables decide whether
 * a failure is handled and a node recovered, by the same rules as for any other cluster ({@link CrateDbState}); the logs date it:
 * by the line of the change that brought it about, if there is one, else by the moment at which the tables were asked. Pure:
 * everything comes with its time.
 *
 * <p>Calls must not overlap.
 */
final class LocalHistory implements ProcessHistory {
    /** Longer than the others need to elect a master, or to make their copies the primary ones: data are missing meanwhile. */
    private static final long TAKEOVER_NANOS = 5_000_000_000L;

    private final Map<String, LocalNode> nodes = new LinkedHashMap<>();
    private final Consumer<EngineEvent> sink;
    private final String version;
    /** When the log last said that all copies are there; null when it has not since a node left, which it does not report. */
    private Moment green;

    private Optional<String> master = Optional.empty();
    private String health = "";
    private Optional<CrateDbState> last = Optional.empty();
    /** When the tables were first asked of servers without a master; null when there was one at the last question. */
    private Moment masterless;

    LocalHistory(List<String> names, String version, Consumer<EngineEvent> sink) {
        names.forEach(name -> nodes.put(name, new LocalNode()));
        this.version = version;
        this.sink = sink;
    }

    Life life(String name) {
        return nodes.get(name).life;
    }

    /** What the system tables last said of all tables together, {@link CrateDbState#told}; empty when they have not said it. */
    String health() {
        return health;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public boolean running(String name) {
        return nodes.get(name).process;
    }

    @Override
    public boolean recovered(String name) {
        LocalNode node = nodes.get(name);
        return node.process && !node.out && node.life == Life.RECOVERED;
    }

    @Override
    public boolean dropped(String name) {
        return nodes.get(name).out;
    }

    @Override
    public boolean failureOpen(String name) {
        LocalNode node = nodes.get(name);
        return !node.handled && !node.unhandled && survivorOf(node);
    }

    /** Whether another node has seen it go: those that have started since know nothing of it that they could handle. */
    private boolean survivorOf(LocalNode node) {
        return others(node)
                .anyMatch(other -> node.ended == null || other.begun == null || after(node.ended, other.begun));
    }

    /** The other nodes that are in the cluster. */
    private Stream<LocalNode> others(LocalNode node) {
        return nodes.values().stream()
                .filter(other -> other != node
                        && other.process
                        && !other.out
                        && (other.life == Life.JOINED || other.life == Life.RECOVERED));
    }

    @Override
    public Optional<String> coordinator() {
        return master.filter(name -> nodes.containsKey(name) && nodes.get(name).process && !nodes.get(name).out);
    }

    /** The node has a new process. */
    void processSeen(String name, long pid, Moment at) {
        LocalNode node = nodes.get(name);
        node.process = true;
        node.out = false;
        node.life = Life.STARTING;
        node.begun = at;
        node.joined = null;
        node.notYet = null;
        node.synchronising = false;
        emit(name, Signal.PROCESS_STARTED, at, "process", "process " + pid + " started");
    }

    /** The node's process is found to be gone. */
    void processEnded(String name, long pid, Moment at) {
        LocalNode node = nodes.get(name);
        if (!node.process) {
            return;
        }
        boolean known = node.out;
        node.process = false;
        node.out = false;
        node.joined = null;
        if (known) {
            node.life = Life.DOWN;
            emit(name, Signal.NOTE, at, "process", "process " + pid + " ended");
        } else {
            down(name, at, "process", "process " + pid + " ended");
        }
    }

    /** Takes in an event of a node's log. */
    void reported(String name, LogEvent event, Moment at) {
        LocalNode node = nodes.get(name);
        String source = name + ".log";
        switch (event.kind()) {
            case JOINED -> {
                joined(name, at);
                emit(name, Signal.STEP, at, source, event.text());
            }
            case ALONE -> emit(name, Signal.NOTE, at, source, event.text());
            case ADDED ->
                event.nodes().stream()
                        .filter(other -> nodes.containsKey(other) && !other.equals(name))
                        .forEach(other -> joined(other, at));
            case REMOVED ->
                event.nodes().stream()
                        .filter(other -> nodes.containsKey(other) && !other.equals(name))
                        .forEach(other -> removed(other, name, at));
            case COPY_STARTED -> {
                // With all copies there, what is copied only moves: the node gets a share again.
                boolean first = coming(node) && !node.synchronising && green == null;
                node.synchronising |= first;
                emit(name, first ? Signal.SYNCHRONISE_STARTED : Signal.STEP, at, source, event.text());
            }
            case GREEN -> {
                green = at;
                emit(name, Signal.STEP, at, source, event.text());
            }
            case COPY_DONE, STEP -> emit(name, Signal.STEP, at, source, event.text());
        }
    }

    private static boolean coming(LocalNode node) {
        return node.life == Life.STARTING || node.life == Life.JOINED;
    }

    private void joined(String name, Moment at) {
        LocalNode node = nodes.get(name);
        boolean back = node.out && node.process;
        if (back) {
            node.out = false;
            node.life = Life.STARTING;
            node.synchronising = false;
            node.notYet = null;
            emit(name, Signal.NOTE, at, "log", name + " is in the cluster again");
        }
        if (node.process && node.life == Life.STARTING) {
            node.life = Life.JOINED;
            node.joined = at;
        } else if (node.process && node.joined == null) {
            node.joined = at; // the tables, asked when the watch began, knew before its line was read
        }
    }

    private void removed(String name, String by, Moment at) {
        LocalNode node = nodes.get(name);
        if (node.life == Life.STARTING) {
            return; // of an earlier life, seen late
        }
        boolean alone = nodes.get(by).out;
        if (alone) {
            return; // the one that was dropped sees the others gone
        }
        if (node.process && node.life != Life.DOWN) {
            node.out = true;
            down(name, at, by + ".log", "removed from the cluster as " + by + " sees it");
        }
        green = null;
        if (!node.handled) {
            node.removed = node.removed == null ? at : Moment.latest(node.removed, at);
        }
    }

    private void down(String name, Moment at, String source, String text) {
        LocalNode node = nodes.get(name);
        boolean inside = node.life == Life.JOINED
                || node.life == Life.RECOVERED
                || inCluster(name).orElse(false);
        node.life = Life.DOWN;
        node.handled = false;
        node.unhandled = false;
        node.ended = at;
        node.removed = null;
        node.notYet = null;
        node.missingSince = null;
        emit(name, Signal.NODE_DOWN, at, source, text);
        // The others do not remove a node that is not in the cluster yet.
        if (!inside && others(node).findAny().isPresent()) {
            node.handled = true;
            emit(name, Signal.FAILURE_HANDLED, at, source, "no other node has " + name + " in the cluster");
        }
    }

    /** Takes in what the system tables said to a question that was sent at that moment. */
    void asked(CrateDbState state, Moment at) {
        last = Optional.of(state);
        master = state.master();
        health = state.told();
        masterless = master.isPresent() ? null : masterless == null ? at : masterless;
        nodes.forEach((name, node) -> {
            boolean gone =
                    node.life == Life.DOWN && node.removed != null && after(at, node.removed) && !state.isIn(name);
            if (!node.handled && gone) {
                handled(name, node, state, at);
            }
            if (!node.handled && !node.unhandled && node.life == Life.DOWN && after(at, node.ended)) {
                unhandled(name, node, state, at);
            }
            if (node.life == Life.JOINED && node.joined != null && after(at, node.joined) && state.isIn(name)) {
                recovered(name, node, state, at);
            }
        });
    }

    private static boolean after(Moment a, Moment b) {
        return a.nanos() - b.nanos() > 0;
    }

    private void handled(String name, LocalNode node, CrateDbState state, Moment at) {
        if (!state.noDataMissing()) {
            node.notYet = at;
            // Tables that fail for a moment say nothing.
            if (state.dataMissing() && node.missingSince == null) {
                node.missingSince = at;
                emit(name, Signal.NOTE, at, "_sql", "without " + name + " data are missing: " + health);
            }
            return;
        }
        node.handled = true;
        emit(
                name,
                Signal.FAILURE_HANDLED,
                node.notYet == null ? node.removed : at,
                "_sql",
                "removed as every survivor sees it, and " + health);
        node.notYet = null;
    }

    /** Tells when nobody has been able to take over for longer than that takes: only the nodes' return helps then. */
    private void unhandled(String name, LocalNode node, CrateDbState state, Moment at) {
        boolean alone = lasts(masterless, at);
        if (survivorOf(node) && (alone || state.dataMissing() && lasts(node.missingSince, at))) {
            node.unhandled = true;
            emit(
                    name,
                    Signal.UNHANDLED,
                    at,
                    "_sql",
                    alone
                            ? "no node that serves is left to handle the failure of " + name + ": there is no master"
                            : "no other node has the data that are missing without " + name);
        }
    }

    private static boolean lasts(Moment since, Moment now) {
        return since != null && now.nanos() - since.nanos() >= TAKEOVER_NANOS;
    }

    private void recovered(String name, LocalNode node, CrateDbState state, Moment at) {
        if (!state.complete()) {
            node.notYet = at;
            return;
        }
        Moment since = node.notYet == null ? node.joined : Moment.latest(node.joined, node.notYet);
        Moment when = green != null && after(green, since) ? green : node.notYet == null ? node.joined : at;
        node.life = Life.RECOVERED;
        node.handled = true;
        node.notYet = null;
        emit(name, Signal.RECOVERED, when, "_sql", "sys.health is GREEN");
    }

    /** Whether the node is in the cluster, as the tables last said; empty when they have not said anything yet. */
    Optional<Boolean> inCluster(String name) {
        return last.map(state -> state.isIn(name));
    }

    /**
     * Corrects the nodes' states, as read from old log lines, by what is known now; nothing is to be reported of it.
     *
     * @param members the nodes that belong to the cluster
     */
    void found(Map<String, Long> processes, Optional<CrateDbState> state, List<String> members) {
        nodes.forEach((name, node) -> {
            node.process = processes.containsKey(name);
            node.handled = true;
            node.notYet = null;
            if (!node.process) {
                node.life = Life.DOWN;
                node.out = false;
                node.joined = null;
            } else if (state.isPresent() && state.get().isIn(name)) {
                node.out = false;
                node.life = state.get().settled(name, members) ? Life.RECOVERED : Life.JOINED;
            }
        });
        state.ifPresent(known -> {
            master = known.master();
            health = known.told();
        });
    }

    /** An event of a node is not dated before the one before it: clocks are compared anew at each reading. */
    private void emit(String name, Signal signal, Moment at, String source, String text) {
        LocalNode node = nodes.get(name);
        long nanos = Math.max(at.nanos(), node.lastNanos);
        if (signal.begins().isPresent()) {
            node.lastNanos = nanos;
        }
        sink.accept(new EngineEvent(nanos, at.wall().plusNanos(nanos - at.nanos()), name, signal, source, text));
    }
}
