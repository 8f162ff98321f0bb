package io.ycsbdrill.testing;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.page.Report;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.Verdict;
import io.ycsbdrill.rundir.Window;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a drill did, from its run directory; see docs/metrics.md for the figures. Thread-safe. */
public final class DrillResult {
    private final DrillSummary summary;
    private final AtomicBoolean kept = new AtomicBoolean();

    DrillResult(DrillSummary summary) {
        this.summary = summary;
    }

    /** The result in a run directory on disk, also one that the command line has written. */
    public static DrillResult of(Path runDirectory) {
        return new DrillResult(DrillSummary.of(io.ycsbdrill.report.data.RunData.read(runDirectory)));
    }

    /** The drill's name. */
    public String name() {
        JsonNode run = summary.run().run();
        return run.path("drill").path("name").asText(run.path("workload").asText());
    }

    /** The run directory; see docs/run-directory.md for the files. */
    public Path directory() {
        return summary.run().directory();
    }

    /** Whether the figures are valid. */
    public boolean valid() {
        return reasons().isEmpty();
    }

    /** Why the figures are invalid, each a sentence; empty when they are valid. */
    public List<String> reasons() {
        return summary.metrics().unsound();
    }

    /** Every figure of every fault and of the complete drill. */
    public DrillMetrics metrics() {
        return summary.metrics();
    }

    /** A figure of the complete drill, in the metric's unit; empty when it could not be measured or was not reached: never 0 for that. */
    public OptionalDouble metric(Metric metric) {
        return summary.metrics().get(metric).value();
    }

    /** Against the limits of the drill, if it has any. */
    public Verdict verdict() {
        return summary.verdict();
    }

    /** The phases of each recovery, in order of time; times are seconds since run start. */
    public List<Stage> phases() {
        return summary.run().stages();
    }

    /** All operations in windows, in order of time. */
    public List<Window> windows() {
        return windows("TOTAL");
    }

    /** One operation in windows: {@code READ}, {@code UPDATE}, ...; empty when it did not occur. */
    public List<Window> windows(String operation) {
        return summary.run().windows(operation);
    }

    /** Successful operations of the whole run. */
    public long ok() {
        return windows().stream().mapToLong(Window::ok).sum();
    }

    /** Operations of the whole run that were definitely not applied. */
    public long failed() {
        return windows().stream().mapToLong(Window::failed).sum();
    }

    /** Writes of the whole run that may have been applied. */
    public long unknown() {
        return windows().stream().mapToLong(Window::unknown).sum();
    }

    /** The table that the command line prints at the end of a drill: every figure, the phases, the verdict. */
    public String text() {
        return summary.text();
    }

    /**
     * Writes {@code report.html} into the run directory, which is kept then.
     *
     * @return the page
     * @throws UncheckedIOException when it cannot be written
     */
    public Path report() {
        keep();
        return Io.get("report.html in " + directory() + " cannot be written", () -> Report.writePage(summary));
    }

    /** The run directory stays when the cluster is closed, even if it is in a temporary directory. Failed assertions do so by themselves. */
    public void keep() {
        kept.set(true);
    }

    boolean kept() {
        return kept.get();
    }

    /** Name, verdict and directory. */
    @Override
    public String toString() {
        return "drill " + name() + ": " + verdict().line() + " (" + directory() + ")";
    }
}
