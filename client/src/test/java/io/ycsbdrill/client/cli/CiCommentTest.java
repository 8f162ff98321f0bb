package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that writes the comment of a pull request. */
class CiCommentTest {
    private static final Path RUN = Path.of("../report/src/test/resources/runs/v1/node-restart");

    @TempDir
    private Path directory;

    private static String comment(Path run, Path output, Path ab) throws IOException, InterruptedException {
        Process script = new ProcessBuilder(
                        "sh", "../examples/ci/comment", run.toString(), output.toString(), ab.toString())
                .redirectErrorStream(true)
                .start();
        String text = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(script.waitFor()).as(text).isZero();
        return text;
    }

    @Test
    void aCommentHasTheVerdictAChartAndTheComparison() throws Exception {
        Path output = Files.writeString(
                directory.resolve("drill.txt"),
                "Limits\n  PASS            Out of service: 0.5 s, at most 10 s\n\nCaution: few\n\nVerdict: PASS: 1 of 1 limit kept\n");
        Path ab = Files.writeString(directory.resolve("ab.md"), "| figure | A | B |\n");

        String comment = comment(RUN, output, ab);

        assertThat(comment)
                .startsWith("### Drill: PASS: 1 of 1 limit kept\n")
                .contains("  PASS            Out of service: 0.5 s, at most 10 s\nCaution: few\n")
                .contains("```mermaid\nxychart-beta\n")
                .contains("x-axis \"time since run start (s)\" 0 --> 150\n", "line [19992, 19989, ")
                .contains("\nFault R of node2 at 40.0 s.\n")
                .endsWith("### Comparison: A is the target branch, B is this change\n\n| figure | A | B |\n");
        assertThat(comment.split("line \\[")[1].split("]")[0].split(",")).hasSize(15);
    }

    @Test
    void whatIsMissingIsSaid() throws Exception {
        assertThat(comment(directory.resolve("none"), directory.resolve("no.txt"), directory.resolve("no.md")))
                .startsWith("### Drill: no verdict; the log of the job has the reason\n")
                .doesNotContain("mermaid")
                .endsWith("There is no result; the log of the job has the reason.\n");
    }
}
