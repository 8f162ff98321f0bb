package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.galera.LogEvent.View;
import io.ycsbdrill.fault.node.kit.ProcessHistory;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Derives the engine events of a cluster from the servers' logs and the ends of their processes. Pure:
 * everything comes with its time. A node goes down once per life: whichever of its process's end and the others' first view
 * without it is learned first counts. The failure is handled when the last of the survivors has a primary view without the
 * node; when no survivor serves any more, that is reported instead.
 *
 * <p>Calls must not overlap.
 */
final class ClusterHistory implements ProcessHistory {

    /** Where a node is in its life. */
    enum Life {
        DOWN,
        STARTING,
        RECOVERED,
        LEAVING
    }

    private static final class Node {
        Life life = Life.DOWN;
        boolean process;
        /** Declared dead by the others although its process exists. */
        boolean out;
        /** Has left for good, though its process exists. */
        boolean expelled;
        /** Its view of the group: whether it serves, its own id, and the last primary one's members. */
        boolean primary;

        String id = "";
        Map<String, String> members = Map.of();
        /** The failure that the others have not handled yet. */
        Failure failure;
        /** The one under way, or the last one. */
        Transfer transfer = new Transfer();
    }

    private static final class Failure {
        final Set<String> survivors;
        final Set<String> seenBy = new HashSet<>();
        /** It was reported that no survivor serves; one that does so again may handle it still. */
        boolean abandoned;

        long lastNanos;
        Instant lastWall;
        String lastBy = "";

        Failure(Set<String> survivors, long atNanos, Instant wall) {
            this.survivors = survivors;
            this.lastNanos = atNanos;
            this.lastWall = wall;
        }
    }

    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Consumer<EngineEvent> sink;
    private String version = "unknown";

    ClusterHistory(List<String> names, Consumer<EngineEvent> sink) {
        names.forEach(name -> nodes.put(name, new Node()));
        this.sink = sink;
    }

