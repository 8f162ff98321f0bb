package io.ycsbdrill.report.metric;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.report.data.HistogramLines;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.rundir.Percentiles;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.Window;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Totals of a run by operation.
 *
 * @param source the file that they come from, for the reader of a report
 * @param opsPerSecond of all operations together
 * @param operations in the order of the files
 */
public record Totals(String source, double opsPerSecond, List<OperationTotal> operations) {

    /** From {@code summary.json}; of a run that never wrote one, from the histograms of its complete windows. */
    public static Totals of(RunData run) {
        return run.summary()
                .filter(summary -> summary.path("operations").isObject())
                .map(Totals::ofSummary)
                .orElseGet(() -> ofWindows(run));
    }

    private static Totals ofSummary(JsonNode summary) {
        List<OperationTotal> totals = new ArrayList<>();
        summary.path("operations")
                .properties()
                .forEach(entry -> totals.add(new OperationTotal(
                        entry.getKey(),
                        OperationTotal.isCounted(entry.getKey(), entry.getValue()),
                        entry.getValue().path("ok").asDouble(Double.NaN),
                        entry.getValue().path("failed").asDouble(Double.NaN),
                        entry.getValue().path("unknown").asDouble(Double.NaN),
                        entry.getValue().path("throughputOpsPerSecond").asDouble(Double.NaN),
                        percentiles(entry.getValue().path("service")),
                        percentiles(entry.getValue().path("response")))));
        return new Totals(
                RunFile.SUMMARY, summary.path("throughputOpsPerSecond").asDouble(Double.NaN), totals);
    }

    private static Percentiles percentiles(JsonNode node) {
        return node.isObject()
                ? Percentiles.of(latency -> node.path(latency.key()).asDouble(Double.NaN))
                : Percentiles.ABSENT;
    }

    private static Totals ofWindows(RunData run) {
        Map<String, Histogram> histograms = histograms(run.directory().resolve(RunFile.HISTOGRAMS));
        List<OperationTotal> totals = new ArrayList<>();
        for (String operation : run.operations()) {
            totals.add(total(
                    operation,
                    run.windows(operation),
                    Percentiles.of(histograms.get(operation + " service")),
                    Percentiles.of(histograms.get(operation + " response"))));
        }
        double rate = total(Slices.TOTAL, run.windows(Slices.TOTAL), Percentiles.ABSENT, Percentiles.ABSENT)
                .opsPerSecond();
        return new Totals("windows.csv and windows.jsonl, untrimmed", rate, totals);
    }

    private static OperationTotal total(
            String operation, List<Window> windows, Percentiles service, Percentiles response) {
        double ok = windows.stream().mapToLong(Window::ok).sum();
        double seconds = windows.stream().mapToDouble(Window::seconds).sum();
        return new OperationTotal(
                operation,
                OperationTotal.isCall(operation),
                ok,
                windows.stream().mapToLong(Window::failed).sum(),
                windows.stream().mapToLong(Window::unknown).sum(),
                seconds > 0 ? ok / seconds : Double.NaN,
                service,
                response);
    }

    /** A damaged file gives none, because part of a sum is a wrong sum. */
    private static Map<String, Histogram> histograms(Path file) {
        return Io.or(Map.of(), () -> {
            Map<String, Histogram> sums = new LinkedHashMap<>();
            if (Files.isRegularFile(file)) {
                HistogramLines.add(file, sums);
            }
            return sums;
        });
    }
}
