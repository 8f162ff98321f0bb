package io.ycsbdrill.client.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.RunFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * What each second until the answer was for: section {@code time} of {@code summary.json}. Immutable.
 *
 * @param seconds by part, in the order of time; they add up to the whole
 */
public record AnswerTime(Map<String, Double> seconds) {
    /**
     * Divides it by what a run has recorded; in seconds.
     *
     * @param before the run
     * @param load as far as {@code before} has a load of an empty table
     * @param all from the start of the run until its directory was complete
     * @param report figures and pages
     */
    static AnswerTime of(RunData run, double before, double load, double all, double report) {
        Map<String, Double> parts = new LinkedHashMap<>();
        parts.put("start", before - load);
        parts.put("load", load);
        long duration = run.run().path("durationNanos").asLong();
        double stop = Math.min(all, run.run().path("stoppedNanos").asLong(duration) / 1e9);
        double judged = Math.min(stop, run.run().at("/load/sinceSeconds").asDouble());
        parts.put("calibration", judged);
        boolean repeated =
                run.markers().stream().anyMatch(marker -> marker.kind().equals("cycle-begun"));
        double from = at(run, stop, marker -> marker.kind().equals(repeated ? "cycle-begun" : "fault-started"))
                .min()
                .orElse(stop);
        parts.put(run.hasDrill() ? "steady" : "run", from - judged);
        double injected = at(run, stop, marker -> marker.kind().equals("fault-injected"))
                .max()
                .orElse(from);
        double over = at(run, stop, AnswerTime::endsATrouble).max().orElse(injected);
        parts.put("cycles", repeated ? stop - from : 0);
        parts.put("fault", repeated ? 0 : injected - from);
        parts.put("recovery", repeated ? 0 : over - injected);
        parts.put("cool-down", repeated ? 0 : stop - Math.max(injected, over));
        double audit = run.audit()
                .map(found -> found.json().path("seconds").asDouble())
                .orElse(0.0);
        parts.put("end", all - stop - audit);
        parts.put("audit", audit);
        parts.put("report", report);
        parts.values().removeIf(part -> !(part > 0));
        return new AnswerTime(parts);
    }

    private static boolean endsATrouble(Marker marker) {
        return marker.kind().equals("fault-ended")
                || marker.kind().equals("phase") && marker.phase().equals("recovered");
    }

    /** When there were such markers; what is healed after the load has stopped is no part of it. */
    private static DoubleStream at(RunData run, double stop, Predicate<Marker> which) {
        return run.markers().stream()
                .filter(which)
                .mapToDouble(Marker::atSeconds)
                .filter(at -> at <= stop);
    }

    private double total() {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** {@code 98.1 s: start 9.2, load 2.1, calibration 15.0, ...}. */
    public String text() {
        return Formatted.of("%.1f s: ", total())
                + seconds.entrySet().stream()
                        .map(part -> Formatted.of("%s %.1f", part.getKey(), part.getValue()))
                        .collect(Collectors.joining(", "));
    }

    /**
     * Adds it to the summary of a run.
     *
     * @throws IOException when the file cannot be replaced
     */
    void write(Path directory) throws IOException {
        ObjectNode summary = (ObjectNode) Json.read(directory.resolve(RunFile.SUMMARY));
        ObjectNode parts =
                summary.putObject("time").put("seconds", tenths(total())).putObject("parts");
        seconds.forEach((part, value) -> parts.put(part, tenths(value)));
        AtomicFile.write(directory.resolve(RunFile.SUMMARY), summary.toPrettyString() + "\n");
    }

    private static double tenths(double seconds) {
        return Math.round(seconds * 10) / 10.0;
    }
}
