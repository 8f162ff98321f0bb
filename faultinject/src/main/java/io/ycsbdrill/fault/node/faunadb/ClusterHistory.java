package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.kit.Moment;
import io.ycsbdrill.fault.node.kit.ProcessHistory;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Derives the events of a local cluster from the nodes' processes, their logs and what they answer. A node is recovered when four
 * things are true of it: it owns its data, it takes writes, it has caught up, and all others reach it; the last of them to become
 * true dates its recovery. Pure: everything comes with its time. Calls must not overlap.
 */
final class ClusterHistory implements ProcessHistory {

    /** What the engine says of a node while it comes up; null where it has not said so. */
    private static final class Node {
        boolean process;
        boolean recovered;
        /** The others have given it up although its process exists. */
        boolean dropped;

        boolean handled = true;
        boolean catchingUp;
        boolean behind;
        Moment owns;
        Moment writes;
        Moment caughtUp;
        /** When each node reached it. */
        final Map<String, Moment> reached = new HashMap<>();
        /** Those who have found it unreachable since it failed. */
        final Set<String> given = new TreeSet<>();

        long lastNanos = Long.MIN_VALUE;
    }

    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Map<String, String> hosts = new HashMap<>();
    private final Consumer<EngineEvent> sink;
    private final String version;
    private Optional<String> leader = Optional.empty();

    ClusterHistory(List<String> names, String version, Consumer<EngineEvent> sink) {
        names.forEach(name -> nodes.put(name, new Node()));
        this.version = version;
        this.sink = sink;
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
        return nodes.get(name).recovered;
    }

    @Override
    public boolean dropped(String name) {
        return nodes.get(name).dropped;
    }

    @Override
    public boolean failureOpen(String name) {
        return !nodes.get(name).handled && others(name).findAny().isPresent();
    }

    @Override
    public Optional<String> coordinator() {
        return leader.filter(name -> nodes.get(name).recovered);
    }

    /** Whether the node runs, and is not known to be recovered. */
    boolean coming(String name) {
        return nodes.get(name).process && !nodes.get(name).recovered;
    }

