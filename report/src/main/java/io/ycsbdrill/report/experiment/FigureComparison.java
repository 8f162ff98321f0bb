package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.stat.Chance;
import io.ycsbdrill.report.stat.Comparison;
import io.ycsbdrill.report.stat.DetectableRatio;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.report.stat.MedianInterval;
import io.ycsbdrill.report.stat.NoiseFloor;
import io.ycsbdrill.report.stat.PairCount;
import io.ycsbdrill.report.stat.PairedDifference;
import io.ycsbdrill.report.stat.PairedRatio;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the pairs say about one figure of B relative to A. Immutable.
 *
 * @param figure what is compared
 * @param a the median of both runs of A in all pairs; NaN when it was never measured
 * @param b the median of B
 * @param effect the ratio B/A, or the difference B - A of a figure that may be 0; NaN when it is not judged
 * @param floor by how much A differed from itself: a ratio of at least 1, or a difference of at least 0
 * @param detectable the smallest ratio, or difference, that would have been found; NaN without interval
 * @param outcome better, worse or not distinguishable; empty when it is not judged
 * @param reason why it is not judged; empty when it is
 * @param lacking whether it is not judged because B was without the figure where A had it
 * @param lackChance how probable it is that B is without it as often, were B like A; 1 where that is no question
 * @param count how it was decided how many pairs there are
 */
record FigureComparison(
        Figure figure,
        double a,
        double b,
        Estimate effect,
        double floor,
        double detectable,
        Optional<Comparison> outcome,
        String reason,
        boolean lacking,
        double lackChance,
        PairCount count) {

    /**
     * Compares.
     *
     * @param a of each pair, NaN where it was not measured
     * @param again the second run of A in the same pair
     * @param b of each pair
     * @param nothingForB in how many pairs there was nothing to measure under B
     * @param lacking whether B lacks it more often than A, where there was something to measure
     * @param lackChance how probable that is by chance
     * @param count how it was decided how many pairs there are
     */
    static FigureComparison of(
            Figure figure,
            double[] a,
            double[] again,
            double[] b,
            long nothingForB,
            boolean lacking,
            double lackChance,
            PairCount count) {
        long ofA = Math.min(measured(a), measured(again));
        if (ofA < a.length || measured(b) < b.length) {
            String counts = "measured in " + ofA + " of " + a.length + " pairs under A, in " + measured(b) + " under B"
                    + (nothingForB == 0 ? "" : ", nothing to measure in " + nothingForB);
            return notJudged(figure, a, again, b, counts, lacking, lackChance);
        }
        if (!PairedFigures.isRatio(figure)) {
            double[] both = new double[a.length];
            Arrays.setAll(both, i -> (a[i] + again[i]) / 2);
            PairedDifference difference = PairedDifference.of(both, b, count);
            double floor = Math.abs(PairedDifference.of(a, again).estimate().value());
            return new FigureComparison(
                    figure,
                    median(a, again),
                    median(b),
                    difference.estimate(),
                    floor,
                    difference.detectable(),
                    Optional.of(difference.comparison(floor, ExperimentData.moreIsBetter(figure.column()))),
                    "",
                    false,
                    1,
                    count);
        }
        if (!(least(a) > 0 && least(again) > 0 && least(b) > 0)) {
            return notJudged(figure, a, again, b, "a value is 0, which has no ratio", false, 1);
        }
        double[] both = PairedRatio.both(a, again);
        Estimate ratio = PairedRatio.of(both, b, count);
        NoiseFloor floor = NoiseFloor.of(a, again);
        return new FigureComparison(
                figure,
                median(a, again),
                median(b),
                ratio,
                floor.ratio(),
                DetectableRatio.of(both, b, count),
                Optional.of(Comparison.of(ratio, floor, ExperimentData.moreIsBetter(figure.column()))),
                "",
                false,
                1,
                count);
    }

    private static FigureComparison notJudged(
            Figure figure, double[] a, double[] again, double[] b, String reason, boolean lacking, double lackChance) {
        return new FigureComparison(
                figure,
                median(a, again),
                median(b),
                Estimate.withoutInterval(Double.NaN, 0),
                Double.NaN,
                Double.NaN,
                Optional.empty(),
                reason,
                lacking,
                lackChance,
                PairCount.PLANNED);
    }

    private static long measured(double[] values) {
        return Arrays.stream(values).filter(Double::isFinite).count();
    }

    private static double least(double[] values) {
        return Arrays.stream(values).min().orElse(Double.NaN);
    }

    private static double median(double[]... values) {
        return MedianInterval.of(Arrays.stream(values)
                        .flatMapToDouble(Arrays::stream)
                        .filter(Double::isFinite)
                        .toArray())
                .value();
    }

    String aText() {
        return figure.text(a);
    }

    String bText() {
        return figure.text(b);
    }

    /** By which share of A's figure B is worse; 0 when it is better, infinite when A's is 0. */
    double worseBy() {
        double change = PairedFigures.isRatio(figure)
                ? effect.value() - 1
                : a == 0 && effect.value() == 0 ? 0 : effect.value() / Math.abs(a);
        return Math.max(0, ExperimentData.moreIsBetter(figure.column()) ? -change : change);
    }

    /** Whether there is something to test: the figure is judged, or B is without it more often than A. */
    boolean tested() {
        return outcome.isPresent() || lacking;
    }

    /** How probable it is that B is as much worse, or as often without the figure, were it like A. */
    double chance() {
        if (lacking) {
            return lackChance;
        }
        boolean ratio = PairedFigures.isRatio(figure);
        double sign = ExperimentData.moreIsBetter(figure.column()) ? -1 : 1;
        double mean = ratio ? Math.log(effect.value()) : effect.value();
        double half =
                ratio ? (Math.log(effect.high()) - Math.log(effect.low())) / 2 : (effect.high() - effect.low()) / 2;
        return Chance.above(sign * mean, half, effect.n(), count);
    }

    /** Whether B is established to be worse, and by more than this share of A's figure. */
    boolean worseBeyond(double share) {
        return outcome.filter(is -> is == Comparison.WORSE).isPresent() && worseBy() > share;
    }

    /** {@code 0.893 [0.870, 0.917]}, {@code +1.2 s [+0.8, +1.6]}, {@code 0.893 (no interval, n=2)}. */
    String effectText() {
        if (Double.isNaN(effect.value())) {
            return NumberText.ABSENT;
        }
        return number(effect.value())
                + unit()
                + (effect.hasInterval() && effect.low() == effect.high()
                        ? " (the same in each of " + effect.n() + " pairs: scatter is below its resolution)"
                        : effect.hasInterval()
                                ? " [" + number(effect.low()) + ", " + number(effect.high()) + "]"
                                : " (no interval, n=" + effect.n() + ")");
    }

    String floorText() {
        return Double.isNaN(floor) ? NumberText.ABSENT : size(floor) + unit();
    }

    String detectableText() {
        return Double.isNaN(detectable) ? NumberText.ABSENT : size(detectable) + unit();
    }

    String outcomeText() {
        return outcome.map(Comparison::label).orElse("not judged: " + reason);
    }

    private String unit() {
        return PairedFigures.isRatio(figure) ? "" : " " + figure.unit();
    }

    private String number(double value) {
        return PairedFigures.isRatio(figure) || value < 0 ? size(value) : "+" + size(value);
    }

    private String size(double value) {
        return PairedFigures.isRatio(figure) ? Formatted.of("%.3f", value) : figure.text(value);
    }
}
