package io.ycsbdrill.testing.assertj;

import static io.ycsbdrill.testing.assertj.DrillAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.RestartNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.schedule.Limit;
import io.ycsbdrill.fault.schedule.Limits;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.Slo;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.testing.Drill;
import io.ycsbdrill.testing.DrillCluster;
import io.ycsbdrill.testing.DrillResult;
import io.ycsbdrill.testing.Drills;
import io.ycsbdrill.testing.MemoryDb;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrillAssertTest {
    @TempDir
    private static Path directory;

    private static DrillResult drill;

    @BeforeAll
    static void run() {
        try (DrillCluster cluster =
                Drills.cluster("asserted").directory(directory).start()) {
            drill = Drills.crash(cluster).run();
        }
    }

    @Test
    void whatHeldPasses() {
        assertThat(drill)
                .isValid()
                .wentThrough(Phase.FAULT, Phase.LOCAL_RECOVERY, Phase.SYNCHRONISE)
                .recoveredWithin(Duration.ofMinutes(2))
                .wasUnavailableAtMost(Duration.ofMinutes(2))
                .failedAtMost(0)
                .leftUnknownAtMost(0)
                .losesNothing();
        assertThat(drill).metric(Metric.REDUNDANCY_RESTORED).isPositive();
    }

    @Test
    void failureSaysWhatWasExpectedWhatHappenedAndWhereTheDataAre() {
        assertThatThrownBy(() -> assertThat(drill).as("my drill").recoveredWithin(Duration.ZERO))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("my drill")
                .hasMessageContaining("expected drill crash to have redundancy restored within 0 s")
                .hasMessageContaining("Redundancy restored")
                .hasMessageContaining("fault 1: restart node")
                .hasMessageContaining("local-recovery")
                .hasMessageContaining("longest gap without a success")
                .hasMessageContaining("run directory (kept): " + directory.resolve("crash"));
    }

    @Test
    void figureThatIsAbsentIsNoPass() {
        assertThatThrownBy(() -> assertThat(drill).keptThroughputOf(1)).hasMessageContaining("no baseline");
        assertThatThrownBy(() -> assertThat(drill).wasOutAtMost(Duration.ofHours(1)))
                .hasMessageContaining("no baseline");
        assertThatThrownBy(() -> assertThat(drill).wasDegradedAtMost(Duration.ofHours(1)))
                .hasMessageContaining("no baseline");
        assertThatThrownBy(() -> assertThat(drill).lostServiceAtMost(Duration.ofHours(1)))
                .hasMessageContaining("no baseline");
        assertThatThrownBy(() -> assertThat(drill).servedAgainWithin(Duration.ofHours(1)))
                .hasMessageContaining("no baseline");
        assertThatThrownBy(() -> assertThat(drill).dippedAfterRecoveryAtMost(100))
                .hasMessageContaining("no baseline");
        assertThatThrownBy(() -> assertThat(drill).metric(Metric.DIP_DEPTH)).hasMessageContaining("no baseline");
    }

    /** Nothing succeeds to the end: nobody knows for how much longer. */
    @Test
    void figureThatTheEndOfTheDataCutShortIsNoPass() {
        try (DrillCluster cluster = Drills.cluster("dead").directory(directory).start()) {
            DrillResult dead = Drills.crash(cluster)
                    .property("readproportion", "0")
                    .property("updateproportion", "1")
                    .property("refuses", "updates")
                    .rate(200)
                    .cooldown(Duration.ofMillis(1500))
                    .run();

            assertThatThrownBy(() -> assertThat(dead).metric(Metric.LONGEST_GAP))
                    .hasMessageContaining("only a bound is known: no success until the end of the data");
        }
    }

    @Test
    void acknowledgedWritesThatAreGoneAreCounted() {
        try (DrillCluster cluster =
                Drills.cluster("forgets").directory(directory).start()) {
            DrillResult lossy =
                    Drills.crash(cluster).property("forgets", "updates").run();

            assertThat(lossy).isValid();
            assertThatThrownBy(() -> assertThat(lossy).losesNothing())
                    .hasMessageContaining("to lose no acknowledged write")
                    .hasMessageContaining("Acknowledged writes lost");
            // As a limit of a drill file, which the audit fails whatever else the file allows.
            assertThatThrownBy(() -> assertThat(lossy).failedAtMost(0))
                    .hasMessageContaining("failed operations, and what every drill is judged by")
                    .hasMessageContaining("Acknowledged writes lost");

            DrillResult allowed = Drills.crash(cluster)
                    .property("forgets", "updates")
                    .limits(Limits.NONE.with(Limit.ACKED_LOST, Limit.ANY))
                    .run();

            assertThat(allowed).failedAtMost(0);
        }
    }

    /** Reads go on, so what is asked for is kept; but no update succeeds to the end of the data. */
    @Test
    void aServiceThatIsNotBackKeepsNoPromise() {
        try (DrillCluster cluster =
                Drills.cluster("half dead").directory(directory).start()) {
            Drill half = Drills.crash(cluster)
                    .property("refuses", "updates")
                    .rate(200)
                    .slo(new Slo(Optional.of(Duration.ofSeconds(10)), Optional.of(Duration.ofSeconds(10))))
                    .cooldown(Duration.ofMillis(1500));
            DrillResult notBack = half.run();

            assertThatThrownBy(() -> assertThat(notBack).wasUnavailableAtMost(Duration.ofMinutes(2)))
                    .hasMessageContaining("for at most 120 s, and what every drill is judged by")
                    .hasMessageContaining("Service restored at the end of the data");

            DrillResult mayBe = half.limits(Limits.NONE.with(Limit.SERVICE_RESTORED, Limit.ANY))
                    .run();

            assertThat(mayBe).wasUnavailableAtMost(Duration.ofMinutes(2));
        }
    }

    @Test
    void runThatWasNotAuditedDoesNotPassForOneThatLostNothing() {
        try (DrillCluster cluster =
                Drills.cluster("unaudited").directory(directory).start()) {
            DrillResult unaudited = Drills.crash(cluster).audit(false).run();

            assertThatThrownBy(() -> assertThat(unaudited).losesNothing()).hasMessageContaining("not audited");
            assertThatThrownBy(() -> assertThat(unaudited).keptItsLimits())
                    .hasMessageContaining("NOT JUDGED: the drill sets no limits");
            assertThat(drill).keptItsLimits();
        }
    }

    @Test
    void phasesInAnotherOrderAreNotPassed() {
        assertThatThrownBy(() -> assertThat(drill).wentThrough(Phase.SYNCHRONISE, Phase.LOCAL_RECOVERY))
                .hasMessageContaining("to go through synchronise, local-recovery");
    }

    @Test
    void phasesOfTwoRecoveriesAreNotPassedForThoseOfOne() {
        NodeSelector node = new NodeSelector.Named(List.of("node1"));
        RestartNode crash = new RestartNode(StopMode.KILL, Duration.ZERO);
        try (DrillCluster cluster = Drills.cluster("twice").directory(directory).start()) {
            DrillResult twice = cluster.drill("twice")
                    .step(ScheduledFault.step("first", crash).on(node))
                    .step(ScheduledFault.step("second", crash).on(node).after("first", Duration.ofMillis(200)))
                    .steady(Optional.empty())
                    .records(100)
                    .cooldown(Duration.ofMillis(300))
                    .run();

            assertThat(twice).wentThrough(Phase.LOCAL_RECOVERY, Phase.SYNCHRONISE);
            assertThatThrownBy(() -> assertThat(twice).wentThrough(Phase.SYNCHRONISE, Phase.LOCAL_RECOVERY))
                    .hasMessageContaining("to go through synchronise, local-recovery")
                    .hasMessageContaining("no recovery did");
        }
    }

    @Test
    void nothingIsAssertedOnARunThatDoesNotCount() {
        FakeNodeController nodes =
                new FakeNodeController(NanoClock.SYSTEM, 1).failing("kill node1", "still alive 100%");
        try (DrillCluster cluster = DrillCluster.given(nodes)
                .binding(MemoryDb.class)
                .property("store", "uncounted")
                .directory(directory)
                .start()) {
            DrillResult invalid = Drills.crash(cluster).run();

            assertThatThrownBy(() -> assertThat(invalid).failedAtMost(1_000_000))
                    .hasMessageContaining("its figures are invalid")
                    .hasMessageContaining("still alive 100%");
        }
    }

    @Test
    void noResultIsNamed() {
        assertThatThrownBy(() -> assertThat(null).isValid()).hasMessageContaining("not to be null");
    }
}
