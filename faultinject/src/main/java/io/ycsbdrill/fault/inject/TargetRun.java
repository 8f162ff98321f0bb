package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.Course.Hold;
import io.ycsbdrill.fault.Effect;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.NodeChange;
import io.ycsbdrill.fault.inject.TargetState.AwaitingNews;
import io.ycsbdrill.fault.inject.TargetState.Calling;
import io.ycsbdrill.fault.inject.TargetState.Ending;
import io.ycsbdrill.fault.inject.TargetState.Failed;
import io.ycsbdrill.fault.inject.TargetState.Holding;
import io.ycsbdrill.fault.inject.TargetState.Injecting;
import io.ycsbdrill.fault.inject.TargetState.Over;
import io.ycsbdrill.fault.inject.TargetState.Settling;
import io.ycsbdrill.fault.marker.EngineObserved;
import io.ycsbdrill.fault.marker.FaultEnded;
import io.ycsbdrill.fault.marker.FaultFailed;
import io.ycsbdrill.fault.marker.FaultInjected;
import io.ycsbdrill.fault.marker.FaultStarted;
import io.ycsbdrill.fault.marker.Noted;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.recovery.Recovery;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** One injection of one fault into one node, from its start until the node has recovered. Owned by {@code fault-injector}. */
final class TargetRun {
    /** How long an engine may take to say what a look has shown, that a node is down: some ask several times first. */
    private static final Duration NEWS_BOUND = Duration.ofSeconds(30);

    private final InjectionContext world;
    private final Fault fault;
    private final Occurrence of;
    private final NodeInfo node;
    private final long beganAt;
    private final EffectProbe probe;
    private final TargetRecovery recovery;
    private final EjectionWatch ejection;
    private final Optional<ProcessWatch> startedProcess;

    private boolean ofFormerProcess;
    /** {@link #enter} is the only place where it changes. */
    private TargetState state;

    /** Begins at once. */
    TargetRun(InjectionContext world, Fault fault, Occurrence of, NodeInfo node, String selector, long now) {
        this.world = world;
        this.fault = fault;
        this.of = of;
        this.node = node;
        beganAt = now;
        probe = new EffectProbe(world, fault, of, node, now);
        recovery = new TargetRecovery(world, fault, of, node, now);
        ejection = new EjectionWatch(world, node, fault);
        startedProcess = fault.last() == Effect.PROCESS_STARTED && !fault.startsEjectedNode()
                ? ProcessWatch.of(world, node)
                : Optional.<ProcessWatch>empty();
        world.emit(new FaultStarted(now, node.id(), of, selector, fault.bringsBack(), fault.last() == Effect.RELEASED));
        if (!fault.bringsBack()) {
            world.opened(node, of, fault, this);
        }
        enter(new Injecting(now, world.submit(() -> fault.inject(world.controller, node, world.context))));
    }

    String node() {
        return node.id();
    }

    boolean over() {
        return state instanceof Over;
    }

    /** When it was over; 0 while it is not. */
    long overAt() {
        return state instanceof Over over ? over.at() : 0;
    }

    Optional<String> failure() {
        return state instanceof Failed failed ? Optional.of(failed.reason()) : Optional.empty();
    }

    /** Whether it has left its node down, as it was meant to. */
    boolean leftDown(Recovery recovery) {
        return over()
                && fault.settles().staysUntilTheEnd()
                && recovery.of().equals(of)
                && recovery.node().equals(node.id());
    }

    /** When this fault brought its node into the phase, or a later one. */
    OptionalLong reached(Phase phase) {
        boolean early =
                state instanceof AwaitingNews ? phase != Phase.FAULT : phase == Phase.RECOVERED && recovery.underWay();
        if (early) {
            return OptionalLong.empty();
        }
        OptionalLong reached = recovery.reached(phase);
        boolean overWithout = reached.isEmpty() && recovery.own().isEmpty() && over() && phase == Phase.RECOVERED;
        return overWithout ? OptionalLong.of(overAt()) : reached;
    }

    /** Whether it was done to a process that its node has no more, so that it is in no later fault's way. */
    boolean ofFormerProcess() {
        return ofFormerProcess;
    }

