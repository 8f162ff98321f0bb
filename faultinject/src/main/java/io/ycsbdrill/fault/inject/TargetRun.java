package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.Capabilities;
import io.ycsbdrill.fault.Effect;
import io.ycsbdrill.fault.EngineObserved;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.FaultEffective;
import io.ycsbdrill.fault.FaultEnded;
import io.ycsbdrill.fault.FaultFailed;
import io.ycsbdrill.fault.FaultInjected;
import io.ycsbdrill.fault.FaultStarted;
import io.ycsbdrill.fault.Hold;
import io.ycsbdrill.fault.Noted;
import io.ycsbdrill.fault.Occurrence;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.RemoveNode;
import io.ycsbdrill.fault.ResumeNode;
import io.ycsbdrill.fault.RollingChange;
import io.ycsbdrill.fault.StarveNode;
import io.ycsbdrill.fault.inject.InjectionContext.Seen;
import io.ycsbdrill.fault.node.EndedProcess;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.recovery.Recovery;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/** One injection of one fault into one node, from its start until the node has recovered. Owned by {@code fault-injector}. */
final class TargetRun {
    private static final Duration EJECTION_CHECK = Duration.ofSeconds(1);

    /** How long an engine may take to say what a look has shown, that a node is down: some ask several times first. */
    private static final Duration NEWS_BOUND = Duration.ofSeconds(30);

    /** How far it is; times are since run start. {@link #enter} is the only place where it changes. */
    private sealed interface State {

        /** A call to the controller is under way. */
        sealed interface Calling extends State {
            long requestedAt();

            /** The moment at which it was done. */
            CompletableFuture<Long> call();
        }

        record Injecting(long requestedAt, CompletableFuture<Long> call) implements Calling {}

        /** The fault lasts for its {@link Hold}. */
        record Holding(long injectedAt) implements State {}

        record Ending(long requestedAt, CompletableFuture<Long> call) implements Calling {}

        /** A command has done what it does to its node, and the engine has yet to say that the node is down. */
        record AwaitingNews(long confirmedAt) implements State {}

        /**
         * Nothing is left to do but to await the phase at which the fault settles.
         *
         * @param confirmedAt when the last call was done; when a command's node went down, if that was later
         */
        record Settling(long confirmedAt) implements State {}

        record Over(long at) implements State {}

        record Failed(String reason) implements State {}
    }

    private final InjectionContext world;
    private final Fault fault;
    private final Occurrence of;
    private final NodeInfo node;
    private final long beganAt;
    private final EffectProbe probe;
    /** What the engine had said before it began, at last, of its node being down; null when it had not. */
    private final EngineObserved downBefore;
    /** It is a command that takes its node down: only the engine says that it is down, and when it is back. */
    private final boolean awaitsEngine;

    private boolean effective;
    private long effectiveAt;
    private boolean ofFormerProcess;
    private State state;
    private CompletableFuture<Long> ejectionCheck = CompletableFuture.completedFuture(0L);
    private long ejectionCheckedAt;
    private final Optional<EndedProcess> startedProcess;
    private CompletableFuture<Seen> processLook = CompletableFuture.failedFuture(new IllegalStateException("none yet"));
    private long processLookedAt;

    /** Begins at once. */
    TargetRun(InjectionContext world, Fault fault, Occurrence of, NodeInfo node, String selector, long now) {
        this.world = world;
        this.fault = fault;
        this.of = of;
        this.node = node;
        beganAt = now;
        downBefore = world.lastDown(node.id());
        probe = new EffectProbe(world, fault, node);
        awaitsEngine = fault.provenByNodeDown()
                && fault.leadsTo().isEmpty()
                && !fault.staysUntilTheEnd()
                && fault.healedCommand(node).isEmpty();
        boolean starts = (fault.hold().isPresent() ? fault.ended() : fault.injected()) == Effect.PROCESS_STARTED;
        startedProcess = world.controller
                .capability(Startable.class)
                .filter(nodes -> starts)
                .map(nodes -> new EndedProcess(() -> nodes.ended(node.id())));
        world.emit(new FaultStarted(now, node.id(), of, selector, fault.bringsBack(), releases(fault)));
        if (!fault.bringsBack()) {
            world.opened(node, of, fault, this);
        }
        enter(new State.Injecting(now, world.submit(() -> fault.inject(world.controller, node, world.context))));
    }

