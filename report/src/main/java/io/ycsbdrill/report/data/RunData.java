package io.ycsbdrill.report.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunFormatException;
import io.ycsbdrill.rundir.Window;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a run directory holds, as read; immutable by convention (arrays and JSON nodes are shared, nothing writes to them).
 *
 * @param run {@code run.json} as it is
 * @param windows by operation, and of {@code TOTAL}, in order of time
 * @param stages phases of all recoveries, in the order of {@code phases.csv}; empty without a drill
 * @param summary {@code summary.json} as it is; empty when there is none, or a damaged one
 * @param audit what became of the writes; empty without an audit
 * @param consistency whether the workload's data are consistent; empty when the workload cannot tell
 * @param owners operations by the node that had their key
 * @param threads stretches without a success of single client threads; empty without an intact file of them
 * @param clients how each client itself fared; empty without a file of that
 * @param problems found while reading
 */
public record RunData(
        Path directory,
        JsonNode run,
        Map<String, List<Window>> windows,
        Slices slices,
        List<Marker> markers,
        List<Stage> stages,
        Optional<JsonNode> summary,
        Optional<AuditData> audit,
        Optional<ConsistencyData> consistency,
        OwnerSeries owners,
        Optional<ThreadGaps> threads,
        List<ClientSeries> clients,
        List<Problem> problems) {
    /** Arrivals that are late by less when the load is stopped are those behind its last calls, as at any moment of it. */
    public static final double LEAST_UNSENT_SECONDS = 1;

    public RunData {
        markers = List.copyOf(markers);
        stages = List.copyOf(stages);
        clients = List.copyOf(clients);
        problems = List.copyOf(problems);
    }

    /**
     * Reads a run directory.
     *
     * @throws RunFormatException when it is none, or of a later schema version than this program knows
     */
    public static RunData read(Path directory) {
        return new RunReader(directory).read(true);
    }

    /**
     * Reads a run directory but for its slices and what goes with them, of which a long run has millions of lines: for those who read
     * them line by line.
     *
     * @throws RunFormatException as {@link #read}
     */
    public static RunData readWithoutSlices(Path directory) {
        return new RunReader(directory).read(false);
    }

    /**
     * The same run as if its data ended early, and as if nothing had been injected before: one cycle of a repeated drill. Shares what
     * it can with this one.
     *
     * @param fromSeconds faults, engine events and stages before this are left out; slices, windows, steady states and stages of
     *     failures that nobody injected are not: they tell what its steady state is
     * @param toSeconds later data are left out
     * @param calmSeconds before this the service still had to do with something earlier, so it is a warm-up
     */
    public RunData stretch(double fromSeconds, double toSeconds, double calmSeconds) {
        ObjectNode cut = run.deepCopy();
        cut.put("warmupNanos", Math.round(1e9 * Math.max(warmupSeconds(), calmSeconds)));
        boolean early = toSeconds + slices.seconds() < slices.whole() * slices.seconds();
        cut.put("durationNanos", Math.round(toSeconds * 1e9));
        if (early && cut.path("load") instanceof ObjectNode load) {
            load.remove(List.of("unsent", "oldestUnsentSeconds"));
        }
        Map<String, List<Window>> earlier = new LinkedHashMap<>();
        windows.forEach((operation, all) -> earlier.put(
                operation,
                all.stream().filter(w -> w.endSeconds() <= toSeconds + 1e-9).toList()));
        int whole = Math.min(slices.whole(), (int) Math.floor(toSeconds / slices.seconds() + 1e-9));
        return new RunData(
                directory,
                cut,
                earlier,
                new Slices(slices.seconds(), slices.count(), whole, slices.byOperation(), slices.intact()),
                markers.stream()
                        .filter(m -> m.atSeconds() < toSeconds && !m.kind().startsWith("cycle-"))
                        .filter(m -> m.atSeconds() >= fromSeconds || m.kind().equals("steady"))
                        .toList(),
                stages.stream()
                        .filter(s -> s.unplanned() || s.startSeconds() >= fromSeconds - 1e-9)
                        .filter(s -> s.startSeconds() < toSeconds)
                        .map(s -> s.cutAt(toSeconds))
                        .toList(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                owners,
                threads,
                clients,
                problems);
    }

    /** {@code complete}, {@code incomplete} or {@code invalid}. */
    public String state() {
        return run.path("state").asText("incomplete");
    }

    /** Why the run's figures are invalid, in words; empty when they are valid. */
    public List<String> unsound() {
        List<String> reasons = new ArrayList<>();
        if (!state().equals("complete")) {
            run.path("reasons").forEach(reason -> reasons.add(state() + ": " + reason.asText()));
            if (reasons.isEmpty()) {
                reasons.add(
                        run.path("endedAt").asText("").isEmpty()
                                ? "incomplete: the client ended without closing the run (killed, or still running)"
                                : state() + ": no reason given");
            }
        }
        problems.stream()
                .filter(problem -> problem.kind() == Problem.Kind.DAMAGED)
                .forEach(problem -> reasons.add("damaged: " + problem));
        return reasons;
    }

    public boolean hasDrill() {
        return run.path("drill").isObject()
                || markers.stream().anyMatch(m -> m.kind().equals("fault-started"));
    }

    /** Whether its drill injected nothing on purpose, so that nothing may be found. */
    public boolean isPlacebo() {
        return run.path("drill").path("placebo").asBoolean(false);
    }

    /** {@code drill.limits} of {@code run.json}; an empty object when there are none. */
    public JsonNode limits() {
        return run.path("drill").path("limits");
    }

    /** {@code binding workload}, for titles. */
    public String title() {
        String drill = run.path("drill").path("name").asText("");
        return run.path("workload").asText("run") + " on " + run.path("binding").asText("?")
                + (drill.isEmpty() ? "" : ", drill " + drill);
    }

    /** Operations in the order of the files, without {@code TOTAL}. */
    public List<String> operations() {
        return windows.keySet().stream()
                .filter(name -> !name.equals(Slices.TOTAL))
                .toList();
    }

    /** Windows of an operation, or of {@code TOTAL}, in order of time; empty for one that did not occur. */
    public List<Window> windows(String operation) {
        return windows.getOrDefault(operation, List.of());
    }

    public double windowSeconds() {
        return run.path("windowNanos").asDouble(10e9) / 1e9;
    }

    public double warmupSeconds() {
        return run.path("warmupNanos").asDouble(0) / 1e9;
    }

    /** From when on the load is the one that is judged: the end of the calibration; 0 without one, infinite when it never ended. */
    public double loadSinceSeconds() {
        JsonNode load = run.path("load");
        double never = load.path("kind").asText().equals("share") ? Double.POSITIVE_INFINITY : 0;
        return load.path("sinceSeconds").asDouble(never);
    }

    /**
     * Arrivals that were due when the load was stopped, had not been sent, and count as not served: 0 when the oldest is younger than
     * {@link #LEAST_UNSENT_SECONDS}, and in a closed loop.
     */
    public long unsent() {
        JsonNode load = run.path("load");
        return load.path("oldestUnsentSeconds").asDouble() < LEAST_UNSENT_SECONDS
                ? 0
                : load.path("unsent").asLong();
    }

    /** Where the data end: the recorded duration, or what the slices and windows cover when the run was not closed. */
    public double durationSeconds() {
        double recorded = run.path("durationNanos").asDouble(0) / 1e9;
        if (recorded > 0) {
            return recorded;
        }
        OptionalDouble end = windows.values().stream()
                .flatMap(List::stream)
                .mapToDouble(Window::endSeconds)
                .max();
        return Math.max(end.orElse(0), slices.count() * slices.seconds());
    }
}
