package io.ycsbdrill.report.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The charts of an experiment: a figure along one axis, a line for each combination of the others, and a dot for every cell.
 *
 * @param charts in order
 */
record ExperimentCharts(List<Drawing> charts) {
    /** Lines that can still be told apart. */
    static final int MOST_LINES = 6;

    /** Axes on which distances mean something. */
    private static final Set<String> TO_SCALE = Set.of("rate", "target");

    /** One chart; of its lines those that are {@code leftOut} are in the tables only. */
    record Drawing(Figure figure, String x, List<String> levels, List<Line> lines, int leftOut) {
        String title() {
            return figure.title() + " (" + figure.unit() + ") by " + x;
        }
    }

    /** One line: a value for each level, NaN for none, and the cells of each level. */
    record Line(String name, double[] values, List<double[]> dots) {}

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
        return new ExperimentCharts(drawings);
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
            OptionalDouble value = row.merged().isPresent()
                    ? row.merged()
                    : row.median().n() == 0
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(row.median().value());
            // With a third axis that is not asked for, a line has several values at one level; the first one is drawn.
            if (value.isPresent() && Double.isNaN(line.values()[level])) {
                line.values()[level] = comparisons.figure().shown(value.getAsDouble());
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
        double[] values = new double[levels];
        Arrays.fill(values, Double.NaN);
        return new Line(name, values, new ArrayList<>());
    }

    /** For the script of the page. */
    String json() {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        ArrayNode all = data.putArray("charts");
        charts.forEach(drawing -> {
            ObjectNode one = all.addObject();
            one.put("unit", drawing.figure().unit()).put("x", drawing.x());
            boolean scaled = TO_SCALE.contains(drawing.x())
                    && drawing.levels().stream().allMatch(level -> level.matches("\\d+(\\.\\d+)?"));
            one.put("scaled", scaled);
            ArrayNode levels = one.putArray("levels");
            drawing.levels().forEach(levels::add);
            ArrayNode lines = one.putArray("lines");
            drawing.lines().forEach(line -> {
                ObjectNode item = lines.addObject();
                item.put("name", line.name().isEmpty() ? drawing.figure().title() : line.name());
                ArrayNode values = item.putArray("values");
                for (double value : line.values()) {
                    if (Double.isNaN(value)) {
                        values.addNull();
                    } else {
                        values.add(rounded(value));
                    }
                }
                ArrayNode dots = item.putArray("dots");
                line.dots().forEach(dot -> dots.addArray().add((int) dot[0]).add(rounded(dot[1])));
            });
        });
        return data.toString();
    }

    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
