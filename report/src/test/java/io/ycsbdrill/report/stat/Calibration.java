package io.ycsbdrill.report.stat;

import io.ycsbdrill.report.stat.SimulatedEngine.Measured;
import io.ycsbdrill.report.stat.SimulatedEngine.Scatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Checks the statistics on simulated engines whose truth is known, and prints the tables of docs/statistics.md. Run by
 * {@code bench/calibration.sh}; {@code CalibrationTest} checks the same with fewer experiments.
 */
public final class Calibration {
    static final double SCATTER = 0.08;

    private static boolean missed;

    private Calibration() {}

    public static void main(String[] arguments) {
        int experiments = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
        System.out.println("Experiments per figure: " + experiments);
        ratios(experiments);
        drift(experiments);
        detectable(experiments);
        medians(experiments);
        changes(experiments / 5);
        System.exit(missed ? 1 : 0);
    }

    private static void ratios(int experiments) {
        System.out.println("\nRatio B/A: true ratios inside the 95 % interval, and what was called different, in %");
        System.out.println(
                "| scatter of runs | pairs | inside | A/A called different | 1.2 called better | 0.8 called worse |");
        System.out.println("|---|---|---|---|---|---|");
        for (Scatter scatter : new Scatter[] {Scatter.NORMAL, Scatter.LOG_NORMAL, Scatter.OUTLIERS}) {
            for (int pairs : new int[] {3, 5, 7, 10}) {
                double inside = inside(scatter, pairs, experiments, Measured::ratio);
                double same = called(scatter, pairs, 1, experiments);
                double better = called(scatter, pairs, 1.2, experiments);
                double worse = called(scatter, pairs, 0.8, experiments);
                System.out.printf(
                        Locale.ROOT,
                        "| %s, 8 %% | %d | %s | %s | %s | %s |%n",
                        scatter.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                        pairs,
                        percent(inside, scatter == Scatter.OUTLIERS || inside >= 0.93 && inside <= 0.97),
                        percent(same, same <= 0.05),
                        percent(better, pairs < 5 || scatter == Scatter.OUTLIERS || better >= 0.8),
                        percent(worse, pairs < 5 || scatter == Scatter.OUTLIERS || worse >= 0.8));
            }
        }
    }

    static double inside(Scatter scatter, int pairs, int experiments, Function<Measured, Estimate> method) {
        double truth = 1.2;
        return SimulatedEngine.share(
                experiments,
                seed -> method.apply(new SimulatedEngine(scatter, SCATTER, 0, seed).drawn(pairs, truth))
                                .excludes(truth)
                        ? 0
                        : 1);
    }

    static double called(Scatter scatter, int pairs, double effect, int experiments) {
        Comparison expected = effect > 1 ? Comparison.BETTER : Comparison.WORSE;
        return SimulatedEngine.share(experiments, seed -> {
            Comparison comparison = new SimulatedEngine(scatter, SCATTER, 0, seed)
                    .drawn(pairs, effect)
                    .comparison();
            return (effect == 1 ? comparison != Comparison.NOT_DISTINGUISHABLE : comparison == expected) ? 1 : 0;
        });
    }

    private static void drift(int experiments) {
        System.out.println(
                "\nA/A called different, in %: 5 pairs, normal scatter of 3 %, each run slower than the one before");
        System.out.println(
                "| slower by, each run | drawn within blocks (`ycsb ab`) | A B B A, no A/A | all A, then all B |");
        System.out.println("|---|---|---|---|");
        for (double drift : new double[] {0, 0.002, 0.005, 0.01, 0.02}) {
            double bracket = driftCalls(drift, experiments, e -> e.drawn(5, 1).ratio());
            double abba = driftCalls(drift, experiments, e -> {
                double[][] ab = e.abba(5, 1);
                return PairedRatio.of(ab[0], ab[1]);
            });
            double after = driftCalls(drift, experiments, e -> {
                Measured m = e.sequential(5, 1);
                return PairedRatio.of(m.a(), m.b());
            });
            System.out.printf(
                    Locale.ROOT,
                    "| %.1f %% | %s | %s | %s |%n",
                    drift * 100,
                    percent(bracket, bracket <= 0.06),
                    percent(abba, true),
                    percent(after, true));
        }
    }

    /** How often the interval alone, without a noise floor, excludes 1. */
    static double driftCalls(double drift, int experiments, Function<SimulatedEngine, Estimate> method) {
        return SimulatedEngine.share(
                experiments,
                seed -> method.apply(new SimulatedEngine(Scatter.NORMAL, 0.03, -drift, seed))
                                .excludes(1)
                        ? 1
                        : 0);
    }

