package io.ycsbdrill.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.NumberText;
import java.util.ArrayList;
import java.util.List;

/** What pages say of a run and of its markers in words. */
public final class RunWords {
    private RunWords() {}

    /** Engine, size, length and start. */
    public static String subtitle(RunData run) {
        List<String> parts = surroundings(run.run());
        parts.add(NumberText.plain(Math.round(run.durationSeconds() * 10) / 10.0) + " s");
        parts.add("started "
                + run.run()
                        .path("startedAt")
                        .asText("?")
                        .replaceFirst("\\.\\d+", "")
                        .replace("T", " "));
        return String.join(" \u00b7 ", parts);
    }

    /** Engine and size, for a run that goes on. */
    public static String subtitleOfRunning(JsonNode run) {
        return String.join(" \u00b7 ", surroundings(run));
    }

    private static List<String> surroundings(JsonNode run) {
        JsonNode engine = run.path("engine");
        List<String> parts = new ArrayList<>();
        if (!engine.path("name").asText("").isEmpty()) {
            parts.add(
                    engine.path("name").asText() + " " + engine.path("version").asText(""));
        }
        if (engine.path("nodes").size() > 0) {
            parts.add(engine.path("nodes").size() + " nodes");
        }
        String threads = run.path("threads").asText("?");
        parts.add(threads + (threads.equals("1") ? " client thread" : " client threads"));
        return parts;
    }

    /** A phase and the name of its stage, if it has one. */
    static String phase(String label) {
        String stage = Phase.labelled(label).map(Phase::stage).orElse("");
        return label + (stage.isEmpty() ? "" : " (" + stage + ")");
    }

    /** A marker as a line of a list of events; empty for the small steps of an engine, which are many. */
    public static String of(Marker marker) {
        String node = marker.node();
        String fault = marker.field("fault") + (node.isEmpty() ? "" : " of " + node);
        String text = marker.field("text");
        String details = text.isEmpty() ? "" : ": " + text;
        return switch (marker.kind()) {
            case "fault-started" -> "fault " + fault + " begins";
            case "fault-injected" -> "fault " + fault + " has taken effect";
            case "fault-ended" -> "fault " + fault + " has ended";
            case "fault-failed" -> "fault " + fault + " failed" + details;
            case "phase" -> node + " " + phase(marker.phase());
            case "steady" -> "steady" + details;
            case "event" -> marker.label().equals("step") ? "" : node + " " + marker.label() + details;
            default -> text.isEmpty() ? marker.label() : text;
        };
    }
}
