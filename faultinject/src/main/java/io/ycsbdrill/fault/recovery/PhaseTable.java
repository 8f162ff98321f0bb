package io.ycsbdrill.fault.recovery;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Phase;
import java.util.List;
import java.util.OptionalLong;

/** The stage durations of a run, as {@code phases.csv}. */
public final class PhaseTable {
    private static final String HEADER = "step,occurrence,fault,node,phase,stage,start_s,end_s,duration_s";

    private PhaseTable() {}

    /**
     * One row per phase of each recovery, in order; times to the nanosecond, so that the durations of a recovery add up to its
     * total exactly. {@code recovered} has no row, also when the same fault then made the node fail again; a phase that was still
     * open has no end.
     */
    public static String csv(List<Recovery> recoveries) {
        StringBuilder csv = new StringBuilder(HEADER).append('\n');
        for (Recovery r : recoveries) {
            for (PhaseSpan s : r.spans()) {
                if (s.phase() == Phase.RECOVERED) {
                    continue;
                }
                OptionalLong duration = s.endNanos().isPresent()
                        ? OptionalLong.of(s.endNanos().getAsLong() - s.startNanos())
                        : OptionalLong.empty();
                csv.append(String.join(
                                ",",
                                r.of().step(),
                                Integer.toString(r.of().number()),
                                r.of().fault(),
                                r.node(),
                                s.phase().label(),
                                s.phase().stage(),
                                seconds(OptionalLong.of(s.startNanos())),
                                seconds(s.endNanos()),
                                seconds(duration)))
                        .append('\n');
            }
        }
        return csv.toString();
    }

    private static String seconds(OptionalLong nanos) {
        if (nanos.isEmpty()) {
            return "";
        }
        long n = nanos.getAsLong();
        return Formatted.of("%s%d.%09d", n < 0 ? "-" : "", Math.abs(n) / 1_000_000_000L, Math.abs(n) % 1_000_000_000L);
    }
}
