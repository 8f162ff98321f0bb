package io.ycsbdrill.report.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.stat.Estimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The charts of an experiment: a figure along one axis, a line for each combination of the others, and a dot for every cell.
 *
 * @param charts in order
 * @param ratios of a comparison of two variants: those that are drawn beside their noise floor
 */
record ExperimentCharts(List<Drawing> charts, List<FigureComparison> ratios) {
    /** Lines that can still be told apart. */
    static final int MOST_LINES = 6;

    /** One chart; of its lines those that are {@code leftOut} are in the tables only. */
    record Drawing(Figure figure, String x, List<String> levels, List<Line> lines, int leftOut) {

        String title() {
            return figure.title() + " (" + figure.unit() + ") by " + x;
        }
    }

    /** Whether distances along an axis mean something: when all of its levels are numbers, they are drawn to scale. */
    private static boolean isScaled(List<String> levels) {
        return levels.size() > 1 && levels.stream().allMatch(level -> level.matches("\\d+(\\.\\d+)?"));
    }

    /** One line: a value for each level, NaN for none, and the cells of each level. */
    record Line(String name, Estimate[] values, List<double[]> dots) {}

    static ExperimentCharts of(ExperimentResult result) {
        List<Drawing> drawings = new ArrayList<>();
        PlanData plan = result.plan();
        if (plan.charts().isEmpty()) {
            String axis = plan.ascend().orElseGet(() -> plan.levels().entrySet().stream()
                    .max(Comparator.comparingInt(entry -> entry.getValue().size()))
                    .orElseThrow()
                    .getKey());
            result.comparisons().forEach(c -> drawings.add(draw(result, c, axis, Optional.empty())));
        }
        for (PlanData.Chart chart : plan.charts()) {
            result.comparisons().stream()
                    .filter(comparisons -> comparisons.figure().column().equals(chart.y()))
                    .findFirst()
                    .ifPresent(c -> drawings.add(draw(result, c, chart.x(), chart.by())));
        }
        return new ExperimentCharts(
                drawings,
                result.paired().stream()
                        .flatMap(paired -> paired.figures().stream())
                        .filter(figure -> figure.outcome().isPresent() && PairedFigures.isRatio(figure.figure()))
                        .toList());
    }

    private static Drawing draw(ExperimentResult result, Comparisons comparisons, String x, Optional<String> by) {
        List<String> levels = result.plan().levels().get(x);
        Map<String, Line> lines = new LinkedHashMap<>();
        for (Comparisons.Row row : comparisons.rows()) {
            Map<String, String> others = new LinkedHashMap<>(row.variant().levels());
            others.remove(x);
            String name = by.map(others::get).orElseGet(() -> new PlanData.Variant(0, others, "").title());
            Line line = lines.computeIfAbsent(name, none -> empty(none, levels.size()));
            int level = levels.indexOf(row.variant().levels().get(x));
            // With a third axis that is not asked for, a line has several values at one level; the first one is drawn.
            if (line.values()[level].n() == 0) {
                line.values()[level] = isScaled(levels) && row.merged().isPresent()
                        ? Estimate.withoutInterval(
                                row.merged().getAsDouble(), row.median().n())
                        : row.median();
            }
            for (double one : result.data()
                    .sample(row.variant().number(), comparisons.figure().column())) {
                line.dots().add(new double[] {level, comparisons.figure().shown(one)});
            }
        }
        List<Line> all = List.copyOf(lines.values());
        return new Drawing(
                comparisons.figure(),
                x,
                levels,
                all.subList(0, Math.min(MOST_LINES, all.size())),
                Math.max(0, all.size() - MOST_LINES));
    }

    private static Line empty(String name, int levels) {
        Estimate[] values = new Estimate[levels];
        Arrays.fill(values, Estimate.withoutInterval(Double.NaN, 0));
        return new Line(name, values, new ArrayList<>());
    }

    /** The height of the chart of ratios, in pixels. */
    int forestHeight() {
        return 110 + 30 * ratios.size();
    }

    /** For the script of the page. */
    String json() {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        ArrayNode all = data.putArray("charts");
        charts.forEach(drawing -> {
            ObjectNode one = all.addObject();
            one.put("unit", drawing.figure().unit()).put("x", drawing.x());
            one.put("scaled", isScaled(drawing.levels()));
            ArrayNode levels = one.putArray("levels");
            drawing.levels().forEach(levels::add);
            ArrayNode lines = one.putArray("lines");
            drawing.lines().forEach(line -> {
                ObjectNode item = lines.addObject();
                item.put("name", line.name().isEmpty() ? drawing.figure().title() : line.name());
                ArrayNode values = item.putArray("values");
                ArrayNode intervals = item.putArray("intervals");
                for (Estimate value : line.values()) {
                    if (Double.isNaN(value.value())) {
                        values.addNull();
                    } else {
                        values.add(rounded(drawing.figure().shown(value.value())));
                    }
                    interval(intervals, value, drawing.figure().shown(1));
                }
                ArrayNode dots = item.putArray("dots");
                line.dots().forEach(dot -> dots.addArray().add((int) dot[0]).add(rounded(dot[1])));
            });
        });
        ArrayNode forest = data.putArray("forest");
        ratios.forEach(ratio -> {
            ObjectNode row = forest.addObject().put("name", ratio.figure().title());
            row.put("ratio", ratio.effect().value()).put("floor", ratio.floor());
            row.put("text", ratio.effectText()).put("outcome", ratio.outcomeText());
            interval(row.putArray("intervals"), ratio.effect(), 1);
        });
        return data.toString();
    }

    private static void interval(ArrayNode intervals, Estimate of, double scale) {
        if (of.hasInterval()) {
            intervals.addArray().add(rounded(scale * of.low())).add(rounded(scale * of.high()));
        } else {
            intervals.addNull();
        }
    }

    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
