package io.ycsbdrill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.experiment.spec.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is found before anything is started. */
class CellCommandsTest {
    private static final double MB = 1 << 20;

    private final FakeTool tool = new FakeTool();

    private List<String> problems(String more) {
        List<String> problems = new ArrayList<>();
        new CellCommands(Words.experiment("{axes: {threads: [1, 2]}, fixed: {binding: b}" + more + "}"), tool)
                .check(problems);
        return problems;
    }

    @Test
    void rowsThatWouldFitIntoMemoryAreRefused() {
        tool.rowBytes = 191.9 * MB;
        assertThat(problems(", success: {rows_mb: 192}"))
                .singleElement()
                .asString()
                .startsWith("success.rows_mb: the rows of the table are 191.9 MB, at least 192 are required; ")
                .contains("recordcount", "threads=1");

        tool.rowBytes = 192 * MB;
        assertThat(problems(", success: {rows_mb: 192}")).isEmpty();
        tool.rowBytes = 0;
        assertThat(problems("")).isEmpty();
    }

    @Test
    void aCommandThatWouldBeEndedBeforeItIsCompleteIsRefused() {
        tool.length = Duration.ofHours(1);

        assertThat(problems(", timeout: 1h"))
                .singleElement()
                .asString()
                .startsWith("timeout 1h: the command runs for 1h, and would be ended before it is complete; ")
                .contains("threads=1");
        assertThat(problems("")).hasSize(1);
        assertThat(problems(", timeout: 3604s")).isEmpty();
    }

    @Test
    void aCommandWhoseFiguresWouldNotCountIsRefused() {
        tool.measured = Duration.ofSeconds(9);

        assertThat(problems(""))
                .singleElement()
                .asString()
                .startsWith(
                        "the command measures for 9s after its warm-up, and its figures count from 10s on; give it a longer")
                .contains("threads=1");
        assertThat(problems(", success: {measured: 9s}")).isEmpty();
        assertThat(problems(", command: drill")).isEmpty();
    }

    @Test
    void aClusterThatCannotHoldTheRowsIsRefused() {
        tool.tooSmall = Optional.of("each data node would hold 60 GB of rows");

        assertThat(problems("")).isEmpty();
        assertThat(problems(", cluster: {engine: embedded}"))
                .containsExactly("each data node would hold 60 GB of rows (in {threads=1})");
    }

    @Test
    void theTablesOfAllCellsMayBeLoadedThroughOneBinding() {
        CellCommands commands = new CellCommands(
                Words.experiment(
                        "{axes: {threads: [1, 2]}, fixed: {binding: b}, cluster: {engine: embedded}, load: native}"),
                tool);

        assertThat(commands.inspect(Words.experiment("{axes: {threads: [1, 2]}, fixed: {binding: b}}")
                                .variants()
                                .get(0))
                        .load())
                .containsExactly("load", "native");
    }

    @Test
    void aClusterThatCouldNotBeStartedIsRefused() {
        tool.clusterProblem = Optional.of("--data-nodes 1: expected a whole number from 2 to 7");

        assertThat(problems("")).isEmpty();
        assertThat(problems(", cluster: {engine: embedded}"))
                .containsExactly("--data-nodes 1: expected a whole number from 2 to 7 (in {threads=1})");
    }
}