    /** This has become of its node, by whatever fault: that may have ended this one. */
    void changed(NodeChange change, long requestedAt, long at) {
        // One that has begun since is of the process that was started.
        boolean before = beganAt <= (change.leavesNoProcess() ? at : requestedAt);
        ofFormerProcess |= before && fault.lasts().outlived(change);
        boolean ends = (before || ofFormerProcess)
                && state instanceof Holding
                && fault.lasts().endedBy(change);
        if (ends && ofFormerProcess) {
            enter(ending(at)); // what was done to the former process would stay
        } else if (ends) {
            enter(ended(requestedAt, at));
        }
    }

    /** Continues as far as it can now. */
    void poll(long now) {
        TargetState before;
        do {
            before = state;
            if (!(state instanceof Failed)) {
                probe.poll(now, state instanceof Injecting);
            }
            enter(next(now));
        } while (state != before);
        if (state instanceof Settling && recovery.lastToBegin()) {
            startedProcess
                    .flatMap(process -> process.poll(now))
                    .ifPresent(ended -> enter(failed(now, "was started, but " + ended)));
        }
        boolean leftAlone = state instanceof Settling || over();
        if (fault.startsEjectedNode() && leftAlone && recovery.ejected()) {
            ejection.poll(now)
                    .ifPresent(why ->
                            enter(failed(now, "was ejected from the cluster and could not be started again: " + why)));
        }
    }

    private void enter(TargetState next) {
        state = next;
    }

    /** The state that follows now; the same one when nothing has changed. */
    private TargetState next(long now) {
        if (state instanceof Calling calling) {
            return calling(calling, now);
        }
        if (state instanceof Holding holding) {
            return probe.proven() ? holding(holding, now) : unproven(holding, holding.injectedAt(), now);
        }
        if (state instanceof AwaitingNews waiting) {
            return probe.proven() ? awaitingNews(waiting, now) : unproven(waiting, waiting.confirmedAt(), now);
        }
        if (state instanceof Settling settling) {
            return probe.proven() ? settling(settling, now) : unproven(settling, settling.confirmedAt(), now);
        }
        return state;
    }

    private TargetState unproven(TargetState waiting, long injectedAt, long now) {
        Duration bound = fault.effectBound();
        return now - injectedAt <= bound.toNanos()
                ? waiting
                : failed(
                        now,
                        "shows no effect of " + fault.name() + ": fault not effective within " + bound.toSeconds()
                                + " s; seen at last: " + probe.last());
    }

    private TargetState calling(Calling calling, long now) {
        boolean ending = calling instanceof Ending;
        if (!doneBy(now, calling.call())) {
            Duration bound = callBound();
            return now - calling.requestedAt() > bound.toNanos()
                    ? failed(
                            now,
                            "did not respond to " + (ending ? "the end of " : "") + fault.name() + " within "
                                    + bound.toSeconds() + " s")
                    : calling;
        }
        try {
            long confirmedAt = calling.call().join();
            return ending ? ended(calling.requestedAt(), confirmedAt) : injected(calling.requestedAt(), confirmedAt);
        } catch (CompletionException e) {
            return failed(
                    now,
                    (ending ? "end of " : "") + fault.name() + " failed: " + NodeControlException.reason(e.getCause()));
        }
    }

    /** A command has a bound of its own and says itself when it meets it: one to heal, and one that is asked after it. */
    private Duration callBound() {
        return fault.commands().isEmpty()
                ? world.recoveryBound
                : world.recoveryBound.plus(fault.commands().bound().multipliedBy(2));
    }

    /** Whether it has ended when this poll began; what ends during it is for the next one. */
    private static boolean doneBy(long now, CompletableFuture<Long> call) {
        return call.isDone() && (call.isCompletedExceptionally() || call.join() <= now);
    }

    private TargetState injected(long requestedAt, long confirmedAt) {
        probe.confirmed(confirmedAt);
        world.emit(new FaultInjected(confirmedAt, requestedAt, node.id(), of, fault.injected()));
        world.changed(node.id(), fault.changes(), requestedAt, confirmedAt);
        if (fault.hold().isPresent()) {
            return new Holding(confirmedAt);
        }
        if (!fault.settles().healsAtTheEnd()) {
            world.emit(new FaultEnded(confirmedAt, requestedAt, node.id(), of, Effect.NONE));
            world.closed(node.id(), of);
        }
        return done(confirmedAt);
    }

