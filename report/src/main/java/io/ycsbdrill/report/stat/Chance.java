package io.ycsbdrill.report.stat;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;

/** How probable a result at least as bad is when nothing differs; one-sided. Pure, thread-safe. */
public final class Chance {
    /** The share of false alarms that a gate may have, over all its figures together. */
    public static final double ALARMS = 0.05;

    private Chance() {}

    /**
     * That the mean of pairs is above 0 by as much, by Student's test. Without any scatter, as quantised figures may be, the deviation is
     * not known: then the chance is that B is the extreme of three like runs in every pair.
     *
     * @param mean of the differences, with its sign
     * @param halfInterval half of Student's {@link Estimate#LEVEL} interval, 0 or more
     * @param pairs at least {@value PairedRatio#LEAST}
     * @param count how it was decided how many they are
     */
    public static double above(double mean, double halfInterval, int pairs, PairCount count) {
        if (!(mean > 0)) {
            return 1;
        }
        double exact = Math.pow(1.0 / 3, pairs);
        if (halfInterval <= mean * 1e-9) {
            return exact;
        }
        TDistribution student = TDistribution.of(count.scatterOf(pairs) - 1);
        double error = halfInterval / student.inverseSurvivalProbability((1 - Estimate.LEVEL) / 2);
        return student.survivalProbability(mean / error);
    }

    /**
     * That the third of three like runs is, over all blocks, as often as this among those that lack something: exact, given how many runs of
     * each block lack it.
     *
     * @param lacking of each block, how many of its three runs lack it
     * @param third in how many blocks the third run lacks it
     */
    public static double lacking(int[] lacking, int third) {
        double[] probability = new double[lacking.length + 1];
        probability[0] = 1;
        for (int each : lacking) {
            double share = each / 3.0;
            for (int i = lacking.length; i >= 0; i--) {
                probability[i] = probability[i] * (1 - share) + (i == 0 ? 0 : probability[i - 1] * share);
            }
        }
        return Math.min(
                1,
                Arrays.stream(probability, Math.min(third, lacking.length), probability.length)
                        .sum());
    }

    /**
     * Which of several results are established together, with at most {@link #ALARMS} of false ones over all (S. Holm, "A simple sequentially
     * rejective multiple test procedure", Scandinavian Journal of Statistics 6, 1979).
     */
    public static boolean[] established(double... chances) {
        Integer[] order = new Integer[chances.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (x, y) -> Double.compare(chances[x], chances[y]));
        boolean[] established = new boolean[chances.length];
        for (int i = 0; i < order.length && chances[order[i]] <= ALARMS / (order.length - i); i++) {
            established[order[i]] = true;
        }
        return established;
    }
}