    private static boolean releases(Fault fault) {
        Effect last = fault.hold().isPresent() ? fault.ended() : fault.injected();
        return last == Effect.RELEASED;
    }

    String node() {
        return node.id();
    }

    boolean over() {
        return state instanceof State.Over;
    }

    /** When it was over; 0 while it is not. */
    long overAt() {
        return state instanceof State.Over over ? over.at() : 0;
    }

    Optional<String> failure() {
        return state instanceof State.Failed failed ? Optional.of(failed.reason()) : Optional.empty();
    }

    /** Whether it has left its node down, as it was meant to. */
    boolean leftDown(Recovery recovery) {
        return over()
                && fault.staysUntilTheEnd()
                && recovery.of().equals(of)
                && recovery.node().equals(node.id());
    }

    /** When this fault brought its node into the phase, or a later one. */
    OptionalLong reached(Phase phase) {
        boolean early = state instanceof State.AwaitingNews ? phase != Phase.FAULT : phase == Phase.RECOVERED && down();
        if (early) {
            return OptionalLong.empty();
        }
        Optional<Recovery> own = world.tracker.of(of, node.id());
        if (own.isPresent() && phase == Phase.RECOVERED) {
            return own.get().reachedNanos(phase);
        }
        // A fault that is in force again after another one has several recoveries: the first time counts. A start or
        // resume has none and takes part in the one that is under way; when that is over, another may begin at once.
        OptionalLong reached = world.tracker.recoveries().stream()
                .filter(r -> r.node().equals(node.id()))
                .filter(r -> own.isEmpty() || r.of().equals(of))
                .flatMapToLong(r -> r.reachedNanos(phase).stream())
                .filter(at -> at >= beganAt)
                .min();
        boolean overWithout = reached.isEmpty() && own.isEmpty() && over() && phase == Phase.RECOVERED;
        return overWithout ? OptionalLong.of(overAt()) : reached;
    }

    /** Whether it is a starve of a process that its node has no more, so that it is in no later fault's way. */
    boolean ofFormerProcess() {
        return ofFormerProcess;
    }

    /** The process that its node had until then is gone. */
    void processEnded(long at) {
        ofFormerProcess |= fault instanceof StarveNode && beganAt <= at;
    }

    /** Its node has another process, or has left; what has starved the one before would stay, and count as in force. */
    void processGone(long requestedAt, long at) {
        processEnded(requestedAt);
        if (ofFormerProcess && state instanceof State.Holding) {
            enter(ending(at));
        }
    }

    /** A resume, or a start, has ended this, if it is a pause, sooner than it would have done itself. */
    void resumed(long requestedAt, long at) {
        // One that has begun since is of the process that was started.
        if (fault instanceof PauseNode && beganAt <= requestedAt && state instanceof State.Holding) {
            enter(ended(requestedAt, at));
        }
    }

    /** Continues as far as it can now. */
    void poll(long now) {
        State before;
        do {
            before = state;
            prove(now);
            enter(next(now));
        } while (state != before);
        if (state instanceof State.Settling && lastToBegin()) {
            startedProcess.ifPresent(process -> watchProcess(process, now));
        }
        if (fault.startsEjectedNode() && (state instanceof State.Settling || over())) {
            watchEjection(now);
        }
    }

