package io.ycsbdrill.report.page;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.KeyLines;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.summary.DrillSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The charts of {@code report.html}, with their controls and the key to the shading. */
record ChartSection(DrillSummary summary) {
    /** A button that shows a part of the run; times in seconds since run start. */
    record Zoom(String title, String from, String to) {
        Zoom(String title, double from, double to) {
            this(title, Formatted.of("%.1f", from), Formatted.of("%.1f", to));
        }
    }

    private RunData run() {
        return summary.run();
    }

    boolean isEmpty() {
        return run().windows(Slices.TOTAL).isEmpty();
    }

    List<Zoom> zooms() {
        List<Zoom> zooms = new ArrayList<>();
        zooms.add(new Zoom("Whole run", calibratedSeconds(), run().durationSeconds()));
        summary.metrics().faults().stream()
                .limit(8)
                .forEach(fault -> zooms.add(
                        new Zoom("Zoom to " + fault.title(), fault.startSeconds() - 5, fault.startSeconds() + 15)));
        return zooms;
    }

    /** Where the charts begin, when a calibration before it is folded away; else 0. */
    double calibratedSeconds() {
        return ChartData.calibratedSeconds(run());
    }

    List<String> phases() {
        return run().stages().stream().map(Stage::phase).distinct().toList();
    }

    String throughputWords() {
        DrillMetrics metrics = summary.metrics();
        Measure base = metrics.get(Metric.BASELINE);
        return "Successful operations per second, all operations together"
                + (base.value().isPresent()
                        ? "; baseline " + NumberText.measure(Metric.BASELINE, base) + ", dip "
                                + NumberText.measure(Metric.DIP_DEPTH, metrics.get(Metric.DIP_DEPTH))
                        : "");
    }

    boolean hasSlices() {
        return run().slices().present();
    }

    boolean hasErrors() {
        return hasSlices()
                && (any(run().slices().total().failed())
                        || any(run().slices().total().unknown()));
    }

    private static boolean any(double[] counts) {
        return Arrays.stream(counts).anyMatch(count -> count > 0);
    }

    /** The names of the lines by owner; empty when there are none. */
    List<String> keyLines() {
        return KeyLines.of(run()).stream().map(KeyLines.Line::name).toList();
    }

    List<String> operations() {
        return run().operations();
    }

    boolean hasResponse(String operation) {
        return run().windows(operation).stream().anyMatch(w -> w.response().present());
    }
}
