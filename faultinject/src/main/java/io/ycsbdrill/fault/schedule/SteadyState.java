package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Median;
import io.ycsbdrill.base.Scatter;
import io.ycsbdrill.base.Wander;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * When the service counts as steady: over two consecutive windows or more, in parts of one second, the trend and the scatter of the throughput
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

    /** Steady time before this much is no longer part of a baseline. */
    public static final Duration LONGEST = Duration.ofMinutes(10);

    private static final double DEFAULT_VARIATION = 0.2;

    /** A latency that was so many times as high in the first window falls. */
    private static final double FALLING = 1.2;

    /** Used for what a drill file does not say. */
    public static final SteadyState DEFAULT = new SteadyState(
            Duration.ofSeconds(20), Duration.ofSeconds(10), 0.1, DEFAULT_VARIATION, Duration.ofMinutes(3));

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

    /** The shortest stretch that is judged. */
    public Duration length() {
        return window.multipliedBy(2);
    }

    /** The longest. */
    public Duration longest() {
        return length().compareTo(LONGEST) > 0 ? length() : LONGEST;
    }

    /**
     * How steady the throughput is.
     *
     * @param steady whether it is steady
     * @param opsPerSecond its mean; empty as long as there is too little of it
     * @param seconds for how long it has been steady, up to {@link #LONGEST}; 0 when it is not
     * @param text slope and variation, or what is missing or wrong, for markers and messages
     * @param falling how much its median latency still falls when that would hide a latency that stays higher; empty when it does not
     * @param hopeless why it will not become steady however long one waits; empty when it may
     */
    public record Judgement(
            boolean steady,
            OptionalDouble opsPerSecond,
            int seconds,
            String text,
            Optional<String> falling,
            Optional<String> hopeless) {
        private Judgement(OptionalDouble opsPerSecond, String missing) {
            this(false, opsPerSecond, 0, missing, Optional.empty(), Optional.empty());
        }
    }

    /**
     * Judges the newest of these seconds, oldest first, and, when they are steady, how far back that goes.
     *
     * @param first mean of the first steady state of the run; empty when there was none yet
     */
    public Judgement judge(List<ServedSecond> seconds, OptionalDouble first) {
        int parts = (int) length().toSeconds();
        if (seconds.size() < parts) {
            return new Judgement(
                    OptionalDouble.empty(), "only " + seconds.size() + " s of throughput so far, of " + parts);
        }
        List<ServedSecond> newest = newest(seconds, parts);
        Optional<String> hopeless = health.missing(newest);
        if (hopeless.isPresent()) {
            return new Judgement(false, OptionalDouble.of(0), 0, hopeless.get(), Optional.empty(), hopeless);
        }
        Stretch last = Stretch.of(newest);
        if (last.mean() == 0) {
            return new Judgement(OptionalDouble.empty(), "no operation succeeded in the last " + parts + " s");
        }
        Optional<String> sick = health.problem(newest);
        if (sick.isPresent()) {
            return new Judgement(OptionalDouble.of(last.mean()), sick.get());
        }
        boolean level = first.isEmpty() || last.mean() >= (1 - variation) * first.getAsDouble();
        boolean even = fits(last) && level;
        int length = even ? since(seconds, parts) : parts;
        List<ServedSecond> all = newest(seconds, length);
        Stretch whole = Stretch.of(all);
        Optional<String> chance = even ? chance(all) : Optional.empty();
        boolean steady = even && chance.isEmpty();
        return new Judgement(
                steady,
                OptionalDouble.of(last.mean()),
                steady ? length : 0,
                whole.text(this)
                        + (level
                                ? ""
                                : Formatted.of(
                                        ", only %.0f%% of the first steady state's %.0f ops/s",
                                        100 * last.mean() / first.getAsDouble(), first.getAsDouble()))
                        + chance.orElse(""),
                falling(newest),
                Optional.empty());
    }

    private boolean fits(Stretch stretch) {
        return Math.abs(stretch.drift()) <= slope
                && Math.abs(stretch.step()) <= slope
                && stretch.variation() <= variation;
    }

    /** Window by window back, as long as each two of them and all together are within bounds, too. */
    private int since(List<ServedSecond> seconds, int parts) {
        int step = (int) window.toSeconds();
        int most = (int) Math.min(seconds.size(), longest().toSeconds());
        int length = parts;
        while (length + step <= most) {
            List<ServedSecond> longer = newest(seconds, length + step);
            boolean still = fits(Stretch.of(longer.subList(0, parts)))
                    && fits(Stretch.of(longer))
                    && health.problem(longer.subList(0, parts)).isEmpty()
                    && health.problem(longer).isEmpty();
            if (!still) {
                break;
            }
            length += step;
        }
        return length;
    }

    /** What is still warming up would hide from the verdict that the service stays slower. */
    private Optional<String> falling(List<ServedSecond> seconds) {
        double[] medians = seconds.stream()
                .mapToDouble(ServedSecond::p50Millis)
                .filter(millis -> millis > 0)
                .map(millis -> 1_000 * millis)
                .toArray();
        if (medians.length < 2) {
            return Optional.empty();
        }
        int half = medians.length / 2;
        double before = Median.of(Arrays.copyOf(medians, half));
        double now = Median.of(Arrays.copyOfRange(medians, half, medians.length));
        return before > FALLING * now && Wander.of(medians).hidesAChange((int) length().toSeconds())
                ? Optional.of(Formatted.of(
                        "its median latency still falls, from %.1f to %.1f ms, which would hide that it stays %.1f times as high",
                        before / 1_000, now / 1_000, Wander.TO_BE_SEEN))
                : Optional.empty();
    }

    /** In a closed loop a fault shows only in a throughput that does not fall by itself; who sets a higher bound knows that. */
    private Optional<String> chance(List<ServedSecond> seconds) {
        boolean closedLoop = seconds.stream().allMatch(second -> Double.isNaN(second.due()));
        Scatter scatter = Scatter.of(rates(seconds));
        return closedLoop && variation <= DEFAULT_VARIATION && scatter.closedLoopLevel() < Scatter.LEAST_LEVEL
                ? Optional.of(Formatted.of(
                        ", and in this closed loop it may fall by more than half by chance: its seconds scatter by %.1f%%, dependence of"
                                + " neighbours included; give a rate, such as load: 60%%, or a steady.variation above %.0f%%",
                        100 * scatter.relative(), 100 * DEFAULT_VARIATION))
                : Optional.empty();
    }

    private static List<ServedSecond> newest(List<ServedSecond> seconds, int count) {
        return seconds.subList(seconds.size() - count, seconds.size());
    }

    private static double[] rates(List<ServedSecond> seconds) {
        return seconds.stream().mapToDouble(ServedSecond::ok).toArray();
    }

    /**
     * Figures of the throughput of a stretch.
     *
     * @param drift rise of the fitted line over all of it, divided by the mean
     * @param step difference of its halves, divided by the mean
     */
    private record Stretch(int seconds, double mean, double drift, double variation, double step) {
        static Stretch of(List<ServedSecond> seconds) {
            double[] rates = rates(seconds);
            int parts = rates.length;
            double mean = mean(rates, 0, parts);
            double squares = 0;
            double moment = 0;
            double spread = 0;
            for (int i = 0; i < parts; i++) {
                double x = i - (parts - 1) / 2.0;
                squares += (rates[i] - mean) * (rates[i] - mean);
                moment += x * (rates[i] - mean);
                spread += x * x;
            }
            return new Stretch(
                    parts,
                    mean,
                    moment / spread * (parts - 1) / mean,
                    Math.sqrt(squares / parts) / mean,
                    (mean(rates, parts / 2, parts) - mean(rates, 0, parts / 2)) / mean);
        }

        private static double mean(double[] rates, int from, int to) {
            return Arrays.stream(rates, from, to).average().orElseThrow();
        }

        String text(SteadyState bounds) {
            return Formatted.of(
                    "slope %+.1f%% (bound %.1f%%), variation %.1f%% (bound %.1f%%), mean %.0f ops/s over %d s, its halves"
                            + " differ by %.1f%%",
                    drift * 100,
                    bounds.slope * 100,
                    variation * 100,
                    bounds.variation * 100,
                    mean,
                    seconds,
                    Math.abs(step) * 100);
        }
    }
}
