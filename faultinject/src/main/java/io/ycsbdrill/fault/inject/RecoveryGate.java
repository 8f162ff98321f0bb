package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.marker.FaultFailed;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.marker.SteadyReached;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.recovery.Recovery;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * What lies between two cycles, so that no cycle measures the one before it: what was left down is healed, every node has recovered,
 * and the throughput is steady again and back at that of the first steady state. Then a pause. Owned by {@code fault-injector}.
 */
final class RecoveryGate {
    private final InjectionContext world;
    private final SteadyGate steady;
    private final int after;
    private final long overAt;
    private final Duration pause;
    private final AtomicReference<List<String>> unhealed = new AtomicReference<>(List.of());
    private final CompletableFuture<Long> healing;
    private OptionalLong healedAt = OptionalLong.empty();
    private OptionalLong passedAt = OptionalLong.empty();
    private Optional<String> failure = Optional.empty();

    /**
     * Begins to heal at once.
     *
     * @param after number of the cycle that is over
     * @param pause after the gate
     * @param heal heals the cluster and returns what could not be healed
     */
    RecoveryGate(
            InjectionContext world,
            SteadyGate steady,
            int after,
            long now,
            Duration pause,
            Supplier<List<String>> heal) {
        this.world = world;
        this.steady = steady;
        this.after = after;
        this.pause = pause;
        overAt = now;
        AtomicReference<List<String>> problems = unhealed;
        healing = world.submit(() -> problems.set(heal.get()));
    }

    /** Why the next cycle cannot begin; empty when it can, or when that is not known yet. */
    Optional<String> failure() {
        return failure;
    }

    /** When the next cycle begins, as soon as it may. */
    OptionalLong poll(long now) {
        if (failure.isPresent() || !healed(now)) {
            return OptionalLong.empty();
        }
        if (passedAt.isEmpty()) {
            await(now);
        }
        return passedAt.isPresent() && now >= passedAt.getAsLong() + pause.toNanos()
                ? OptionalLong.of(now)
                : OptionalLong.empty();
    }

    private boolean healed(long now) {
        if (healedAt.isPresent() || !healing.isDone()) {
            return healedAt.isPresent();
        }
        try {
            long at = healing.join();
            if (unhealed.get().isEmpty()) {
                world.healedAfterCycle(overAt, at);
                healedAt = OptionalLong.of(now);
            } else {
                fail(now, "is not healed: " + String.join("; ", unhealed.get()));
            }
        } catch (CompletionException e) {
            fail(now, "is not healed: " + NodeControlException.reason(e.getCause()));
        }
        return healedAt.isPresent();
    }

    private void await(long now) {
        List<Recovery> underWay = world.underWay();
        boolean recovered = underWay.isEmpty();
        Optional<SteadyReached> reached = recovered ? steady.steady(now, healedAt.getAsLong()) : Optional.empty();
        if (reached.isPresent()) {
            world.emit(reached.get());
            world.settled(now);
            passedAt = OptionalLong.of(now);
        } else if (now - healedAt.getAsLong() > steady.withinNanos()) {
            String seconds = " within " + steady.withinNanos() / 1_000_000_000L + " s";
            fail(
                    now,
                    recovered
                            ? "is not back at the first steady state" + seconds + ": " + steady.last()
                            : "has not recovered" + seconds + ": node "
                                    + underWay.get(0).node());
        }
    }

    private void fail(long now, String what) {
        String text = "after cycle " + after + " the cluster " + what + "; no further cycle was begun";
        world.emit(new FaultFailed(now, "", Occurrence.UNPLANNED, text));
        failure = Optional.of(text);
    }
}
