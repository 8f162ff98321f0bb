package io.ycsbdrill.report.page;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes reports from run directories; may be repeated on the same directory, also by a later version. */
public final class Report {
    private Report() {}

    /**
     * What was written.
     *
     * @param summary the figures that the report shows
     * @param page {@code report.html}
     * @param charts pictures; empty when this Java cannot draw text
     * @param warnings for the user, each a sentence; empty when all is well
     */
    public record Written(DrillSummary summary, Path page, List<Path> charts, List<String> warnings) {
        public Written {
            charts = List.copyOf(charts);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * Writes {@code report.html} and {@code charts/} into a run directory, replacing older ones. The other files stay as they
     * are.
     *
     * @throws RunFormatException when the directory is no run
     * @throws IOException when a file cannot be read or written
     */
    public static Written write(Path runDirectory) throws IOException {
        return write(DrillSummary.of(RunData.read(runDirectory)), true);
    }

    /**
     * Does the same for a run that has been read already.
     *
     * @param drawn whether {@code charts/} is written, too, which takes longer than all else
     * @throws IOException when a file cannot be written
     */
    public static Written write(DrillSummary summary, boolean drawn) throws IOException {
        RunData run = summary.run();
        Path runDirectory = run.directory();
        List<String> warnings = new ArrayList<>();
        run.unsound().forEach(reason -> warnings.add("do not rely on the figures of this run: " + reason));
        run.problems().stream()
                .filter(problem -> problem.kind() != Problem.Kind.DAMAGED)
                .forEach(problem -> warnings.add(problem.toString()));
        Path page = writePage(summary);
        if (!drawn) {
            return new Written(summary, page, List.of(), warnings);
        }
        Path directory = runDirectory.resolve("charts");
        if (Files.isSymbolicLink(directory)) {
            throw new IOException(directory + " is a link, through which nothing is written; remove it");
        }
        Files.createDirectories(directory);
        List<Path> charts = List.of();
        try {
            charts = new PaperCharts(run).write(directory);
        } catch (RuntimeException | LinkageError | InternalError e) {
            // A Java without fonts or its font library fails in many ways, some of them Errors.
            boolean ending = String.valueOf(e.getMessage()).contains("Shutdown in progress");
            String cause = ending
                    ? "the process is ending; "
                    : "this Java cannot draw text (" + e
                            + "); install a font package such as fonts-dejavu-core and a JRE"
                            + " that is not \"headless-minimal\", then ";
            warnings.add("charts/ is incomplete: " + cause + "run `ycsb report " + runDirectory
                    + "` again; report.html is not affected");
        }
        return new Written(summary, page, charts, warnings);
    }

    /**
     * Writes {@code report.html} alone, without {@code charts/}: then neither a font nor the libraries that draw are needed.
     *
     * @return the page
     * @throws IOException when it cannot be written
     */
    public static Path writePage(DrillSummary summary) throws IOException {
        Path page = summary.run().directory().resolve("report.html");
        AtomicFile.write(page, ReportPage.of(summary));
        return page;
    }

    /**
     * Writes a page that shows two runs beside each other.
     *
     * @param outHtml the page; its directory is made when missing
     * @return the differences because of which the runs should not be compared, in words; empty when they are alike
     * @throws RunFormatException when one of the directories is no run
     * @throws IOException when a file cannot be read or written
     */
    public static List<String> compare(Path a, Path b, Path outHtml) throws IOException {
        RunData first = RunData.read(a);
        RunData second = RunData.read(b);
        List<String> differences = Differences.of(first, second);
        AtomicFile.write(outHtml, ComparePage.of(first, second, differences));
        return differences;
    }

    /**
     * What the page of {@link #compare} says in its tables, as JSON; docs/command-line.md describes it.
     *
     * @throws RunFormatException when one of the directories is no run
     */
    public static String comparison(Path a, Path b) {
        RunData first = RunData.read(a);
        RunData second = RunData.read(b);
        return new ComparePage(first, second, Differences.of(first, second)).json();
    }

    /**
     * Lists the differences because of which two runs should not be compared, without writing anything.
     *
     * @throws RunFormatException when one of the directories is no run
     */
    public static List<String> differences(Path a, Path b) {
        return Differences.of(RunData.read(a), RunData.read(b));
    }
}
