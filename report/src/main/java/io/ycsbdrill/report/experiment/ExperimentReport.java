package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Makes the results of an experiment from its files; may be repeated on the same directory, also by a later version. */
public final class ExperimentReport {
    private ExperimentReport() {}

    /**
     * What was written.
     *
     * @param data the figures that everything shows
     * @param page {@code experiment.html}
     * @param text the table for a terminal
     * @param counting how many cells count
     * @param nothingJudged whether it claims something, and nothing can be said of it
     */
    public record Written(ExperimentData data, Path page, String text, long counting, boolean nothingJudged) {}

    /**
     * Writes {@code cells.csv}, {@code experiment.json}, {@code experiment.md} and {@code experiment.html}, replacing older ones.
     *
     * @throws IOException when the plan cannot be read, or a file cannot be written
     */
    public static Written write(Path directory) throws IOException {
        ExperimentData collected = ExperimentData.collect(directory);
        CellsCsv.write(directory, collected.plan(), collected.rows());
        ExperimentData data = ExperimentData.read(directory);
        ExperimentResult result = ExperimentResult.of(data);
        AtomicFile.write(directory.resolve("experiment.json"), ExperimentJson.of(result));
        AtomicFile.write(directory.resolve("experiment.md"), ExperimentText.markdown(result));
        Path page = directory.resolve("experiment.html");
        AtomicFile.write(page, ExperimentPage.of(result));
        List<ClaimRow> claims = result.claims();
        return new Written(
                data,
                page,
                ExperimentText.terminal(result),
                data.counting(),
                !claims.isEmpty() && !ClaimRow.judged(claims));
    }
}
