package io.ycsbdrill.report.data;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Rebuilds stage durations from the phase changes among the markers; pure. */
public final class StagesFromMarkers {
    private StagesFromMarkers() {}

    public static List<Stage> of(List<Marker> markers) {
        Map<String, Marker> open = new LinkedHashMap<>();
        List<Stage> stages = new ArrayList<>();
        for (Marker marker : markers) {
            if (!marker.kind().equals("phase") || marker.node().isEmpty()) {
                continue;
            }
            Marker entered = open.remove(marker.node());
            if (entered != null) {
                stages.add(stage(entered, OptionalDouble.of(marker.atSeconds())));
            }
            if (Stage.isStage(marker.phase())) {
                open.put(marker.node(), marker);
            }
        }
        open.values().forEach(marker -> stages.add(stage(marker, OptionalDouble.empty())));
        return stages;
    }

    private static Stage stage(Marker entered, OptionalDouble end) {
        return new Stage(
                entered.field("step"),
                entered.field("occurrence"),
                entered.field("fault"),
                entered.node(),
                entered.phase(),
                entered.atSeconds(),
                end);
    }
}
