package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.base.TableSchema.Change;
import io.ycsbdrill.fault.net.Disturbance;
import io.ycsbdrill.fault.net.Networked;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.trouble.Damageable;
import io.ycsbdrill.fault.node.trouble.Deceivable;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.Impairable;
import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import io.ycsbdrill.fault.node.trouble.Partitionable;
import io.ycsbdrill.fault.node.trouble.Squeezable;
import io.ycsbdrill.fault.node.trouble.Starvable;
import io.ycsbdrill.fault.node.trouble.Unpluggable;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A cluster in memory that keeps a script: what its nodes do after a kill, a stop or a start, and when. It records the
 * calls made to it. Events that are due are told by {@link #tick}; with delays of zero they are told at once. Thread-safe.
 */
public final class FakeNodeController
        implements NodeController,
                Killable,
                Stoppable,
                Startable,
                Initialisable,
                Pausable,
                Networked,
                Impairable,
                Deceivable,
                Damageable,
                Partitionable,
                Starvable,
                Unpluggable,
                Backupable,
                Restorable,
                Alterable,
                Composed,
                Reconfigurable,
                Expandable,
                Rebalanceable,
                Squeezable,
                Switchable,
                Upgradable {

    /** What happens some time after a call. */
    public record Step(Duration delay, Signal signal) {}

    private record Due(long at, long order, String node, Signal signal) {}

    private final NanoClock clock;
    private List<NodeInfo> nodes;
    private List<NodeInfo> spares = List.of(new NodeInfo("spare1", "spare", 0));
    private final List<NodeInfo> frontEnds = new CopyOnWriteArrayList<>();
    private final Map<String, State> states = new LinkedHashMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<Consumer<EngineEvent>> listeners = new CopyOnWriteArrayList<>();
    private final List<String> disturbances = new CopyOnWriteArrayList<>();
    private final Map<String, String> failures = new HashMap<>();
    private final Map<String, String> ended = new HashMap<>();
    private final Set<Class<?>> missing = new HashSet<>();
    private final Set<String> withoutBackup = new HashSet<>();
    private final Set<String> orphaned = ConcurrentHashMap.newKeySet();
    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingLong(Due::order));
    private List<Step> afterDown =
            List.of(new Step(Duration.ZERO, Signal.NODE_DOWN), new Step(Duration.ZERO, Signal.FAILURE_HANDLED));
    private List<Step> afterStart = List.of(
            new Step(Duration.ZERO, Signal.PROCESS_STARTED),
            new Step(Duration.ZERO, Signal.SYNCHRONISE_STARTED),
            new Step(Duration.ZERO, Signal.WAIT_CHECKPOINT_STARTED),
            new Step(Duration.ZERO, Signal.RECOVERED));
    private Runnable duringCall = () -> {};
    private Runnable duringStatus = () -> {};
    private Runnable duringPrimary = () -> {};
    private Optional<String> primary = Optional.empty();
    private List<String> synchronous = List.of();
    private final Map<String, String> zones = new LinkedHashMap<>();
    private long order;
    private boolean idle;
    private boolean stopsWhileStarting = true;
    private boolean silentOnceDown;

    /** Nodes {@code node1} to {@code nodeN}, all whole, of one group each two. */
    public FakeNodeController(NanoClock clock, int count) {
        this.clock = clock;
        List<NodeInfo> all = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            all.add(new NodeInfo("node" + i, "host" + i, (i - 1) / 2));
            states.put("node" + i, State.STARTED);
        }
        nodes = List.copyOf(all);
        primary = Optional.of("node1");
    }

    /** What a node's death leads to. */
    public synchronized FakeNodeController afterDown(Step... steps) {
        afterDown = List.of(steps);
        return this;
    }

    /** What a node's start leads to. */
    public synchronized FakeNodeController afterStart(Step... steps) {
        afterStart = List.of(steps);
        return this;
    }

    /** Runs inside of each call, before its effect: for moving a clock. */
    public synchronized FakeNodeController duringCall(Runnable action) {
        duringCall = action;
        return this;
    }

    /** Runs inside of each question for the states of the nodes. */
    public synchronized FakeNodeController duringStatus(Runnable action) {
        duringStatus = action;
        return this;
    }

    /** Runs inside of each question for the primary node. */
    public synchronized FakeNodeController duringPrimary(Runnable action) {
        duringPrimary = action;
        return this;
    }

    /** Makes a call fail, for example {@code failing("kill node2", "still alive")}. */
    public synchronized FakeNodeController failing(String call, String message) {
        failures.put(call, message);
        return this;
    }

    /** From now on kills, stops and pauses are confirmed without having any effect. */
    public synchronized FakeNodeController idle() {
        idle = true;
        return this;
    }

    /** A node that goes down says nothing more of what its process would have. */
    public synchronized FakeNodeController silentOnceDown() {
        silentOnceDown = true;
        return this;
    }

    /** Takes a capability away. */
    public synchronized FakeNodeController without(Class<?> capability) {
        missing.add(capability);
        return this;
    }

    /** From now on the process of this node is gone soon after each start. */
    public synchronized FakeNodeController ending(String node, String lastWords) {
        ended.put(node, lastWords);
        return this;
    }

    @Override
    public synchronized Optional<String> ended(String node) {
        return Optional.ofNullable(ended.get(node));
    }

    /** Takes the program for backups away from a node. */
    public synchronized FakeNodeController cannotBackUp(String node) {
        withoutBackup.add(node);
        return this;
    }

    /** Moves a node to another host. */
    public synchronized FakeNodeController host(String node, String host) {
        nodes = nodes.stream()
                .map(n -> n.id().equals(node) ? new NodeInfo(node, host, n.group()) : n)
                .toList();
        return this;
    }

    /** Adds a server without data, which is up. */
    public synchronized FakeNodeController frontEnd(String id) {
        frontEnds.add(new NodeInfo(id, "host-of-" + id, 0));
        states.put(id, State.STARTED);
        return this;
    }

    /** Who is primary. */
    public synchronized FakeNodeController primary(Optional<String> node) {
        primary = node;
        return this;
    }

    /** Sets a node's state without a call or an event. */
    public synchronized FakeNodeController state(String node, State state) {
        states.put(node, state);
        return this;
    }

    /** From now on the node is down, but one of its processes goes on until all are ended. */
    public synchronized FakeNodeController orphaned(String node) {
        orphaned.add(node);
        return state(node, State.DOWN);
    }

    /** Says something about a node, now. */
    public void say(String node, Signal signal) {
        synchronized (this) {
            due.add(new Due(clock.nanoTime(), order++, node, signal));
        }
        tick();
    }

    /** The calls so far: {@code kill node2}. */
    public List<String> calls() {
        return List.copyOf(calls);
    }

    /** Tells the events that are due by now, each dated exactly as scripted. */
    public void tick() {
        for (Due event = next(); event != null; event = next()) {
            EngineEvent told = new EngineEvent(
                    event.at(),
                    Instant.EPOCH.plusNanos(event.at()),
                    event.node(),
                    event.signal(),
                    "script",
                    "scripted");
            listeners.forEach(l -> l.accept(told));
        }
    }

    private synchronized Due next() {
        if (due.isEmpty() || due.peek().at() > clock.nanoTime()) {
            return null;
        }
        Due event = due.poll();
        if (event.signal() == Signal.RECOVERED) {
            states.put(event.node(), State.STARTED);
        }
        return event;
    }

    private void call(String call) {
        calls.add(call);
        duringCall.run();
        String failure = failures.get(call);
        if (failure != null) {
            throw new NodeControlException(failure);
        }
    }

    private void script(String node, List<Step> steps) {
        synchronized (this) {
            long at = clock.nanoTime();
            for (Step step : steps) {
                at += step.delay().toNanos();
                due.add(new Due(at, order++, node, step.signal()));
            }
        }
        tick();
    }

    @Override
    public String engine() {
        return "fake";
    }

    @Override
    public String engineVersion() {
        return "1";
    }

    @Override
    public synchronized List<NodeInfo> nodes() {
        return nodes;
    }

    @Override
    public List<NodeInfo> frontEnds() {
        return List.copyOf(frontEnds);
    }

    @Override
    public synchronized List<NodeStatus> status() {
        duringStatus.run();
        return states.entrySet().stream()
                .map(s -> new NodeStatus(
                        s.getKey(),
                        s.getValue(),
                        "",
                        orphaned.contains(s.getKey()) ? OptionalLong.of(1) : OptionalLong.empty()))
                .toList();
    }

    @Override
    public synchronized Optional<String> primary() {
        duringPrimary.run();
        return primary;
    }

    @Override
    public synchronized <C> Optional<C> capability(Class<C> type) {
        return type.isInstance(this) && !missing.contains(type) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    @Override
    public AutoCloseable listen(Consumer<EngineEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** The disturbances in force: {@code node2 delay}. */
    public List<String> disturbances() {
        return List.copyOf(disturbances);
    }

    @Override
    public synchronized List<NodeInfo> servers() {
        return nodes;
    }

    @Override
    public void disturb(String server, Disturbance disturbance) {
        call(disturbance.name() + " " + server);
        if (!disturbance.momentary()) {
            disturbances.add(server + " " + disturbance.name());
        }
    }

    @Override
    public Sight look(String server, Disturbance disturbance) {
        String seen = server + " " + disturbance.name();
        return new Sight(disturbance.momentary() || disturbances.contains(seen), seen);
    }

    @Override
    public void restore(String server, Disturbance disturbance) {
        call("restore " + server + " " + disturbance.name());
        disturbances.remove(server + " " + disturbance.name());
    }

    @Override
    public void impair(String node, DiskTrouble trouble) {
        call(trouble.kind().fault() + " " + node);
        disturbances.add(node + " " + trouble.kind().fault());
    }

    @Override
    public Sight look(String node, DiskTrouble trouble) {
        String seen = node + " " + trouble.kind().fault();
        return new Sight(disturbances.contains(seen), seen);
    }

    /** One trouble at a time is in force on a disk, however often it was put there. */
    @Override
    public void restore(String node, DiskTrouble trouble) {
        call("restore " + node + " " + trouble.kind().fault());
        disturbances.removeIf(seen -> seen.equals(node + " " + trouble.kind().fault()));
    }

    @Override
    public void damage(String node, Damage damage) {
        call(damage.kind().fault() + " " + node);
    }

    @Override
    public Sight lookForDamage(String node) {
        boolean damaged = calls.stream().anyMatch(call -> call.matches("(bit-flip|truncate) " + node));
        return new Sight(damaged, node + (damaged ? " is damaged" : " is whole"));
    }

    @Override
    public void check(String node, Damage damage) {
        if (damage.files().equals("none")) {
            throw new NodeControlException("no file of " + node + " is like \"none\"");
        }
    }

    @Override
    public Optional<Instant> damagedSince(String node) {
        return lookForDamage(node).effect() && !calls.contains("startInitial " + node)
                ? Optional.of(Instant.EPOCH)
                : Optional.empty();
    }

    @Override
    public void givenUp(String node, String why) {
        call("givenUp " + node + ": " + why);
    }

    @Override
    public void deceive(String node, Clock clock) {
        call(clock.kind().fault() + " " + node);
        disturbances.add(node + " clock");
    }

    @Override
    public Sight look(String node, Clock clock) {
        return new Sight(disturbances.contains(node + " clock"), node + " clock");
    }

    @Override
    public void correct(String node) {
        call("correct " + node);
        disturbances.removeIf(seen -> seen.equals(node + " clock"));
    }

    @Override
    public void correctAll() {
        disturbances.removeIf(seen -> seen.endsWith(" clock"));
    }

    @Override
    public Optional<String> lacking(LinkTrouble trouble) {
        return trouble instanceof LinkTrouble.Delay ? Optional.of("no delays here") : Optional.empty();
    }

    @Override
    public void trouble(String node, LinkTrouble trouble) {
        call("trouble " + node + " " + trouble.text());
        mended(node);
        disturbances.add(node + " link " + trouble.text());
    }

    @Override
    public Sight look(String node, LinkTrouble trouble) {
        String seen = node + " link " + trouble.text();
        return new Sight(disturbances.contains(seen), seen);
    }

    @Override
    public void mend(String node) {
        call("mend " + node);
        mended(node);
    }

    private void mended(String node) {
        disturbances.removeIf(seen -> seen.startsWith(node + " link "));
    }

    @Override
    public boolean mendAll() {
        return disturbances.removeIf(seen -> seen.contains(" link "));
    }

    @Override
    public void starve(String node, double share) {
        call("starve " + node);
        disturbances.add(node + " starve");
    }

    @Override
    public Sight look(String node) {
        return new Sight(disturbances.contains(node + " starve"), node + " starve");
    }

    @Override
    public void relieve(String node) {
        call("relieve " + node);
        disturbances.removeIf(seen -> seen.equals(node + " starve"));
    }

    @Override
    public void relieveAll() {
        nodes().stream()
                .map(NodeInfo::id)
                .filter(id -> disturbances.contains(id + " starve"))
                .forEach(this::relieve);
    }

    @Override
    public void unplug(String node) {
        down("unplug " + node, node);
    }

    @Override
    public Sight lookForLoss(String node) {
        return new Sight(calls.contains("unplug " + node), "nothing was lost");
    }

    @Override
    public synchronized boolean canBackUp(String node) {
        return !withoutBackup.contains(node);
    }

    @Override
    public void backUp(String node) {
        call("back up " + node);
    }

    @Override
    public Sight lookForBackup() {
        boolean begun = calls.stream().anyMatch(each -> each.startsWith("back up "));
        return new Sight(begun, begun ? "backup 1 is complete" : "no backup was begun");
    }

    @Override
    public synchronized Optional<String> restoreLacks() {
        return Optional.ofNullable(failures.get("lacks restore"));
    }

    @Override
    public void lose(String node) {
        kill(node);
    }

    @Override
    public void restore(String node) {
        start(node);
    }

    @Override
    public List<String> refusals(Map<String, String> settings) {
        return settings.containsKey("unknown") ? List.of("there is no setting unknown") : List.of();
    }

    @Override
    public Runnable configure(String node, Map<String, String> settings) {
        call("configure " + node + " " + settings);
        return () -> call("former settings of " + node);
    }

    @Override
    public Sight look(String node, Map<String, String> settings) {
        int given = calls.lastIndexOf("configure " + node + " " + settings);
        boolean started = given >= 0 && calls.lastIndexOf("start " + node) > given;
        return new Sight(started, node + (started ? " reports " : " does not report ") + settings);
    }

    @Override
    public synchronized List<NodeInfo> spares() {
        return spares;
    }

    /** Once is enough: a further call finds it done. */
    @Override
    public void add(String node) {
        call("add " + node);
        synchronized (this) {
            spares.stream().filter(n -> n.id().equals(node)).findFirst().ifPresent(spare -> {
                spares = except(spares, spare);
                nodes = with(nodes, spare);
                states.put(node, State.STARTING);
            });
        }
        script(node, afterStart);
    }

    @Override
    public void remove(String node) {
        call("remove " + node);
        synchronized (this) {
            nodes.stream().filter(n -> n.id().equals(node)).findFirst().ifPresent(member -> {
                nodes = except(nodes, member);
                spares = with(spares, member);
                states.remove(node);
            });
        }
        script(node, afterDown);
    }

    private static List<NodeInfo> with(List<NodeInfo> some, NodeInfo another) {
        return Stream.concat(some.stream(), Stream.of(another)).toList();
    }

    private static List<NodeInfo> except(List<NodeInfo> some, NodeInfo one) {
        return some.stream().filter(n -> !n.equals(one)).toList();
    }

    /** What was done last counts. */
    @Override
    public Sight lookForMember(String node, boolean member) {
        boolean isMember = calls.lastIndexOf("add " + node) > calls.lastIndexOf("remove " + node);
        boolean done = calls.contains((member ? "add " : "remove ") + node) && isMember == member;
        return new Sight(done, node + (isMember ? " is a member" : " is no member"));
    }

    @Override
    public void squeeze(String node, double share) {
        call("squeeze " + node);
        disturbances.add(node + " memory");
    }

    @Override
    public Sight lookForPressure(String node) {
        return new Sight(disturbances.contains(node + " memory"), node + " memory");
    }

    @Override
    public void release(String node) {
        call("release " + node);
        disturbances.removeIf(seen -> seen.equals(node + " memory"));
    }

    @Override
    public void releaseAll() {
        disturbances.removeIf(seen -> seen.endsWith(" memory"));
    }

    @Override
    public List<String> refusals(Path home) {
        return List.of();
    }

    @Override
    public Runnable install(String node, Path home) {
        call("install " + node + " " + home);
        return () -> call("former installation of " + node);
    }

    @Override
    public Sight lookForInstallation(String node, Path home) {
        int given = calls.lastIndexOf("install " + node + " " + home);
        boolean started = given >= 0 && calls.lastIndexOf("start " + node) > given;
        return new Sight(started, node + (started ? " runs from " : " does not run from ") + home);
    }

    @Override
    public void rebalance() {
        call("rebalance");
    }

    @Override
    public Optional<String> alterationLacks(Change change) {
        return Optional.ofNullable(failures.get("lacks " + change.label()));
    }

    @Override
    public void alter(Change change, Duration bound) {
        call(change.label());
        change.undo().ifPresent(undo -> disturbances.add("table " + change.thing()));
        change.undoes().ifPresent(adds -> disturbances.remove("table " + change.thing()));
    }

    @Override
    public Sight lookForAlteration(Change change) {
        return new Sight(calls.contains(change.label()), change.label());
    }

    @Override
    public List<String> undoAlterations(Duration bound) {
        if (failures.containsKey("undo")) {
            throw new NodeControlException(failures.get("undo"));
        }
        List<String> added =
                disturbances.stream().filter(seen -> seen.startsWith("table ")).toList();
        disturbances.removeAll(added);
        return added;
    }

    /** The former primary ends and returns. */
    @Override
    public void switchOver(String node) {
        call("switch over " + node);
        nodes.stream()
                .map(NodeInfo::id)
                .filter(other -> !other.equals(node))
                .findFirst()
                .ifPresent(other -> primary(Optional.of(other)));
        script(node, afterDown);
        script(node, afterStart);
    }

    @Override
    public void failOver(String node) {
        call("fail over to " + node);
        primary(Optional.of(node));
    }

    @Override
    public synchronized List<String> synchronous() {
        return synchronous;
    }

    @Override
    public synchronized Map<String, String> zones() {
        return zones;
    }

    /** The zones of the nodes, in their order. */
    public synchronized FakeNodeController zones(String... names) {
        for (int i = 0; i < names.length; i++) {
            zones.put(nodes.get(i).id(), names[i]);
        }
        return this;
    }

    @Override
    public synchronized boolean stopsWhileStarting() {
        return stopsWhileStarting;
    }

    /** Whether a node is stopped while one starts. */
    public synchronized FakeNodeController stopsWhileStarting(boolean value) {
        stopsWhileStarting = value;
        return this;
    }

    /** For which replicas a commit waits. */
    public synchronized FakeNodeController synchronous(String... replicas) {
        synchronous = List.of(replicas);
        return this;
    }

    @Override
    public List<String> processes() {
        return List.of("supervisor", "server");
    }

    @Override
    public void kill(String node, String process) {
        call("kill " + process + " of " + node);
    }

    @Override
    public Sight lookForEnd(String node, String process) {
        boolean killed = calls.contains("kill " + process + " of " + node);
        return new Sight(killed, process + " of " + node);
    }

    @Override
    public void pause(String node, String process) {
        call("pause " + process + " of " + node);
        disturbances.add(node + " " + process);
    }

    @Override
    public Sight lookForPause(String node, String process) {
        return new Sight(disturbances.contains(node + " " + process), node + " " + process);
    }

    @Override
    public void resume(String node, String process) {
        call("resume " + process + " of " + node);
        disturbances.removeIf(seen -> seen.equals(node + " " + process));
    }

    @Override
    public List<String> resumeAll() {
        List<String> stopped = disturbances.stream()
                .filter(seen -> processes().stream().anyMatch(process -> seen.endsWith(" " + process)))
                .toList();
        disturbances.removeAll(stopped);
        return stopped.stream()
                .map(seen -> seen.replaceFirst("(\\S+) (\\S+)", "$2 of $1"))
                .toList();
    }

    @Override
    public Sight lookForBalance() {
        return new Sight(calls.contains("rebalance"), "balance");
    }

    /** Of servers and disks. */
    @Override
    public void restoreAll() {
        if (failures.containsKey("restoreAll")) {
            throw new NodeControlException(failures.get("restoreAll"));
        }
        disturbances.removeIf(seen -> !seen.contains(" link ")
                && !seen.startsWith("table ")
                && !seen.endsWith(" starve")
                && !seen.endsWith(" memory")
                && processes().stream().noneMatch(process -> seen.endsWith(" " + process)));
    }

    @Override
    public void kill(String node) {
        down("kill " + node, node);
    }

    @Override
    public void stop(String node, Mode mode, Duration bound) {
        down("stop " + node + " " + mode, node);
    }

    private void down(String call, String node) {
        call(call);
        synchronized (this) {
            if (!states.containsKey(node)) {
                throw new NodeControlException("there is no " + node);
            }
        }
        if (!idle && (change(node, State.DOWN) != State.DOWN | orphaned.remove(node))) {
            synchronized (this) {
                due.removeIf(event -> silentOnceDown && event.node().equals(node));
            }
            script(node, afterDown);
        }
    }

    @Override
    public void start(String node) {
        up("start " + node, node);
    }

    @Override
    public void startInitial(String node) {
        synchronized (this) {
            if (states.get(node) != State.DOWN) {
                throw new NodeControlException(node + " is running; an initial start needs it down");
            }
        }
        up("startInitial " + node, node);
    }

    private void up(String call, String node) {
        call(call);
        synchronized (this) {
            if (!states.get(node).needsStart()) {
                return;
            }
            states.put(node, State.STARTING);
        }
        script(node, afterStart);
    }

    @Override
    public void awaitStarted(String node, Duration bound) {
        call("awaitStarted " + node);
        if (status().stream().anyMatch(s -> s.id().equals(node) && s.state() != State.STARTED)) {
            throw new NodeControlException("node " + node + " is not started");
        }
    }

    @Override
    public void pause(String node) {
        call("pause " + node);
        change(node, State.PAUSED);
    }

    @Override
    public void resume(String node) {
        call("resume " + node);
        synchronized (this) {
            if (states.get(node) == State.PAUSED) {
                states.put(node, State.STARTED);
            }
        }
    }

    private synchronized State change(String node, State state) {
        return idle ? states.get(node) : states.put(node, state);
    }

    @Override
    public void close() {
        listeners.clear();
    }
}
