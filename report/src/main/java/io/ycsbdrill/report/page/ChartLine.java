package io.ycsbdrill.report.page;

import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.Hit;
import io.ycsbdrill.report.metric.Incident;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A labelled vertical line of a chart.
 *
 * @param label {@code restart node3}, {@code kill node1}, ... for a fault; {@code LRS end}, ... for a stage
 * @param text what it is in words
 * @param fault whether a fault begins here
 */
record ChartLine(double atSeconds, String label, String text, boolean fault) {

    static List<ChartLine> of(RunData run) {
        List<ChartLine> lines = new ArrayList<>();
        for (Incident incident : Incident.of(run)) {
            incident.hits().stream()
                    .collect(Collectors.groupingBy(Hit::fault, LinkedHashMap::new, Collectors.toList()))
                    .forEach((fault, hits) -> {
                        String nodes = hits.stream()
                                .map(Hit::node)
                                .filter(node -> !node.isEmpty())
                                .collect(Collectors.joining(", "));
                        lines.add(new ChartLine(
                                hits.get(0).startSeconds(),
                                Hit.called(fault) + (hits.size() == 1 && !nodes.isEmpty() ? " " + nodes : ""),
                                "fault " + fault + (nodes.isEmpty() ? "" : " of " + nodes),
                                true));
                    });
        }
        run.markers().stream()
                .filter(marker -> marker.kind().equals("load"))
                .forEach(marker -> lines.add(new ChartLine(
                        marker.atSeconds(), "calibrated", "end of the calibration; " + marker.field("text"), false)));
        for (Stage stage : run.stages()) {
            if (!stage.shortName().isEmpty() && stage.endSeconds().isPresent()) {
                lines.add(new ChartLine(
                        stage.endSeconds().getAsDouble(),
                        stage.shortName() + " end",
                        "end of " + stage.shortName() + " of " + stage.node(),
                        false));
            }
        }
        lines.sort(Comparator.comparingDouble(ChartLine::atSeconds));
        return lines;
    }
}
