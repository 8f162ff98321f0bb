package io.ycsbdrill.client.run.pace;

import java.time.Duration;
import java.util.List;

/**
 * A load below saturation: a closed loop at first, which measures the maximum and warms everything up, then an open-loop schedule at a share of
 * that maximum.
 *
 * @param share of the maximum, above 0 and at most 1
 * @param length of the closed loop, {@link #SHORTEST} to {@link #LONGEST}; it ends with a whole second
 * @param afterStall as in {@link RatePlan}
 * @param capOperations as in {@link RatePlan}; 0 = one second's worth of the rate that is set
 */
public record Calibration(double share, Duration length, RatePlan.AfterStall afterStall, long capOperations) {
    public static final Duration STANDARD = Duration.ofSeconds(25);
    public static final Duration SHORTEST = Duration.ofSeconds(4);
    public static final Duration LONGEST = Duration.ofMinutes(10);

    public Calibration {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share " + share + " is not above 0 and at most 1");
        }
        if (length.compareTo(SHORTEST) < 0 || length.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("calibration of " + length + " is not within 4s to 10m");
        }
    }

    /** Its length in whole seconds. */
    public int seconds() {
        return (int) length.plusNanos(999_999_999).toSeconds();
    }

    /** The warm-up that one of this length is: as the rate begins a moment after it, so does what is summed up. */
    public static long warmupNanos(int seconds) {
        return seconds * 1_000_000_000L + 1;
    }

    /** The schedule that begins at this time since run start. */
    public RatePlan planFrom(long startNanos, double rate) {
        double start = startNanos / 1e9;
        return new RatePlan(
                List.of(
                        new RatePlan.Segment(0, start, 0, 0),
                        new RatePlan.Segment(start, Double.POSITIVE_INFINITY, rate, rate)),
                afterStall,
                capOperations == 0 && afterStall == RatePlan.AfterStall.CAP ? (long) Math.ceil(rate) : capOperations);
    }
}
