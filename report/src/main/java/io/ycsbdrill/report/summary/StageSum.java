package io.ycsbdrill.report.summary;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The phases of one recovery.
 *
 * @param stages in order of time
 * @param sumSeconds their durations added up; empty when one is still open
 * @param totalSeconds from the start of the first to the end of the last
 */
public record StageSum(List<Stage> stages, OptionalDouble sumSeconds, OptionalDouble totalSeconds) {

    /** Groups the rows of {@code phases.csv} by recovery. */
    public static List<StageSum> of(List<Stage> stages) {
        List<List<Stage>> groups = new ArrayList<>();
        for (Stage stage : stages) {
            List<Stage> group = groups.stream()
                    .filter(known -> known.get(0).belongsWith(stage))
                    .findFirst()
                    .orElseGet(() -> {
                        List<Stage> fresh = new ArrayList<>();
                        groups.add(fresh);
                        return fresh;
                    });
            group.add(stage);
        }
        return groups.stream().map(StageSum::sum).toList();
    }

    /** Those of the nodes that one injection hit, together. */
    public static List<List<StageSum>> together(List<StageSum> recoveries) {
        Map<List<String>, List<StageSum>> groups = new LinkedHashMap<>();
        for (StageSum sum : recoveries) {
            Stage first = sum.stages().get(0);
            // An unplanned failure is each of its own.
            String own = first.unplanned() ? first.node() + first.startSeconds() : "";
            groups.computeIfAbsent(List.of(first.step(), first.occurrence(), own), key -> new ArrayList<>())
                    .add(sum);
        }
        return List.copyOf(groups.values());
    }

    /** For a table: phase, its short name, and how long it took on each node; last their sum, when all have ended. */
    public static List<List<String>> rows(List<StageSum> together) {
        List<List<String>> rows = new ArrayList<>();
        together.stream()
                .flatMap(sum -> sum.stages().stream())
                .map(Stage::phase)
                .distinct()
                .forEach(phase -> rows.add(row(
                        phase,
                        Phase.labelled(phase).map(Phase::stage).orElse(""),
                        together,
                        sum -> sum.duration(phase))));
        if (together.stream().allMatch(sum -> sum.sumSeconds().isPresent())) {
            rows.add(row("sum", "", together, sum -> text(sum.sumSeconds().getAsDouble())));
            rows.add(row(
                    "start to end", "", together, sum -> text(sum.totalSeconds().getAsDouble())));
        }
        return rows;
    }

    private static List<String> row(
            String phase, String stage, List<StageSum> together, Function<StageSum, String> cell) {
        List<String> row = new ArrayList<>(List.of(phase, stage));
        together.forEach(sum -> row.add(cell.apply(sum)));
        return row;
    }

    private static String text(double seconds) {
        return Formatted.of("%.2f s", seconds);
    }

    /** How long a phase took: {@code 4.65 s}, {@code still open}; empty when it did not occur. */
    public String duration(String phase) {
        if (stages.stream().noneMatch(stage -> stage.phase().equals(phase))) {
            return "";
        }
        OptionalDouble seconds = seconds(phase);
        return seconds.isEmpty() ? "still open" : text(seconds.getAsDouble());
    }

    /** How long a phase took, each time it was on together; empty while it is on. */
    public OptionalDouble seconds(String phase) {
        double sum = 0;
        for (Stage stage : stages) {
            if (stage.phase().equals(phase)) {
                if (stage.seconds().isEmpty()) {
                    return OptionalDouble.empty();
                }
                sum += stage.seconds().getAsDouble();
            }
        }
        return OptionalDouble.of(sum);
    }

    private static StageSum sum(List<Stage> group) {
        List<Stage> sorted = group.stream()
                .sorted(Comparator.comparingDouble(Stage::startSeconds))
                .toList();
        double sum = 0;
        double end = Double.NEGATIVE_INFINITY;
        for (Stage stage : sorted) {
            if (stage.endSeconds().isEmpty()) {
                return new StageSum(sorted, OptionalDouble.empty(), OptionalDouble.empty());
            }
            sum += stage.seconds().getAsDouble();
            end = Math.max(end, stage.endSeconds().getAsDouble());
        }
        return new StageSum(
                sorted,
                OptionalDouble.of(sum),
                OptionalDouble.of(end - sorted.get(0).startSeconds()));
    }
}
