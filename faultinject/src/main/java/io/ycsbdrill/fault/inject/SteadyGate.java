package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.marker.SteadyReached;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.SteadyState;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Decides whether the service is steady. It looks once in each window and not again and again until something fits: a stretch
 * that was chosen because it looks steady would be a biased baseline. A latency that still
 * falls, as of a cluster that warms up, gets as much time again, once: what is steady then counts, however its latency looks. Owned by {@code fault-injector}.
 */
final class SteadyGate {
    private final SteadyState bounds;
    private final boolean settles;
    private final ServiceSource service;
    private String last = "no throughput seen yet";
    private OptionalDouble first = OptionalDouble.empty();
    private Optional<String> hopeless = Optional.empty();
    private OptionalLong settlingSince = OptionalLong.empty();
    private long nextAt;

    /**
     * A gate that has seen nothing yet.
     *
     * @param settles whether the latency has to settle, too
     */
    SteadyGate(SteadyState bounds, boolean settles, ServiceSource service) {
        this.bounds = bounds;
        this.settles = settles;
        this.service = service;
    }

    /** The gate of a schedule; empty when it waits for nothing. Who says what is slow does not have to find it out. */
    static Optional<SteadyGate> of(FaultSchedule schedule, ServiceSource service) {
        return schedule.steady()
                .map(bounds -> new SteadyGate(bounds, schedule.slo().p50().isEmpty(), service));
    }

    /**
     * How steady it is, and since when, when it is; else empty.
     *
     * @param since when the wait for it began
     */
    Optional<SteadyReached> steady(long now, long since) {
        if (now < nextAt) {
            return Optional.empty();
        }
        long length = bounds.length().toNanos();
        SteadyState.Judgement seen = bounds.judge(service.recentSeconds(bounds.longest()), first);
        last = seen.text();
        hopeless = seen.hopeless();
        nextAt = seen.opsPerSecond().isPresent() ? now + bounds.window().toNanos() : nextAt;
        if (!seen.steady()) {
            return Optional.empty();
        }
        if (settles
                && settlingSince.isEmpty()
                && seen.falling().isPresent()
                && now + 2 * length <= since + withinNanos()) {
            last = seen.falling().get();
            settlingSince = OptionalLong.of(now);
            nextAt = now + length;
            return Optional.empty();
        }
        long from = Math.max(now - seen.seconds() * 1_000_000_000L, settlingSince.orElse(0));
        settlingSince = OptionalLong.empty();
        first = first.isPresent() ? first : seen.opsPerSecond();
        return Optional.of(new SteadyReached(now, from, seen.text()));
    }

    /** Whether what the service gives now is back, for a cycle that begins. */
    ServiceReturn serviceReturn(FaultSchedule schedule) {
        return new ServiceReturn(schedule, service);
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
