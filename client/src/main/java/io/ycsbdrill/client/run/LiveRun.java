package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.client.run.file.LostConnections;
import io.ycsbdrill.client.run.file.Markers;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.fault.schedule.ServedSecond;
import io.ycsbdrill.rundir.RunFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Serves what companions ask of a run in progress. Thread-safe. */
final class LiveRun implements RunControl {
    /** Slices kept for {@link #recentSlices}: ten minutes. */
    private static final int MOST_SLICES = 6_000;

    private final RunState state;
    private final RunDirectory directory;
    private final RunClock clock;
    private final Markers markers;
    private final long sliceNanos;
    private final Supplier<List<Optional<List<Reconnects.Server>>>> reconnects;
    private final ServedSeconds served = new ServedSeconds();
    private final Deque<Long> recent = new ArrayDeque<>();
    private final Map<String, String> files = new LinkedHashMap<>();
    private volatile Function<Duration, List<ServedSecond>> judged = served::recent;
    private BufferedWriter markerFile;
    private boolean closed;

    LiveRun(
            RunState state,
            RunDirectory directory,
            RunClock clock,
            Markers markers,
            long sliceNanos,
            Supplier<List<Optional<List<Reconnects.Server>>>> reconnects) {
        this.state = state;
        this.directory = directory;
        this.clock = clock;
        this.markers = markers;
        this.sliceNanos = sliceNanos;
        this.reconnects = reconnects;
    }

    @Override
    public RunClock clock() {
        return clock;
    }

    @Override
    public void end() {
        state.stop();
    }

    @Override
    public void abort(String reason) {
        state.abort(reason);
    }

    @Override
    public void invalidate(String reason) {
        state.invalidate(reason);
    }

    @Override
    public synchronized void marker(long sinceStartNanos, String kind, String label, Map<String, String> fields) {
        if (closed) {
            return;
        }
        markers.add(sinceStartNanos, label);
        ObjectNode line = RunDirectory.JSON
                .createObjectNode()
                .put("at_ns", sinceStartNanos)
                .put("wall", clock.wall(sinceStartNanos).toString())
                .put("kind", kind)
                .put("label", label);
        // What engines, their logs and commands have said.
        fields.forEach((name, value) -> line.put(name, name.equals("text") ? Secrets.inText(value) : value));
        try {
            if (markerFile == null) {
                markerFile = directory.stream(RunFile.MARKERS);
            }
            markerFile.write(RunDirectory.JSON.writeValueAsString(line) + "\n");
            markerFile.flush();
        } catch (IOException e) {
            state.abort("writing markers.jsonl failed: " + e.getMessage());
        }
    }

    @Override
    public void phase(long sinceStartNanos, String label) {
        markers.phase(sinceStartNanos, label);
    }

    @Override
    public synchronized List<Long> recentSlices(Duration length) {
        long wanted = Math.min(recent.size(), length.toNanos() / sliceNanos);
        return recent.stream().skip(recent.size() - wanted).toList();
    }

    @Override
    public List<ServedSecond> judgedSeconds(Duration length) {
        return judged.apply(length);
    }

    @Override
    public List<ServedSecond> ownSeconds(Duration length) {
        return served.recent(length);
    }

    @Override
    public void judgedBy(Function<Duration, List<ServedSecond>> all) {
        judged = all;
    }

    /** What the seconds are collected in. */
    ServedSeconds served() {
        return served;
    }

    @Override
    public List<Reconnects.Server> reconnects() {
        state.askReconnects();
        return List.copyOf(LostConnections.byServer(reconnects.get()).values());
    }

    synchronized void slice(long ok) {
        recent.add(ok);
        if (recent.size() > MOST_SLICES) {
            recent.remove();
        }
    }

    @Override
    public synchronized void file(String name, String content) {
        if (name.isEmpty() || name.startsWith(".") || name.contains("/") || name.contains("\\")) {
            throw new IllegalArgumentException("\"" + name + "\" is not a plain file name");
        }
        files.put(name, content);
    }

    /** Writes the companions' files; markers that come later are dropped. */
    synchronized void close() throws IOException {
        closed = true;
        files.forEach(directory::write);
        if (markerFile != null) {
            markerFile.close();
        }
    }
}
