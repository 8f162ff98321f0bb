package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.fault.Effect;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.FaultContext;
import io.ycsbdrill.fault.Lasts;
import io.ycsbdrill.fault.NodeChange;
import io.ycsbdrill.fault.marker.EngineObserved;
import io.ycsbdrill.fault.marker.FaultEnded;
import io.ycsbdrill.fault.marker.FaultStarted;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.marker.PhaseEntered;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.Expandable;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.recovery.Observation;
import io.ycsbdrill.fault.recovery.Recovery;
import io.ycsbdrill.fault.recovery.RecoveryTracker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** What the parts of a running schedule share. Owned by the thread {@code fault-injector}. */
final class InjectionContext {
    final NodeController controller;
    final FaultContext context;
    final RunClock clock;
    final RecoveryTracker tracker = new RecoveryTracker();
    final HealRecord record;
    final Duration recoveryBound;

    private final Executor executor;
    private final Consumer<Marker> markers;
    private final PhaseListener phases;
    private final List<Open> open = new ArrayList<>();
    private final Map<String, Occurrence> lastBegun = new HashMap<>();
    private final Map<String, EngineObserved> lastDown = new HashMap<>();
    private final Map<String, EngineObserved> lastUnhandled = new HashMap<>();
    private volatile boolean stopping;
    private Phase phase = Phase.STEADY;
    private long phaseAt;

    /** Something to heal, and the injection that it belongs to. */
    private record Open(String node, Occurrence of, HealRecord.Entry entry, Fault fault, TargetRun run) {}

    InjectionContext(
            NodeController controller,
            FaultContext context,
            RunClock clock,
            HealRecord record,
            Duration recoveryBound,
            Executor executor,
            Consumer<Marker> markers,
            PhaseListener phases) {
        this.controller = controller;
        this.context = context;
        this.clock = clock;
        this.record = record;
        this.recoveryBound = recoveryBound;
        this.executor = executor;
        this.markers = markers;
        this.phases = phases;
    }

    /** Nothing more is to be begun; from any thread. */
    void stop() {
        stopping = true;
    }

    /** Whether the drill is being stopped; from any thread. */
    boolean stopping() {
        return stopping;
    }

    /**
     * Recoveries that are not over, of nodes that belong to the cluster or are being added to it: one that was removed is down for
     * good.
     */
    List<Recovery> underWay() {
        List<Recovery> active = tracker.active();
        if (active.isEmpty()) {
            return active;
        }
        List<String> spares = controller.capability(Expandable.class).map(Expandable::spares).orElse(List.of()).stream()
                .map(NodeInfo::id)
                .toList();
        return active.stream()
                .filter(recovery -> recovery.phase() == Phase.FAULT || !spares.contains(recovery.node()))
                .toList();
    }

    /** Does something to a node without blocking this thread; the result is the moment at which it was done. */
    CompletableFuture<Long> submit(Runnable action) {
        return call(() -> {
            action.run();
            return clock.now();
        });
    }

    /** Looks for the effect of a fault without blocking this thread. */
    CompletableFuture<Seen> look(Supplier<Sight> question) {
        return call(() -> {
            Sight sight = question.get();
            return new Seen(clock.now(), sight);
        });
    }

    private <T> CompletableFuture<T> call(Supplier<T> what) {
        try {
            return CompletableFuture.supplyAsync(what, executor);
        } catch (RejectedExecutionException e) {
            return new CompletableFuture<>(); // the drill is being stopped, and nobody waits for it any more
        }
    }

    /** What was seen, and when that was known. */
    record Seen(long atNanos, Sight sight) {}

    /** The last injection that has begun a fault on the node; null when there was none. */
    Occurrence lastBegun(String node) {
        return lastBegun.get(node);
    }

    /** The engine's last word that the node is down; null when there was none. */
    EngineObserved lastDown(String node) {
        return lastDown.get(node);
    }

    /** The engine's last word that no node is left to handle the failure of this one; null when there was none. */
    EngineObserved lastUnhandled(String node) {
        return lastUnhandled.get(node);
    }

