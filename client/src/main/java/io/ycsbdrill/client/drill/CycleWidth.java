package io.ycsbdrill.client.drill;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.marker.CycleBegun;
import io.ycsbdrill.fault.marker.CycleEnded;
import io.ycsbdrill.fault.marker.FaultStarted;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.marker.PhaseEntered;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.report.stat.MedianInterval;
import java.util.ArrayList;
import java.util.List;

/**
 * How much the cycles of a drill tell so far: the median of <em>redundancy restored</em>, as the report computes it, its interval, and how many cycles a
 * narrow one takes. It ends no drill: docs/statistics.md says why. For drills of one fault. Owned by the thread of the markers.
 */
final class CycleWidth {
    private static final double NARROW = 0.1;
    /** Half the interval of a median of n normal values of deviation 1 is about this by the root of n. */
    private static final double HALF = 1.96 * Math.sqrt(Math.PI / 2);

    private final List<Double> restored = new ArrayList<>();
    private long from;
    private int faults;
    private boolean down;
    /** A cycle did not restore redundancy: the report takes it as a bound, and nothing is said here any more. */
    private boolean open;

    private double seconds = Double.NaN;

    /** What can be said of so many cycles before the first. */
    static String expected(int cycles) {
        if (cycles < MedianInterval.LEAST) {
            return Counted.of(cycles, "cycle") + ": a median has an interval from " + MedianInterval.LEAST
                    + " cycles on";
        }
        return Formatted.of(
                "%d cycles: the interval of a median reaches about %.0f %% to either side where cycles scatter by 5 %%, %.0f %% by 10 %%, %.0f %% by"
                        + " 20 %%",
                cycles, 5 * HALF / Math.sqrt(cycles), 10 * HALF / Math.sqrt(cycles), 20 * HALF / Math.sqrt(cycles));
    }

    /** What the end of a cycle says; empty for every other marker, and when no single fault of it took a node down and was over. */
    String after(Marker marker) {
        if (marker instanceof CycleBegun) {
            faults = 0;
            down = false;
            seconds = Double.NaN;
        } else if (marker instanceof FaultStarted begun && !begun.bringsBack()) {
            from = faults++ == 0 ? begun.atNanos() : from;
        } else if (marker instanceof PhaseEntered entered) {
            down |= entered.phase() == Phase.DOWN || entered.phase() == Phase.FAILURE_HANDLING;
            seconds = entered.phase() == Phase.RECOVERED ? (entered.atNanos() - from) / 1e9 : Double.NaN;
        } else if (marker instanceof CycleEnded && faults == 1 && down) {
            open |= Double.isNaN(seconds);
            restored.add(seconds);
            return open ? "" : text();
        }
        return "";
    }

    private String text() {
        Estimate median =
                MedianInterval.of(restored.stream().mapToDouble(each -> each).toArray());
        int n = median.n();
        String text = Formatted.of("redundancy restored after %.1f s", seconds)
                + (n == 1 ? "" : Formatted.of("; median of %d cycles %.1f s", n, median.value()));
        if (!median.hasInterval()) {
            return n > 1 ? text : text + "; a median has an interval from " + MedianInterval.LEAST + " cycles on";
        }
        double reach = Math.max(median.high() / median.value() - 1, 1 - median.low() / median.value());
        double narrow = n * (reach / NARROW) * (reach / NARROW);
        return text
                + Formatted.of(
                        ", %s interval %.1f to %.1f s, \u00b1 %.0f %%",
                        MedianInterval.level(n), median.low(), median.high(), 100 * reach)
                + (reach <= NARROW ? "" : Formatted.of("; \u00b1 10 %% takes some %.0f cycles", Math.ceil(narrow)));
    }
}
