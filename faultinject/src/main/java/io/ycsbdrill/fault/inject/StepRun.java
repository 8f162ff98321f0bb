package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.Demands.Subject;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.marker.FaultFailed;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.marker.SteadyReached;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.recovery.Recovery;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.When;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** One step of a running schedule with all of its injections. Owned by {@code fault-injector}. */
final class StepRun {
    /** How long an engine may take to name a replica for which commits wait, after the last one of these was hit. */
    private static final Duration SYNCHRONOUS_BOUND = Duration.ofSeconds(30);

    private static final Duration SYNCHRONOUS_EVERY = Duration.ofMillis(100);

    private final InjectionContext world;
    private final SteadyGate gate;
    private final ScheduledFault step;
    private final Map<String, StepRun> byName;
    private final long seed;
    private final int times;
    private final int before;
    private final List<TargetRun> all = new ArrayList<>();
    private List<TargetRun> latest = List.of();
    private int injected;
    private long lastInjectedAt;
    private boolean waiting;
    /** Since when no commit waits for a replica that could be hit; empty when nobody has asked, or one does. */
    private OptionalLong unchosenSince = OptionalLong.empty();

    private long askAgainAt;
    private Optional<String> failure = Optional.empty();

    /**
     * Nothing is injected yet.
     *
     * @param cycle from 1; what it injects is numbered on from the cycles before
     */
    StepRun(
            InjectionContext world,
            SteadyGate gate,
            ScheduledFault step,
            Map<String, StepRun> byName,
            long seed,
            int cycle) {
        this.world = world;
        this.gate = gate;
        this.step = step;
        this.byName = byName;
        this.seed = seed;
        // Where there is nothing to choose from now there may be when it is due; else that is said then.
        times = Math.max(1, step.times(targets().size()));
        before = (cycle - 1) * times;
    }

    /** Whether every injection is over. */
    boolean over() {
        return injected == times && latestOver();
    }

    /** Why it failed; empty when it did not. */
    Optional<String> failure() {
        return failure.or(() -> all.stream().flatMap(t -> t.failure().stream()).findFirst());
    }

    /** Whether this step has left the node of the recovery down, as it was meant to. */
    boolean leftDown(Recovery recovery) {
        return all.stream().anyMatch(t -> t.leftDown(recovery));
    }

    /**
     * Continues as far as it can now.
     *
     * @param origin from when {@code at} counts, since run start
     */
    void poll(long now, long origin) {
        all.forEach(t -> t.poll(now));
        waiting = waiting && now < waitsUntil();
        if (failure().isPresent() || injected == times) {
            return;
        }
        OptionalLong due = due(origin);
        if (due.isEmpty() && step.when() instanceof When.After after) {
            checkReachable(after, now);
        } else if (due.isEmpty() && step.when() instanceof When.InPhase aim) {
            checkReachable(aim, now, origin);
        }
        if (due.isEmpty() || now < due.getAsLong()) {
            return;
        }
        if (now < askAgainAt || unchosenSince.isEmpty() && step.steady() && !steady(now, due.getAsLong())) {
            return;
        }
        inject(now);
    }

    private OptionalLong due(long origin) {
        if (injected > 0) {
            return latestOver()
                    ? OptionalLong.of(
                            Math.max(lastInjectedAt + step.repeat().every().toNanos(), latestOverAt()))
                    : OptionalLong.empty();
        }
        if (step.when() instanceof When.At at) {
            return OptionalLong.of(origin + at.offset().toNanos());
        }
        if (step.when() instanceof When.InPhase aim) {
            OptionalLong entered = world.tracker.recoveries().stream()
                    .filter(recovery -> recovery.node().equals(aim.node()) && recovery.startNanos() >= origin)
                    .flatMapToLong(recovery -> recovery.firstReachedNanos(aim.phase()).stream())
                    .min();
            return entered.isPresent()
                    ? OptionalLong.of(entered.getAsLong() + aim.delay().toNanos())
                    : entered;
        }
        When.After after = (When.After) step.when();
        OptionalLong reached = byName.get(after.step()).reached(after.phase());
        return reached.isPresent()
                ? OptionalLong.of(reached.getAsLong() + after.delay().toNanos())
                : reached;
    }

    /** A phase that was not reached when the step was long over never will be. */
    private void checkReachable(When.After after, long now) {
        StepRun awaited = byName.get(after.step());
        if (injected == 0 && awaited.over() && now - awaited.latestOverAt() > world.recoveryBound.toNanos()) {
            fail(
                    now,
                    "waited for " + after.step()
                            + after.phase().map(p -> "." + p.label()).orElse("")
                            + ", which was not reached within " + world.recoveryBound.toSeconds()
                            + " s after that step was over");
        }
    }

    /** When all others are over, or wait as this one does, nobody brings the node there any more. */
    private void checkReachable(When.InPhase aim, long now, long origin) {
        boolean waits = byName.values().stream()
                .allMatch(other ->
                        other.over() || other.injected == 0 && other.due(origin).isEmpty());
        long last = byName.values().stream()
                .filter(StepRun::over)
                .mapToLong(StepRun::latestOverAt)
                .max()
                .orElse(origin);
        if (injected == 0 && waits && now - last > world.recoveryBound.toNanos()) {
            fail(
                    now,
                    "waited for " + aim.node() + "." + aim.phase().label() + ", which was not reached within "
                            + world.recoveryBound.toSeconds() + " s after the other steps were over");
        }
    }

