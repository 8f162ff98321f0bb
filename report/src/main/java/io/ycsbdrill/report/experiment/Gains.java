package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.page.Table;
import io.ycsbdrill.report.stat.Comparison;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.report.stat.NoiseFloor;
import io.ycsbdrill.report.stat.Outlier;
import io.ycsbdrill.report.stat.PairedDifference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What the later levels of an axis, such as two versions, gain over its first one at each combination of the other axes. Stateless. */
public final class Gains {
    private Gains() {}

    /** A table of each later level; none when the experiment does not ask for them. */
    public static List<Table> of(ExperimentData data) {
        Optional<String> axis = data.plan().gain();
        if (axis.isEmpty()) {
            return List.of();
        }
        List<String> levels = data.plan().levels().get(axis.get());
        return levels.stream()
                .skip(1)
                .flatMap(level -> tables(data, axis.get(), levels.get(0), level))
                .toList();
    }

    private static Stream<Table> tables(ExperimentData data, String axis, String first, String later) {
        Figure figure = Figure.of(CellFigures.THROUGHPUT);
        NoiseFloor floor = data.floor(figure.column());
        List<List<String>> rows = new ArrayList<>();
        Map<String, Double> all = new LinkedHashMap<>();
        for (PlanData.Variant variant : data.plan().variants()) {
            if (!variant.levels().get(axis).equals(first)) {
                continue;
            }
            Map<String, String> others = new LinkedHashMap<>(variant.levels());
            others.put(axis, later);
            PlanData.Variant second = data.plan().variants().stream()
                    .filter(each -> each.levels().equals(others))
                    .findFirst()
                    .orElseThrow();
            int other = second.number();
            others.remove(axis);
            Optional<String> incomparable =
                    claimed(data, second, Map.of(axis, first)).or(() -> SharedCores.of(data, second, variant));
            ExperimentData.Pairs pairs = data.pairs(variant.number(), other, figure.column());
            Optional<Estimate> gain = pairs.first().length == 0 ? Optional.empty() : Optional.of(data.ratio(pairs));
            String title = others.isEmpty() ? "all" : new PlanData.Variant(0, others, "").title();
            gain.filter(ratio -> incomparable.isEmpty()).ifPresent(ratio -> all.put(title, ratio.value()));
            rows.add(List.of(
                    title,
                    median(data, figure, variant.number()),
                    median(data, figure, other),
                    gain.map(Gains::percent).orElse("NA"),
                    incomparable
                            .map(ResultWords::notComparable)
                            .or(() -> gain.filter(ratio -> floor.n() > 0)
                                    .map(ratio -> ResultWords.comparison(Comparison.of(ratio, floor, true))))
                            .orElse("")));
        }
        String gain = "Gain of " + axis + "=" + later + " over " + axis + "=" + first + ", throughput";
        Table levels = new Table(
                gain,
                List.of("Levels", axis + "=" + first + " (ops/s)", axis + "=" + later + " (ops/s)", "Gain", "Judged"),
                rows);
        return Stream.concat(Stream.of(levels), overAll(gain, all).stream());
    }

    /** What a claim about the throughput of the same two variants says against their comparison. */
    private static Optional<String> claimed(ExperimentData data, PlanData.Variant later, Map<String, String> first) {
        return data.plan().claims().stream()
                .filter(claim -> claim.figure()
                                .filter(CellFigures.THROUGHPUT::equals)
                                .isPresent()
                        && claim.to().equals(first)
                        && later.levels().entrySet().containsAll(claim.of().entrySet()))
                .flatMap(claim -> claim.notComparable().stream())
                .findFirst();
    }

    /**
     * What texts state of such a table: the mean of the gains that can be compared and their standard deviation, also without the level
     * that is an outlier.
     *
     * @param ratios by levels
     * @return empty of fewer than two levels
     */
    static Optional<Table> overAll(String gain, Map<String, Double> ratios) {
        if (ratios.size() < 2) {
            return Optional.empty();
        }
        List<String> levels = List.copyOf(ratios.keySet());
        List<List<String>> rows = new ArrayList<>(List.of(row("all", ratios)));
        Outlier.of(gains(ratios)).ifPresent(outlier -> {
            Map<String, Double> others = new LinkedHashMap<>(ratios);
            others.remove(levels.get(outlier));
            rows.add(row("without " + levels.get(outlier) + ", an outlier by Grubbs' test at 5 %", others));
        });
        return Optional.of(new Table(
                gain + ", over all comparable levels",
                List.of("Levels", "How many", "Mean gain", "95 % interval of the mean", "Standard deviation"),
                rows));
    }

    private static List<String> row(String title, Map<String, Double> ratios) {
        double[] gains = gains(ratios);
        Estimate mean = PairedDifference.of(new double[gains.length], gains).estimate();
        return List.of(
                title,
                Integer.toString(gains.length),
                gain(1 + mean.value()) + " %",
                mean.hasInterval() ? gain(1 + mean.low()) + " to " + gain(1 + mean.high()) + " %" : "no interval",
                Formatted.of("%.0f %%", 100 * Outlier.deviation(gains)));
    }

    private static double[] gains(Map<String, Double> ratios) {
        return ratios.values().stream().mapToDouble(ratio -> ratio - 1).toArray();
    }

    private static String median(ExperimentData data, Figure figure, int variant) {
        Estimate median = data.median(variant, figure.column());
        return median.n() == 0 ? "NA" : ResultWords.median(figure, median);
    }

    /** {@code +16 % (+9 to +24)}. */
    private static String percent(Estimate ratio) {
        return gain(ratio.value()) + " %"
                + (ratio.hasInterval()
                        ? " (" + gain(ratio.low()) + " to " + gain(ratio.high()) + ")"
                        : " (no interval, n=" + ratio.n() + ")");
    }

    private static String gain(double ratio) {
        return Formatted.of("%+.0f", 100 * (ratio - 1));
    }
}
