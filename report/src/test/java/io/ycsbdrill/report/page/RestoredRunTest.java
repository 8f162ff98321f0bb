package io.ycsbdrill.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.summary.Check;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.Verdict.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run whose data were lost and came back from a backup: nothing says that nothing was lost. */
class RestoredRunTest {
    private static final String TAKEN =
            "\"acknowledged\":4112,\"gone\":3020,\"rpoSeconds\":21.4,\"rpoAtMostSeconds\":24.8";

    @TempDir
    private Path directory;

    private DrillSummary summary(String findings, String restore, String limits) throws IOException {
        Files.writeString(
                directory.resolve("audit.json"),
                "{\"schema\":1," + findings + ",\"restore\":{\"backupSeconds\":15.4,\"lostSeconds\":40.2," + restore
                        + "},\"writes\":{\"ok\":30000,\"judgedLast\":10000}}");
        return DrillSummary.write(
                SampleRun.nodeRestart().drill("node-restart", limits).writeTo(directory));
    }

    /** What was found gone began 21.4 s before the loss; what was written anew since may have been older. */
    @Test
    void theRpoIsJudgedByTheTimeSinceTheBackup() throws IOException {
        String clean = "\"ackedLost\":0";

        assertThat(summary(clean, TAKEN, "{\"ackedLost\":0,\"maxRpoSeconds\":24.9}")
                        .verdict()
                        .outcome())
                .isEqualTo(Outcome.PASS);
        DrillSummary missed = summary(clean, TAKEN, "{\"maxRpoSeconds\":24.0}");
        assertThat(missed.verdict().outcome()).isEqualTo(Outcome.FAIL);
        assertThat(missed.verdict().checks().get(0).result()).isEqualTo(Check.Result.NOT_MEASURABLE);
        assertThat(summary(clean, TAKEN, "{\"maxRpoSeconds\":21.3}")
                        .verdict()
                        .checks()
                        .get(0)
                        .result())
                .as("one that is older is known")
                .isEqualTo(Check.Result.FAIL);
        assertThat(NumberText.rpo(missed.metrics())).isEqualTo("\u2264 24,800 ms");
        assertThat(missed.verdict().checks().get(0).sentence())
                .startsWith("RPO \u2264 24.8 s, at most 24 s allowed (at most; restored from a backup: ");
        assertThat(missed.json().at("/rpoSeconds/atMost").asBoolean()).isTrue();
        assertThat(missed.json().at("/verdict/checks/0/atMost").asBoolean()).isTrue();
        assertThat(missed.text())
                .contains(
                        "at most; restored from a backup: of 4,112 writes that were acknowledged from its request to the"
                                + " loss, 24.8 s, at least 3,020 are gone, as is to be expected; the oldest that was found gone"
                                + " began 21.4 s before the loss");
    }

    @Test
    void thatAllWereWrittenAnewIsNotThatNoneWasLost() throws IOException {
        DrillSummary summary = summary(
                "\"ackedLost\":0",
                "\"acknowledged\":100,\"gone\":0,\"rpoAtMostSeconds\":24.8",
                "{\"ackedLost\":0,\"maxRpoSeconds\":0.0}");

        assertThat(summary.verdict().outcome()).isEqualTo(Outcome.FAIL);
        assertThat(NumberText.rpo(summary.metrics())).isEqualTo("\u2264 24,800 ms");
        assertThat(summary.text()).doesNotContain("none lost", "rule of three");
        assertThat(Story.of(summary.metrics()))
                .contains("No acknowledged write was lost that the backup, or the cluster since, must have.")
                .anyMatch(paragraph -> paragraph.startsWith("Restored from a backup: of 100 writes"))
                .noneMatch(paragraph -> paragraph.contains("No acknowledged write that could be judged was lost"));
    }

    @Test
    void whereNothingWasAcknowledgedNothingWasMeasured() throws IOException {
        Measure rpo = summary(
                        "\"ackedLost\":0",
                        "\"acknowledged\":0,\"gone\":0,\"rpoAtMostSeconds\":24.8",
                        "{\"maxRpoSeconds\":60}")
                .metrics()
                .rpo();

        assertThat(rpo.value()).isEmpty();
        assertThat(rpo.note())
                .isEqualTo("restored from a backup: no write was acknowledged between its request and the loss");
    }

    @Test
    void anOlderBackupHasNoRpoThatCouldBeKept() throws IOException {
        DrillSummary summary = summary(
                "\"ackedLost\":2",
                "\"acknowledged\":100,\"gone\":90,\"rpoSeconds\":31.0,\"rpoAtMostSeconds\":24.8",
                "{\"maxRpoSeconds\":3600}");

        assertThat(summary.verdict().outcome()).isNotEqualTo(Outcome.PASS);
        assertThat(NumberText.rpo(summary.metrics())).isEqualTo("\u2265 31,000 ms");
    }

    /** The limits of such a drill say what may be lost since the backup, not what the backup may lack. */
    @Test
    void aBackupThatLacksRowsOfTheLoadFails() throws IOException {
        for (String other : new String[] {
            "\"ackedLost\":0,\"rowsLost\":3",
            "\"ackedLost\":0,\"shownLost\":3",
            "\"ackedLost\":1,\"reads\":{\"strong\":true,\"stale\":1}"
        }) {
            assertThat(summary(other, TAKEN, "{\"ackedLost\":5,\"maxRpoSeconds\":60}").verdict().checks().stream()
                            .filter(check -> check.key().equals("audit"))
                            .map(Check::result))
                    .as(other)
                    .containsExactly(Check.Result.FAIL);
        }
    }

    @Test
    void itsFirstLineSaysWhatMustBeThere() throws IOException {
        assertThat(summary("\"ackedLost\":0", TAKEN, "{}")
                        .metrics()
                        .audit()
                        .orElseThrow()
                        .lines())
                .first()
                .asString()
                .startsWith("0 acknowledged writes lost that the backup, or the cluster since, must have (0 inserts");
    }
}
