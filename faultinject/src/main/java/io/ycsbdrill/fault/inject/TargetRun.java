package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.Capabilities;
import io.ycsbdrill.fault.Effect;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.FaultEnded;
import io.ycsbdrill.fault.FaultFailed;
import io.ycsbdrill.fault.FaultInjected;
import io.ycsbdrill.fault.FaultStarted;
import io.ycsbdrill.fault.Hold;
import io.ycsbdrill.fault.Noted;
import io.ycsbdrill.fault.Occurrence;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.recovery.Recovery;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** One injection of one fault into one node, from its start until the node is through. Owned by {@code fault-injector}. */
final class TargetRun {
    private static final Duration EJECTION_CHECK = Duration.ofSeconds(1);

    private enum State {
        INJECTING,
        HOLDING,
        ENDING,
        SETTLING,
        OVER,
        FAILED
    }

    private final InjectionContext world;
    private final Fault fault;
    private final Occurrence of;
    private final NodeInfo node;
    private State state = State.INJECTING;
    private CompletableFuture<Long> task;
    private long requestedAt;
    private long confirmedAt;
    private long overAt;
    private Optional<String> failure = Optional.empty();
    private CompletableFuture<Long> ejectionCheck = CompletableFuture.completedFuture(0L);
    private long ejectionCheckedAt;

    /** Begins at once. */
    TargetRun(InjectionContext world, Fault fault, Occurrence of, NodeInfo node, String selector, long now) {
        this.world = world;
        this.fault = fault;
        this.of = of;
        this.node = node;
        requestedAt = now;
        world.emit(new FaultStarted(now, node.id(), of, selector));
        boolean helps =
                fault.injected() == Effect.PROCESS_STARTED || fault.name().equals("resume");
        if (!helps) {
            world.opened(node.id(), of, fault.healCommand(node), fault.settlesAt() == Phase.DOWN);
        }
        task = world.submit(() -> fault.inject(world.controller, node, world.context));
    }

    String node() {
        return node.id();
    }

    boolean over() {
        return state == State.OVER;
    }

    /** When it was over. */
    long overAt() {
        return overAt;
    }

    Optional<String> failure() {
        return failure;
    }

    /** Whether it has left its node down, as it was meant to. */
    boolean leftDown(Recovery recovery) {
        return over()
                && fault.settlesAt() == Phase.DOWN
                && recovery.of().equals(of)
                && recovery.node().equals(node.id());
    }

    /** When this fault brought its node into the phase, or a later one. */
    OptionalLong reached(Phase phase) {
        Optional<Recovery> own = world.tracker.of(of, node.id());
        if (own.isPresent()) {
            return own.get().reachedNanos(phase);
        }
        // A start or resume takes part in the recovery that is under way.
        OptionalLong reached =
                world.tracker.latest(node.id()).map(r -> r.reachedNanos(phase)).orElse(OptionalLong.empty());
        boolean mine = reached.isPresent() && reached.getAsLong() >= requestedAt;
        return mine ? reached : over() && phase == Phase.RECOVERED ? OptionalLong.of(overAt) : OptionalLong.empty();
    }

    void poll(long now) {
        switch (state) {
            case INJECTING -> injecting(now);
            case HOLDING -> holding(now);
            case ENDING -> ending(now);
            case SETTLING -> settling(now);
            case OVER, FAILED -> {}
        }
        if (fault.startsEjectedNode() && (state == State.SETTLING || state == State.OVER)) {
            watchEjection(now);
        }
    }

    private void injecting(long now) {
        if (finished(now)) {
            world.emit(new FaultInjected(confirmedAt, requestedAt, node.id(), of, fault.injected()));
            if (fault.injected() == Effect.PROCESS_STARTED) {
                world.broughtUp(node.id(), requestedAt, confirmedAt);
            }
            boolean nothingToUndo =
                    fault.settlesAt() != Phase.DOWN && fault.healCommand(node).isEmpty();
            if (fault.hold().isEmpty() && nothingToUndo) {
                world.emit(new FaultEnded(confirmedAt, requestedAt, node.id(), of, Effect.NONE));
                world.closed(node.id(), of);
            }
            state = fault.hold().isPresent() ? State.HOLDING : State.SETTLING;
            poll(now);
        }
    }

