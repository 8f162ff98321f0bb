package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.SampleRun;
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
                        "maxDetectSeconds");
        assertThat(verdict.line()).isEqualTo("PASS: 7 of 7 limits kept");
    }

    @Test
    void failsAndNamesMeasuredAndAllowed() throws IOException {
        Verdict verdict = verdict(restart("{\"maxUnavailableSeconds\":1.0,\"minThroughputPercent\":90}"));

        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(verdict.line())
                .contains("0 of 2", "Longest gap without a success 1.5 s, at most 1 s allowed", "at least 90 %");
    }

    @Test
    void limitThatCannotBeMeasuredIsMissedWithItsReason() throws IOException {
        Verdict verdict = verdict(SampleRun.nodeKill().drill("node-kill", "{\"maxRecoverySeconds\":60}"));

        assertThat(verdict.checks().get(0).result()).isEqualTo(Check.Result.NOT_MEASURABLE);
        assertThat(verdict.checks().get(0).sentence()).contains("n/a", "not restored before the end of the data");
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.FAIL);
    }

    /** A drill in which nothing was done is measured from its steady state on, and passes when nothing was found. */
    @Test
    void aPlaceboPassesOnlyWhenNothingWasFound() throws IOException {
        String limits = "{\"maxUnavailableSeconds\":1,\"maxFailed\":0,\"maxUnknown\":0}";
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

        assertThat(verdict(calm).line()).isEqualTo("PASS: 3 of 3 limits kept");
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

        assertThat(verdict.line()).isEqualTo("PASS: 2 of 2 limits kept");
        assertThat(verdict.checks().get(0).measured()).hasValue(0.1);
    }

    @Test
    void whatDoesNotApplyToAFaultIsNotMissed() throws IOException {
        SampleRun pause = SampleRun.lasting(60)
                .operation("READ", t -> 1000, t -> 300)
                .drill("pause", "{\"maxRecoverySeconds\":60,\"maxDetectSeconds\":5,\"maxFailed\":0}")
                .marker(20, "fault-started", "pause", "node1", "");

        Verdict verdict = verdict(pause);

        assertThat(verdict.line()).isEqualTo("PASS: 1 of 3 limits kept, 2 not applicable");
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

        assertThat(verdict(kill).checks()).extracting(Check::result).containsOnly(Check.Result.NOT_MEASURABLE);
    }

    @Test
    void unknownLimitIsNeverIgnored() throws IOException {
        Verdict verdict = verdict(restart("{\"maxSurprise\":1,\"maxFailed\":\"many\"}"));

        assertThat(verdict.checks()).extracting(Check::result).containsOnly(Check.Result.NOT_MEASURABLE);
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.FAIL);
    }

    @Test
    void lostWritesMissTheirLimit() throws IOException {
        Files.writeString(directory.resolve("audit.json"), "{\"schema\":1,\"ackedLost\":2,\"lost\":{\"update\":2}}");

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
    }

    @Test
    void noLimitsIsNeitherPassNorFail() throws IOException {
        assertThat(verdict(restart("{}")).outcome()).isEqualTo(Verdict.Outcome.NO_LIMITS);
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
