package io.ycsbdrill.report.history;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.OperationTotal;
import io.ycsbdrill.report.metric.Totals;
import io.ycsbdrill.report.page.Differences;
import io.ycsbdrill.report.page.RunWords;
import io.ycsbdrill.report.summary.DrillSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One run of a history.
 *
 * @param directory of the run
 * @param startedAt as in {@code run.json}
 * @param title what ran
 * @param likeness what runs that may be compared have in common, by name
 * @param figures of every metric; those that were not measured say why
 * @param verdict of the drill; empty without one
 * @param reported whether it has a {@code report.html}
 */
record HistoryRun(
        Path directory,
        String startedAt,
        String title,
        Map<String, String> likeness,
        Map<HistoryMetric, Measure> figures,
        String verdict,
        boolean reported) {

    /** Collects the figures of a sound run. */
    static HistoryRun of(RunData run) {
        JsonNode json = run.run();
        Map<String, String> likeness = Differences.likeness(run);
        likeness.put("binding", json.path("binding").asText());
        likeness.put("engine", json.path("engine").path("name").asText());
        likeness.put("nodes", Integer.toString(json.path("engine").path("nodes").size()));
        likeness.put("host", json.path("host").path("name").asText());
        // Counts of failed operations grow with the length; a ratio of throughputs, as in a comparison, does not.
        likeness.put("length", length(json));
        DrillSummary drill = DrillSummary.of(run);
        return new HistoryRun(
                run.directory(),
                json.path("startedAt").asText(""),
                RunWords.title(run),
                likeness,
                figures(drill),
                run.hasDrill() ? drill.verdict().outcome().label() : "",
                Files.isRegularFile(run.directory().resolve("report.html")));
    }

    /** What ends the run, in words; empty for a drill, which ends by itself. */
    private static String length(JsonNode json) {
        List<String> bounds = new ArrayList<>();
        if (json.path("maxDurationNanos").isNumber()) {
            bounds.add(Durations.print(
                    Duration.ofNanos(json.path("maxDurationNanos").asLong())));
        }
        if (json.path("operations").asLong() > 0) {
            bounds.add(Formatted.of(
                    "%,d {operation|operations}", json.path("operations").asLong()));
        }
        return String.join(" or ", bounds);
    }

    private static Map<HistoryMetric, Measure> figures(DrillSummary drill) {
        Totals totals = Totals.of(drill.run());
        DrillMetrics metrics = drill.metrics();
        Map<HistoryMetric, Measure> figures = new EnumMap<>(HistoryMetric.class);
        figures.put(HistoryMetric.THROUGHPUT, measured(totals.opsPerSecond()));
        figures.put(HistoryMetric.FAILED, sum(totals.operations(), true));
        figures.put(HistoryMetric.UNKNOWN, sum(totals.operations(), false));
        figures.put(HistoryMetric.RECOVERY, metrics.get(Metric.REDUNDANCY_RESTORED));
        figures.put(HistoryMetric.SERVICE, metrics.get(Metric.SERVICE_RESTORED));
        figures.put(HistoryMetric.GAP, metrics.get(Metric.LONGEST_GAP));
        figures.put(HistoryMetric.DIP, metrics.get(Metric.DIP_DEPTH));
        return figures;
    }

    /** Sums up what counts; READ-MODIFY-WRITE and whatever else a workload reports consists of it, or is no operation. */
    private static Measure sum(List<OperationTotal> operations, boolean failed) {
        return measured(operations.stream()
                .filter(OperationTotal::counted)
                .mapToDouble(total -> failed ? total.failed() : total.unknown())
                .sum());
    }

    private static Measure measured(double value) {
        return Double.isFinite(value) ? Measure.of(value) : Measure.absent("not measured");
    }

    /** The figure; empty where it was not measured, or is only a bound. */
    OptionalDouble known(HistoryMetric metric) {
        Measure figure = figures.get(metric);
        return figure.censored() ? OptionalDouble.empty() : figure.value();
    }

    String name() {
        return directory.getFileName().toString();
    }

    /** The start time, to the minute, for display. */
    String date() {
        return startedAt.replaceFirst(":\\d\\d(\\.\\d+)?Z$", "").replace('T', ' ');
    }
}
