package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.kit.ProcessHistory;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Derives the engine events of a cluster from the nodes' reports and the ends of their processes. Pure:
 * everything comes with its time. A node goes down once per life: whichever of its process's end and the others' verdict is
 * learned first counts. The failure is handled when the last of those that survive it has finished the partition exchange
 * for a topology without the node, and at once when the node has not joined yet; with no survivor it never is.
 *
 * <p>Calls must not overlap.
 */
final class ClusterHistory implements ProcessHistory {

    /** Where a node is in its life. */
    enum Life {
        DOWN,
        STARTING,
        RECOVERED,
        STOPPING
    }

    private static final int EXCHANGES_KEPT = 64;

    private static final class Node {
        Life life = Life.DOWN;
        boolean process;
        boolean dropped;
        long pid = -1;
        /** Its place in the ring; known to the others a little before the node says that it is a member. */
        long order = -1;

        boolean member;
        /** The nodes that are to have the data, as it knows them; none before it has said so. */
        Set<String> baseline = Set.of();
        /** What it has said of baselines without other nodes. */
        final List<String> forgetting = new ArrayList<>();
        /** What was exchanged in this life, the newest last. */
        final Deque<Exchange> exchanges = new ArrayDeque<>();
        /** The failure that the others have not handled yet. */
        Failure failure;
    }

    private record Exchange(long topology, long atNanos, Instant wall) {}

    private static final class Failure {
        final long order;
        long topology = -1;

        Failure(long order) {
            this.order = order;
        }
    }

    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Consumer<EngineEvent> sink;
    private String version = "unknown";
    private String backup = "";

    ClusterHistory(List<String> ids, Consumer<EngineEvent> sink) {
        ids.forEach(id -> nodes.put(id, new Node()));
        this.sink = sink;
    }

    Life life(String id) {
        return nodes.get(id).life;
    }

    @Override
    public String version() {
        return version;
    }

    /** What was said last of a backup; empty when nothing was. */
    String backup() {
        return backup;
    }

    /** What the node has said of baselines without other nodes, in order. */
    List<String> forgetting(String id) {
        return List.copyOf(nodes.get(id).forgetting);
    }

    /** Whether the other members know it as one that is to have data; empty when none of them has said. */
    Optional<Boolean> inBaselineOfOthers(String id) {
        List<Node> others = nodes.entrySet().stream()
                .filter(each -> !each.getKey().equals(id) && member(each.getValue()))
                .map(Map.Entry::getValue)
                .filter(node -> !node.baseline.isEmpty())
                .toList();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(others.stream().anyMatch(node -> node.baseline.contains(id)));
    }

    boolean member(String id) {
        return member(nodes.get(id));
    }

    /** The process that reported last; empty when none has, or it has ended. */
    Optional<Long> pid(String id) {
        Node node = nodes.get(id);
        return node.process ? Optional.of(node.pid) : Optional.empty();
    }

    @Override
    public boolean running(String id) {
        return nodes.get(id).process;
    }

    @Override
    public boolean recovered(String id) {
        return nodes.get(id).life == Life.RECOVERED;
    }

    @Override
    public boolean dropped(String id) {
        return nodes.get(id).dropped;
    }

    @Override
    public boolean failureOpen(String id) {
        Node node = nodes.get(id);
        return node.failure != null && survivors(id).findAny().isPresent();
    }

    /** The member that joined first of those that are there: Ignite's coordinator. */
    @Override
    public Optional<String> coordinator() {
        return nodes.entrySet().stream()
                .filter(n -> member(n.getValue()))
                .min(Comparator.comparingLong(n -> n.getValue().order))
                .map(Map.Entry::getKey);
    }

    /** A line of a node's event file. */
    void reported(String id, NodeEvent event) {
        Node node = nodes.get(id);
        String source = id + ".events";
        switch (event.kind()) {
            case PROCESS_STARTED:
                if (node.process && !node.dropped) {
                    down(id, event.atNanos(), event.wall(), source, "replaced by a new process");
                }
                node.process = true;
                node.dropped = false;
                node.pid = event.number("pid");
                node.order = -1;
                node.member = false;
                node.exchanges.clear();
                node.baseline = Set.of();
                node.life = Life.STARTING;
                emit(event, id, Signal.PROCESS_STARTED, source);
                break;
            case JOINED:
                node.order = event.number("order");
                node.member = true;
                version = event.field("version");
                emit(event, id, Signal.STEP, source);
                break;
            case SYNCHRONISE_STARTED:
                emit(event, id, Signal.SYNCHRONISE_STARTED, source);
                break;
            case WAIT_CHECKPOINT_STARTED:
                emit(event, id, Signal.WAIT_CHECKPOINT_STARTED, source);
                break;
            case RECOVERED:
                node.life = Life.RECOVERED;
                emit(event, id, Signal.RECOVERED, source);
                break;
            case STOPPING:
                node.life = Life.STOPPING;
                emit(event, id, Signal.STEP, source);
                break;
            case STEP:
                if (event.text().startsWith("backup ")) {
                    backup = event.text();
                } else if (event.text().startsWith(NodeMain.FORGETTING)) {
                    node.forgetting.add(event.text());
                }
                emit(event, id, Signal.STEP, source);
                break;
            case NODE_JOINED:
                Node joined = nodes.get(event.field("node"));
                if (joined != null && joined.process && joined.life == Life.STARTING) {
                    joined.order = event.number("order");
                }
                break;
            case NODE_LEFT:
                left(id, event);
                break;
            case EXCHANGE_DONE:
                if (!event.field("baseline").isEmpty()) {
                    node.baseline = Set.of(event.field("baseline").split(","));
                }
                node.exchanges.add(new Exchange(event.number("topology"), event.atNanos(), event.wall()));
                if (node.exchanges.size() > EXCHANGES_KEPT) {
                    node.exchanges.remove();
                }
                settleFailures();
                break;
            default:
                throw new IllegalArgumentException("unexpected event " + event);
        }
    }