    Life life(String name) {
        return nodes.get(name).life;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public boolean recovered(String name) {
        return nodes.get(name).process && nodes.get(name).life == Life.RECOVERED;
    }

    @Override
    public boolean running(String name) {
        return nodes.get(name).process;
    }

    @Override
    public boolean dropped(String name) {
        return nodes.get(name).out;
    }

    /** Whether the node has a process that has left the group and does not come back. */
    boolean expelled(String name) {
        return nodes.get(name).process && nodes.get(name).expelled;
    }

    @Override
    public boolean failureOpen(String name) {
        Failure failure = nodes.get(name).failure;
        return failure != null
                && failure.survivors.stream().map(nodes::get).anyMatch(n -> n.process && !n.out && n.primary);
    }

    /** Whether a node that serves has this one in its view; empty when no other serves. */
    Optional<Boolean> seenByOthers(String name) {
        List<Node> others = nodes.entrySet().stream()
                .filter(each -> !each.getKey().equals(name))
                .map(Map.Entry::getValue)
                .filter(n -> n.process && !n.out && n.primary)
                .toList();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(others.stream().anyMatch(n -> n.members.containsValue(name)));
    }

    /** The first member of the group, which coordinates changes of its membership. */
    @Override
    public Optional<String> coordinator() {
        return nodes.values().stream()
                .filter(n -> n.process && !n.out && n.primary)
                .flatMap(n -> n.members.values().stream()
                        .filter(name -> nodes.containsKey(name) && nodes.get(name).process)
                        .limit(1))
                .findFirst();
    }

    /** The node has a process. */
    void processSeen(String name) {
        nodes.get(name).process = true;
    }

    /** The node's process is found to be gone. */
    void processEnded(String name, long pid, long atNanos, Instant wall) {
        Node node = nodes.get(name);
        if (!node.process) {
            return;
        }
        String text = "process " + pid + " ended";
        boolean known = node.out || node.life == Life.DOWN;
        node.process = false;
        node.out = false;
        node.primary = false;
        if (known) {
            node.life = Life.DOWN;
            emit(name, Signal.NOTE, atNanos, wall, "process", text);
        } else {
            down(name, atNanos, wall, "process", text);
        }
        settleFailures(atNanos, wall, "process");
    }

    /** Takes in an event of a node's log. */
    void reported(String name, LogEvent event, long atNanos, Instant wall) {
        Node node = nodes.get(name);
        String source = name + ".log";
        boolean coming = node.life == Life.STARTING || node.out;
        switch (event.kind()) {
            case STARTING -> {
                version = event.version();
                boolean first = node.life == Life.DOWN;
                node.expelled = false;
                if (first) {
                    node.life = Life.STARTING;
                    node.out = false;
                    node.primary = false;
                    node.id = "";
                    node.members = Map.of();
                }
                emit(name, first ? Signal.PROCESS_STARTED : Signal.STEP, atNanos, wall, source, event.text());
            }
            case TRANSFER -> {
                node.transfer = new Transfer();
                emit(name, coming ? Signal.SYNCHRONISE_STARTED : Signal.STEP, atNanos, wall, source, event.text());
            }
            case JOINED -> {
                node.transfer.summary().ifPresent(text -> emit(name, Signal.NOTE, atNanos, wall, source, text));
                node.transfer = new Transfer();
                emit(name, coming ? Signal.WAIT_CHECKPOINT_STARTED : Signal.STEP, atNanos, wall, source, event.text());
            }
            case SYNCED -> {
                if (coming) {
                    node.life = Life.RECOVERED;
                    node.out = false;
                }
                emit(name, coming ? Signal.RECOVERED : Signal.NOTE, atNanos, wall, source, event.text());
            }
            case LEAVING -> {
                if (node.life != Life.DOWN) {
                    node.life = Life.LEAVING;
                }
                emit(name, Signal.STEP, atNanos, wall, source, event.text());
            }
            case EXPELLED -> {
                node.expelled = true;
                emit(name, Signal.NOTE, atNanos, wall, source, event.text());
            }
            case VIEW -> {
                boolean lost = node.primary && !event.view().primary();
                emit(name, lost ? Signal.NOTE : Signal.STEP, atNanos, wall, source, event.text());
                view(name, event.view(), atNanos, wall);
            }
            case STEP -> {
                node.transfer.line(event.text());
                emit(name, Signal.STEP, atNanos, wall, source, event.text());
            }
        }
    }

    private void view(String by, View view, long atNanos, Instant wall) {
        Node self = nodes.get(by);
        self.primary = view.primary();
        if (!view.primary()) {
            settleFailures(atNanos, wall, by + ".log");
            return;
        }
        Map<String, String> before = self.members;
        self.members = view.members();
        self.id = view.own();
        before.forEach((id, name) -> {
            Node gone = nodes.get(name);
            if (gone == null || name.equals(by) || view.members().containsKey(id)) {
                return;
            }
            if (gone.process && !gone.out && gone.life != Life.DOWN && id.equals(gone.id)) {
                gone.out = true;
                down(name, atNanos, wall, by + ".log", "no longer in the view of " + by);
                gone.failure.survivors.add(by);
            }
            if (gone.failure != null) {
                seen(gone.failure, by, atNanos, wall);
            }
        });
        settleFailures(atNanos, wall, by + ".log");
    }

    private static void seen(Failure failure, String by, long atNanos, Instant wall) {
        failure.seenBy.add(by);
        if (atNanos >= failure.lastNanos) {
            failure.lastNanos = atNanos;
            failure.lastWall = wall;
        }
        failure.lastBy = by;
    }

    private void down(String name, long atNanos, Instant wall, String source, String text) {
        Node node = nodes.get(name);
        node.life = Life.DOWN;
        Set<String> survivors = new HashSet<>();
        nodes.forEach((other, n) -> {
            if (n != node && n.process && !n.out && n.primary && n.members.containsValue(name)) {
                survivors.add(other);
            }
        });
        node.failure = new Failure(survivors, atNanos, wall);
        emit(name, Signal.NODE_DOWN, atNanos, wall, source, text);
    }

    private void settleFailures(long atNanos, Instant wall, String source) {
        nodes.forEach((name, node) -> {
            if (node.failure != null) {
                settle(name, node, atNanos, wall, source);
            }
        });
    }

    private void settle(String name, Node gone, long atNanos, Instant wall, String source) {
        Failure failure = gone.failure;
        failure.survivors.removeIf(s -> !nodes.get(s).process || nodes.get(s).out);
        if (failure.survivors.isEmpty()) {
            gone.failure = null;
            // It was in nobody's view any more, or not yet.
            if (nodes.values().stream().anyMatch(n -> n != gone && n.process && !n.out && n.primary)) {
                emit(
                        name,
                        Signal.FAILURE_HANDLED,
                        atNanos,
                        wall,
                        source,
                        "no node that serves has " + name + " in its view");
            } else if (!failure.abandoned) {
                unhandled(name, atNanos, wall, source);
            }
        } else if (failure.seenBy.containsAll(failure.survivors)) {
            gone.failure = null;
            emit(
                    name,
                    Signal.FAILURE_HANDLED,
                    failure.lastNanos,
                    failure.lastWall,
                    failure.lastBy + ".log",
                    "every survivor has a primary view without " + name + ", last " + failure.lastBy);
        } else if (!failure.abandoned && failure.survivors.stream().noneMatch(s -> nodes.get(s).primary)) {
            failure.abandoned = true;
            unhandled(name, atNanos, wall, source);
        }
    }

    private void unhandled(String name, long atNanos, Instant wall, String source) {
        emit(
                name,
                Signal.UNHANDLED,
                atNanos,
                wall,
                source,
                "no node that serves is left to handle the failure of " + name);
    }

    /** Corrects a node's state, as read from old log lines, by what is known of it now; nothing is reported. */
    void found(String name, boolean process, boolean recovered) {
        Node node = nodes.get(name);
        node.process = process;
        // A paused server's own account dates from before the others declared it dead.
        boolean inGroup =
                nodes.values().stream().anyMatch(n -> n != node && n.primary && n.members.containsValue(name));
        boolean was = node.out;
        node.out = was && process && !inGroup;
        node.failure = null;
        if (!process) {
            node.life = Life.DOWN;
            node.primary = false;
        } else if (recovered && !node.out) {
            node.life = Life.RECOVERED;
        } else if (node.life == Life.RECOVERED
                || was && !node.out) { // what the others have declared dead is another process by now
            node.life = Life.STARTING;
        }
    }

    private void emit(String name, Signal signal, long atNanos, Instant wall, String source, String text) {
        sink.accept(new EngineEvent(atNanos, wall, name, signal, source, text));
    }
}
