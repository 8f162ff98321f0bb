package io.ycsbdrill.client.run.pace;

import java.util.List;

/**
 * When arrival number <i>i</i> of a {@link RatePlan} is due: the time at which the integral of the rate reaches <i>i</i>, in
 * closed form, so nothing drifts and any thread finds its own arrivals without a shared counter. Immutable.
 */
public final class ArrivalSchedule {
    /** The arrival never comes: the last segment's rate is 0. */
    public static final long NEVER = Long.MAX_VALUE;

    private static final double NANOS = 1e9;

    private final List<RatePlan.Segment> segments;
    /** Arrivals due before each segment starts. */
    private final double[] before;

    public ArrivalSchedule(List<RatePlan.Segment> segments) {
        this.segments = List.copyOf(segments);
        before = new double[segments.size()];
        for (int i = 1; i < before.length; i++) {
            RatePlan.Segment last = segments.get(i - 1);
            before[i] =
                    before[i - 1] + (last.endSeconds() - last.startSeconds()) * (last.fromRate() + last.toRate()) / 2;
        }
    }

    /** Nanoseconds since run start at which arrival {@code i}, from 0, is due; {@link #NEVER} if it never is. */
    public long dueNanos(long i) {
        int s = before.length - 1;
        while (s > 0 && before[s] > i) {
            s--;
        }
        RatePlan.Segment segment = segments.get(s);
        double arrivals = i - before[s];
        double rate = segment.fromRate();
        double slope = Double.isInfinite(segment.endSeconds())
                ? 0
                : (segment.toRate() - rate) / (segment.endSeconds() - segment.startSeconds());
        // x solves rate·x + slope·x²/2 = arrivals, in the form that is exact for small slopes too.
        double divisor = rate + Math.sqrt(Math.max(0, rate * rate + 2 * slope * arrivals));
        if (divisor == 0) {
            // A ramp from 0 has its first arrival at its start; a rate of 0 has none.
            return slope > 0 && arrivals == 0 ? nanos(segment.startSeconds()) : NEVER;
        }
        return nanos(segment.startSeconds() + 2 * arrivals / divisor);
    }

    /** How many arrivals are due before this time since run start, with fractions: the integral of the rate. */
    public double arrivalsUntil(double seconds) {
        int s = before.length - 1;
        while (s > 0 && segments.get(s).startSeconds() > seconds) {
            s--;
        }
        RatePlan.Segment segment = segments.get(s);
        double x = Math.max(0, seconds - segment.startSeconds());
        double slope = Double.isInfinite(segment.endSeconds())
                ? 0
                : (segment.toRate() - segment.fromRate()) / (segment.endSeconds() - segment.startSeconds());
        return before[s] + segment.fromRate() * x + slope * x * x / 2;
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * NANOS);
    }
}