    private void holding(long now) {
        Hold hold = fault.hold().orElseThrow();
        if (now - confirmedAt < hold.atLeast().toNanos()) {
            return;
        }
        if (hold.untilHandled() && reached(Phase.DOWN).isEmpty()) {
            if (now - confirmedAt < Hold.HANDLING_BOUND.toNanos()) {
                return;
            }
            unhandled(now);
        }
        requestedAt = now;
        state = State.ENDING;
        task = world.submit(() -> fault.end(world.controller, node, world.context));
        poll(now);
    }

    private void ending(long now) {
        if (finished(now)) {
            world.emit(new FaultEnded(confirmedAt, requestedAt, node.id(), of, fault.ended()));
            world.closed(node.id(), of);
            if (fault.ended() == Effect.PROCESS_STARTED) {
                world.broughtUp(node.id(), requestedAt, confirmedAt);
            }
            state = State.SETTLING;
            poll(now);
        }
    }

    private void settling(long now) {
        OptionalLong settled = settledAt();
        if (settled.isPresent()) {
            overAt = settled.getAsLong();
            state = State.OVER;
        } else if (fault.settlesAt() == Phase.DOWN && now - confirmedAt >= Hold.HANDLING_BOUND.toNanos()) {
            unhandled(now);
            overAt = now;
            state = State.OVER;
        } else if (now - confirmedAt > world.recoveryBound.toNanos()) {
            fail(
                    now,
                    "was not whole again within " + world.recoveryBound.toSeconds() + " s after " + fault.name()
                            + "; last phase: "
                            + world.tracker
                                    .latest(node.id())
                                    .map(r -> r.phase().label())
                                    .orElse("none"));
        }
    }

    private OptionalLong settledAt() {
        OptionalLong reached = reached(fault.settlesAt());
        if (reached.isPresent()) {
            return OptionalLong.of(Math.max(reached.getAsLong(), confirmedAt));
        }
        // Overtaken by a further fault on the same node, or a start of a node that had nothing to recover from.
        boolean active = world.tracker
                .of(of, node.id())
                .or(() -> world.tracker.latest(node.id()))
                .map(Recovery::active)
                .orElse(false);
        return active ? OptionalLong.empty() : OptionalLong.of(confirmedAt);
    }

    /** Whether the controller is done with what it was told; when it failed, so has this. */
    private boolean finished(long now) {
        if (!task.isDone()) {
            if (now - requestedAt > world.recoveryBound.toNanos()) {
                fail(now, "did not answer to " + fault.name() + " within " + world.recoveryBound.toSeconds() + " s");
            }
            return false;
        }
        try {
            confirmedAt = task.join();
            return true;
        } catch (CompletionException e) {
            fail(now, (state == State.ENDING ? "end of " : "") + fault.name() + " failed: " + reason(e.getCause()));
            return false;
        }
    }

    private static String reason(Throwable cause) {
        return cause instanceof NodeControlException ? cause.getMessage() : cause.toString();
    }

    private void unhandled(long now) {
        world.emit(new Noted(
                now,
                node.id(),
                "the survivors did not report within " + Hold.HANDLING_BOUND.toSeconds()
                        + " s that they have handled the failure"));
    }

    private void fail(long now, String what) {
        String text = "node " + node.id() + " " + what;
        failure = Optional.of("step " + of.step() + ": " + text);
        state = State.FAILED;
        world.emit(new FaultFailed(now, node.id(), of, text));
    }

    /** A node that was thrown out ends itself some time after it was resumed; then somebody has to start it. */
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
            fail(now, "was thrown out of the cluster and could not be started again");
            return;
        }
        ejectionCheckedAt = now;
        ejectionCheck = world.submit(() -> {
            boolean down = world.controller.status().stream()
                    .anyMatch(s -> s.id().equals(node.id()) && s.state() == NodeStatus.State.DOWN);
            if (down) {
                Capabilities.require(world.controller, Startable.class).start(node.id());
            }
        });
    }
}
