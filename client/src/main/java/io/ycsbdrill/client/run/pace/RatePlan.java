package io.ycsbdrill.client.run.pace;

import java.util.List;
import java.util.OptionalDouble;

/**
 * An open-loop schedule: the rate of arrivals over time, piecewise linear, and what to do after a stall.
 *
 * @param segments in order of time, without gaps, the last one open-ended
 * @param afterStall what happens to arrivals that could not be started in time
 * @param capOperations with {@link AfterStall#CAP}: at most this many late arrivals are kept, older ones are skipped and counted
 */
public record RatePlan(List<Segment> segments, AfterStall afterStall, long capOperations) {
    public RatePlan {
        segments = List.copyOf(segments);
    }

    /** A constant rate from the start on. */
    public static RatePlan constant(double rate, AfterStall afterStall, long capOperations) {
        return new RatePlan(List.of(new Segment(0, Double.POSITIVE_INFINITY, rate, rate)), afterStall, capOperations);
    }

    /** Its rate, when that is the same all the time. */
    public OptionalDouble constantRate() {
        return segments.size() == 1 ? OptionalDouble.of(segments.get(0).fromRate()) : OptionalDouble.empty();
    }

    /**
     * From {@code startSeconds} on the rate goes linearly from {@code fromRate} to {@code toRate} (operations per second, all
     * threads together) until {@code endSeconds}; the last segment ends at positive infinity and is constant.
     */
    public record Segment(double startSeconds, double endSeconds, double fromRate, double toRate) {}

    /** What happens to arrivals that were due during a stall. */
    public enum AfterStall {
        /** All are run, back to back: response time tells the whole truth, the rate overshoots. */
        CATCHUP,
        /** They are dropped and counted as skipped. */
        SKIP,
        /** The newest {@code capOperations} are run, older ones skipped and counted. */
        CAP
    }
}
