package io.ycsbdrill.report.page;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.Hit;
import io.ycsbdrill.report.metric.Incident;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A labelled vertical line of a chart.
 *
 * @param label {@code R}, {@code init}, {@code kill}, ... for a fault; 1, 2, 3 for the end of LRS, SS, WLCP
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
                                fault,
                                "fault " + fault + (nodes.isEmpty() ? "" : " of " + nodes),
                                true));
                    });
        }
        run.markers().stream()
                .filter(marker -> marker.kind().equals("load"))
                .forEach(marker -> lines.add(new ChartLine(
                        marker.atSeconds(), "load", "end of the calibration; " + marker.field("text"), false)));
        for (Stage stage : run.stages()) {
            Optional<Integer> number = Phase.labelled(stage.phase()).flatMap(Phase::stageNumber);
            if (number.isPresent() && stage.endSeconds().isPresent()) {
                lines.add(new ChartLine(
                        stage.endSeconds().getAsDouble(),
                        number.get().toString(),
                        "end of " + stage.shortName() + " of " + stage.node(),
                        false));
            }
        }
        lines.sort(Comparator.comparingDouble(ChartLine::atSeconds));
        return lines;
    }
}
