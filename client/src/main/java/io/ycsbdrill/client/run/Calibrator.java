package io.ycsbdrill.client.run;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.pace.Calibration;
import io.ycsbdrill.client.run.pace.Plateau;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Measures how many transactions per second a closed loop does: those of the later half of a calibration, as soon as that is a {@link Plateau}. The
 * first half is the warm-up, so one that is not sure yet goes on and leaves more out. Owned by {@code window-sampler}.
 */
final class Calibrator implements RunCompanion {
    private static final long SECOND = 1_000_000_000L;
    private static final int MOST_LENGTHS = 4;
    private static final int LEAST_MOST_SECONDS = 60;

    private final Calibration calibration;
    private final boolean alone;
    private final int mostSeconds;
    private final LongSupplier now;
    private final Consumer<Calibrated> over;
    private final List<Second> seconds = new ArrayList<>();
    private long untilNanos;
    private boolean done;

    private static final class Second {
        private double transactions;
        private long operations;
        private long succeeded;
    }

    /**
     * @param alone whether it may take as long as it needs: of several clients each measures beside all others
     * @param duration of the run, of which half of what the calibration was to leave stays; empty when it has no end of its own
     * @param now asked once, for when the rate is to begin, in nanoseconds since run start
     * @param over notified of the result, with the interval that ends the calibration; without a success in it the maximum is 0
     */
    Calibrator(
            Calibration calibration,
            boolean alone,
            Optional<Duration> duration,
            LongSupplier now,
            Consumer<Calibrated> over) {
        this.calibration = calibration;
        this.alone = alone;
        int most = Math.max(LEAST_MOST_SECONDS, MOST_LENGTHS * calibration.seconds());
        this.mostSeconds = duration.map(all -> Math.min(most, (calibration.seconds() + (int) all.toSeconds()) / 2))
                .orElse(most);
        this.now = now;
        this.over = over;
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
        int number = (int) (interval.startNanos() / SECOND);
        while (seconds.size() <= number) {
            seconds.add(new Second());
        }
        Second second = seconds.get(number);
        second.transactions += interval.transactions();
        interval.operations().forEach((id, totals) -> {
            if (Operations.isCall(id)) {
                for (Outcome outcome : Outcome.values()) {
                    second.operations += totals.count(outcome);
                }
                second.succeeded += totals.count(Outcome.OK);
            }
        });
        if (interval.endNanos() % SECOND == 0 && seconds.size() >= calibration.seconds()) {
            judge();
        }
    }

    /** What it has measured until now, in words; empty when it is over. The later half of its whole seconds, as at its end. */
    Optional<String> unfinished() {
        if (done) {
            return Optional.empty();
        }
        int until = (int) Math.min(seconds.size(), untilNanos / SECOND);
        String measured = until == 0
                ? ""
                : Formatted.of(
                        "; until then a closed loop did %,.0f transactions/s (mean from %d s to %d s)",
                        seconds.subList(until / 2, until).stream()
                                .mapToDouble(s -> s.transactions)
                                .average()
                                .orElse(0),
                        until / 2,
                        until);
        return Optional.of(Formatted.of(
                "the run ended after %.1f s of its calibration, which takes %d s%s; no rate was ever set",
                untilNanos / 1e9, calibration.seconds(), measured));
    }

    private void judge() {
        int from = seconds.size() / 2;
        List<Second> measured = seconds.subList(from, seconds.size());
        Plateau plateau =
                Plateau.of(measured.stream().mapToDouble(s -> s.transactions).toArray());
        long operations = measured.stream().mapToLong(s -> s.operations).sum();
        long succeeded = measured.stream().mapToLong(s -> s.succeeded).sum();
        boolean sure = plateau.doubt().isEmpty();
        done = sure || !alone || succeeded == 0 || seconds.size() >= mostSeconds;
        if (done) {
            double maximum = succeeded == 0 ? 0 : plateau.level();
            over.accept(new Calibrated(
                    calibration.share(),
                    from,
                    seconds.size(),
                    maximum,
                    plateau.scatter(),
                    operations == 0 ? 0 : 1 - (double) succeeded / operations,
                    now.getAsLong(),
                    calibration.share() * maximum,
                    plateau.doubt(),
                    plateau.usable()));
        }
    }
}