    private static void detectable(int experiments) {
        System.out.println(
                "\nHow often a true difference of the detectable ratio is found, in % (80 is the aim), normal scatter of 8 %");
        System.out.println("| pairs | detectable ratio | found |");
        System.out.println("|---|---|---|");
        for (int pairs : new int[] {3, 5, 7, 10}) {
            // The deviation of ln B - (ln A + ln A') / 2.
            double ratio = DetectableRatio.of(SCATTER * Math.sqrt(1.5), pairs);
            double found = called(Scatter.LOG_NORMAL, pairs, ratio, experiments);
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %.2f | %s |%n",
                    pairs,
                    ratio,
                    percent(found, pairs < 5 || found >= 0.75 && found <= 0.87));
        }
    }

    private static void medians(int experiments) {
        System.out.println("\nMedian: true medians inside the 95 % interval, in %");
        System.out.println(
                "| scatter of runs | runs | order statistics (used) | bootstrap, percentile | bootstrap, BCa | Student's t |");
        System.out.println("|---|---|---|---|---|---|");
        for (Scatter scatter : Scatter.values()) {
            double truth = scatter.median();
            for (int n = 5; n <= 10; n++) {
                double used = medianInside(scatter, n, truth, experiments, MedianInterval::of);
                System.out.printf(
                        Locale.ROOT,
                        "| %s | %d | %s | %s | %s | %s |%n",
                        scatter.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                        n,
                        percent(used, used >= 0.93 && used <= 0.97),
                        percent(medianInside(scatter, n, truth, experiments, s -> bootstrap(s, false)), true),
                        percent(medianInside(scatter, n, truth, experiments, s -> bootstrap(s, true)), true),
                        percent(medianInside(scatter, n, truth, experiments, Calibration::student), true));
            }
        }
    }

    static double medianInside(
            Scatter scatter, int n, double truth, int experiments, Function<double[], Estimate> method) {
        return SimulatedEngine.share(
                experiments,
                seed -> method.apply(new SimulatedEngine(scatter, SCATTER, 0, seed).runs(n))
                                .excludes(truth)
                        ? 0
                        : 1);
    }

    private static void changes(int series) {
        System.out.println(
                "\nChange points in " + series + " series: those in which a change is found, in %; scatter 5 %");
        System.out.println(
                "| scatter of runs | runs | no change (false) | 10 % step in the middle | 20 % step | the 20 % step found within one run |");
        System.out.println("|---|---|---|---|---|---|");
        for (Scatter scatter : new Scatter[] {Scatter.NORMAL, Scatter.LOG_NORMAL, Scatter.OUTLIERS}) {
            for (int runs : new int[] {10, 20, 30, 50, 100}) {
                double none = changed(scatter, runs, 1, series, false);
                System.out.printf(
                        Locale.ROOT,
                        "| %s | %d | %s | %s | %s | %s |%n",
                        scatter.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                        runs,
                        percent(none, none <= (scatter == Scatter.OUTLIERS ? 0.1 : 0.05)),
                        percent(changed(scatter, runs, 0.9, series, false), true),
                        percent(changed(scatter, runs, 0.8, series, false), true),
                        percent(changed(scatter, runs, 0.8, series, true), true));
            }
        }
    }

    /** In how many series a change is found, or is found where it is. */
    static double changed(Scatter scatter, int runs, double step, int series, boolean there) {
        return SimulatedEngine.share(series, seed -> {
            SimulatedEngine engine = new SimulatedEngine(scatter, 0.05, 0, seed);
            double[] values = new double[runs];
            for (int i = 0; i < runs; i++) {
                values[i] = engine.run(i < runs / 2 ? 1 : step);
            }
            return ChangePoints.of(values).stream()
                            .anyMatch(change -> !there || Math.abs(change.index() - runs / 2) <= 1)
                    ? 1
                    : 0;
        });
    }

    /** The percentile or BCa bootstrap of the median (B. Efron, R. J. Tibshirani, "An Introduction to the Bootstrap", chapters 13, 14). */
    private static Estimate bootstrap(double[] sample, boolean corrected) {
        int n = sample.length;
        SplittableRandom random = new SplittableRandom(Arrays.hashCode(sample));
        double[] medians = new double[1000];
        double[] resample = new double[n];
        for (int i = 0; i < medians.length; i++) {
            for (int j = 0; j < n; j++) {
                resample[j] = sample[random.nextInt(n)];
            }
            medians[i] = median(resample);
        }
        Arrays.sort(medians);
        double low = 0.025;
        double high = 0.975;
        if (corrected) {
            double median = median(sample);
            double below = Arrays.stream(medians).filter(m -> m < median).count()
                    + 0.5 * Arrays.stream(medians).filter(m -> m == median).count();
            double z = quantile(below / medians.length);
            double[] left = new double[n];
            for (int i = 0; i < n; i++) {
                double[] others = new double[n - 1];
                System.arraycopy(sample, 0, others, 0, i);
                System.arraycopy(sample, i + 1, others, i, n - 1 - i);
                left[i] = median(others);
            }
            double mean = Arrays.stream(left).average().orElseThrow();
            double squares =
                    Arrays.stream(left).map(x -> (mean - x) * (mean - x)).sum();
            double cubes = Arrays.stream(left).map(x -> Math.pow(mean - x, 3)).sum();
            double a = squares == 0 ? 0 : cubes / (6 * Math.pow(squares, 1.5));
            low = probability(z + (z - 1.959964) / (1 - a * (z - 1.959964)));
            high = probability(z + (z + 1.959964) / (1 - a * (z + 1.959964)));
        }
        return new Estimate(median(sample), at(medians, low), at(medians, high), n);
    }

    private static double at(double[] sorted, double p) {
        return sorted[(int) Math.max(0, Math.min(sorted.length - 1, Math.floor(p * sorted.length)))];
    }

    private static double quantile(double p) {
        return org.apache.commons.statistics.distribution.NormalDistribution.of(0, 1)
                .inverseCumulativeProbability(p);
    }

    private static double probability(double z) {
        return org.apache.commons.statistics.distribution.NormalDistribution.of(0, 1)
                .cumulativeProbability(z);
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    private static Estimate student(double[] sample) {
        double mean = Arrays.stream(sample).average().orElseThrow();
        double deviation = Math.sqrt(
                Arrays.stream(sample).map(x -> (x - mean) * (x - mean)).sum() / (sample.length - 1));
        double half = TDistribution.of(sample.length - 1).inverseSurvivalProbability(0.025)
                * deviation
                / Math.sqrt(sample.length);
        return new Estimate(mean, mean - half, mean + half, sample.length);
    }

    private static String percent(double share, boolean asPromised) {
        missed |= !asPromised;
        return String.format(Locale.ROOT, "%.1f%s", share * 100, asPromised ? "" : " (outside the promise)");
    }
}