    /**
     * Looks for the effect of the fault. What was seen while the injection is under way is written down once it is known when that was
     * confirmed, as the two come from two threads: only then are they in order of time. What is seen after this poll has begun is
     * for the next one: whatever else begins in this one begins before.
     */
    private void prove(long now) {
        if (effective || state instanceof State.Failed) {
            return;
        }
        Optional<Seen> seen = probe.poll(now).filter(sight -> sight.atNanos() <= now);
        if (!(state instanceof State.Injecting)) {
            seen.ifPresent(this::proven);
        }
    }

    private void provenBefore(long at) {
        if (!effective) {
            probe.seen().filter(seen -> seen.atNanos() < at).ifPresent(this::proven);
        }
    }

    private void proven(Seen seen) {
        effective = true;
        effectiveAt = Math.max(seen.atNanos(), beganAt);
        world.emit(new FaultEffective(effectiveAt, node.id(), of, seen.sight().text()));
    }

    private void enter(State next) {
        state = next;
    }

    /** The state that follows now; the same one when nothing has changed. */
    private State next(long now) {
        if (state instanceof State.Calling calling) {
            return calling(calling, now);
        }
        if (state instanceof State.Holding holding) {
            return effective ? holding(holding, now) : unproven(holding, holding.injectedAt(), now);
        }
        if (state instanceof State.AwaitingNews waiting) {
            return effective ? awaitingNews(waiting, now) : unproven(waiting, waiting.confirmedAt(), now);
        }
        if (state instanceof State.Settling settling) {
            return effective ? settling(settling, now) : unproven(settling, settling.confirmedAt(), now);
        }
        return state;
    }

    private State unproven(State waiting, long injectedAt, long now) {
        Duration bound = fault.effectBound();
        return now - injectedAt <= bound.toNanos()
                ? waiting
                : failed(
                        now,
                        "shows no effect of " + fault.name() + ": fault not effective within " + bound.toSeconds()
                                + " s; seen at last: " + probe.last());
    }

