package io.ycsbdrill.report.stat;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

/** An engine whose true figure is 1, whose runs scatter around it in a known way, and which may become slower from run to run. */
final class SimulatedEngine {
    /** How single runs scatter; the relative standard deviation, or that of the logarithm, is {@code s}. */
    enum Scatter {
        NORMAL((r, s) -> Math.max(0.05, 1 + s * r.nextGaussian())),
        LOG_NORMAL((r, s) -> Math.exp(s * r.nextGaussian())),
        /** Every tenth run loses four tenths, as when something else ran on the machine. */
        OUTLIERS((r, s) -> Math.max(0.05, 1 + s * r.nextGaussian()) * (r.nextDouble() < 0.1 ? 0.6 : 1)),
        /** As waiting times are: many short ones, a long tail. */
        SKEWED((r, s) -> -Math.log(1 - r.nextDouble()) / Math.log(2));

        private interface Draw {
            double of(Source random, double scatter);
        }

        private final Draw draw;

        Scatter(Draw draw) {
            this.draw = draw;
        }

        /** The median of single runs, from two million of them: to three digits. */
        double median() {
            SimulatedEngine engine = new SimulatedEngine(this, Calibration.SCATTER, 0, 1);
            double[] many = engine.runs(2_000_001);
            Arrays.sort(many);
            return many[many.length / 2];
        }
    }

    /** Random numbers; Java 17 has no Gaussian ones of a SplittableRandom. */
    private record Source(SplittableRandom random) {
        double nextDouble() {
            return random.nextDouble();
        }

        double nextGaussian() {
            return Math.sqrt(-2 * Math.log(1 - random.nextDouble())) * Math.cos(2 * Math.PI * random.nextDouble());
        }
    }

    private final Scatter scatter;
    private final double size;
    private final Source random;
    private final long seed;
    private final IntToDoubleFunction disturbance;
    private int run;

    SimulatedEngine(Scatter scatter, double size, double driftPerRun, long seed) {
        this(scatter, size, run -> Math.pow(1 + driftPerRun, run), seed);
    }

    /** @param disturbance a factor of each run, by how many were before it */
    SimulatedEngine(Scatter scatter, double size, IntToDoubleFunction disturbance, long seed) {
        this.scatter = scatter;
        this.size = size;
        this.disturbance = disturbance;
        this.seed = seed;
        random = new Source(new SplittableRandom(seed));
    }

    /** The next run of a variant that is {@code effect} times as large. */
    double run(double effect) {
        return effect * scatter.draw.of(random, size) * disturbance.applyAsDouble(run++);
    }

    double[] runs(int n) {
        double[] runs = new double[n];
        for (int i = 0; i < n; i++) {
            runs[i] = run(1);
        }
        return runs;
    }

    /** What one A/B experiment measured: by pair, A, B and A again. */
    record Measured(double[] a, double[] b, double[] again) {
        Estimate ratio() {
            return PairedRatio.of(PairedRatio.both(a, again), b);
        }

        Comparison comparison() {
            return Comparison.of(ratio(), NoiseFloor.of(a, again), true);
        }
    }

    /** As {@code ycsb ab} does: A, B and A again, in the order drawn for each pair. */
    Measured drawn(int pairs, double effect) {
        return inOrder(BlockOrder.draw(3, pairs, seed), effect);
    }

    /** A B A, always. */
    Measured fixed(int pairs, double effect) {
        return inOrder(Collections.nCopies(pairs, List.of(0, 1, 2)), effect);
    }

    private Measured inOrder(List<List<Integer>> blocks, double effect) {
        int pairs = blocks.size();
        Measured m = new Measured(new double[pairs], new double[pairs], new double[pairs]);
        for (int i = 0; i < pairs; i++) {
            for (int which : blocks.get(i)) {
                (which == 0 ? m.a : which == 1 ? m.b : m.again)[i] = run(which == 1 ? effect : 1);
            }
        }
        return m;
    }

    /** As one would by hand: all of A, then all of B. */
    Measured sequential(int pairs, double effect) {
        Measured m = new Measured(runs(pairs), new double[pairs], runs(pairs));
        for (int i = 0; i < pairs; i++) {
            m.b[i] = run(effect);
        }
        return m;
    }

    /** A B, the next pair B A; nothing is measured twice. */
    double[][] abba(int pairs, double effect) {
        double[][] ab = new double[2][pairs];
        for (int i = 0; i < pairs; i++) {
            boolean forwards = i % 2 == 0;
            double first = run(forwards ? 1 : effect);
            double second = run(forwards ? effect : 1);
            ab[0][i] = forwards ? first : second;
            ab[1][i] = forwards ? second : first;
        }
        return ab;
    }

    /** The share of experiments, each with a seed of its own, of which something holds. */
    static double share(int experiments, ToDoubleFunction<Long> holds) {
        double sum = 0;
        for (long seed = 1; seed <= experiments; seed++) {
            // Not a multiple of SplittableRandom's own step, with which one experiment would repeat the numbers of
            // another.
            sum += holds.applyAsDouble(seed * 0xD1342543DE82EF95L);
        }
        return sum / experiments;
    }
}