    private long waitsUntil() {
        return lastInjectedAt
                + step.fault().hold().map(h -> h.atLeast().toNanos()).orElse(0L);
    }

    /** When all nodes of the last injection were in the phase; without a phase, when the step was over. */
    private OptionalLong reached(Optional<Phase> phase) {
        if (injected < times) {
            return OptionalLong.empty();
        }
        if (phase.isEmpty() || step.fault().subject() == Subject.NOTHING) {
            return latestOver() ? OptionalLong.of(latestOverAt()) : OptionalLong.empty();
        }
        List<OptionalLong> each =
                latest.stream().map(t -> t.reached(phase.get())).toList();
        return each.stream().anyMatch(OptionalLong::isEmpty)
                ? OptionalLong.empty()
                : each.stream().mapToLong(OptionalLong::getAsLong).max();
    }

    private boolean latestOver() {
        return injected > 0 && !waiting && latest.stream().allMatch(TargetRun::over);
    }

    private long latestOverAt() {
        return latest.stream().mapToLong(TargetRun::overAt).max().orElseGet(this::waitsUntil);
    }

    private boolean steady(long now, long due) {
        Optional<SteadyReached> reached = gate.steady(now, due);
        if (reached.isPresent()) {
            world.emit(reached.get());
            world.settled(now);
        } else if (now - due > gate.withinNanos()) {
            fail(now, "throughput did not become steady in time: " + gate.last());
        }
        return reached.isPresent();
    }

    private void inject(long now) {
        Occurrence of = step.occurrence(before + injected + 1);
        List<String> targets;
        Map<String, NodeStatus> states = new HashMap<>();
        try {
            world.controller.status().forEach(s -> states.put(s.id(), seen(s)));
            targets = step.node().resolve(choice(of.number(), states));
            unchosenSince = OptionalLong.empty();
        } catch (NodeControlException e) {
            if (step.node().needsSynchronous() && mayAskAgain(now)) {
                return;
            }
            fail(now, "node " + step.node().text() + ": " + e.getMessage());
            return;
        }
        if (world.stopping()) {
            return; // the question took its time
        }
        List<NodeInfo> hit = Stream.concat(targets().stream(), step.fault().namedTargets(world.controller).stream())
                .filter(node -> targets.contains(node.id()))
                .toList();
        if (hit.isEmpty()) {
            fail(
                    now,
                    "node " + step.node().text() + ": " + step.fault().name() + " cannot be applied to "
                            + String.join(", ", targets));
            return;
        }
        Optional<NodeInfo> already = hit.stream()
                .filter(node -> step.fault().leadsTo().isPresent())
                .filter(node -> states.containsKey(node.id())
                        && states.get(node.id()).wholly(step.fault().leadsTo().get()))
                .findFirst();
        if (already.isPresent()) {
            fail(
                    now,
                    "node " + already.get().id() + " is "
                            + states.get(already.get().id()).state() + " already, so "
                            + step.fault().name() + " has no effect");
            return;
        }
        Optional<String> conflict = hit.stream()
                .flatMap(node -> world.conflict(node.id(), step.fault()).stream())
                .findFirst();
        if (conflict.isPresent()) {
            fail(now, conflict.get());
            return;
        }
        // The cluster may have taken its time to say where.
        long at = world.clock.now();
        injected++;
        lastInjectedAt = at;
        if (step.fault().subject() == Subject.NOTHING) {
            waiting = true;
            return;
        }
        List<TargetRun> begun = new ArrayList<>();
        for (NodeInfo node : hit) {
            begun.add(new TargetRun(world, step.fault(), of, node, step.node().text(), at));
        }
        latest = List.copyOf(begun);
        all.addAll(latest);
        latest.forEach(t -> t.poll(at));
    }

    private boolean mayAskAgain(long now) {
        unchosenSince = OptionalLong.of(unchosenSince.orElse(now));
        askAgainAt = now + SYNCHRONOUS_EVERY.toNanos();
        return now - unchosenSince.getAsLong() < SYNCHRONOUS_BOUND.toNanos();
    }

    /** A node that only looks paused is up nevertheless. */
    private NodeStatus seen(NodeStatus status) {
        return status.state() == NodeStatus.State.PAUSED && world.looksPaused(status.id())
                ? new NodeStatus(status.id(), NodeStatus.State.STARTED, status.detail(), status.pid())
                : status;
    }

    private NodeSelector.Choice choice(int occurrence, Map<String, NodeStatus> states) {
        Predicate<String> fit = id -> !states.containsKey(id)
                || states.get(id).state() == step.fault().expects()
                || canStillFall(states.get(id));
        return new NodeSelector.Choice(
                targets(),
                targets().stream().map(NodeInfo::id).filter(fit).toList(),
                world.controller::primary,
                world.controller::zones,
                world.controller::synchronous,
                occurrence,
                new SplittableRandom(seed ^ (((long) step.name().hashCode()) << 32) ^ occurrence),
                name -> byName.get(name).latest.stream().map(TargetRun::node).toList());
    }

    /** Whether a process of a node that is down goes on, and the fault ends it. */
    private boolean canStillFall(NodeStatus now) {
        return !now.wholly(now.state()) && step.fault().leadsTo().equals(Optional.of(now.state()));
    }

    private List<NodeInfo> targets() {
        return step.fault().targets(world.controller);
    }

    private void fail(long now, String text) {
        failure = Optional.of("step " + step.name() + ": " + text);
        world.emit(new FaultFailed(now, "", step.occurrence(before + Math.min(injected + 1, times)), text));
    }
}
