package io.ycsbdrill.fault.schedule;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * When the service counts as steady: over two consecutive windows, in parts of one second, the trend and the scatter of the throughput
 * are both within bounds, the means of the two windows agree, and the service is in good {@link Health}. Between steps the throughput
 * must also be back at the level of the first steady state.
 *
 * @param after not before this long after run start
 * @param window length of each of the two windows, 2 s to 10 min
 * @param slope the most that the fitted line may rise or fall over both windows, and that their means may differ, as a share of
 *     the mean; positive
 * @param variation the largest coefficient of variation (standard deviation by mean), and the most by which throughput may be below
 *     that of the first steady state; positive
 * @param within how long it may take from run start; the drill fails when it takes longer
 * @param health what the service must be beside steady
 */
public record SteadyState(
        Duration after, Duration window, double slope, double variation, Duration within, Health health) {

    /** Used for what a drill file does not say. */
    public static final SteadyState DEFAULT =
            new SteadyState(Duration.ofSeconds(20), Duration.ofSeconds(10), 0.1, 0.2, Duration.ofMinutes(3));

    /** With the {@link Health} that is required unless said. */
    public SteadyState(Duration after, Duration window, double slope, double variation, Duration within) {
        this(after, window, slope, variation, within, Health.DEFAULT);
    }

    public SteadyState {
        Rules.notNegative("after", after);
        if (window.compareTo(Duration.ofSeconds(2)) < 0 || window.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new IllegalArgumentException("window " + window + " is not within 2s to 10m");
        }
        if (!(slope > 0) || !(variation > 0)) {
            throw new IllegalArgumentException("slope " + slope + " and variation " + variation + " must be positive");
        }
        if (within.compareTo(after) < 0 || within.compareTo(window.multipliedBy(2)) < 0) {
            throw new IllegalArgumentException("within " + within + " is shorter than after or two windows");
        }
    }

    /** The stretch that is judged. */
    public Duration length() {
        return window.multipliedBy(2);
    }

    /** The same, for a run whose load begins this long after its start. */
    SteadyState later(Duration delay) {
        return new SteadyState(after.plus(delay), window, slope, variation, within.plus(delay), health);
    }

    /**
     * How steady the throughput is.
     *
     * @param steady whether it is steady
     * @param opsPerSecond its mean; empty as long as there is too little of it
     * @param text slope and variation, or what is missing or wrong, for markers and messages
     * @param hopeless why it will not become steady however long one waits; empty when it may
     */
    public record Judgement(boolean steady, OptionalDouble opsPerSecond, String text, Optional<String> hopeless) {
        private Judgement(OptionalDouble opsPerSecond, String missing) {
            this(false, opsPerSecond, missing, Optional.empty());
        }
    }

    /**
     * Judges the newest of these seconds, oldest first.
     *
     * @param first mean of the first steady state of the run; empty when there was none yet
     */
    public Judgement judge(List<ServedSecond> seconds, OptionalDouble first) {
        int parts = (int) length().toSeconds();
        if (seconds.size() < parts) {
            return new Judgement(
                    OptionalDouble.empty(), "only " + seconds.size() + " s of throughput so far, of " + parts);
        }
        List<ServedSecond> newest = seconds.subList(seconds.size() - parts, seconds.size());
        Optional<String> hopeless = health.missing(newest);
        if (hopeless.isPresent()) {
            return new Judgement(false, OptionalDouble.of(0), hopeless.get(), hopeless);
        }
        double[] rates = newest.stream().mapToDouble(ServedSecond::ok).toArray();
        double mean = mean(rates, 0, parts);
        if (mean == 0) {
            return new Judgement(OptionalDouble.empty(), "no operation succeeded in the last " + parts + " s");
        }
        Optional<String> sick = health.problem(newest);
        if (sick.isPresent()) {
            return new Judgement(OptionalDouble.of(mean), sick.get());
        }
        double squares = 0;
        double moment = 0;
        double spread = 0;
        for (int i = 0; i < parts; i++) {
            double x = i - (parts - 1) / 2.0;
            squares += (rates[i] - mean) * (rates[i] - mean);
            moment += x * (rates[i] - mean);
            spread += x * x;
        }
        double drift = moment / spread * (parts - 1) / mean;
        double scatter = Math.sqrt(squares / parts) / mean;
        double step = (mean(rates, parts / 2, parts) - mean(rates, 0, parts / 2)) / mean;
        boolean level = first.isEmpty() || mean >= (1 - variation) * first.getAsDouble();
        return new Judgement(
                Math.abs(drift) <= slope && Math.abs(step) <= slope && scatter <= variation && level,
                OptionalDouble.of(mean),
                String.format(
                                Locale.ROOT,
                                "slope %+.1f%% (bound %.1f%%), variation %.1f%% (bound %.1f%%), mean %.0f ops/s over %d s",
                                drift * 100,
                                slope * 100,
                                scatter * 100,
                                variation * 100,
                                mean,
                                parts)
                        + String.format(Locale.ROOT, ", its halves differ by %.1f%%", Math.abs(step) * 100)
                        + (level
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        ", only %.0f%% of the first steady state's %.0f ops/s",
                                        100 * mean / first.getAsDouble(),
                                        first.getAsDouble())),
                Optional.empty());
    }

    private static double mean(double[] rates, int from, int to) {
        return Arrays.stream(rates, from, to).average().orElseThrow();
    }
}
