package io.ycsbdrill.report.history;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.rundir.RunFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Many runs, those that may be compared side by side; see docs/history.md. Immutable. */
public final class History {
    private static final int DEEPEST = 4;

    private final Path directory;
    private final List<HistorySeries> series;
    private final List<LeftOut> leftOut;

    /** A directory whose figures are invalid, or that cannot be read, and why. */
    public record LeftOut(Path directory, String reason) {}

    private History(Path directory, List<HistorySeries> series, List<LeftOut> leftOut) {
        this.directory = directory;
        this.series = List.copyOf(series);
        this.leftOut = List.copyOf(leftOut);
    }

    /**
     * Reads all run directories under a directory, up to four levels deep, or the one that it is itself. The load that a run on an
     * empty table did first, {@code load/} in its run directory, is no run of its own.
     *
     * @throws IOException when the directory cannot be listed
     */
    public static History read(Path directory) throws IOException {
        List<Path> found = new ArrayList<>();
        find(directory, DEEPEST, found);
        List<HistoryRun> runs = new ArrayList<>();
        List<LeftOut> leftOut = new ArrayList<>();
        for (Path run : found) {
            try {
                RunData data = RunData.read(run);
                if (data.unsound().isEmpty()) {
                    runs.add(HistoryRun.of(data));
                } else {
                    leftOut.add(new LeftOut(run, String.join("; ", data.unsound())));
                }
            } catch (RunFormatException e) {
                leftOut.add(new LeftOut(run, e.getMessage()));
            } catch (UncheckedIOException e) {
                leftOut.add(new LeftOut(run, "cannot be read: " + FileReason.of(e.getCause())));
            } catch (RuntimeException | OutOfMemoryError e) {
                // Whatever is wrong with one directory, the others are shown.
                leftOut.add(new LeftOut(run, "cannot be read as a run: " + e));
            }
        }
        runs.sort(Comparator.comparing(HistoryRun::startedAt)
                .thenComparing(run -> run.directory().toString()));
        Map<Map<String, String>, List<HistoryRun>> alike = new LinkedHashMap<>();
        runs.forEach(run ->
                alike.computeIfAbsent(run.likeness(), none -> new ArrayList<>()).add(run));
        return new History(directory, HistorySeries.of(alike.values()), leftOut);
    }

    private static void find(Path directory, int depth, List<Path> found) throws IOException {
        if (isRun(directory)) {
            found.add(directory);
        } else if (depth > 0) {
            for (Path entry : Io.list(directory)) {
                if (Files.isDirectory(entry)) {
                    find(entry, depth - 1, found);
                }
            }
        }
    }

    /** Whether the directory is a run; one without {@code run.json} is a damaged run. */
    private static boolean isRun(Path directory) {
        return Stream.of("run.json", "windows.csv", "slices.csv", "windows.jsonl", "summary.json")
                .anyMatch(name ->
                        InputFile.isThere(directory.resolve(name)) && !Files.isDirectory(directory.resolve(name)));
    }

    /** The number of runs that are compared. */
    public int runs() {
        return series.stream().mapToInt(s -> s.runs().size()).sum();
    }

    /** The directories that are not compared, ordered by name. */
    public List<LeftOut> leftOut() {
        return leftOut;
    }

    /** Each metric in which the newest run of a series is worse than those before it; empty when there is none. */
    public List<String> regressions() {
        return series.stream()
                .flatMap(s -> s.worse().stream()
                        .map(why -> s.title() + ", " + s.newest().directory() + ": " + why))
                .toList();
    }

    /** Whether the newest run of any series can be judged. */
    public boolean judged() {
        return HistoryVerdict.of(series).judged() > 0;
    }

    /** What is said of the newest runs, in a sentence: {@code No regression in the newest run of 2 series}. */
    public String verdict() {
        return HistoryVerdict.of(series).text();
    }

    /** The history as JSON; docs/command-line.md describes it. */
    public String json() {
        return HistoryJson.of(this, series);
    }

    /** The history as tables for a terminal. */
    public String text() {
        return HistoryText.of(series, leftOut);
    }

    /**
     * Writes the page, whose links are relative to where it is.
     *
     * @throws IOException when it cannot be written
     */
    public void write(Path page) throws IOException {
        HistoryPage content = new HistoryPage(
                directory, series, leftOut, page.toAbsolutePath().getParent());
        AtomicFile.write(page, content.html());
    }
}
