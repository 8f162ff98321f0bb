package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.marker.SteadyReached;
import io.ycsbdrill.fault.schedule.SteadyState;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Decides whether the service is steady. It looks once in each window and not again and again until something fits: a stretch
 * that was chosen because it looks steady would be a biased baseline. Owned by {@code fault-injector}.
 */
final class SteadyGate {
    private final SteadyState bounds;
    private final ServiceSource service;
    private String last = "no throughput seen yet";
    private OptionalDouble first = OptionalDouble.empty();
    private Optional<String> hopeless = Optional.empty();
    private long nextAt;

    SteadyGate(SteadyState bounds, ServiceSource service) {
        this.bounds = bounds;
        this.service = service;
    }

    /** How steady it is, and since when, when it is; else empty. */
    Optional<SteadyReached> steady(long now) {
        if (now < nextAt) {
            return Optional.empty();
        }
        SteadyState.Judgement seen = bounds.judge(service.recentSeconds(bounds.longest()), first);
        last = seen.text();
        hopeless = seen.hopeless();
        nextAt = seen.opsPerSecond().isPresent() ? now + bounds.window().toNanos() : nextAt;
        if (!seen.steady()) {
            return Optional.empty();
        }
        first = first.isPresent() ? first : seen.opsPerSecond();
        return Optional.of(new SteadyReached(now, now - seen.seconds() * 1_000_000_000L, seen.text()));
    }

    /** What was seen the last time. */
    String last() {
        return last;
    }

    /** Why waiting longer is no use; empty when it may be. */
    Optional<String> hopeless() {
        return hopeless;
    }

    /** Not before the load has gone on for so long. */
    long afterNanos() {
        return bounds.after().toNanos();
    }

    long withinNanos() {
        return bounds.within().toNanos();
    }
}