    private State calling(State.Calling calling, long now) {
        boolean ending = calling instanceof State.Ending;
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
            return failed(now, (ending ? "end of " : "") + fault.name() + " failed: " + reason(e.getCause()));
        }
    }

    /** A command has a bound of its own and says itself when it meets it: one to heal, and one that is asked after it. */
    private Duration callBound() {
        return fault.commands().isEmpty()
                ? world.recoveryBound
                : world.recoveryBound.plus(fault.commandBound().multipliedBy(2));
    }

    /** Whether it has ended when this poll began; what ends during it is for the next one. */
    private static boolean doneBy(long now, CompletableFuture<Long> call) {
        return call.isDone() && (call.isCompletedExceptionally() || call.join() <= now);
    }

    private State injected(long requestedAt, long confirmedAt) {
        probe.hurry();
        provenBefore(confirmedAt);
        world.emit(new FaultInjected(confirmedAt, requestedAt, node.id(), of, fault.injected()));
        if (fault.injected() == Effect.NODE_DOWN) {
            world.processEnded(node.id(), confirmedAt);
        }
        broughtUp(fault.injected(), requestedAt, confirmedAt);
        if (fault instanceof RollingChange || fault instanceof RemoveNode) {
            world.processGone(node.id(), requestedAt, confirmedAt);
        }
        if (fault instanceof ResumeNode) {
            world.resumed(node.id(), requestedAt, confirmedAt);
        }
        boolean nothingToUndo =
                !fault.healsAtTheEnd() && fault.healCommand(node).isEmpty();
        if (fault.hold().isEmpty() && nothingToUndo) {
            world.emit(new FaultEnded(confirmedAt, requestedAt, node.id(), of, Effect.NONE));
            world.closed(node.id(), of);
        }
        return fault.hold().isPresent() ? new State.Holding(confirmedAt) : done(confirmedAt);
    }

    private State done(long confirmedAt) {
        return awaitsEngine ? new State.AwaitingNews(confirmedAt) : new State.Settling(confirmedAt);
    }

    private State holding(State.Holding holding, long now) {
        Hold hold = fault.hold().orElseThrow();
        long held = now - holding.injectedAt();
        if (held < hold.atLeast().toNanos()) {
            return holding;
        }
        if (hold.untilHandled() && reached(Phase.DOWN).isEmpty() && hasSurvivors(holding.injectedAt())) {
            if (held < Hold.HANDLING_BOUND.toNanos()) {
                return holding;
            }
            unhandled(now);
        }
        return ending(now);
    }

    private State ending(long now) {
        if (ofFormerProcess && world.starved(node.id())) {
            return ended(now, now); // another starve has taken its place, and that one would be ended
        }
        return new State.Ending(now, world.submit(() -> fault.end(world.controller, node, world.context)));
    }

    private State ended(long requestedAt, long confirmedAt) {
        world.emit(new FaultEnded(confirmedAt, requestedAt, node.id(), of, fault.ended()));
        world.closed(node.id(), of);
        broughtUp(fault.ended(), requestedAt, confirmedAt);
        return done(confirmedAt);
    }

    private void broughtUp(Effect effect, long requestedAt, long confirmedAt) {
        if (effect == Effect.PROCESS_STARTED) {
            world.broughtUp(node.id(), requestedAt, confirmedAt);
        }
    }

    /** Not for ever: an engine may never say it of a node that was back at once, and nobody does of unwatched servers. */
    private State awaitingNews(State.AwaitingNews waiting, long now) {
        EngineObserved said = world.lastDown(node.id());
        boolean told = said != null && said != downBefore;
        if (!told && lastToBegin() && now - effectiveAt <= NEWS_BOUND.toNanos()) {
            return waiting;
        }
        return new State.Settling(told ? Math.max(waiting.confirmedAt(), said.atNanos()) : waiting.confirmedAt());
    }

    /** Whether a command's node is on its way back, also when the engine said that so late that it counts as unplanned. */
    private boolean down() {
        return awaitsEngine && lastToBegin() && recovering();
    }

    /** There is nothing to recover from while a fault, of another step too, is only in force. */
    private boolean recovering() {
        return world.tracker
                .latest(node.id())
                .filter(r -> r.active() && r.phase() != Phase.FAULT)
                .isPresent();
    }

    /** When the node was back, from whatever it went down since this began; 0 when it was not. */
    private long lastRecoveredAt() {
        return world.tracker.recoveries().stream()
                .filter(r -> r.node().equals(node.id()) && r.startNanos() >= beganAt)
                .flatMapToLong(r -> r.reachedNanos(Phase.RECOVERED).stream())
                .max()
                .orElse(0);
    }

    /** Whether no further fault has begun on the node. */
    private boolean lastToBegin() {
        return of.equals(world.lastBegun(node.id()));
    }

    private State settling(State.Settling settling, long now) {
        OptionalLong settled = settledAt(settling.confirmedAt());
        if (settled.isPresent()) {
            return new State.Over(settled.getAsLong());
        }
        if (fault.settlesAt() == Phase.DOWN && !hasSurvivors(settling.confirmedAt())) {
            return new State.Over(Math.max(settling.confirmedAt(), leftAloneAt().orElse(0)));
        }
        long waited = now - settling.confirmedAt();
        if (fault.settlesAt() == Phase.DOWN && waited >= Hold.HANDLING_BOUND.toNanos()) {
            unhandled(now);
            return new State.Over(now);
        }
        if (waited > world.recoveryBound.toNanos()) {
            String last =
                    world.tracker.latest(node.id()).map(r -> r.phase().label()).orElse("none");
            return failed(
                    now,
                    "did not recover within " + world.recoveryBound.toSeconds() + " s after " + fault.name()
                            + "; last phase: " + last);
        }
        return settling;
    }

    private OptionalLong settledAt(long confirmedAt) {
        if (fault.staysUntilTheEnd() && fault.settlesAt() != Phase.DOWN) {
            // A user's command: nobody knows whether it takes the node down.
            return OptionalLong.of(confirmedAt);
        }
        if (awaitsEngine) {
            return down() ? OptionalLong.empty() : OptionalLong.of(Math.max(confirmedAt, lastRecoveredAt()));
        }
        OptionalLong reached = reached(fault.settlesAt());
        if (reached.isPresent()) {
            return OptionalLong.of(Math.max(reached.getAsLong(), confirmedAt));
        }
        // Overtaken by a further fault on the same node, or a start of a node that had nothing to recover from.
        boolean active = world.tracker.of(of, node.id()).map(Recovery::active).orElseGet(this::recovering);
        return active ? OptionalLong.empty() : OptionalLong.of(confirmedAt);
    }

    static String reason(Throwable cause) {
        return cause instanceof NodeControlException ? cause.getMessage() : cause.toString();
    }

    /** When the engine said that no node is left to handle this failure; empty when it has not. */
    private OptionalLong leftAloneAt() {
        EngineObserved said = world.lastUnhandled(node.id());
        return said == null || said.atNanos() < beganAt ? OptionalLong.empty() : OptionalLong.of(said.atNanos());
    }

    /**
     * Whether there is a node that can handle the failure of this one: one that has been up ever since this one went down, unless
     * the engine says that there is none.
     */
    private boolean hasSurvivors(long downAt) {
        if (leftAloneAt().isPresent()) {
            return false;
        }
        Set<String> out = world.tracker.recoveries().stream()
                .filter(recovery -> recovery.outAfter(downAt))
                .map(Recovery::node)
                .collect(Collectors.toSet());
        return world.controller.nodes().stream()
                .map(NodeInfo::id)
                .anyMatch(other -> !other.equals(node.id()) && !out.contains(other));
    }

    private void unhandled(long now) {
        world.emit(new Noted(
                now,
                node.id(),
                "the survivors did not report within " + Hold.HANDLING_BOUND.toSeconds()
                        + " s that they have handled the failure"));
    }

    private State failed(long now, String what) {
        provenBefore(now);
        String text = "node " + node.id() + " " + what;
        world.emit(new FaultFailed(now, node.id(), of, text));
        return new State.Failed("step " + of.step() + ": " + text);
    }

    /** A node that was started and whose process has ended does not recover, and no phase of it says so. */
    private void watchProcess(EndedProcess process, long now) {
        if (!processLook.isDone() || now - processLookedAt < EndedProcess.EVERY.toNanos()) {
            return;
        }
        if (!processLook.isCompletedExceptionally()
                && processLook.join().sight().effect()) {
            enter(failed(now, "was started, but " + processLook.join().sight().text()));
            return;
        }
        processLookedAt = now;
        processLook = world.look(() -> {
            Optional<String> ended = process.ask();
            return new Sight(ended.isPresent(), ended.orElse("it has a process"));
        });
    }

    /** An ejected node ends itself some time after it was resumed; then somebody has to start it. */
    private void watchEjection(long now) {
        boolean out = world.tracker
                .latest(node.id())
                .filter(Recovery::active)
                .filter(r -> r.of().equals(of))
                .map(r -> r.phase() == Phase.FAILURE_HANDLING || r.phase() == Phase.DOWN)
                .orElse(false);
        if (!out || !ejectionCheck.isDone() || now - ejectionCheckedAt < EJECTION_CHECK.toNanos()) {
            return;
        }
        if (ejectionCheck.isCompletedExceptionally()) {
            enter(failed(now, "was ejected from the cluster and could not be started again"));
            return;
        }
        ejectionCheckedAt = now;
        ejectionCheck = world.submit(() -> {
            boolean down = world.controller.status().stream()
                    .anyMatch(s -> s.id().equals(node.id()) && s.state().needsStart());
            if (down) {
                Capabilities.require(world.controller, Startable.class).start(node.id());
            }
        });
    }
}
