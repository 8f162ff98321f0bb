package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.kit.Moment;
import io.ycsbdrill.fault.node.kit.ProcessHistory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What happens to the nodes of a cluster, from their logs, their processes and what their Patroni answers. A node is down when its
 * PostgreSQL has ended, or when it has lost the leader's key to another one while it was primary. The failure of a primary is handled
 * when another server takes writes, which its own log says, that of a replica at once unless commits wait for it. A node is recovered
 * when it takes writes, or when it streams on the primary's timeline and has applied what the primary had written when that
 * began. Patroni also stops and starts servers in the middle of a recovery; such ends are steps. Asked and told under the watch's
 * lock.
 *
 * <p>Long, as it is one state machine: what a line or an answer means depends on all that was seen before, of any node.
 */
final class PatroniHistory implements ProcessHistory {
    private static final Pattern NAME = Pattern.compile("'([^']+)'");

    private final Map<String, Node> nodes = new LinkedHashMap<>();
    private final Consumer<EngineEvent> sink;
    /** Who holds the leader's key, as far as is known; empty at first. */
    private String leader = "";
    /** Those that a commit waits for. */
    private Set<String> synchronous = Set.of();

    /** A process of a node. */
    enum Part {
        /** The supervisor. */
        PATRONI,
        /** PostgreSQL's server, or etcd. */
        SERVER
    }

    /** What is known of how a node is. */
    enum Life {
        DOWN,
        /** Its processes run, and the cluster goes on without it. */
        OUT,
        STARTING,
        RECOVERED
    }

    private static final class Node {
        Life life = Life.DOWN;
        boolean patroni;
        boolean server;
        boolean primary;
        /** The timeline on which it receives; 0 while it receives nothing. */
        long timeline;

        /** The timeline on which it writes while it is primary: that of its latest promotion. */
        long written = 1;

        long streamingSince;
        /** What it has to have applied to be recovered; 0 until that is known. */
        long target;

        boolean synchronising;
        String copied = "";
        /** Its failure is not handled yet. */
        boolean open;

        String lastStep = "";
        PatroniAnswer answer;
        long askedNanos;

        boolean serves() {
            return server && life == Life.RECOVERED;
        }

        boolean coming() {
            return server && (life == Life.STARTING || life == Life.OUT);
        }
    }

    /** @param names of the data nodes and of etcd */
    PatroniHistory(List<String> names, Consumer<EngineEvent> sink) {
        names.forEach(name -> nodes.put(name, new Node()));
        this.sink = sink;
    }

    // --- Questions

    @Override
    public boolean running(String name) {
        Node node = nodes.get(name);
        return node.patroni || node.server;
    }

    /** Whether what a start starts is seen: Patroni, also over a PostgreSQL that runs already, or etcd. */
    boolean launched(String name) {
        Node node = nodes.get(name);
        return name.equals(PatroniFiles.ETCD) ? node.server : node.patroni;
    }

    @Override
    public boolean recovered(String name) {
        return nodes.get(name).life == Life.RECOVERED;
    }

    @Override
    public boolean dropped(String name) {
        return nodes.get(name).life == Life.OUT;
    }

