package io.ycsbdrill.report.experiment;

import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.stat.Comparison;
import io.ycsbdrill.report.stat.DetectableRatio;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.report.stat.MedianInterval;
import io.ycsbdrill.report.stat.NoiseFloor;
import io.ycsbdrill.report.stat.PairCount;
import io.ycsbdrill.report.stat.PairedRatio;
import io.ycsbdrill.report.stat.TwoStageRatio;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * An experiment as its files say: the plan, and the figures of every cell. Cells that do not count enter nothing; a variant that ascends
 * counts only when all its repeats do. Immutable.
 *
 * @param directory of the experiment
 * @param plan what was to be run
 * @param rows of all cells, in the order of the plan
 */
public record ExperimentData(Path directory, PlanData plan, List<CellRow> rows) {
    public ExperimentData {
        rows = List.copyOf(rows);
    }

    /**
     * From the plan and the cells' own files, one cell after the other.
     *
     * @throws IOException when the plan cannot be read
     */
    static ExperimentData collect(Path directory) throws IOException {
        PlanData plan = PlanData.read(directory);
        List<CellRow> rows =
                plan.cells().stream().map(cell -> CellRow.read(directory, cell)).toList();
        return new ExperimentData(directory, plan, rows);
    }

    /**
     * From the plan and {@code cells.csv}.
     *
     * @throws IOException when one of them cannot be read
     */
    public static ExperimentData read(Path directory) throws IOException {
        return new ExperimentData(directory, PlanData.read(directory), CellsCsv.read(directory));
    }

    /** The cells of a variant, by repeat; without the reference's second runs. */
    public List<CellRow> cells(int variant) {
        return rows.stream()
                .filter(row -> row.cell().variant() == variant && !row.cell().twin())
                .sorted(Comparator.comparingInt(row -> row.cell().repeat()))
                .toList();
    }

    /** Whether any figure of a variant counts; with an axis to ascend, none of its cells that were run may be NA. */
    public boolean counts(int variant) {
        List<CellRow> cells = cells(variant);
        return plan.ascend().isPresent()
                ? cells.stream().anyMatch(CellRow::counts)
                        && cells.stream()
                                .allMatch(row -> row.counts() || row.state().equals(CellRow.MISSING))
                : cells.stream().anyMatch(CellRow::counts);
    }

    /** Why a variant does not count: the first reason of its cells; empty when it does. */
    public String reason(int variant) {
        return counts(variant)
                ? ""
                : cells(variant).stream()
                        .filter(row -> !row.counts())
                        .map(CellRow::reason)
                        .findFirst()
                        .orElse("not run yet");
    }

    /** How many cells count. */
    public long counting() {
        return rows.stream().filter(CellRow::counts).count();
    }

    /** All columns of figures that were measured, in order of appearance. */
    public Set<String> figures() {
        Set<String> figures = new LinkedHashSet<>();
        rows.forEach(row -> row.values().keySet().stream()
                .filter(figure -> row.value(figure).isPresent())
                .forEach(figures::add));
        return figures;
    }

