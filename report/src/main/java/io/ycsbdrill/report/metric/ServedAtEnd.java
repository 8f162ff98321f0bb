package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Scatter;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Which types of operations the service does not serve at the end of a stretch: what every drill has to show, whatever its limits. Pure.
 */
final class ServedAtEnd {
    private static final int HOLD_SECONDS = Rates.HOLD_SECONDS;

    /** By so many standard deviations of a count fewer operations than expected may be chance. */
    private static final double DEVIATIONS = 3;

    /** Fewer expected operations say nothing. */
    private static final double FEWEST_EXPECTED = 12;

    /** However much a closed loop varies, less of what is due is no service. */
    private static final double STOPPED = 0.2;

    /**
     * Counts them.
     *
     * @param service what is degraded
     * @param late why the latency at the end is none that users have accepted; empty when it is
     * @param unjudged why nobody can say whether it is; empty when somebody can
     */
    static Measure of(
            RunData run,
            Optional<Baseline> baseline,
            ServiceFigures service,
            int from,
            int to,
            String late,
            String unjudged) {
        Slices slices = run.slices();
        int per = slices.perSecond();
        if (to - from < per) {
            return unknown(service, "less than 1 s of data after the fault");
        }
        double[] due = DueOperations.of(run, baseline).due();
        if (Double.isNaN(sum(due, to - per, to))) {
            return unknown(service, FaultAnalysis.NO_BASELINE + ", and no rate was set");
        }
        if (!service.restless().isEmpty()) {
            int first = Math.max(from, to - HOLD_SECONDS * per);
            return stopped(slices, sum(due, first, to), first, to)
                    .or(() -> failing(slices, first, to))
                    .map(why -> Measure.of(1, why))
                    .orElseGet(() -> unknown(service, service.restless()));
        }
        double level = service.level();
        List<String> missing = new ArrayList<>();
        slices.byOperation().forEach((operation, columns) -> {
            double share = operation.equals(Slices.TOTAL) ? 1 : OperationFigures.share(slices, columns.ok(), baseline);
            int first = Math.max(from, to - HOLD_SECONDS * per);
            // A rare operation is looked at for longer, as long as there are data after the fault.
            while (first > from && share * sum(due, first, to) < FEWEST_EXPECTED) {
                first--;
            }
            double expected = share * sum(due, first, to);
            double least = level * expected - DEVIATIONS * Math.sqrt(expected);
            double ok = sum(columns.ok(), first, to);
            if (expected >= FEWEST_EXPECTED && ok < least) {
                missing.add(Formatted.of(
                        "%s at %.0f %% in the last %.1f s",
                        operation.equals(Slices.TOTAL) ? "all operations together" : operation,
                        100 * ok / expected,
                        (to - first) * slices.seconds()));
            }
        });
        failing(slices, Math.max(from, to - HOLD_SECONDS * per), to).ifPresent(missing::add);
        if (!late.isEmpty()) {
            missing.add(late);
        }
        if (missing.isEmpty() && !unjudged.isEmpty()) {
            return unknown(service, unjudged);
        }
        return Measure.of(
                missing.size(),
                missing.isEmpty()
                        ? Formatted.of("each type at %.0f %% of what is due, but for chance", 100 * level)
                        : String.join("; ", missing));
    }

    /** A loop without a level: what hangs to the end neither succeeds nor fails. */
    private static Optional<String> stopped(Slices slices, double due, int first, int to) {
        double ok = sum(slices.total().ok(), first, to);
        return due >= FEWEST_EXPECTED && ok < STOPPED * due - DEVIATIONS * Math.sqrt(STOPPED * due)
                ? Optional.of(Formatted.of(
                        "all operations together at %.0f %% in the last %.1f s",
                        100 * ok / due, (to - first) * slices.seconds()))
                : Optional.empty();
    }

    /** However fast a closed loop goes: where a tenth of the calls fails, users have no service that is back. */
    private static Optional<String> failing(Slices slices, int first, int to) {
        double ok = sum(slices.total().ok(), first, to);
        double bad =
                sum(slices.total().failed(), first, to) + sum(slices.total().unknown(), first, to);
        double most = (1 - Scatter.DEGRADED) * (ok + bad);
        return bad > most + DEVIATIONS * Math.sqrt(most)
                ? Optional.of(Formatted.of(
                        "%.0f %% of the operations in the last %.1f s failed or are unknown",
                        100 * bad / (ok + bad), (to - first) * slices.seconds()))
                : Optional.empty();
    }

    /** Nobody knows then of a drill that waits for a steady state whether the service is back. */
    private static Measure unknown(ServiceFigures service, String reason) {
        return service.waited()
                ? Measure.absent(reason)
                : Measure.notApplicable("without a steady state before the fault: " + reason);
    }

    private static double sum(double[] column, int from, int to) {
        return Arrays.stream(column, from, to).sum();
    }
}
