package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import java.util.Map;

/** What failed, or has an unknown outcome, in a stretch of slices; pure. */
final class FailureCounts {
    private final RunData run;
    private final Slices slices;
    private final int from;
    private final int to;
    private final boolean endsInOutage;

    /**
     * @param from first slice
     * @param to behind the last one
     * @param endsInOutage whether the data end in one
     */
    FailureCounts(RunData run, int from, int to, boolean endsInOutage) {
        this.run = run;
        this.slices = run.slices();
        this.from = from;
        this.to = to;
        this.endsInOutage = endsInOutage;
    }

    void measure(Map<Metric, Measure> measures) {
        measures.put(Metric.FAILED, failed());
        measures.put(Metric.FAILED_SHARE, failedShare());
        measures.put(Metric.UNKNOWN, counted(count(slices.total().unknown()), ""));
    }

    private long unsent() {
        return to == slices.whole() ? run.unsent() : 0;
    }

    /** The share in the minute in which it is largest, or in what there is of one: a longer cool-down makes it no smaller. */
    private Measure failedShare() {
        int minute = Math.min(to - from, (int) Math.round(ServiceFigures.FIRST_SECONDS / slices.seconds()));
        double failed = 0;
        double all = 0;
        double worst = 0;
        for (int i = from; i < to; i++) {
            failed += slices.total().failed()[i];
            all += completed(i);
            if (i - minute >= from) {
                failed -= slices.total().failed()[i - minute];
                all -= completed(i - minute);
            }
            double unsent = i == to - 1 ? unsent() : 0;
            boolean whole = i - from >= minute - 1;
            worst = whole && all + unsent > 0 ? Math.max(worst, (failed + unsent) / (all + unsent)) : worst;
        }
        return counted(100 * worst, "");
    }

    private double completed(int slice) {
        return slices.total().ok()[slice]
                + slices.total().failed()[slice]
                + slices.total().unknown()[slice];
    }

    /** What was due at the end of the data and not sent was not served either. */
    private Measure failed() {
        double failed = count(slices.total().failed());
        long unsent = unsent();
        return counted(failed + unsent, unsent == 0 ? "" : Formatted.of("%,d of them due and never sent", unsent));
    }

    /** The count, unless calls hang in an outage at the end of the data: nobody knows what becomes of them. */
    private Measure counted(double count, String note) {
        String hanging = "no success until the end of the data, whatever became of the calls under way";
        return endsInOutage
                ? Measure.atLeast(count, note.isEmpty() ? hanging : note + "; " + hanging)
                : Measure.of(count, note);
    }

    private double count(double[] column) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += column[i];
        }
        return sum;
    }
}
