package io.ycsbdrill.report.page;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.DrillSummary;
import io.ycsbdrill.report.metric.KeyLines;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The charts of {@code report.html}, with their controls and the key to the shading. */
record ChartSection(DrillSummary summary) {
    /** A button that shows a part of the run; times in seconds since run start. */
    record Zoom(String title, String from, String to) {
        Zoom(String title, double from, double to) {
            this(title, String.format(Locale.ROOT, "%.1f", from), String.format(Locale.ROOT, "%.1f", to));
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
        zooms.add(new Zoom("Whole run", 0, run().durationSeconds()));
        summary.metrics().faults().stream()
                .limit(8)
                .forEach(fault -> zooms.add(
                        new Zoom("Zoom to " + fault.title(), fault.startSeconds() - 5, fault.startSeconds() + 15)));
        return zooms;
    }

    boolean hasKey() {
        return !phases().isEmpty() || !faults().isEmpty() || calibrated();
    }

    /** Whether a line marks the end of a calibration. */
    boolean calibrated() {
        return run().markers().stream().anyMatch(marker -> marker.kind().equals("load"));
    }

    List<String> phases() {
        return run().stages().stream().map(Stage::phase).distinct().toList();
    }

    List<String> faults() {
        return run().markers().stream()
                .filter(marker -> marker.kind().equals("fault-started"))
                .map(Marker::label)
                .distinct()
                .toList();
    }

    static String meaning(String fault) {
        return switch (fault) {
            case "R" -> "node restart begins";
            case "init" -> "initial node restart begins";
            default -> "fault begins";
        };
    }

    /** The phases whose end is drawn as a numbered line. */
    List<Phase> stages() {
        return Arrays.stream(Phase.values())
                .filter(phase -> phase.stageNumber().isPresent() && phases().contains(phase.label()))
                .toList();
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
