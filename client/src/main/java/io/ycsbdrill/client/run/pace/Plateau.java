package io.ycsbdrill.client.run.pace;

import io.ycsbdrill.base.Formatted;
import java.util.Arrays;
import java.util.Optional;

/**
 * Whether a stretch of throughput tells a maximum: it neither rises nor falls, beyond what its scatter leaves open, and the service did not stall in
 * more than a tenth of it. Pure.
 *
 * @param level median of its seconds: one that stalled does not move it
 * @param scatter standard deviation of its seconds, divided by their mean
 * @param doubt why it may tell none; empty when it certainly does
 * @param usable whether it may: there were no stalls, and what it rose or fell by may be chance
 */
public record Plateau(double level, double scatter, Optional<String> doubt, boolean usable) {
    /** The rise or fall over the stretch, and its standard error, together: half of it is what the level may be wrong by. */
    private static final double MOST_DRIFT = 0.25;

    private static final double STALLED = 0.5;
    private static final int STALLED_ONE_IN = 10;

    /** Finds it in one second or more. */
    public static Plateau of(double[] seconds) {
        double[] sorted = Arrays.stream(seconds).sorted().toArray();
        int n = sorted.length;
        double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
        long stalled = Arrays.stream(sorted).filter(s -> s < STALLED * median).count();
        if (median == 0 || stalled > Math.max(1, n / STALLED_ONE_IN)) {
            String text = Formatted.of("it stalled in %d of the last %d s", stalled, n);
            return new Plateau(median, 0, Optional.of(median == 0 ? "next to nothing was done" : text), false);
        }
        Line line = Line.through(seconds, STALLED * median);
        Optional<String> doubt = Math.abs(line.drift) + line.error <= MOST_DRIFT
                ? Optional.empty()
                : Optional.of(Formatted.of(
                        "throughput %s by %.0f %% \u00b1 %.0f %% over the last %d s (together at most %.0f %%)",
                        line.drift < 0 ? "fell" : "rose",
                        100 * Math.abs(line.drift),
                        100 * line.error,
                        n,
                        100 * MOST_DRIFT));
        return new Plateau(median, line.scatter, doubt, Math.abs(line.drift) - line.error <= MOST_DRIFT);
    }

    /**
     * The least-squares line through seconds, as shares of their mean.
     *
     * @param drift its rise from the first to the last
     * @param error standard error of that; of less than three seconds as large
     */
    private record Line(double drift, double error, double scatter) {
        static Line through(double[] seconds, double least) {
            int n = 0;
            double times = 0;
            double sum = 0;
            for (int i = 0; i < seconds.length; i++) {
                n += seconds[i] >= least ? 1 : 0;
                times += seconds[i] >= least ? i : 0;
                sum += seconds[i] >= least ? seconds[i] : 0;
            }
            double mean = sum / n;
            double squares = 0;
            double moment = 0;
            double spread = 0;
            for (int i = 0; i < seconds.length; i++) {
                if (seconds[i] >= least) {
                    double x = i - times / n;
                    squares += (seconds[i] - mean) * (seconds[i] - mean);
                    moment += x * (seconds[i] - mean);
                    spread += x * x;
                }
            }
            double length = (seconds.length - 1) / mean;
            double drift = spread == 0 ? 0 : moment / spread * length;
            double residual = spread == 0 ? 0 : Math.max(0, squares - moment * moment / spread);
            return new Line(
                    drift,
                    n < 3 ? Math.abs(drift) : Math.sqrt(residual / (n - 2) / spread) * length,
                    n < 2 ? 0 : Math.sqrt(squares / (n - 1)) / mean);
        }
    }
}