    /** The node's process is found to be gone. */
    void processEnded(String id, long atNanos, Instant wall) {
        Node node = nodes.get(id);
        if (!node.process) {
            return;
        }
        node.process = false;
        node.life = Life.DOWN;
        if (node.dropped) {
            node.dropped = false;
            sink.accept(new EngineEvent(atNanos, wall, id, Signal.NOTE, "process", "process " + node.pid + " ended"));
        } else {
            down(id, atNanos, wall, "process", "process " + node.pid + " ended");
        }
        settleFailures();
    }

    private void left(String reporter, NodeEvent event) {
        String id = event.field("node");
        long order = event.number("order");
        Node gone = nodes.get(id);
        if (gone == null) {
            return;
        }
        // One that is cut off misses those that are there.
        if (nodes.get(reporter).dropped || !event.field("aside").isEmpty()) {
            sink.accept(new EngineEvent(
                    event.atNanos(),
                    event.wall(),
                    reporter,
                    Signal.NOTE,
                    reporter + ".events",
                    "on its own side of a partition, " + reporter + " says: " + event.text()));
            return;
        }
        if (gone.order == order && gone.process && !gone.dropped) {
            gone.dropped = true;
            gone.life = Life.DOWN;
            down(id, event.atNanos(), event.wall(), reporter + ".events", event.text());
        }
        Failure failure = gone.failure;
        if (failure != null && failure.order == order && failure.topology < 0) {
            failure.topology = event.number("topology");
        }
        settleFailures();
    }

    private void down(String id, long atNanos, Instant wall, String source, String text) {
        Node node = nodes.get(id);
        node.failure = node.order < 0 ? null : new Failure(node.order);
        sink.accept(new EngineEvent(atNanos, wall, id, Signal.NODE_DOWN, source, text));
        // The others exchange no partitions for the failure of a node that they do not know.
        if (node.failure == null && nodes.values().stream().anyMatch(other -> other != node && member(other))) {
            sink.accept(new EngineEvent(
                    atNanos, wall, id, Signal.FAILURE_HANDLED, source, "no other node has " + id + " in its topology"));
        }
    }

    private void settleFailures() {
        nodes.forEach((id, node) -> {
            if (node.failure != null && node.failure.topology >= 0) {
                settle(id, node);
            }
        });
    }

    private void settle(String id, Node gone) {
        Exchange last = null;
        String by = "";
        for (Map.Entry<String, Node> survivor : survivors(id).toList()) {
            Optional<Exchange> exchange = survivor.getValue().exchanges.stream()
                    .filter(e -> e.topology() >= gone.failure.topology)
                    .findFirst();
            if (exchange.isEmpty()) {
                return;
            }
            if (last == null || exchange.get().atNanos() > last.atNanos()) {
                last = exchange.get();
                by = survivor.getKey();
            }
        }
        if (last != null) {
            String text = "partition exchange of topology " + gone.failure.topology + " done, last by " + by;
            gone.failure = null;
            sink.accept(new EngineEvent(last.atNanos(), last.wall(), id, Signal.FAILURE_HANDLED, by + ".events", text));
        }
    }

    private Stream<Map.Entry<String, Node>> survivors(String id) {
        Failure failure = nodes.get(id).failure;
        return nodes.entrySet().stream()
                .filter(n -> !n.getKey().equals(id))
                .filter(n -> member(n.getValue()))
                // One that joined after the failure has nothing to handle.
                .filter(n -> failure.topology < 0 || n.getValue().order < failure.topology);
    }

    private static boolean member(Node node) {
        return node.process && !node.dropped && node.member;
    }

    private void emit(NodeEvent event, String id, Signal signal, String source) {
        sink.accept(new EngineEvent(event.atNanos(), event.wall(), id, signal, source, event.text()));
    }
}
