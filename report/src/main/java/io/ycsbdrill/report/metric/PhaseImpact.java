package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import java.util.OptionalDouble;

/**
 * What clients had in one phase of an incident. Absent is what the phase was too short for, or what needs a baseline.
 *
 * @param phase its label; {@link #AFTER} for the time after the recovery
 * @param stage short name of the phase, or empty
 * @param seconds how long it took; of the time after the recovery, how much of it was looked at
 * @param open whether it had not ended at the end of the data, or before the next fault
 * @param meanPercent mean throughput, of the baseline
 * @param worstPercent throughput of the worst second that lies within it, of the baseline
 * @param p99Factor highest p99 of the windows whose middle lies in it, divided by the baseline's
 * @param failed definitely not applied
 * @param unknown may have been applied
 * @param lostSeconds lost seconds of service
 */
public record PhaseImpact(
        String phase,
        String stage,
        double seconds,
        boolean open,
        OptionalDouble meanPercent,
        OptionalDouble worstPercent,
        OptionalDouble p99Factor,
        double failed,
        double unknown,
        OptionalDouble lostSeconds) {
    /** The first minute after redundancy is restored. */
    public static final String AFTER = "after recovered";

    static final double AFTER_SECONDS = 60;

    /** How long it took: {@code 4.65 s}; of the time after the recovery, how much of its minute there was: {@code 20.0 of 60 s}. */
    public String duration() {
        if (phase.equals(AFTER)) {
            return open ? ofMinute(seconds) : Formatted.of("%.0f s", seconds);
        }
        return Formatted.of(open ? "\u2265 %.2f s" : "%.2f s", seconds);
    }

    static String ofMinute(double seconds) {
        return Formatted.of("%.0f of 60 s", Math.min(AFTER_SECONDS - 1, seconds));
    }

    /** A figure for display. */
    public static String text(OptionalDouble value, String format) {
        return value.isPresent() ? Formatted.of(format, value.getAsDouble()) : NumberText.ABSENT;
    }
}