    /**
     * The figure of each cell of a variant that counts; nothing when one of them lacks it. What a drill did not see the end of
     * is lacking, and that is so in its worst runs: the others would not stand for all.
     */
    public double[] sample(int variant, String figure) {
        if (!counts(variant)) {
            return new double[0];
        }
        List<Double> values = cells(variant).stream()
                .filter(CellRow::counts)
                .map(row -> row.value(figure).orElse(Double.NaN))
                .toList();
        return values.stream().anyMatch(value -> value.isNaN())
                ? new double[0]
                : values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** The median over repeats, with its interval. */
    public Estimate median(int variant, String figure) {
        return MedianInterval.of(sample(variant, figure));
    }

    /** Figures of two cells of the same repeat. */
    public record Pairs(double[] first, double[] second) {}

    /**
     * The pairs of two variants, one for each repeat in which both count; none when the figure is lacking or 0 in one of them, as
     * those that are left would be the better ones, or the worse.
     */
    public Pairs pairs(int first, int second, String figure) {
        boolean both = counts(first) && counts(second);
        return pairs(
                both ? byRepeat(first, false, figure) : Map.of(), both ? byRepeat(second, false, figure) : Map.of());
    }

    /** The pairs of the reference and itself. */
    public Pairs twins(String figure) {
        int reference = plan.reference().number();
        return pairs(byRepeat(reference, false, figure), byRepeat(reference, true, figure));
    }

    /** NaN where the figure is lacking. */
    private Map<Integer, Double> byRepeat(int variant, boolean twin, String figure) {
        return rows.stream()
                .filter(row -> row.cell().variant() == variant && row.cell().twin() == twin && row.counts())
                .collect(Collectors.toMap(
                        row -> row.cell().repeat(), row -> row.value(figure).orElse(Double.NaN), (one, other) -> one));
    }

    private static Pairs pairs(Map<Integer, Double> first, Map<Integer, Double> second) {
        List<Integer> repeats =
                first.keySet().stream().filter(second::containsKey).sorted().toList();
        boolean all = repeats.stream().allMatch(repeat -> first.get(repeat) > 0 && second.get(repeat) > 0);
        List<Integer> used = all ? repeats : List.of();
        return new Pairs(
                used.stream().mapToDouble(first::get).toArray(),
                used.stream().mapToDouble(second::get).toArray());
    }

    /** By how much the reference differed from itself. */
    public NoiseFloor floor(String figure) {
        Pairs twins = twins(figure);
        return NoiseFloor.of(twins.first(), twins.second());
    }

    /** A variant's figure as a multiple of the reference's; empty for the reference, and without a pair. */
    public Optional<Estimate> ratio(int variant, String figure) {
        return against(variant, figure, (a, b) -> ratio(new Pairs(a, b)));
    }

    /** The ratio of pairs. With {@code until} their number depends on the throughput, and so on every figure that goes with it, such as a mean latency. */
    Estimate ratio(Pairs of) {
        return PairedRatio.of(of.first, of.second, pairCount());
    }

    PairCount pairCount() {
        return plan.until().isPresent() ? PairCount.PILOTED : PairCount.PLANNED;
    }

    /** How many repeats it takes until the interval of a variant's throughput reaches no further than this share above its ratio. */
    int enough(int variant, double share) {
        return against(variant, CellFigures.THROUGHPUT, (a, b) -> TwoStageRatio.pairs(a, b, share))
                .orElse(TwoStageRatio.PILOT);
    }

    /** The smallest ratio to the reference that would probably have been found; empty for the reference, and below three pairs. */
    public Optional<Double> detectable(int variant, String figure) {
        return against(variant, figure, (a, b) -> DetectableRatio.of(a, b, pairCount()))
                .filter(ratio -> !ratio.isNaN());
    }

    private <T> Optional<T> against(int variant, String figure, BiFunction<double[], double[], T> judge) {
        if (variant == plan.reference().number()) {
            return Optional.empty();
        }
        Pairs pairs = withTwins(pairs(plan.reference().number(), variant, figure), variant, figure);
        return pairs.first().length == 0 ? Optional.empty() : Optional.of(judge.apply(pairs.first(), pairs.second()));
    }

    /** The reference was run twice in each repeat: where both count in all of them, their mean has less scatter. */
    private Pairs withTwins(Pairs pairs, int variant, String figure) {
        Map<Integer, Double> twins = byRepeat(plan.reference().number(), true, figure);
        Pairs again = pairs(twins, counts(variant) ? byRepeat(variant, false, figure) : Map.of());
        return again.first().length == pairs.first().length && Arrays.equals(again.second(), pairs.second())
                ? new Pairs(PairedRatio.both(pairs.first(), again.first()), pairs.second())
                : pairs;
    }

    /** Why a variant is not compared with the reference, whatever the ratio is. */
    Optional<String> incomparable(int variant) {
        return SharedCores.of(this, plan.variants().get(variant - 1), plan.reference());
    }

    /**
     * What the ratio says; empty where there is none, without a noise floor, of a figure of which neither more nor less is better, and of
     * variants that are not compared.
     */
    public Optional<Comparison> comparison(int variant, String figure) {
        NoiseFloor floor = floor(figure);
        return ratio(variant, figure)
                .filter(ratio -> floor.n() > 0
                        && !neitherIsBetter(figure)
                        && incomparable(variant).isEmpty())
                .map(ratio -> Comparison.of(ratio, floor, moreIsBetter(figure)));
    }

    /** Whether a figure says nothing about better or worse: how steady a run was before a fault, and how much was tried or went over the wire. */
    static boolean neitherIsBetter(String figure) {
        return figure.matches("wire_\\w+_mb_s|transactions_s")
                || PairedFigures.NEITHER.stream().anyMatch(metric -> figure.equals("drill_" + metric.key()));
    }

    /** Whether more of a figure is better: of rates and shares of success; latencies, errors and times are better small. */
    public static boolean moreIsBetter(String figure) {
        return figure.endsWith("_ops_s")
                || figure.matches("ok_(share|ops)")
                || figure.matches("drill_phase_\\w+_meanPercent")
                || Arrays.stream(Metric.values())
                        .anyMatch(metric -> figure.equals("drill_" + metric.key()) && metric.moreIsBetter());
    }
}