    /** Every marker goes through here, so what the tracker knows can be replayed from the markers. */
    void emit(Marker marker) {
        markers.accept(marker);
        if (marker instanceof EngineObserved event && event.signal() == EngineEvent.Signal.NODE_DOWN) {
            lastDown.put(event.node(), event);
            boolean replacing =
                    openOn(event.node()).stream().anyMatch(o -> o.fault().changes() == NodeChange.PROCESS_REPLACED);
            if (replacing) {
                changed(event.node(), NodeChange.PROCESS_ENDED, event.atNanos(), event.atNanos());
            }
        } else if (marker instanceof EngineObserved event && event.signal() == EngineEvent.Signal.UNHANDLED) {
            lastUnhandled.put(event.node(), event);
        } else if (marker instanceof FaultStarted begun && !begun.bringsBack()) {
            lastBegun.put(begun.node(), begun.of());
        }
        Observation.of(marker).ifPresent(o -> {
            List<PhaseEntered> changes = tracker.observe(o);
            Phase next = tracker.phase(underWay());
            for (PhaseEntered change : changes) {
                markers.accept(change);
                enter(change.atNanos(), next);
            }
            enter(o.atNanos(), next);
        });
    }

    /** The throughput is steady again: when all recoveries are over, so is the last one's aftermath. */
    void settled(long now) {
        if (phase == Phase.RECOVERED) {
            enter(now, Phase.STEADY);
        }
    }

    private void enter(long at, Phase next) {
        boolean settled = phase == Phase.STEADY && next == Phase.RECOVERED;
        if (next != phase && !settled) {
            phase = next;
            phaseAt = Math.max(phaseAt, at);
            phases.entered(phaseAt, next);
        }
    }

    /** Why a fault cannot begin on the node now, as another one is in force there; empty when it can. */
    Optional<String> conflict(String node, Fault fault) {
        return openOn(node).stream()
                .filter(o -> !o.run().ofFormerProcess())
                .flatMap(o -> fault
                        .conflict(o.fault())
                        .map(why -> "step " + o.of().step() + " is in force on node " + node + ": " + why)
                        .stream())
                .findFirst();
    }

    /** A fault begins: from now on there is something to heal. */
    void opened(NodeInfo node, Occurrence of, Fault fault, TargetRun run) {
        HealRecord.Entry entry = HealRecord.Entry.of(node, of, fault);
        record.add(entry);
        open.add(new Open(node.id(), of, entry, fault, run));
    }

    /** Whether the node looks paused, through a fault that is in force there, though it is up. */
    boolean looksPaused(String node) {
        return openOn(node).stream()
                .anyMatch(o -> o.fault().looksPaused() && !o.run().ofFormerProcess());
    }

    /** The fault has undone itself. */
    void closed(String node, Occurrence of) {
        openOn(node).stream().filter(o -> o.of().equals(of)).forEach(this::forget);
    }

    /** This has become of the node, by a fault: that may end others that are in force there. */
    void changed(String node, NodeChange change, long requestedAt, long at) {
        openOn(node).stream()
                .sorted(Comparator.comparing(o -> o.fault().lasts()))
                .forEach(o -> {
                    if (o.fault().lasts() == Lasts.UNTIL_STARTED
                            && o.fault().lasts().endedBy(change)) {
                        forget(o);
                        emit(new FaultEnded(at, requestedAt, node, o.of(), Effect.NONE));
                    } else {
                        o.run().changed(change, requestedAt, at);
                    }
                });
    }

    /** What a cycle has left open is healed now, which ends its faults. */
    void healedAfterCycle(long requestedAt, long at) {
        closeAll(requestedAt, at, Fault::ended, this::emit);
    }

    /** What is still open is healed now; emits markers without touching the recoveries, which are those of the run. */
    void healed(long requestedAt, long at) {
        closeAll(requestedAt, at, fault -> Effect.NONE, markers);
    }

    private void closeAll(long requestedAt, long at, Function<Fault, Effect> effect, Consumer<Marker> to) {
        for (Open o : List.copyOf(open)) {
            open.remove(o);
            to.accept(new FaultEnded(at, requestedAt, o.node(), o.of(), effect.apply(o.fault())));
        }
    }

    /** A marker that does not concern a recovery. */
    void note(Marker marker) {
        markers.accept(marker);
    }

    private List<Open> openOn(String node) {
        return open.stream().filter(o -> o.node().equals(node)).toList();
    }

    private void forget(Open o) {
        open.remove(o);
        record.remove(o.entry());
    }
}