    /** What a node that is coming still lacks. */
    String lacks(String name) {
        Node node = nodes.get(name);
        return Stream.of(
                        node.owns == null ? "does not own all of its data" : "",
                        node.writes == null ? "takes no writes" : "",
                        node.behind ? "catches up" : "",
                        reachedByAll(name) ? "" : "is not reached by all others")
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(", "));
    }

    /** The others that serve, as far as it is known. */
    private Stream<Entry<String, Node>> others(String name) {
        return nodes.entrySet().stream().filter(other -> !other.getKey().equals(name) && other.getValue().recovered);
    }

    void processSeen(String name, long pid, Moment at) {
        Node node = nodes.get(name);
        node.process = true;
        node.dropped = false;
        comesUp(node);
        node.catchingUp = false;
        node.behind = false;
        node.caughtUp = null;
        emit(name, Signal.PROCESS_STARTED, at, "process", "process " + pid + " started");
    }

    private static void comesUp(Node node) {
        node.recovered = false;
        node.owns = null;
        node.writes = null;
        node.reached.clear();
    }

    void processEnded(String name, long pid, Moment at) {
        Node node = nodes.get(name);
        node.process = false;
        node.recovered = false;
        boolean known = node.dropped;
        node.dropped = false;
        if (known) {
            emit(name, Signal.NOTE, at, "process", "process " + pid + " ended");
        } else {
            down(name, at, "process", "process " + pid + " ended");
        }
        // Nobody waits for what this one has not noticed any more.
        nodes.keySet().forEach(other -> settle(other, at, "process"));
    }

    private void down(String name, Moment at, String source, String text) {
        Node node = nodes.get(name);
        node.handled = false;
        node.given.clear();
        emit(name, Signal.NODE_DOWN, at, source, text);
    }

    /** Takes in an event of a node's log. */
    void reported(String name, LogEvent event, Moment at) {
        Node node = nodes.get(name);
        String source = name + ".log";
        switch (event.kind()) {
            case UNREACHABLE ->
                Optional.ofNullable(hosts.get(event.host()))
                        .filter(other -> !other.equals(name) && node.recovered)
                        .ifPresent(other -> unreachable(other, name, event.text(), at));
            case CATCHING_UP -> {
                boolean first = coming(name) && !node.catchingUp;
                node.catchingUp |= first;
                emit(name, first ? Signal.SYNCHRONISE_STARTED : Signal.STEP, at, source, event.text());
            }
            case BEHIND -> {
                node.behind = true;
                emit(name, Signal.STEP, at, source, event.text());
            }
            case CAUGHT_UP -> {
                node.behind = false;
                node.caughtUp = at;
                emit(name, Signal.STEP, at, source, event.text());
            }
            case STEP -> emit(name, Signal.STEP, at, source, event.text());
        }
    }

    private void unreachable(String name, String by, String text, Moment at) {
        Node node = nodes.get(name);
        if (node.recovered) { // its process exists
            comesUp(node);
            node.dropped = true;
            down(name, at, by + ".log", text);
        }
        if (!node.handled && node.given.add(by)) {
            emit(name, Signal.STEP, at, by + ".log", by + ": " + text);
            settle(name, at, by + ".log");
        }
    }

    /** The failure is handled when all who serve have given up the node, of whom there must be one. */
    private void settle(String name, Moment at, String source) {
        Node node = nodes.get(name);
        if (!node.handled && !node.given.isEmpty() && others(name).allMatch(o -> node.given.contains(o.getKey()))) {
            node.handled = true;
            emit(name, Signal.FAILURE_HANDLED, at, source, "unreachable to " + String.join(", ", node.given));
        }
    }

    /** Takes in what a node answered of all, as received at that moment. */
    void answered(String by, ClusterStatus status, Moment at) {
        status.members().forEach((name, member) -> {
            if (!nodes.containsKey(name)) {
                return;
            }
            hosts.values().remove(name); // a node that was initialised has another id
            hosts.put(member.host(), name);
            if (member.leader()) {
                leader = Optional.of(name);
            }
            Node node = nodes.get(name);
            if (name.equals(by)) {
                node.owns = !member.owner() ? null : node.owns == null ? at : node.owns;
            } else if (member.up()) {
                node.reached.putIfAbsent(by, at);
            } else {
                node.reached.remove(by);
            }
        });
        nodes.keySet().forEach(this::check);
    }

    /** Takes in whether the node takes writes. */
    void writes(String name, boolean writes, Moment at) {
        Node node = nodes.get(name);
        node.writes = !writes ? null : node.writes == null ? at : node.writes;
        check(name);
    }

    private boolean reachedByAll(String name) {
        return others(name).allMatch(other -> nodes.get(name).reached.containsKey(other.getKey()));
    }

    private void check(String name) {
        Node node = nodes.get(name);
        if (!coming(name) || node.owns == null || node.writes == null || node.behind || !reachedByAll(name)) {
            return;
        }
        Moment when = node.owns.before(node.writes) ? node.writes : node.owns;
        when = node.caughtUp != null && when.before(node.caughtUp) ? node.caughtUp : when;
        for (String other : others(name).map(Entry::getKey).toList()) {
            Moment reached = node.reached.get(other);
            when = when.before(reached) ? reached : when;
        }
        node.recovered = true;
        node.dropped = false;
        node.handled = true;
        emit(name, Signal.RECOVERED, when, "status", "owns its data, takes writes, and is reached by all others");
    }

    /** An event of a node is not dated before the one before it: clocks are compared anew at each reading. */
    private void emit(String name, Signal signal, Moment at, String source, String text) {
        Node node = nodes.get(name);
        long nanos = Math.max(at.nanos(), node.lastNanos);
        if (signal.begins().isPresent()) {
            node.lastNanos = nanos;
        }
        sink.accept(new EngineEvent(nanos, at.wall().plusNanos(nanos - at.nanos()), name, signal, source, text));
    }
}