    private TargetState done(long confirmedAt) {
        return recovery.byEngineAlone() ? new AwaitingNews(confirmedAt) : new Settling(confirmedAt);
    }

    private TargetState holding(Holding holding, long now) {
        Hold hold = fault.hold().orElseThrow();
        long held = now - holding.injectedAt();
        if (held < hold.atLeast().toNanos()) {
            return holding;
        }
        if (hold.untilHandled() && reached(Phase.DOWN).isEmpty() && recovery.hasSurvivors(holding.injectedAt())) {
            if (held < Hold.HANDLING_BOUND.toNanos()) {
                return holding;
            }
            unhandled(now);
        }
        return ending(now);
    }

    private TargetState ending(long now) {
        if (ofFormerProcess && world.looksPaused(node.id())) {
            return ended(now, now); // another one of its kind has taken its place, and that one would be ended
        }
        return new Ending(now, world.submit(() -> fault.end(world.controller, node, world.context)));
    }

    private TargetState ended(long requestedAt, long confirmedAt) {
        world.emit(new FaultEnded(confirmedAt, requestedAt, node.id(), of, fault.ended()));
        world.closed(node.id(), of);
        world.changed(node.id(), fault.ended().change(), requestedAt, confirmedAt);
        return done(confirmedAt);
    }

    /** Not for ever: an engine may never say it of a node that was back at once, and nobody does of unwatched servers. */
    private TargetState awaitingNews(AwaitingNews waiting, long now) {
        Optional<EngineObserved> news = recovery.news();
        if (news.isEmpty() && recovery.lastToBegin() && now - probe.provenAt() <= NEWS_BOUND.toNanos()) {
            return waiting;
        }
        return new Settling(news.map(said -> Math.max(waiting.confirmedAt(), said.atNanos()))
                .orElse(waiting.confirmedAt()));
    }

    private TargetState settling(Settling settling, long now) {
        OptionalLong settled = settledAt(settling.confirmedAt());
        if (settled.isPresent()) {
            return new Over(settled.getAsLong());
        }
        long waited = now - settling.confirmedAt();
        if (fault.settles().phase() == Phase.DOWN) {
            if (!recovery.hasSurvivors(settling.confirmedAt())) {
                return new Over(
                        Math.max(settling.confirmedAt(), recovery.leftAloneAt().orElse(0)));
            }
            if (waited >= Hold.HANDLING_BOUND.toNanos()) {
                unhandled(now);
                return new Over(now);
            }
        }
        if (waited > world.recoveryBound.toNanos()) {
            String last = recovery.latest().map(r -> r.phase().label()).orElse("none");
            return failed(
                    now,
                    FaultFailed.NOT_RECOVERED + world.recoveryBound.toSeconds() + " s after " + fault.name()
                            + "; last phase: " + last);
        }
        return settling;
    }

    private OptionalLong settledAt(long confirmedAt) {
        Phase phase = fault.settles().phase();
        if (fault.settles().staysUntilTheEnd() && phase != Phase.DOWN) {
            // A user's command: nobody knows whether it takes the node down.
            return OptionalLong.of(confirmedAt);
        }
        if (recovery.byEngineAlone()) {
            return recovery.underWay()
                    ? OptionalLong.empty()
                    : OptionalLong.of(Math.max(confirmedAt, recovery.lastRecoveredAt()));
        }
        OptionalLong reached = reached(phase);
        if (reached.isPresent()) {
            return OptionalLong.of(Math.max(reached.getAsLong(), confirmedAt));
        }
        // Overtaken by a further fault on the same node, or a start of a node that had nothing to recover from.
        return recovery.active() ? OptionalLong.empty() : OptionalLong.of(confirmedAt);
    }

    private void unhandled(long now) {
        world.emit(new Noted(
                now,
                node.id(),
                "the survivors did not report within " + Hold.HANDLING_BOUND.toSeconds()
                        + " s that they have handled the failure"));
    }

    private TargetState failed(long now, String what) {
        probe.proveBefore(now);
        String text = "node " + node.id() + " " + what;
        world.emit(new FaultFailed(now, node.id(), of, text));
        return new Failed("step " + of.step() + ": " + text);
    }
}
