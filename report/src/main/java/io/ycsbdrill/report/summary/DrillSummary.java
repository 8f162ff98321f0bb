package io.ycsbdrill.report.summary;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.rundir.RunFormatException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Metrics and verdict of a drill, made from its run directory.
 *
 * @param run the data they were made from
 * @param metrics what was measured
 * @param verdict against the limits in {@code run.json}
 */
public record DrillSummary(RunData run, DrillMetrics metrics, Verdict verdict) {
    /** Measures the run without writing anything. */
    public static DrillSummary of(RunData run) {
        DrillMetrics metrics = DrillMetrics.of(run);
        return new DrillSummary(run, metrics, Verdict.of(metrics, run.limits()));
    }

    /**
     * Measures a run and sets the sections {@code drill}, where it is one, and {@code servers} of its {@code summary.json}. A run that was killed has no such file,
     * and none is made: it would look like the summary of a run that ended.
     *
     * @throws RunFormatException when the directory is no run
     * @throws IOException when the file cannot be replaced
     */
    public static DrillSummary write(Path runDirectory) throws IOException {
        return write(RunData.read(runDirectory));
    }

    /**
     * Does the same for a run that has been read already.
     *
     * @throws IOException when the file cannot be replaced
     */
    public static DrillSummary write(RunData run) throws IOException {
        DrillSummary summary = of(run);
        if (summary.run().summary().isPresent()) {
            ObjectNode merged = (ObjectNode) summary.run().summary().get().deepCopy();
            if (run.hasDrill()) {
                merged.set("drill", summary.json());
            }
            ServerUse.of(run).ifPresent(use -> merged.set("servers", use.json()));
            if (!merged.equals(summary.run().summary().get())) {
                AtomicFile.write(run.directory().resolve("summary.json"), merged.toPrettyString() + "\n");
            }
        }
        return summary;
    }

    /** Cautions about the run and its figures, each a sentence; empty when there are none. */
    public List<String> cautions() {
        List<String> cautions = new ArrayList<>(RunCautions.of(run, metrics));
        cautions.addAll(metrics.cautions());
        return cautions;
    }

    /** The {@code drill} section of {@code summary.json}. */
    public ObjectNode json() {
        return DrillJson.of(run, metrics, verdict, cautions());
    }

    /** Verdict, metrics and stage durations as plain text, at most 100 columns wide but for long notes. */
    public String text() {
        return DrillText.of(this, false);
    }

    /** The same in a screenful: the main figures, the limits that were not kept, cautions and verdict. */
    public String brief() {
        return DrillText.of(this, true);
    }
}
