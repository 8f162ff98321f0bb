package io.ycsbdrill.report.experiment;

import io.ycsbdrill.report.page.Table;
import io.ycsbdrill.report.stat.Comparison;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.report.stat.NoiseFloor;
import io.ycsbdrill.report.stat.PairedRatio;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the later levels of an axis, such as two versions, gain over its first one at each combination of the other axes. Stateless. */
public final class Gains {
    private Gains() {}

    /** A table of each later level; none when the experiment does not ask for them. */
    public static List<Table> of(ExperimentData data) {
        Optional<String> axis = data.plan().gain();
        if (axis.isEmpty()) {
            return List.of();
        }
        List<String> levels = data.plan().axes().get(axis.get());
        return levels.stream()
                .skip(1)
                .map(level -> table(data, axis.get(), levels.get(0), level))
                .toList();
    }

    private static Table table(ExperimentData data, String axis, String first, String later) {
        Figure figure = Figure.of(CellFigures.THROUGHPUT);
        NoiseFloor floor = data.floor(figure.column());
        List<List<String>> rows = new ArrayList<>();
        for (PlanData.Variant variant : data.plan().variants()) {
            if (!variant.levels().get(axis).equals(first)) {
                continue;
            }
            Map<String, String> others = new LinkedHashMap<>(variant.levels());
            others.put(axis, later);
            int other = data.plan().variants().stream()
                    .filter(each -> each.levels().equals(others))
                    .findFirst()
                    .orElseThrow()
                    .number();
            others.remove(axis);
            ExperimentData.Pairs pairs = data.pairs(variant.number(), other, figure.column());
            Optional<Estimate> gain = pairs.first().length == 0
                    ? Optional.empty()
                    : Optional.of(PairedRatio.of(pairs.first(), pairs.second()));
            rows.add(List.of(
                    others.isEmpty() ? "all" : new PlanData.Variant(0, others, "").title(),
                    median(data, figure, variant.number()),
                    median(data, figure, other),
                    gain.map(Gains::percent).orElse("NA"),
                    gain.filter(ratio -> floor.n() > 0)
                            .map(ratio -> ResultWords.comparison(Comparison.of(ratio, floor, true)))
                            .orElse("")));
        }
        return new Table(
                "Gain of " + axis + "=" + later + " over " + axis + "=" + first + ", throughput",
                List.of("Levels", axis + "=" + first + " (ops/s)", axis + "=" + later + " (ops/s)", "Gain", "Judged"),
                rows);
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
        return String.format(Locale.ROOT, "%+.0f", 100 * (ratio - 1));
    }
}
