package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.summary.Check;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerdictTest {
    @TempDir
    Path directory;

    private Verdict verdict(SampleRun run) throws IOException {
        return DrillSummary.write(run.writeTo(directory)).verdict();
    }

    /** Of the limits that the drill sets: that the service is restored is judged in each, and {@link ServedAtEndTest} shows it. */
    private static List<Check.Result> results(Verdict verdict) {
        return verdict.checks().stream()
                .filter(check -> !check.key().equals("serviceRestored"))
                .map(Check::result)
                .toList();
    }

    private static SampleRun restart(String limits) {
        return SampleRun.nodeRestart().drill("node-restart", limits);
    }

    @Test
    void passesWhenEveryLimitIsKept() throws IOException {
        Verdict verdict = verdict(SampleRun.nodeRestart());

        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.PASS);
        assertThat(verdict.checks())
                .extracting(Check::key)
                .containsExactly(
                        "maxUnavailableSeconds",
                        "minThroughputPercent",
                        "maxRecoverySeconds",
                        "maxServiceRestoreSeconds",
                        "maxFailed",
                        "maxUnknown",
                        "maxDetectSeconds",
                        "serviceRestored");
        assertThat(verdict.line()).isEqualTo("PASS: 8 of 8 limits kept");
    }

    @Test
    void failsAndNamesMeasuredAndAllowed() throws IOException {
        Verdict verdict = verdict(restart("{\"maxUnavailableSeconds\":1.0,\"minThroughputPercent\":90}"));

        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(verdict.line())
                .contains("1 of 3", "Longest gap without a success 1.5 s, at most 1 s allowed", "at least 90 %");
    }

    /** In binary 12 slices of 0.1 s are a little more than 1.2 s. */
    @Test
    void aLimitThatIsMetExactlyIsKept() throws IOException {
        for (int slices : new int[] {6, 12, 23}) {
            SampleRun run = SampleRun.lasting(60)
                    .exact()
                    .operation("READ", t -> t >= 30 && t < 30 + (slices - 1) / 10.0 ? 0 : 1000, t -> 300)
                    .marker(30, "fault-started", "pause", "node1", "")
                    .drill("pause", "{\"maxUnavailableSeconds\":" + slices / 10.0 + "}");

            Verdict verdict = verdict(run);

            assertThat(verdict.checks().get(0).measured().orElseThrow()).isCloseTo(slices / 10.0, within(1e-9));
            assertThat(results(verdict)).as("%d slices", slices).containsExactly(Check.Result.PASS);
        }
    }

    @Test
    void whatIsMissedByLittleDoesNotLookKept() throws IOException {
        assertThat(verdict(restart("{\"maxRecoverySeconds\":78.265}")).line())
                .contains("Redundancy restored 78.27 s, at most 78.265 s allowed");
        assertThat(verdict(restart("{\"maxRecoverySeconds\":78.2}")).line())
                .contains("Redundancy restored 78.27 s, at most 78.2 s allowed");
        assertThat(verdict(restart("{\"maxRecoverySeconds\":78.3}")).outcome()).isEqualTo(Verdict.Outcome.PASS);
    }

    @Test
    void limitThatCannotBeMeasuredIsMissedWithItsReason() throws IOException {
        Verdict verdict = verdict(SampleRun.nodeKill().drill("node-kill", "{\"maxRecoverySeconds\":60}"));

        assertThat(verdict.checks().get(0).result()).isEqualTo(Check.Result.NOT_MEASURABLE);
        assertThat(verdict.checks().get(0).sentence()).contains("n/a", "not restored before the end of the data");
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.FAIL);
    }

    @Test
    void theMinuteAfterTheRecoveryIsJudgedOnlyWhenItWasMeasured() throws IOException {
        String limits = "{\"maxAfterDipPercent\":20}";
        SampleRun shallow = recovered(160, 850, limits);
        SampleRun deep = recovered(160, 750, limits);
        SampleRun tooShort = recovered(80, 1000, limits);

        assertThat(verdict(shallow).outcome()).isEqualTo(Verdict.Outcome.PASS);
        assertThat(verdict(deep).line())
                .contains("Dip after recovered (worst second of the first minute) 25 %, at most 20 % allowed");
        assertThat(verdict(tooShort).checks().get(0).result()).isEqualTo(Check.Result.NOT_MEASURABLE);
    }

    /** Down from 30 s to 40 s; then at full throughput, but for the seconds from 60 to 62. */
    private static SampleRun recovered(int seconds, double then, String limits) {
        return SampleRun.lasting(seconds)
                .exact()
                .operation("READ", t -> t >= 30 && t < 40 ? 500 : t >= 60 && t < 62 ? then : 1000, t -> 300)
                .drill("dip", limits)
                .marker(30, "fault-started", "kill", "node1", "")
                .marker(30.2, "event", "node-down", "node1", "")
                .recovered(40, "node1");
    }

    /** Half a minute after the first fault the second one begins; the minute after that is complete. */
    @Test
    void aFigureThatIsCutShortForOneFaultKeepsNoLimitOfTheDrill() throws IOException {
        SampleRun two = recovered(160, 850, "{\"maxAfterDipPercent\":20}")
                .marker(70, "fault-started", "kill", "node2", "")
                .marker(70.2, "event", "node-down", "node2", "")
                .recovered(80, "node2");

        assertThat(verdict(two).checks().get(0).result()).isEqualTo(Check.Result.NOT_MEASURABLE);
    }

    /** A drill in which nothing was done is measured from its steady state on, and passes when nothing was found. */
    @Test
    void aPlaceboPassesOnlyWhenNothingWasFound() throws IOException {
        String limits = "{\"maxOutSeconds\":0,\"maxUnavailableSeconds\":1,\"maxFailed\":0,\"maxUnknown\":0}";
        SampleRun calm = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> 1000, t -> 300)
                .marker(20, "steady", "steady", "", ",\"since_ns\":\"10000000000\"")
                .placebo(limits);
        SampleRun stalled = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t >= 40 && t < 43 ? 0 : 1000, t -> 300)
                .marker(20, "steady", "steady", "", ",\"since_ns\":\"10000000000\"")
                .placebo(limits);

        assertThat(verdict(calm).line()).isEqualTo("PASS: 5 of 5 limits kept");
        assertThat(verdict(stalled).outcome()).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(verdict(stalled).line()).contains("Longest gap without a success 3.1 s, at most 1 s allowed");
        assertThat(verdict(calm.drill("other", limits).failing(30, 1, 0)).outcome())
                .isEqualTo(Verdict.Outcome.FAIL);
    }

    /** The service died for good and the data end 20 s later: nobody knows that the limit of 60 s would have been kept. */
    @Test
    void anOutageThatIsStillOpenAtTheEndNeverKeepsALimit() throws IOException {
        SampleRun dead = SampleRun.lasting(60)
                .operation("READ", t -> t >= 40 ? 0 : 1000, t -> 300)
                .marker(40, "fault-started", "kill", "node1", "");

        Verdict within = verdict(dead.drill("node-kill", "{\"maxUnavailableSeconds\":60}"));
        Verdict beyond = verdict(dead.drill("node-kill", "{\"maxUnavailableSeconds\":10}"));

        assertThat(within.outcome()).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(within.checks().get(0).result()).isEqualTo(Check.Result.NOT_MEASURABLE);
        assertThat(within.line()).contains("no success until the end of the data");
        assertThat(beyond.checks().get(0).result()).isEqualTo(Check.Result.FAIL);
        assertThat(beyond.line())
                .contains("\u2265 20.1 s, at most 10 s allowed (no success until the end of the data)");
    }

    /** Nobody knows how long the second outage lasts, although it is still the shorter one. */
    @Test
    void anOutageAtTheEndCountsAlsoWhenAnEarlierOneWasLonger() throws IOException {
        SampleRun run = SampleRun.lasting(60)
                .operation("READ", t -> t >= 22 && t < 32 || t >= 55 ? 0 : 1000, t -> 300)
                .marker(20, "fault-started", "pause", "node1", "")
                .drill("pause", "{\"maxUnavailableSeconds\":20}");

        assertThat(verdict(run).checks().get(0).result()).isEqualTo(Check.Result.NOT_MEASURABLE);
    }

    /** All calls hang: none has failed yet, and nobody knows how many will. */
    @Test
    void callsThatHangAtTheEndNeverKeepALimitOnFailures() throws IOException {
        SampleRun hung = SampleRun.lasting(60)
                .operation("READ", t -> t >= 40 ? 0 : 1000, t -> 300)
                .failing(40.5, 3, 1)
                .marker(40, "fault-started", "pause", "node1", "");

        assertThat(results(verdict(hung.drill("pause", "{\"maxFailed\":10,\"maxUnknown\":10}"))))
                .containsOnly(Check.Result.NOT_MEASURABLE);
        assertThat(verdict(hung.drill("pause", "{\"maxFailed\":2,\"maxUnknown\":0}"))
                        .checks())
                .extracting(Check::result)
                .containsOnly(Check.Result.FAIL);
    }

    /** With windows longer than the steady state nobody can say what is slow. */
    @Test
    void latencyThatCannotBeJudgedKeepsNoLimit() throws IOException {
        for (double window : List.of(1.0, 30.0)) {
            SampleRun run = SampleRun.lasting(100)
                    .windows(window)
                    .rate(1000)
                    .withResponse()
                    .operation("READ", t -> 1000, t -> 300)
                    .marker(25, "fault-started", "pause", "node1", "")
                    .marker(26, "fault-ended", "pause", "node1", "")
                    .drill("pause", "{\"maxDegradedSeconds\":20,\"maxServiceRestoreSeconds\":20}");

            assertThat(results(verdict(run)))
                    .as("windows of %s s", window)
                    .containsOnly(window == 1 ? Check.Result.PASS : Check.Result.NOT_MEASURABLE);
        }
    }

    /** At a low rate slices are empty now and then, the last ones too. */
    @Test
    void aFewEmptySlicesAtTheEndAreNoOutage() throws IOException {
        SampleRun run = SampleRun.lasting(60)
                .operation("READ", t -> t >= 59.7 ? 0 : 1000, t -> 300)
                .marker(20, "fault-started", "pause", "node1", "")
                .drill("pause", "{\"maxUnavailableSeconds\":20}");

        assertThat(verdict(run).outcome()).isEqualTo(Verdict.Outcome.PASS);
    }

    /** A harmless fault first, then a kill that nobody reported: the order must not matter. */
    @Test
    void aMissingDetectionIsNotHiddenByAFaultThatHasNone() throws IOException {
        for (String first : List.of("pause", "kill")) {
            SampleRun run = SampleRun.lasting(60)
                    .operation("READ", t -> 1000, t -> 300)
                    .drill("both", "{\"maxDetectSeconds\":5}")
                    .marker(10, "fault-started", first, "node1", ",\"occurrence\":\"1\"")
                    .marker(
                            40,
                            "fault-started",
                            first.equals("kill") ? "pause" : "kill",
                            "node2",
                            ",\"occurrence\":\"2\"");
            int kill = first.equals("kill") ? 1 : 2;
            run.marker(
                    kill == 1 ? 10.1 : 40.1,
                    "fault-injected",
                    "kill",
                    "node" + kill,
                    ",\"effect\":\"node-down\",\"occurrence\":\"" + kill + "\"");

            assertThat(verdict(run).checks().get(0).result()).isEqualTo(Check.Result.NOT_MEASURABLE);
        }
    }

    /** A straggler holds the run open for 3 s after the stop, without any load: that is no outage. */
    @Test
    void whatCompletesAfterTheStopIsNoOutage() throws IOException {
        SampleRun run = SampleRun.lasting(60)
                .operation("READ", t -> t >= 57 ? 0 : 1000, t -> 300)
                .stopped(57)
                .marker(40, "fault-started", "pause", "node1", "")
                .drill("pause", "{\"maxUnavailableSeconds\":1,\"maxServiceRestoreSeconds\":5}");

        Verdict verdict = verdict(run);

        assertThat(verdict.line()).isEqualTo("PASS: 3 of 3 limits kept");
        assertThat(verdict.checks().get(0).measured()).hasValue(0.1);
    }

    @Test
    void whatDoesNotApplyToAFaultIsNotMissed() throws IOException {
        SampleRun pause = SampleRun.lasting(60)
                .operation("READ", t -> 1000, t -> 300)
                .drill("pause", "{\"maxRecoverySeconds\":60,\"maxDetectSeconds\":5,\"maxFailed\":0}")
                .marker(20, "fault-started", "pause", "node1", "");

        Verdict verdict = verdict(pause);

        assertThat(verdict.line()).isEqualTo("PASS: 2 of 4 limits kept, 2 not applicable");
        assertThat(verdict.checks().get(0).result()).isEqualTo(Check.Result.NOT_APPLICABLE);
    }

    /** The injector saw the process go; an engine that reports nothing is blind. */
    @Test
    void aNodeThatWentDownUnreportedMissesTheLimits() throws IOException {
        SampleRun kill = SampleRun.lasting(60)
                .operation("READ", t -> 1000, t -> 300)
                .drill("kill", "{\"maxRecoverySeconds\":60,\"maxDetectSeconds\":5}")
                .marker(20, "fault-started", "kill", "node1", "")
                .marker(20.1, "fault-injected", "kill", "node1", ",\"effect\":\"node-down\"");

        assertThat(results(verdict(kill))).containsOnly(Check.Result.NOT_MEASURABLE);
    }

    @Test
    void unknownLimitIsNeverIgnored() throws IOException {
        Verdict verdict = verdict(restart("{\"maxSurprise\":1,\"maxFailed\":\"many\"}"));

        assertThat(results(verdict)).containsOnly(Check.Result.NOT_MEASURABLE);
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.FAIL);
    }

    @Test
    void lostWritesMissTheirLimit() throws IOException {
        Files.writeString(
                directory.resolve("audit.json"),
                "{\"schema\":1,\"ackedLost\":2,\"lost\":{\"update\":2},\"writes\":{\"ok\":9}}");

        Verdict verdict = verdict(restart("{\"ackedLost\":0}"));

        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(verdict.line()).contains("Acknowledged writes lost 2 writes, at most 0 writes allowed");
    }

    @Test
    void aLimitOnLostWritesIsNotKeptWhenNotEveryWriteWasJudged() throws IOException {
        assertThat(verdict(restart("{\"ackedLost\":0}")).checks().get(0).sentence())
                .contains("n/a", "the run was not audited (--audit)");
        Files.writeString(
                directory.resolve("audit.json"),
                "{\"schema\":1,\"ackedLost\":0,\"keys\":{\"unreadable\":3},\"problems\":[\"no answer for 120 s\"]}");

        Check check = verdict(restart("{\"ackedLost\":0}")).checks().get(0);

        assertThat(check.result()).isEqualTo(Check.Result.NOT_MEASURABLE);
        assertThat(check.sentence()).contains("3 written keys could not be read back (no answer for 120 s)");
        assertThat(verdict(restart("{\"ackedLost\":0}")).line())
                .as("nobody saw a loss")
                .contains("kept; not measurable, which counts as missed: Acknowledged writes lost")
                .doesNotContain("; missed: ");
    }

    private void audited(String findings) throws IOException {
        Files.writeString(
                directory.resolve("audit.json"),
                "{\"schema\":1," + findings + ",\"writes\":{\"ok\":30000,\"judgedLast\":10000}}");
    }

    @Test
    void lossesOfAnAuditedDrillAreJudgedUnlessItAllowsThem() throws IOException {
        audited("\"ackedLost\":2,\"findings\":[{\"kind\":\"lost-update\",\"startSeconds\":39.2,\"endSeconds\":39.3},"
                + "{\"kind\":\"lost-insert\",\"startSeconds\":37.2,\"endSeconds\":37.21}]");

        Verdict silent = verdict(restart("{\"maxUnavailableSeconds\":2}"));

        assertThat(silent.outcome()).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(silent.line()).startsWith("FAIL: 3 of 4 limits kept; missed: Acknowledged writes lost 2 writes");
        assertThat(verdict(restart("{\"ackedLost\":\"any\"}")).line()).isEqualTo("PASS: 2 of 2 limits kept");
        // The fault took effect at 40.21 s.
        assertThat(verdict(restart("{\"maxRpoSeconds\":3.1}")).outcome()).isEqualTo(Verdict.Outcome.PASS);
        assertThat(verdict(restart("{\"maxRpoSeconds\":3.0}")).line()).contains("RPO 3.01 s, at most 3 s allowed");
    }

    @Test
    void withoutALossTheRpoIsKeptAndSaidInWords() throws IOException {
        audited("\"ackedLost\":0");

        DrillSummary summary =
                DrillSummary.write(restart("{\"maxRpoSeconds\":1}").writeTo(directory));

        assertThat(summary.verdict().line()).isEqualTo("PASS: 3 of 3 limits kept");
        assertThat(summary.text())
                .contains(
                        "none of 10,000 judged writes lost; with 95 % confidence fewer than 0.030 % (rule of three); 30,000 were");
    }

    @Test
    void aLossAfterTheFaultOrOneThatIsNotListedNeverKeepsAnRpo() throws IOException {
        audited("\"ackedLost\":1,\"findings\":[{\"kind\":\"lost-update\",\"startSeconds\":44.2,\"endSeconds\":44.3}]");
        assertThat(verdict(restart("{\"maxRpoSeconds\":60}")).line())
                .startsWith("FAIL")
                .contains("1 lost writes were acknowledged after the fault");

        audited("\"ackedLost\":3,\"findings\":[{\"kind\":\"lost-update\",\"startSeconds\":39.2,\"endSeconds\":39.3}]");
        assertThat(verdict(restart("{\"maxRpoSeconds\":60}")).line())
                .startsWith("FAIL")
                .contains("2 more lost writes are not listed");
    }

    /** A row of before the run is no write of it, and has no age that counts from the run's start. */
    @Test
    void theAgeOfALossIsThatOfAcknowledgedWritesOnly() throws IOException {
        audited("\"ackedLost\":1,\"rowsLost\":1,\"findings\":[{\"kind\":\"lost-row\",\"key\":\"user7\"},"
                + "{\"kind\":\"lost-update\",\"startSeconds\":39.2,\"endSeconds\":39.3}]");

        Measure rpo =
                DrillMetrics.of(RunData.read(restart("{}").writeTo(directory))).rpo();

        assertThat(rpo.value().orElseThrow()).isCloseTo(1.01, within(1e-6));
        assertThat(rpo.censored()).isTrue();
    }

    @Test
    void whatElseTheAuditFoundMissesToo() throws IOException {
        audited("\"ackedLost\":0,\"phantoms\":3");
        assertThat(verdict(restart("{}")).line())
                .startsWith("FAIL: 2 of 3 limits kept")
                .contains("3 phantoms");

        audited("\"ackedLost\":0,\"keys\":{\"unreadable\":3}");
        assertThat(results(verdict(restart("{\"ackedLost\":\"any\"}")))).containsExactly(Check.Result.NOT_MEASURABLE);
    }

    /** A write of unknown outcome that a read had shown, and a row from before the run: neither was acknowledged in it, and both are gone. */
    @Test
    void lossesOfWhatTheRunHasNotAcknowledgedFailTheDrillUnlessItAllowsLosses() throws IOException {
        for (String[] loss : new String[][] {
            {"\"shownLost\":2", "lost-shown", "2 writes lost that a read had shown"},
            {"\"rowsLost\":3", "lost-row", "3 rows lost from before the run"}
        }) {
            audited("\"ackedLost\":0," + loss[0] + ",\"findings\":[{\"kind\":\"" + loss[1] + "\",\"key\":\"user7\"}]");

            for (String limits : List.of("{}", "{\"ackedLost\":0}")) {
                Verdict verdict = verdict(restart(limits));
                assertThat(verdict.outcome()).as(limits).isEqualTo(Verdict.Outcome.FAIL);
                assertThat(verdict.line()).contains(loss[2]);
            }
            assertThat(verdict(restart("{\"ackedLost\":\"any\"}")).outcome()).isEqualTo(Verdict.Outcome.PASS);
            assertThat(verdict(restart("{\"maxRpoSeconds\":60}")).line())
                    .startsWith("FAIL")
                    .contains(loss[2]);
        }
    }

    /** Copies that nobody could read one by one are not said to agree. */
    @Test
    void replicasThatWereNotComparedAreNotSaidToAgree() throws IOException {
        audited("\"ackedLost\":0,\"replicas\":{\"available\":false,\"reason\":\"one server\"}");
        Check check = verdict(restart("{}")).checks().stream()
                .filter(each -> each.key().equals("audit"))
                .findFirst()
                .orElseThrow();

        assertThat(check.title()).doesNotContain("replicas");
        assertThat(check.reason()).isEqualTo("replicas were not compared");
        audited(
                "\"ackedLost\":0,\"replicas\":{\"available\":true,\"agree\":\"yes\",\"keys\":5,\"nodes\":[{\"node\":\"a\"}]}");
        assertThat(verdict(restart("{}")).checks())
                .extracting(Check::title)
                .anyMatch(title -> title.endsWith("replicas agree"));
    }

    /** No write, no read, no row of the load: nothing could have been found lost. */
    @Test
    void anAuditThatHadNothingToJudgeHasKeptNothing() throws IOException {
        Files.writeString(directory.resolve("audit.json"), "{\"schema\":1,\"ackedLost\":0,\"writes\":{\"ok\":0}}");

        Verdict verdict = verdict(restart("{\"ackedLost\":0,\"maxRpoSeconds\":1}"));

        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(results(verdict)).containsOnly(Check.Result.NOT_MEASURABLE);
        audited("\"ackedLost\":0,\"reads\":{\"judged\":7}");
        assertThat(verdict(restart("{\"ackedLost\":0}")).outcome()).isEqualTo(Verdict.Outcome.PASS);
    }

    @Test
    void limitsOnLostWritesDoNotApplyWhereNoWriteWasAcknowledged() throws IOException {
        Files.writeString(directory.resolve("audit.json"), "{\"schema\":1,\"ackedLost\":0,\"reads\":{\"judged\":7}}");

        Verdict verdict = verdict(restart("{\"ackedLost\":0,\"maxRpoSeconds\":1}"));

        assertThat(results(verdict)).startsWith(Check.Result.NOT_APPLICABLE, Check.Result.NOT_APPLICABLE);
    }

    /** Copies that all lack the lost write are no further finding; copies that differ are. */
    @Test
    void equalCopiesAddNothingToWhatWasLost() throws IOException {
        String lost =
                "\"ackedLost\":1,\"findings\":[{\"kind\":\"lost-update\",\"startSeconds\":39.2,\"endSeconds\":39.3}],"
                        + "\"replicas\":{\"available\":true,\"keys\":5,\"nodes\":[{\"node\":\"a\",\"findings\":1}],";

        audited(lost + "\"agree\":\"yes\",\"different\":0}");
        assertThat(verdict(restart("{\"ackedLost\":\"any\"}")).outcome()).isEqualTo(Verdict.Outcome.PASS);
        assertThat(verdict(restart("{\"maxRpoSeconds\":5}")).outcome()).isEqualTo(Verdict.Outcome.PASS);

        audited(lost + "\"agree\":\"no\",\"different\":1}");
        assertThat(verdict(restart("{\"ackedLost\":\"any\"}")).outcome()).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(verdict(restart("{\"maxRpoSeconds\":5}")).outcome()).isEqualTo(Verdict.Outcome.FAIL);
    }

    /** Whoever reads after the loss of a write sees an older value; without a loss that is a finding. */
    @Test
    void staleReadsAreFindingsUnlessTheyAreThoseOfAllowedLosses() throws IOException {
        String stale = ",\"reads\":{\"strong\":true,\"stale\":3}";

        audited("\"ackedLost\":0" + stale);
        assertThat(verdict(restart("{\"ackedLost\":\"any\"}")).line())
                .startsWith("FAIL")
                .contains("3 reads");
        audited("\"ackedLost\":1" + stale);
        assertThat(verdict(restart("{\"ackedLost\":\"any\"}")).outcome()).isEqualTo(Verdict.Outcome.PASS);
        assertThat(verdict(restart("{\"ackedLost\":1}")).outcome()).isEqualTo(Verdict.Outcome.PASS);
        assertThat(verdict(restart("{}")).line()).contains("3 reads");
    }

    /** A lost write explains older values, not those of writes that had failed. */
    @Test
    void aReadOfWhatShouldNotExistIsAFindingWhateverMayBeLost() throws IOException {
        audited("\"ackedLost\":1,\"reads\":{\"strong\":true,\"stale\":3,\"phantom\":2}");

        assertThat(verdict(restart("{\"ackedLost\":\"any\"}")).line())
                .startsWith("FAIL")
                .contains("2 reads that a database with strong reads never shows");
    }

    @Test
    void aLimitOnInconsistentDataReplacesWhatTheRunPromises() throws IOException {
        Files.writeString(
                directory.resolve("consistency.json"),
                "{\"schema\":1,\"promised\":true,\"violated\":2,\"unreadable\":0,\"conditions\":[]}");

        assertThat(verdict(restart("{\"inconsistent\":2}")).line()).isEqualTo("PASS: 2 of 2 limits kept");
        assertThat(verdict(restart("{\"inconsistent\":1}")).outcome()).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(verdict(restart("{}")).outcome()).isEqualTo(Verdict.Outcome.FAIL);
    }

    /** As when the process was killed that audited the writes of several clients. */
    @Test
    void aRunWhoseWritesWereRecordedAndNeverJudgedIsInvalid() throws IOException {
        for (String journal : List.of("journal", "client-2/journal")) {
            Path run = restart("{\"maxUnavailableSeconds\":60}").writeTo(Files.createTempDirectory(directory, "run"));
            assertThat(DrillSummary.of(RunData.read(run)).verdict().outcome()).isEqualTo(Verdict.Outcome.PASS);
            Files.createDirectories(run.resolve(journal));

            Verdict verdict = DrillSummary.of(RunData.read(run)).verdict();

            assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.INVALID);
            assertThat(verdict.line()).contains("audit.json", "never judged; `ycsb audit DIR` does it");
            Files.writeString(run.resolve("audit.json"), "{\"schema\":1,\"ackedLost\":0,\"writes\":{\"ok\":1}}");
            assertThat(DrillSummary.of(RunData.read(run)).verdict().outcome()).isEqualTo(Verdict.Outcome.PASS);
        }
    }

    @Test
    void limitsOfWhichNoneAppliesJudgeNothing() throws IOException {
        SampleRun pause = SampleRun.lasting(60)
                .operation("READ", t -> 1000, t -> 300)
                .drill("pause", "{\"maxRecoverySeconds\":60,\"maxDetectSeconds\":5}")
                .marker(20, "fault-started", "pause", "node1", "");

        assertThat(verdict(pause).outcome()).isEqualTo(Verdict.Outcome.NOT_JUDGED);
        assertThat(verdict(pause).line()).isEqualTo("NOT JUDGED: none of its 2 limits applies");
    }

    /** 10 s of nothing are 17 % of the first minute, however long the node takes to come back. */
    @Test
    void aSlowRecoveryDoesNotDiluteTheOutage() throws IOException {
        for (double recovered : new double[] {50, 290}) {
            SampleRun run = SampleRun.lasting(300)
                    .exact()
                    .operation("READ", t -> t >= 30 && t < 40 ? 0 : 1000, t -> 300)
                    .drill("restart", "{\"minThroughputPercent\":90}")
                    .marker(30, "fault-started", "R", "node1", "")
                    .marker(30.1, "event", "node-down", "node1", "")
                    .recovered(recovered, "node1");

            Check check = verdict(run).checks().get(0);

            assertThat(check.result()).isEqualTo(Check.Result.FAIL);
            assertThat(check.measured().orElseThrow()).isCloseTo(100 * 50 / 60.0, within(0.01));
        }
    }

    /** The same outage with a longer cool-down is no better: it is known only when the first minute is over. */
    @Test
    void aShortCoolDownChangesNoShareOfTheFirstMinute() throws IOException {
        for (double seconds : new double[] {60, 80, 120}) {
            SampleRun run = SampleRun.lasting(seconds)
                    .exact()
                    .operation("READ", t -> t >= 30 && t < 36 ? 0 : 1000, t -> 300)
                    .drill("restart", "{\"minThroughputPercent\":85}")
                    .marker(30, "fault-started", "pause", "node1", "")
                    .marker(36, "fault-ended", "pause", "node1", "");

            Check check = verdict(run).checks().get(0);

            assertThat(check.measured().orElseThrow()).isCloseTo(90, within(0.01));
            assertThat(check.result()).isEqualTo(seconds > 90 ? Check.Result.PASS : Check.Result.NOT_MEASURABLE);
        }
    }

    /** A total stall without any error: calls only wait. */
    @Test
    void aSecondWithoutASuccessIsASignOfTheFault() throws IOException {
        SampleRun run = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t >= 40.5 && t < 43.5 ? 0 : 1000, t -> 300)
                .drill("stall", "{\"maxDetectSeconds\":1}")
                .marker(40, "fault-started", "pause", "node1", "");

        Check check = verdict(run).checks().get(0);

        assertThat(check.result()).isEqualTo(Check.Result.FAIL);
        assertThat(check.measured().orElseThrow()).isCloseTo(1.6, within(0.11));
    }

    @Test
    void throughputOfANodeThatNeverCameBackIsNoPassUnlessItWasMeantTo() throws IOException {
        for (String fault : List.of("restart", "kill", "remove-node")) {
            for (double seconds : new double[] {60, 120}) {
                SampleRun run = SampleRun.lasting(seconds)
                        .operation("READ", t -> 1000, t -> 300)
                        .drill("down", "{\"minThroughputPercent\":50}")
                        .marker(30, "fault-started", fault, "node1", ",\"fault\":\"" + fault + "\"")
                        .marker(30.1, "event", "node-down", "node1", "");

                // A node that is killed and left down, or removed, says all about the first minute when there is one.
                assertThat(verdict(run).outcome())
                        .as("%s, %s s", fault, seconds)
                        .isEqualTo(
                                !fault.equals("restart") && seconds > 90 ? Verdict.Outcome.PASS : Verdict.Outcome.FAIL);
                assertThat(DrillMetrics.of(RunData.read(directory))
                                .get(Metric.LOST_SECONDS)
                                .censored())
                        .isTrue();
            }
        }
    }

    /** The engine reported one of two nodes; that a client noticed something says nothing about the other. */
    @Test
    void theDetectionOfOneNodeDoesNotCoverThatOfAnother() throws IOException {
        SampleRun both = SampleRun.lasting(60)
                .operation("READ", t -> 1000, t -> 300)
                .drill("both", "{\"maxDetectSeconds\":5}")
                .failing(40.3, 2, 0);
        for (int node = 1; node <= 2; node++) {
            both.marker(40, "fault-started", "kill", "node" + node, ",\"occurrence\":\"1\"")
                    .marker(
                            40.1,
                            "fault-injected",
                            "kill",
                            "node" + node,
                            ",\"effect\":\"node-down\",\"occurrence\":\"1\"");
        }

        Check silent = verdict(both).checks().get(0);
        both.marker(40.5, "event", "node-down", "node1", "");
        Check one = verdict(both).checks().get(0);
        both.marker(40.7, "event", "node-down", "node2", "");

        assertThat(silent.measured().orElseThrow()).isBetween(0.3, 0.5);
        assertThat(one.result()).isEqualTo(Check.Result.NOT_MEASURABLE);
        assertThat(one.reason()).isEqualTo("the engine did not report node2 down");
        assertThat(verdict(both).outcome()).isEqualTo(Verdict.Outcome.PASS);
    }

    @Test
    void noLimitsIsNeitherPassNorFail() throws IOException {
        assertThat(verdict(restart("{}")).outcome()).isEqualTo(Verdict.Outcome.NOT_JUDGED);
        assertThat(verdict(restart("{}")).line()).isEqualTo("NOT JUDGED: the drill sets no limits");
    }

    @Test
    void invalidRunHasNoVerdictWhateverItsFigures() throws IOException {
        Verdict verdict = verdict(SampleRun.nodeRestart().state("invalid"));

        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.INVALID);
        assertThat(verdict.line()).contains("node2 did not come back within 120 s");
    }

    @Test
    void detectionFallsBackToWhatClientsSaw() throws IOException {
        SampleRun run = SampleRun.lasting(60)
                .operation("READ", t -> 1000, t -> 300)
                .drill("pause", "{\"maxDetectSeconds\":1}")
                .failing(20.3, 2, 0)
                .marker(20, "fault-started", "pause", "node1", "");

        assertThat(verdict(run).checks().get(0).measured().orElseThrow()).isBetween(0.3, 0.5);
    }
}
