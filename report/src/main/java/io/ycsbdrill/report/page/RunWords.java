package io.ycsbdrill.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.summary.LoadText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Describes a run and its markers in words, for pages. */
public final class RunWords {
    private RunWords() {}

    /** Workload, binding and drill of a run, and whether it is a load. */
    public static String title(RunData run) {
        return run.title() + (run.run().path("mode").asText().equals("load") ? ", load" : "");
    }

    /** Engine, size, length and start. */
    public static String subtitle(RunData run) {
        List<String> parts = setting(run.run());
        double seconds = run.durationSeconds();
        if (seconds > 0) {
            parts.add(NumberText.plain(seconds < 1 ? seconds : Math.round(seconds * 10) / 10.0) + " s");
        }
        String load = LoadText.of(run.run());
        if (!load.isEmpty()) {
            parts.add(load);
        }
        parts.add("started "
                + run.run()
                        .path("startedAt")
                        .asText("?")
                        .replaceFirst("\\.\\d+", "")
                        .replace("T", " "));
        return String.join(" \u00b7 ", parts);
    }

    /**
     * Engine and size, for a run in progress.
     *
     * @param together whether its figures are of all clients, and this {@code run.json} is of the first one
     */
    public static String subtitleOfRunning(JsonNode run, boolean together) {
        List<String> parts = setting(run);
        if (together) {
            parts.add("on each of " + run.at("/part/of").asInt() + " clients");
        }
        return String.join(" \u00b7 ", parts);
    }

    private static List<String> setting(JsonNode run) {
        JsonNode engine = run.path("engine");
        List<String> parts = new ArrayList<>();
        if (!engine(run).isEmpty()) {
            parts.add(engine(run));
        }
        int nodes = engine.path("nodes").size();
        if (nodes > 0) {
            parts.add(Counted.of(nodes, "node"));
        }
        parts.add(clients(run));
        return parts;
    }

    /** A number as it is in a file and its noun: {@code 10,000 records}, {@code 1 cycle}; empty where there is no number. */
    public static String counted(String number, String noun) {
        return number.isEmpty()
                ? ""
                : number.replaceAll("\\B(?=([0-9]{3})+$)", ",") + " " + noun + (number.equals("1") ? "" : "s");
    }

    /** {@code 8 client threads}, {@code 3 clients, together 24 client threads}. */
    static String clients(JsonNode run) {
        int clients = run.path("clients").size();
        return (clients > 1 ? clients + " clients, together " : "")
                + counted(run.path("threads").asText("?"), "client thread");
    }

    /** The database by its own name, and its version where it is known; may be empty. */
    static String engine(JsonNode run) {
        String version = run.path("engine").path("version").asText("unknown");
        String name = run.path("engine").path("name").asText("");
        return (version.equals("unknown") ? product(name) : product(name + " " + version))
                + (name.equals("embedded") ? " (embedded)" : "");
    }

    /**
     * The name that an engine's makers give it, and its version, if it is followed by that; the same name for one that is not known here.
     * What is named beside its version is so once: {@code Patroni 3.0.2 with PostgreSQL 15.20}.
     */
    public static String product(String engine) {
        String[] words = engine.split(" ", 2);
        String version = words.length > 1 ? " " + words[1] : "";
        return Pages.resource("engines.properties")
                        .lines()
                        .filter(line -> line.startsWith(words[0] + " = "))
                        .map(line -> line.substring(words[0].length() + 3))
                        .map(name -> version.contains(" with " + name.replaceFirst(" with .*", "") + " ")
                                ? name.replaceFirst(".* with ", "")
                                : name)
                        .findFirst()
                        .orElse(words[0])
                + version;
    }

    /** {@code node1, node2 on host1; node3 on host2}. */
    static String nodes(JsonNode run) {
        Map<String, List<String>> nodes = new LinkedHashMap<>();
        run.at("/engine/nodes")
                .forEach(node -> nodes.computeIfAbsent(node.path("host").asText("?"), none -> new ArrayList<>())
                        .add(node.path("id").asText()));
        return nodes.entrySet().stream()
                .map(of -> String.join(", ", of.getValue()) + " on " + of.getKey()
                        + (of.getKey().equals("127.0.0.1") ? " (the client's machine)" : ""))
                .collect(Collectors.joining("; "));
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
            case "fault-injected" -> "fault " + fault + " is injected";
            case "fault-effective" -> "fault " + fault + " has taken effect" + details;
            case "fault-ended" -> "fault " + fault + " has ended";
            case "fault-failed" -> "fault " + fault + " failed" + details;
            case "phase" -> node + " " + phase(marker.phase());
            case "steady" -> "steady" + details;
            case "event" -> marker.label().equals("step") ? "" : node + " " + marker.label() + details;
            default -> text.isEmpty() ? marker.label() : text;
        };
    }
}
