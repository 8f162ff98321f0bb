package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.schedule.SteadyState;
import java.util.Optional;

/** Decides whether the throughput is steady. Owned by {@code fault-injector}. */
final class SteadyGate {
    private final SteadyState bounds;
    private final ThroughputSource throughput;
    private String last = "no throughput seen yet";

    SteadyGate(SteadyState bounds, ThroughputSource throughput) {
        this.bounds = bounds;
        this.throughput = throughput;
    }

    /** How steady it is, when it is; else empty. */
    Optional<String> steady() {
        SteadyState.Judgement now = bounds.judge(throughput.recentSlices(bounds.window()));
        last = now.text();
        return now.steady() ? Optional.of(now.text()) : Optional.empty();
    }

    /** What was seen the last time. */
    String last() {
        return last;
    }

    /** How long the stretch is that is judged. */
    long windowNanos() {
        return bounds.window().toNanos();
    }

    long afterNanos() {
        return bounds.after().toNanos();
    }

    long withinNanos() {
        return bounds.within().toNanos();
    }
}
