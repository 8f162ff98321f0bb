package io.ycsbdrill.report.live;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.page.ChartData;
import io.ycsbdrill.report.page.Pages;
import io.ycsbdrill.report.page.Palette;
import io.ycsbdrill.report.page.RunWords;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A run as it goes on, for the live page: reads the files of its run directory as they grow, and nothing else, so that the page
 * shows what the report will show. Thread-safe; reads only when asked.
 */
public final class LiveFeed {
    private static final String NOTHING = """
            {"title":"","duration":0,"windowSeconds":10,"sliceSeconds":0.1,"shade":%s,"windows":{},"slices":{},"phases":[],"lines":[]}""";

    private GrowingRun run;
    private int generation;
    private boolean closed;

    /**
     * Up to where a page knows the run.
     *
     * @param generation changes when everything has to be sent again
     * @param windows complete windows
     * @param slices complete slices
     * @param markers lines of {@code markers.jsonl}
     */
    public record Position(int generation, int windows, int slices, int markers) {
        /** The position of a page that has no data yet. */
        public static final Position NONE = new Position(-1, 0, 0, 0);
    }

    /**
     * What a page did not know.
     *
     * @param upTo where the page is with it
     * @param json see docs/live.md
     */
    public record Update(Position upTo, String json) {}

    /** Faults of one kind on one node: how many began, ended, and could not be injected or healed. */
    public record Faults(long started, long ended, long failed) {
        private Faults plus(String kind) {
            return new Faults(
                    started + (kind.equals("fault-started") ? 1 : 0),
                    ended + (kind.equals("fault-ended") ? 1 : 0),
                    failed + (kind.equals("fault-failed") ? 1 : 0));
        }
    }

    /** A fault's name and its node; empty when it has none. */
    public record FaultOf(String fault, String node) {}

    /** Switches to this run, whose directory need not exist yet. */
    public void follow(Path runDirectory) {
        follow(runDirectory, runDirectory);
    }

    /**
     * Switches to a run of several clients.
     *
     * @param first directory of the first one, whose settings and markers are those of the run; need not exist yet
     * @param figures windows and slices of all of them, as they grow
     */
    public synchronized void follow(Path first, Path figures) {
        run = new GrowingRun(first, figures);
        generation++;
        closed = false;
    }

    /** The page itself, without data: self-contained, for the update events of a server at the relative address {@code events}. */
    public static String page() {
        return Pages.render("live/live.jte", Formatted.of(NOTHING, Palette.SHADE));
    }

    /**
     * What came after a position.
     *
     * @throws IOException when the run directory cannot be read
     */
    public synchronized Update since(Position position) throws IOException {
        read();
        if (run == null || run.run().isMissingNode()) {
            return new Update(position, "{}");
        }
        boolean anew = position.generation != generation;
        Position from = anew ? new Position(generation, 0, run.oldestSlice(), 0) : position;
        if (closed && !anew) {
            return new Update(position, "{}");
        }
        RunData data;
        ObjectNode json;
        if (closed) {
            // In its final form: late phases and rows of operations that came late are in the files now.
            data = RunData.read(run.directory());
            json = ChartData.of(data);
        } else {
            data = run.from(from.windows, from.slices);
            json = ChartData.of(data, from.slices, 1);
            json.put("duration", Math.max(run.nextSlice() * run.sliceSeconds(), 0));
        }
        json.put("anew", anew);
        json.put(
                "subtitle",
                closed ? RunWords.subtitle(data) : RunWords.subtitleOfRunning(run.run(), run.ofSeveralClients()));
        json.put("mode", run.run().path("mode").asText("run"));
        json.put("mostWindows", GrowingRun.MOST_WINDOWS).put("mostSlices", GrowingRun.MOST_SLICES);
        ObjectNode totals = json.putObject("totals");
        totals.put("ok", run.totals()[0]).put("failed", run.totals()[1]).put("unknown", run.totals()[2]);
        ObjectNode nodes = json.putObject("nodes");
        phases().forEach(nodes::put);
        events(json.putArray("events"), from.markers);
        return new Update(
                new Position(
                        generation,
                        run.nextWindow(),
                        run.nextSlice(),
                        run.markers().size()),
                json.toString());
    }

    private void events(ArrayNode array, int from) {
        List<Marker> markers = run.markers();
        for (Marker marker : markers.subList(Math.min(from, markers.size()), markers.size())) {
            String text = RunWords.of(marker);
            if (!text.isEmpty()) {
                array.addObject()
                        .put("at", marker.atSeconds())
                        .put("kind", marker.kind())
                        .put("text", text);
            }
        }
    }

    /** The newest phase of each node that was in any, by node. */
    public synchronized Map<String, String> phases() {
        Map<String, Marker> newest = new TreeMap<>();
        if (run != null) {
            for (Marker marker : run.markers()) {
                if (marker.kind().equals("phase") && !marker.node().isEmpty()) {
                    newest.merge(marker.node(), marker, (a, b) -> b.atSeconds() >= a.atSeconds() ? b : a);
                }
            }
        }
        Map<String, String> phases = new TreeMap<>();
        newest.forEach((node, marker) -> phases.put(node, marker.phase()));
        return phases;
    }

    /** The faults so far, in the order in which they began. */
    public synchronized Map<FaultOf, Faults> faults() {
        Map<FaultOf, Faults> faults = new LinkedHashMap<>();
        if (run != null) {
            for (Marker marker : run.markers()) {
                if (marker.kind().startsWith("fault-")) {
                    faults.merge(
                            new FaultOf(marker.field("fault"), marker.node()),
                            new Faults(0, 0, 0).plus(marker.kind()),
                            (known, none) -> known.plus(marker.kind()));
                }
            }
        }
        return faults;
    }

    /** Every phase that a node can be in, in the order in which they happen. */
    public static List<String> phaseNames() {
        return Stream.concat(Phase.unhealthy().stream(), Stream.of(Phase.RECOVERED))
                .map(Phase::label)
                .toList();
    }

    /** Reads what is new, for {@link #phases} and {@link #faults} when no page asks. */
    public synchronized void read() throws IOException {
        if (run != null && !closed) {
            run.poll();
            if (run.closed()) {
                closed = true;
                generation++;
            }
        }
    }
}
