package io.ycsbdrill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.experiment.spec.Success;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JudgeTest {
    @TempDir
    private Path run;

    private void atRate(double rate, String counts) throws IOException {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\",\"load\":{\"rate\":" + rate + "}}");
        Files.writeString(run.resolve("summary.json"), """
                {"trimmed": {"startSeconds": 0, "endSeconds": 10}, %s "throughputOpsPerSecond": 3000,
                "operations": {"READ": {"ok": 20000}, "UPDATE": {"ok": 10000}}}
                """.formatted(counts));
    }

    private Optional<String> objection() {
        return new Judge(Success.ALL).objection(0, run, run.resolve("output.txt"));
    }

    /** Every second transaction reads and updates: 3,000 operations a second are 2,000 transactions. */
    @Test
    void aRateIsHeldByTransactionsNotByTheOperationsThatTheyMake() throws IOException {
        atRate(3000, "\"transactions\": 20000,");
        assertThat(objection()).hasValue("the rate was not held: 2000 of 3000 per second, 95 % are required");

        atRate(2000, "\"transactions\": 20000,");
        assertThat(objection()).isEmpty();
    }

    @Test
    void runsThatDoNotCountTransactionsAreJudgedByTheirOperations() throws IOException {
        atRate(3000, "");
        assertThat(objection()).isEmpty();

        atRate(4000, "");
        assertThat(objection()).hasValueSatisfying(reason -> assertThat(reason).contains("3000 of 4000 per second"));
    }

    private void ended(String more, double from, double to) throws IOException {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\"" + more + "}");
        Files.writeString(run.resolve("summary.json"), """
                {"trimmed": {"startSeconds": %s, "endSeconds": %s}, "operations": {"READ": {"ok": 20000}}}
                """.formatted(from, to));
    }

    /** A client or a database that is still warming up is no figure to compare. */
    @Test
    void aCellThatWasMeasuredForLessThanTenSecondsDoesNotCount() throws IOException {
        ended("", 5, 14.5);
        assertThat(objection()).hasValue("only 9.5 s were measured after the warm-up, 10 s are required");

        ended("", 5, 14.98);
        assertThat(objection()).isEmpty();

        ended(",\"drill\":{}", 0, 3);
        assertThat(objection()).as("the faults decide how long a drill is").isEmpty();
    }

    @Test
    void aCellAtAShareOfAMaximumThatIsUncertainDoesNotCount() throws IOException {
        ended(",\"load\":{\"doubt\":\"throughput rose by 40 %\"}", 0, 20);
        assertThat(objection())
                .hasValueSatisfying(reason -> assertThat(reason).contains("is uncertain: throughput rose"));
    }

    private Optional<String> drilled(int exitCode, String outcome) throws IOException {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\",\"drill\":{}}");
        Files.writeString(run.resolve("summary.json"), """
                {"operations": {"READ": {"ok": 20000}}, "drill": {"verdict": {"outcome": "%s"}}}
                """.formatted(outcome));
        return new Judge(Success.ALL).objection(exitCode, run, run.resolve("output.txt"));
    }

    /** A pause has no recovery to limit, and figures all the same. */
    @Test
    void aDrillOfWhichNoLimitAppliesCountsAsOneThatMissedThemDoes() throws IOException {
        assertThat(drilled(3, "fail")).isEmpty();
        assertThat(drilled(1, "not judged")).isEmpty();
        assertThat(drilled(1, "undecided")).isEmpty();
        assertThat(drilled(1, "pass")).hasValue("exit code 1");
        assertThat(drilled(2, "not judged")).hasValue("exit code 2");
    }
}
