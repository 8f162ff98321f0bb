package io.ycsbdrill.report.experiment;

import io.ycsbdrill.report.stat.Comparison;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.report.stat.NoiseFloor;
import io.ycsbdrill.rundir.Percentiles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One figure of all variants, and what it says about them.
 *
 * @param figure which one
 * @param floor by how much the reference differed from itself
 * @param rows one for each variant, in order
 */
record Comparisons(Figure figure, NoiseFloor floor, List<Row> rows) {
    Comparisons {
        rows = List.copyOf(rows);
    }

    /**
     * One variant.
     *
     * @param median over repeats; without value when the variant does not count
     * @param merged the percentile of all repeats together; empty for other figures
     * @param ratio to the reference; empty for the reference, and without pairs
     * @param comparison what the ratio says
     * @param incomparable why it is not judged, whatever it is
     * @param detectable the smallest ratio that would probably have been found; empty without enough pairs
     */
    record Row(
            PlanData.Variant variant,
            Estimate median,
            OptionalDouble merged,
            Optional<Estimate> ratio,
            Optional<Comparison> comparison,
            Optional<String> incomparable,
            Optional<Double> detectable) {}

    static Comparisons of(ExperimentData data, MergedLatencies merged, Figure figure) {
        String column = figure.column();
        return new Comparisons(
                figure,
                data.floor(column),
                data.plan().variants().stream()
                        .map(variant -> new Row(
                                variant,
                                data.median(variant.number(), column),
                                merged(merged, variant.number(), figure),
                                data.ratio(variant.number(), column),
                                data.comparison(variant.number(), column),
                                data.incomparable(variant.number())
                                        .filter(reason -> !ExperimentData.neitherIsBetter(column)),
                                data.detectable(variant.number(), column)))
                        .toList());
    }

    private static OptionalDouble merged(MergedLatencies merged, int variant, Figure figure) {
        if (figure.latency().isEmpty()) {
            return OptionalDouble.empty();
        }
        Figure.LatencyOf latency = figure.latency().get();
        Percentiles all = merged.byVariant()
                .getOrDefault(variant, Map.of())
                .getOrDefault(latency.operation() + " " + latency.time(), Percentiles.ABSENT);
        double value = all.get(latency.latency());
        return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** The smallest ratio that would probably have been found in the worst of the comparisons; empty without any. */
    Optional<Double> detectable() {
        return rows.stream().flatMap(row -> row.detectable().stream()).max(Double::compare);
    }
}
