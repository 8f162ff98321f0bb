package io.ycsbdrill.experiment.run;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.report.experiment.CellFigures;
import io.ycsbdrill.report.experiment.CellResult;
import java.nio.file.Path;
import java.time.Duration;

/** How far an experiment is, and how long it still takes at the pace so far. Used by one thread. */
final class ExperimentProgress {
    /** How long a process takes before its run begins; an estimate. */
    static final Duration START = Duration.ofSeconds(4);

    private final int cells;
    private int complete;
    private int measured;
    private double seconds;

    ExperimentProgress(int cells) {
        this.cells = cells;
    }

    /** A cell that took no time. */
    void skipped() {
        complete++;
    }

    void done(double cellSeconds) {
        complete++;
        measured++;
        seconds += cellSeconds;
    }

    /** After a cell: {@code [3/18] threads=4, repeat 1: 12,345 ops/s; about 4 min 20 s left}. */
    String line(Cell cell, CellResult result, Path run) {
        return Formatted.of(
                "[%d/%d] %s: %s%s",
                complete,
                cells,
                cell.title(),
                result.counts() ? throughput(run) : "NA, " + result.reason(),
                complete < cells && measured > 0
                        ? "; about " + text((cells - complete) * seconds / measured) + " left"
                        : "");
    }

    private static String throughput(Path run) {
        return Io.or("done", () -> {
            Double value = CellFigures.read(run).values().get(CellFigures.THROUGHPUT);
            return value == null ? "done" : Formatted.of("%,.0f ops/s", value);
        });
    }

    /** {@code 45 s}, {@code 4 min 20 s}, {@code 3 h 5 min}. */
    static String text(double seconds) {
        long whole = Math.round(seconds);
        if (whole < 60) {
            return whole + " s";
        }
        return whole < 3600
                ? whole / 60 + " min " + whole % 60 + " s"
                : whole / 3600 + " h " + whole % 3600 / 60 + " min";
    }
}
