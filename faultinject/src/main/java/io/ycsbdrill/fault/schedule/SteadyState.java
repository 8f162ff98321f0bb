package io.ycsbdrill.fault.schedule;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * When throughput counts as steady: over the newest {@code window} of it, in parts of one second, the trend and the scatter are
 * both within bounds.
 *
 * @param after not before this long after run start
 * @param window how much throughput is looked at, 2 s to 10 min
 * @param slope the most that the fitted line may rise or fall over the window, as a share of the mean; positive
 * @param variation the largest coefficient of variation (standard deviation by mean); positive
 * @param within how long it may take from run start; the drill fails when it takes longer
 */
public record SteadyState(Duration after, Duration window, double slope, double variation, Duration within) {

    /** Used for what a drill file does not say. */
    public static final SteadyState DEFAULT =
            new SteadyState(Duration.ofSeconds(20), Duration.ofSeconds(10), 0.3, 0.3, Duration.ofMinutes(3));

    private static final int SLICES_PER_PART = 10;

    public SteadyState {
        Rules.notNegative("after", after);
        if (window.compareTo(Duration.ofSeconds(2)) < 0 || window.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new IllegalArgumentException("window " + window + " is not within 2s to 10m");
        }
        if (!(slope > 0) || !(variation > 0)) {
            throw new IllegalArgumentException("slope " + slope + " and variation " + variation + " must be positive");
        }
        if (within.compareTo(after) < 0 || within.compareTo(window) < 0) {
            throw new IllegalArgumentException("within " + within + " is shorter than after or window");
        }
    }

    /** The same, for a run whose load begins this long after its start. */
    SteadyState later(Duration delay) {
        return new SteadyState(after.plus(delay), window, slope, variation, within.plus(delay));
    }

    /**
     * How steady the throughput is.
     *
     * @param steady whether it is steady
     * @param text slope and variation, or what is missing, for markers and messages
     */
    public record Judgement(boolean steady, String text) {}

    /** Judges the successful operations of the newest 100 ms slices, oldest first. */
    public Judgement judge(List<Long> slices) {
        int parts = (int) window.toSeconds();
        if (slices.size() < parts * SLICES_PER_PART) {
            return new Judgement(false, "only " + slices.size() / SLICES_PER_PART + " s of throughput so far");
        }
        List<Long> newest = slices.subList(slices.size() - parts * SLICES_PER_PART, slices.size());
        double[] rates = new double[parts];
        for (int i = 0; i < newest.size(); i++) {
            rates[i / SLICES_PER_PART] += newest.get(i);
        }
        double mean = 0;
        for (double rate : rates) {
            mean += rate / parts;
        }
        if (mean == 0) {
            return new Judgement(false, "no operation succeeded in the last " + parts + " s");
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
        return new Judgement(
                Math.abs(drift) <= slope && scatter <= variation,
                String.format(
                        Locale.ROOT,
                        "slope %+.1f%% (bound %.1f%%), variation %.1f%% (bound %.1f%%), mean %.0f ops/s over %d s",
                        drift * 100,
                        slope * 100,
                        scatter * 100,
                        variation * 100,
                        mean,
                        parts));
    }
}
