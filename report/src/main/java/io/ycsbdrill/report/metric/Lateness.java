package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.rundir.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** When the latency was above the SLO during one incident; pure. */
final class Lateness {
    /** A latency that is high for less than this is no degradation. */
    private static final double SHORTEST_SECONDS = 2;

    private final RunData run;
    private final Incident incident;
    private final LatencySlo slo;
    private final Slices slices;
    private final int from;
    private final int to;
    private final boolean[] late;

    /**
     * @param from first slice
     * @param to behind the last one
     */
    Lateness(RunData run, Incident incident, LatencySlo slo, int from, int to) {
        this.run = run;
        this.incident = incident;
        this.slo = slo;
        this.from = from;
        this.to = to;
        slices = run.slices();
        late = slices();
    }

    /** Whether the slice is above the SLO. */
    boolean at(int slice) {
        return late[slice];
    }

    /** The first slice of which no window says anything. */
    private int known() {
        return Math.min(to, middle(lastWindowEnd(), late.length));
    }

    /** By windows that end before the next fault, as those in which it begins show that one. */
    private boolean[] slices() {
        boolean[] late = new boolean[slices.count()];
        List<Window> stretch = new ArrayList<>();
        for (Window window : run.windows(Slices.TOTAL)) {
            if (!judged(window)) {
                break;
            }
            if (!slo.exceededBy(window.latency())) {
                stretch.clear();
                continue;
            }
            stretch.add(window);
            double from = stretch.get(0).startSeconds();
            if (window.endSeconds() - from > SHORTEST_SECONDS - slices.seconds()) {
                Arrays.fill(late, middle(from, late.length), middle(window.endSeconds(), late.length), true);
            }
        }
        return late;
    }

    /** The first slice whose middle is at this time or later. */
    private int middle(double seconds, int most) {
        return Math.min(most, (int) Math.ceil(seconds / slices.seconds() - 0.5));
    }

    /** Whether a window says what the latency is from this moment until the next fault, or the end of the data. */
    boolean isSeenSince(double seconds) {
        return run.windows(Slices.TOTAL).stream()
                .anyMatch(window -> judged(window) && window.middleSeconds() >= seconds - 1e-9);
    }

    /** Whether no other fault shows in the window: it ends before the next one, or there is none. */
    boolean judged(Window window) {
        return to == slices.whole() || window.endSeconds() <= incident.endSeconds() + 1e-9;
    }

    /**
     * Whether the latency of the last slices is not known, and that before them was above the SLO or is not known either.
     *
     * @param where none is known
     */
    boolean mayBeAtLast(boolean where) {
        int judged = known();
        return judged < to && (judged <= from ? where : late[judged - 1]);
    }

    /**
     * Whether most of the time that has to hold at the end is above the SLO: one late stretch among windows in time is chance, as is one window in
     * time among late ones.
     */
    boolean atEnd() {
        int judged = known();
        // As long as the fault lasts its latency is no end.
        int over = (int) Math.ceil(incident.over().orElse(0) / slices.seconds() - 1e-9);
        int first =
                Math.max(from, Math.max(judged - Rates.HOLD_SECONDS * slices.perSecond(), Math.min(over, judged - 1)));
        return judged > from
                && 2 * IntStream.range(first, judged).filter(i -> late[i]).count() > judged - first;
    }

    /**
     * End of the last slice above the SLO; 0 when none is, infinite when it is the last that can be judged. A window in which the next fault
     * begins shows that fault, too, so it says nothing.
     */
    double until() {
        // As throughput has to be held, so has latency.
        if (atEnd()) {
            return Double.POSITIVE_INFINITY;
        }
        int judged = known();
        for (int i = judged - 1; i >= from; i--) {
            if (late[i]) {
                return i == judged - 1 ? Double.POSITIVE_INFINITY : (i + 1) * slices.seconds();
            }
        }
        return 0;
    }

    /** Until the latency is within the SLO for good: the part of "service restored" that is not throughput. */
    Measure back(String atTheEnd) {
        if (!slo.known()) {
            return Measure.absent("no window lies in the baseline");
        }
        boolean seen = run.windows(Slices.TOTAL).stream()
                .anyMatch(window -> judged(window)
                        && window.middleSeconds() >= incident.startSeconds()
                        && Double.isFinite(window.latency().p99()));
        if (!seen) {
            return Measure.absent("no window with a success after the fault");
        }
        double last = until();
        if (Double.isInfinite(last)) {
            return Measure.notReached(lastWindowEnd() - incident.startSeconds(), "still above the SLO " + atTheEnd);
        }
        return last == 0
                ? Measure.of(0, "never above")
                : Measure.of(
                        Math.max(0, last - incident.startSeconds()),
                        Formatted.of("\u00b1 %.1f s", run.windowSeconds()));
    }

    /** The end of the last window that ends before the next fault; 0 without one. */
    double lastWindowEnd() {
        return run.windows(Slices.TOTAL).stream()
                .filter(this::judged)
                .mapToDouble(Window::endSeconds)
                .max()
                .orElse(0);
    }
}
