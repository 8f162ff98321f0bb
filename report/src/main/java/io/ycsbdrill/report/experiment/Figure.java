package io.ycsbdrill.report.experiment;

import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.rundir.Latency;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A figure that variants are compared by.
 *
 * @param column of {@code cells.csv}
 * @param title for people
 * @param unit in which it is shown
 * @param scale from the unit of the column to that unit
 */
public record Figure(String column, String title, String unit, double scale) {
    /** Operations of other workloads have lines in their names: {@code NEW_ORDER_service_p99_us}. */
    private static final Pattern LATENCY = Pattern.compile("(?<operation>.+)_(?<time>service|response)_(?<percentile>"
            + Latency.OF_EXPERIMENTS.stream().map(Latency::label).collect(Collectors.joining("|")) + ")_us");

    private static final Pattern PHASE = Pattern.compile("phase_(\\w+)_(seconds|meanPercent|p99Factor)");

    private static final List<Metric> HEADLINE = List.of(
            Metric.OUT,
            Metric.DEGRADED,
            Metric.LOST_SECONDS,
            Metric.SERVICE_RESTORED,
            Metric.REDUNDANCY_RESTORED,
            Metric.LONGEST_GAP);

    /**
     * What an experiment is judged by: throughput and the p99 of each operation, as users saw it; of drills the headline figures.
     *
     * @param columns that there are
     * @param asked columns that charts ask for, which are added
     */
    static List<Figure> of(Set<String> columns, List<String> asked) {
        List<Figure> figures = new ArrayList<>();
        if (columns.stream().anyMatch(column -> column.startsWith("drill_"))) {
            HEADLINE.stream()
                    .filter(metric -> columns.contains("drill_" + metric.key()))
                    .forEach(metric -> figures.add(of("drill_" + metric.key())));
        }
        figures.add(of(CellFigures.THROUGHPUT));
        for (String operation : operations(columns)) {
            Optional<String> p99 = List.of(operation + "_response_p99_us", operation + "_service_p99_us").stream()
                    .filter(columns::contains)
                    .findFirst();
            p99.ifPresent(column -> figures.add(of(column)));
        }
        asked.stream()
                .distinct()
                .filter(columns::contains)
                .filter(column ->
                        figures.stream().noneMatch(figure -> figure.column().equals(column)))
                .forEach(column -> figures.add(of(column)));
        return figures;
    }

    /** Those of YCSB, then those of other workloads; without parts of an operation (READ-SERVER) and what is none (VERIFY). */
    private static Set<String> operations(Set<String> columns) {
        Set<String> operations =
                new LinkedHashSet<>(List.of("READ", "UPDATE", "INSERT", "SCAN", "DELETE", "READ-MODIFY-WRITE"));
        columns.stream()
                .flatMap(column -> latency(column).stream())
                .map(LatencyOf::operation)
                .filter(operation -> !operation.contains("-") && !operation.equals("VERIFY"))
                .forEach(operations::add);
        return operations;
    }

    /** Whether a run that lacks it is worse. It is not when there were too few failures to tell the first one from chance. */
    boolean mustBeReached() {
        return !List.of("drill_" + Metric.DETECT_CLIENT.key(), "drill_" + Metric.DETECTED.key())
                .contains(column);
    }

    /** Any column, with its words. */
    static Figure of(String column) {
        if (column.startsWith("drill_")) {
            String key = column.substring("drill_".length());
            if (key.startsWith("longest_")) {
                String operation = key.substring("longest_".length()).replaceFirst("_us$", "");
                return new Figure(column, operation + ", longest of any outcome", "ms", 0.001);
            }
            Matcher phase = PHASE.matcher(key);
            if (phase.matches()) {
                String name = "Phase " + phase.group(1).replace('_', '-');
                return switch (phase.group(2)) {
                    case "seconds" -> new Figure(column, name, "s", 1);
                    case "meanPercent" -> new Figure(column, name + ", throughput of the baseline's", "%", 1);
                    default -> new Figure(column, name + ", p99 of the baseline's", "×", 1);
                };
            }
            return Arrays.stream(Metric.values())
                    .filter(metric -> metric.key().equals(key))
                    .findFirst()
                    .map(metric ->
                            new Figure(column, metric.title(), metric.unit().symbol(), 1))
                    .orElse(new Figure(column, key, "", 1));
        }
        Optional<LatencyOf> latency = latency(column);
        if (latency.isPresent()) {
            String percentile = latency.get().latency().title();
            String title = latency.get().operation() + " " + percentile + ", "
                    + latency.get().time() + " time";
            return new Figure(column, title, "ms", 0.001);
        }
        return switch (column) {
            case CellFigures.THROUGHPUT -> new Figure(column, "Throughput", "ops/s", 1);
            case CellFigures.TRANSACTIONS -> new Figure(column, "Transactions of any outcome", "/s", 1);
            case CellFigures.RUN -> new Figure(column, "Run time", "s", 1);
            case CellFigures.SERVICE_MEAN -> new Figure(column, "All operations, mean service time", "ms", 0.001);
            case CellFigures.ABORTS -> new Figure(column, "Aborted attempts for each operation", "", 1);
            case CellFigures.COPIES_EQUAL -> new Figure(column, "Until all copies were equal", "s", 1);
            case CellFigures.CLIENT_CPU -> new Figure(column, "Client CPU per operation", "µs", 1);
            case CellFigures.SERVER_CPU -> new Figure(column, "Server CPU per operation", "µs", 1);
            case CellFigures.ALL_CPU -> new Figure(column, "Client and server CPU per operation", "µs", 1);
            case CellFigures.SERVER_SENT -> new Figure(column, "Sent by servers per operation", "bytes", 1);
            case CellFigures.INCONSISTENT -> new Figure(column, "Conditions of the data violated", "", 1);
            case CellFigures.ACKED_LOST -> new Figure(column, "Acknowledged writes lost", "ops", 1);
            case CellFigures.RPO -> new Figure(column, "RPO", "s", 1);
            case CellFigures.DEVICE_READS -> new Figure(column, "Read from disks", "MB", 1);
            case CellFigures.OK_SHARE -> new Figure(column, "Successful operations", "%", 100);
            default -> new Figure(column, column, "", 1);
        };
    }

    /**
     * Which latency a column has.
     *
     * @param operation {@code READ}
     * @param time {@code service} or {@code response}
     * @param latency which one
     */
    record LatencyOf(String operation, String time, Latency latency) {}

    /** Empty for other figures. */
    Optional<LatencyOf> latency() {
        return latency(column);
    }

    private static Optional<LatencyOf> latency(String column) {
        Matcher latency = LATENCY.matcher(column);
        return latency.matches()
                ? Optional.of(new LatencyOf(
                        latency.group("operation"),
                        latency.group("time"),
                        Latency.labelled(latency.group("percentile"))))
                : Optional.empty();
    }

    /** The largest that it can be, in the unit of the column: a dip is at most all of the throughput. */
    double most() {
        return column.matches("drill_(dipDepth|afterDip)Percent") ? 100 : Double.POSITIVE_INFINITY;
    }

    /** A value of the column, in the unit. */
    double shown(double value) {
        return value * scale;
    }

    /** The same as text, without the unit. */
    String text(double value) {
        return unit.equals("ms") ? NumberText.threeDigits(shown(value)) : NumberText.plain(shown(value));
    }
}
