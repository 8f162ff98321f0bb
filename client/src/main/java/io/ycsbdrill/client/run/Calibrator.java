package io.ycsbdrill.client.run;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.pace.Calibration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Measures how many transactions per second a closed loop does: the mean of the seconds in the later half of a calibration. The
 * first half is the warm-up. Owned by {@code window-sampler}.
 */
final class Calibrator implements RunCompanion {
    private static final long SECOND = 1_000_000_000L;

    private final Calibration calibration;
    private final LongSupplier now;
    private final Consumer<Calibrated> over;
    private final double[] seconds;
    private final int from;
    private long operations;
    private long succeeded;
    private long untilNanos;
    private boolean done;

    /**
     * @param now asked once, for when the rate is to begin, in nanoseconds since run start
     * @param over notified of the result, with the interval that ends the calibration; without a success in it the maximum is 0
     */
    Calibrator(Calibration calibration, LongSupplier now, Consumer<Calibrated> over) {
        this.calibration = calibration;
        this.now = now;
        this.over = over;
        seconds = new double[calibration.seconds()];
        from = seconds.length / 2;
    }

    @Override
    public void started(RunControl run) {
        // It works on intervals.
    }

    @Override
    public void interval(IntervalTotals interval, Operations names) {
        if (done) {
            return;
        }
        untilNanos = interval.endNanos();
        int second = (int) (interval.startNanos() / SECOND);
        seconds[second] += interval.transactions();
        if (second >= from) {
            interval.operations().forEach((id, totals) -> {
                if (Operations.isCall(id)) {
                    for (Outcome outcome : Outcome.values()) {
                        operations += totals.count(outcome);
                    }
                    succeeded += totals.count(Outcome.OK);
                }
            });
        }
        done = interval.endNanos() >= seconds.length * SECOND;
        if (done) {
            over.accept(result(now.getAsLong()));
        }
    }

    /** What it has measured until now, in words; empty when it is over. The later half of its whole seconds, as at its end. */
    Optional<String> unfinished() {
        if (done) {
            return Optional.empty();
        }
        int until = (int) Math.min(seconds.length, untilNanos / SECOND);
        String measured = until == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; until then a closed loop did %,.0f transactions/s (mean from %d s to %d s)",
                        Arrays.stream(seconds, until / 2, until).average().orElse(0),
                        until / 2,
                        until);
        return Optional.of(String.format(
                Locale.ROOT,
                "the run ended after %.1f s of its calibration, which takes %d s%s; no rate was ever set",
                untilNanos / 1e9,
                seconds.length,
                measured));
    }

    private Calibrated result(long sinceNanos) {
        double[] measured = Arrays.copyOfRange(seconds, from, seconds.length);
        double mean = succeeded == 0 ? 0 : Arrays.stream(measured).average().orElse(0);
        double squares =
                Arrays.stream(measured).map(s -> (s - mean) * (s - mean)).sum();
        return new Calibrated(
                calibration.share(),
                from,
                seconds.length,
                mean,
                mean == 0 ? 0 : Math.sqrt(squares / (measured.length - 1)) / mean,
                operations == 0 ? 0 : 1 - (double) succeeded / operations,
                sinceNanos,
                calibration.share() * mean);
    }
}