    @Override
    public Optional<String> coordinator() {
        return nodes.entrySet().stream()
                .filter(each -> each.getValue().primary && each.getValue().serves())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    Life life(String name) {
        return nodes.get(name).life;
    }

    /** Whether a node comes back, so that its position matters. */
    boolean anyComing() {
        return nodes.values().stream().anyMatch(Node::coming);
    }

    /** What the node is, in a word or two. */
    String role(String name) {
        Node node = nodes.get(name);
        if (node.primary) {
            return "primary";
        }
        String role = synchronous.contains(name) ? "synchronous replica" : "replica";
        return node.timeline == 0 ? role + ", receives nothing" : role + ", streams on timeline " + node.timeline;
    }

    /** Replicas that a commit waits for and that serve, in the order of their names. */
    List<String> synchronous() {
        return synchronous.stream()
                .filter(nodes::containsKey)
                .filter(name -> nodes.get(name).serves())
                .toList();
    }

    // --- Processes

    void processSeen(String name, Part part, Moment at) {
        Node node = nodes.get(name);
        if (part == Part.SERVER) {
            node.server = true;
            if (name.equals(PatroniFiles.ETCD)) {
                begin(name, at, "process", "etcd has started");
            }
            return;
        }
        node.patroni = true;
        if (node.server && node.life != Life.DOWN) {
            emit(name, Signal.NOTE, at, "process", "Patroni has started over a PostgreSQL that runs");
        } else {
            begin(name, at, "process", "Patroni has started");
        }
    }

    void processEnded(String name, Part part, long pid, Moment at) {
        Node node = nodes.get(name);
        String text = (part == Part.PATRONI ? "Patroni" : name.equals(PatroniFiles.ETCD) ? "etcd" : "PostgreSQL")
                + ", process " + pid + ", has ended";
        if (part == Part.PATRONI) {
            node.patroni = false;
            if (node.server) {
                emit(name, Signal.NOTE, at, "process", text + "; PostgreSQL goes on without it");
            } else if (node.life == Life.STARTING) {
                down(name, at, "process", text);
            } else {
                node.life = Life.DOWN;
            }
            return;
        }
        boolean within = node.life == Life.OUT || node.life == Life.STARTING && node.patroni;
        boolean wasPrimary = node.primary;
        node.server = false;
        node.primary = false;
        node.timeline = 0;
        node.target = 0;
        if (name.equals(PatroniFiles.ETCD)) {
            node.life = Life.DOWN;
            node.open = true;
            emit(name, Signal.NODE_DOWN, at, "process", text);
        } else if (within || node.life == Life.DOWN) {
            node.life = node.patroni ? node.life : Life.DOWN;
            emit(name, Signal.STEP, at, "process", text);
        } else {
            if (wasPrimary) {
                leader = name;
            }
            down(name, at, "process", text);
        }
        abandon(at);
    }

    private void down(String name, Moment at, String source, String text) {
        Node node = nodes.get(name);
        node.life = Life.DOWN;
        failed(name, at, source, text);
    }

    /** The node no longer belongs to those that serve. */
    private void failed(String name, Moment at, String source, String text) {
        Node node = nodes.get(name);
        emit(name, Signal.NODE_DOWN, at, source, text);
        Optional<String> primary = coordinator().filter(other -> !other.equals(name));
        node.open = primary.isEmpty() || synchronous.contains(name);
        if (!node.open) {
            emit(name, Signal.FAILURE_HANDLED, at, source, "the primary, " + primary.get() + ", does not wait for it");
        }
        abandon(at);
    }

    /** When nobody is left who could take over. */
    private void abandon(Moment at) {
        boolean left = nodes.entrySet().stream()
                .anyMatch(each -> !each.getKey().equals(PatroniFiles.ETCD)
                        && each.getValue().serves());
        nodes.forEach((name, node) -> {
            if (!left && node.open) {
                node.open = false;
                emit(name, Signal.UNHANDLED, at, "process", "no node is left that could handle the failure of " + name);
            }
        });
    }

    private void begin(String name, Moment at, String source, String text) {
        Node node = nodes.get(name);
        if (node.life == Life.STARTING) {
            emit(name, Signal.STEP, at, source, text);
            return;
        }
        node.life = Life.STARTING;
        node.primary = false;
        node.timeline = 0;
        node.target = 0;
        node.synchronising = false;
        node.copied = "";
        emit(name, Signal.PROCESS_STARTED, at, source, text);
    }

    // --- Logs

    /** Takes in a line of a node's log. */
    void reported(String name, PatroniLogEvent event, Moment at) {
        Node node = nodes.get(name);
        String source = name + ".log";
        String text = event.text();
        switch (event.kind()) {
            case STARTING -> {
                if (node.life == Life.RECOVERED) {
                    node.life = Life.DOWN; // its end was before this program watched
                }
                begin(name, at, source, text);
            }
            case READY -> {
                if (node.server) {
                    primary(name, at, source, text);
                } else { // it has ended meanwhile
                    leader = name;
                    step(name, at, source, text);
                }
            }
            case STREAMING -> {
                node.timeline = Long.parseLong(event.detail());
                node.streamingSince = at.nanos();
                node.target = 0;
                synchronise(name, at, source, text);
            }
            case STREAM_ENDED -> {
                node.timeline = 0;
                step(name, at, source, text);
            }
            case REPLICA_SILENT -> {
                Node silent = nodes.get(event.detail());
                boolean cutOff = !name.equals(leader); // from those that it misses, and another one is primary by now
                if (!cutOff && silent != null && silent.life == Life.RECOVERED && !silent.primary) {
                    silent.life = Life.OUT;
                    silent.timeline = 0;
                    failed(event.detail(), at, source, text);
                }
            }
            case LOCK_TAKEN -> {
                Node former = nodes.get(leader);
                if (former != null && former != node && former.serves()) {
                    former.life = Life.OUT;
                    former.primary = false;
                    failed(leader, at, source, "it has lost the leader's key: " + name + " has " + text);
                }
                leader = name;
                step(name, at, source, text);
            }
            case LOCK_HELD -> held(name, at, source);
            case DEMOTING -> {
                etcdHandled(at, source, name + ": " + text);
                step(name, at, source, text);
            }
            case FAILSAFE -> {
                etcdHandled(at, source, name + ": " + text);
                step(name, at, source, text);
            }
            case COPYING -> synchronise(name, at, source, text);
            case COPIED -> {
                node.copied = event.detail();
                step(name, at, source, text);
            }
            case SYNCHRONOUS -> {
                synchronous = names(event.detail());
                settle(at, source, text);
                step(name, at, source, text);
            }
            case PROMOTED, TIMELINE, SHUT_DOWN, STEP -> {
                if (event.kind() == PatroniLogEvent.Kind.TIMELINE) {
                    node.written = Long.parseLong(event.detail());
                }
                if (text.startsWith("No standbys available")) {
                    synchronous = Set.of();
                    settle(at, source, text);
                }
                if (text.startsWith("doing crash recovery") && node.life == Life.DOWN) {
                    begin(name, at, source, text);
                } else {
                    step(name, at, source, text);
                }
            }
        }
    }

    private static Set<String> names(String list) {
        Set<String> names = new TreeSet<>();
        Matcher name = NAME.matcher(list);
        while (name.find()) {
            names.add(name.group(1));
        }
        return names;
    }

    /** The server takes writes. */
    private void primary(String name, Moment at, String source, String text) {
        Node node = nodes.get(name);
        boolean back = node.life != Life.RECOVERED;
        node.life = Life.RECOVERED;
        node.primary = true;
        node.timeline = 0;
        node.open = false;
        leader = name;
        emit(name, back ? Signal.RECOVERED : Signal.NOTE, at, source, text + ": it is primary");
        settle(at, source, name + " takes writes: " + text);
        etcdBack(at, source, name + " is primary");
    }

    /** Failures that are handled now that this primary serves. */
    private void settle(Moment at, String source, String text) {
        if (coordinator().isEmpty()) {
            return;
        }
        nodes.forEach((name, node) -> {
            if (node.open && !name.equals(PatroniFiles.ETCD) && !synchronous.contains(name)) {
                node.open = false;
                emit(name, Signal.FAILURE_HANDLED, at, source, text);
            }
        });
    }

    /** A node says in each round that it holds the key; also one that was out and has taken it back from another one. */
    private void held(String name, Moment at, String source) {
        Node node = nodes.get(name);
        Node other = nodes.get(leader);
        if (node.server && node.life == Life.OUT && (other == null || other == node || !other.serves())) {
            leader = name;
            node.life = Life.RECOVERED;
            node.primary = true;
            node.open = false;
            emit(name, Signal.RECOVERED, at, source, "it holds the leader's key again, and is still primary");
            settle(at, source, name + " holds the leader's key again");
        } else if (leader.isEmpty()) {
            leader = name;
            node.primary = true;
        }
        etcdBack(at, source, name + " holds the leader's key");
    }

    private void etcdHandled(Moment at, String source, String text) {
        Node etcd = nodes.get(PatroniFiles.ETCD);
        if (etcd != null && etcd.open) {
            etcd.open = false;
            emit(PatroniFiles.ETCD, Signal.FAILURE_HANDLED, at, source, text);
        }
    }

    /** Etcd is back for the cluster when a primary has renewed its key. */
    private void etcdBack(Moment at, String source, String text) {
        Node etcd = nodes.get(PatroniFiles.ETCD);
        if (etcd != null && etcd.life == Life.STARTING) {
            etcd.life = Life.RECOVERED;
            etcd.open = false;
            emit(PatroniFiles.ETCD, Signal.RECOVERED, at, source, text);
        }
    }

    private void synchronise(String name, Moment at, String source, String text) {
        Node node = nodes.get(name);
        boolean first = (node.life == Life.STARTING || node.life == Life.OUT) && !node.synchronising;
        if (first) {
            node.synchronising = true;
            emit(name, Signal.SYNCHRONISE_STARTED, at, source, text);
        } else {
            step(name, at, source, text);
        }
    }

    /** What is repeated in each round is kept once. */
    private void step(String name, Moment at, String source, String text) {
        String words = text.replaceAll("[0-9A-F]+/[0-9A-F]+|\\d+", "");
        Node node = nodes.get(name);
        if (!words.equals(node.lastStep)) {
            node.lastStep = words;
            emit(name, Signal.STEP, at, source, text);
        }
    }

    // --- Answers

    /**
     * Takes in what a node's Patroni has answered.
     *
     * @param askedNanos when it was asked: what it says may have been so as early as that
     * @param received when the answer came
     */
    void answered(String name, PatroniAnswer answer, long askedNanos, Moment received) {
        Node node = nodes.get(name);
        node.answer = answer;
        node.askedNanos = askedNanos;
        if (answer.primary() && name.equals(leader)) {
            synchronous = new TreeSet<>(
                    answer.replicas().keySet().stream().filter(answer::waitsFor).toList());
        }
        Node primary = nodes.get(leader);
        if (primary == null || primary.answer == null || !primary.answer.primary() || !primary.serves()) {
            return;
        }
        nodes.forEach((each, replica) -> look(each, replica, primary, received));
    }

    private void look(String name, Node replica, Node primary, Moment received) {
        if (!replica.coming() || replica.timeline == 0 || replica.timeline != primary.answer.timeline()) {
            return;
        }
        if (replica.target == 0
                && primary.askedNanos > replica.streamingSince
                && primary.answer.replicas().containsKey(name)) {
            replica.target = primary.answer.position();
        }
        if (replica.target > 0
                && replica.answer != null
                && !replica.answer.primary()
                && replica.askedNanos > replica.streamingSince
                && replica.answer.position() >= replica.target) {
            replica.life = Life.RECOVERED;
            replica.synchronising = false;
            String how = replica.copied.isEmpty() ? "it only streamed what it had missed" : "by " + replica.copied;
            emit(name, Signal.NOTE, received, name + ".rest", "data made equal to the primary's: " + how);
            emit(
                    name,
                    Signal.RECOVERED,
                    received,
                    name + ".rest",
                    "streams from " + leader + " on timeline " + replica.timeline + " and has applied what " + leader
                            + " had written when that began");
        }
    }

    // --- At the beginning

    /** Corrects a node's state, as read from old log lines, by the processes that there are now; nothing is reported. */
    void found(String name, boolean patroni, boolean server) {
        Node node = nodes.get(name);
        node.patroni = patroni;
        node.server = server;
        node.open = false;
        if (!server) {
            node.life = patroni ? Life.STARTING : Life.DOWN;
            node.primary = false;
            node.timeline = 0;
        } else if (name.equals(PatroniFiles.ETCD)) {
            node.life = Life.RECOVERED;
        } else if (node.primary || streams(node)) {
            node.life = Life.RECOVERED;
        }
        if (node.primary && !name.equals(leader)) {
            node.primary = false;
            node.life = Life.OUT;
        }
    }

    /** Whether it receives from the primary that there is, on its timeline. */
    private boolean streams(Node node) {
        Node primary = nodes.get(leader);
        return primary != null && primary.server && primary.primary && node.timeline == primary.written;
    }

    private void emit(String name, Signal signal, Moment at, String source, String text) {
        sink.accept(new EngineEvent(at.nanos(), at.wall(), name, signal, source, text));
    }
}
