package io.ycsbdrill.fault.inject;

import static io.ycsbdrill.fault.inject.DrillStage.after;
import static io.ycsbdrill.fault.schedule.ScheduledFault.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.DamageFiles;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.InitialiseNode;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.NodeSelector.EveryNode;
import io.ycsbdrill.fault.NodeSelector.Named;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.trouble.Damageable.Damage;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A node whose files are damaged comes up with them, or with those of the others. */
class DamagedNodeTest {
    private final DrillStage stage = new DrillStage();
    private final FaultSchedule schedule = DrillStage.schedule()
            .step(step("flip", new DamageFiles(new Damage(Damage.Kind.FLIP, 1, "**", 1), Duration.ZERO))
                    .on(DrillStage.node("node2")))
            .build();

    @BeforeEach
    void script() {
        stage.scriptEngine();
    }

    private NodeInfo node2() {
        return stage.cluster.nodes().get(1);
    }

    @Test
    void oneThatComesUpWithThemKeepsThem() {
        stage.play(schedule).toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls()).containsExactly("kill node2", "bit-flip node2", "start node2");
        assertThat(stage.cluster.damagedSince("node2")).isPresent();
    }

    @Test
    void oneThatDoesNotStartWithThemIsStartedEmpty() {
        stage.cluster.failing("start node2", "node2 ended at once with exit status 1");

        stage.play(schedule).toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls())
                .containsExactly(
                        "kill node2",
                        "bit-flip node2",
                        "start node2",
                        "givenUp node2: node2 ended at once with exit status 1",
                        "startInitial node2");
    }

    /** As its start has failed for another reason, it may come up yet. */
    @Test
    void oneThatHasAProcessIsNotStartedEmpty() {
        stage.cluster.failing("start node2", "node2 has not reported within 60 s of its start");
        DamageFiles flip = new DamageFiles(new Damage(Damage.Kind.FLIP, 1, "**", 1), Duration.ZERO);

        assertThatThrownBy(() -> flip.end(stage.cluster, node2(), null)).hasMessageContaining("has not reported");

        assertThat(stage.cluster.calls()).doesNotContain("startInitial node2");
    }

    /** Both may be all copies of something. */
    @Test
    void aSecondOneIsNotStartedEmpty() {
        stage.cluster.damage("node1", new Damage(Damage.Kind.FLIP, 1, "**", 1));
        stage.cluster.state("node2", State.DOWN).failing("start node2", "node2 ended at once");
        DamageFiles flip = new DamageFiles(new Damage(Damage.Kind.FLIP, 1, "**", 1), Duration.ZERO);

        assertThatThrownBy(() -> flip.end(stage.cluster, node2(), null))
                .hasMessageContainingAll(
                        "node2 ended at once", "is not started empty", "node1 has damaged files since");

        stage.cluster.state("node1", State.DOWN).startInitial("node1");
        stage.cluster.state("node1", State.STARTING);
        assertThatThrownBy(() -> flip.startAgain(stage.cluster, node2())).hasMessageContaining("node1 is STARTING");
        assertThat(stage.cluster.calls()).doesNotContain("startInitial node2");
    }

    @Test
    void aNodeWithoutSuchFilesIsNotKilledForThem() {
        stage.playToEnd(step("flip", new DamageFiles(new Damage(Damage.Kind.FLIP, 1, "none", 1), Duration.ZERO))
                .on(DrillStage.node("node2")));

        assertThat(stage.cluster.calls()).doesNotContain("kill node2");
    }

    @Test
    void oneThatEndsBeforeItHasRecoveredIsStartedEmpty() {
        stage.cluster.afterStart(after(10, Signal.PROCESS_STARTED));
        stage.play(schedule).pass(Duration.ofSeconds(1));
        assertThat(stage.cluster.calls()).last().isEqualTo("start node2");

        stage.cluster.state("node2", State.DOWN);
        stage.scriptEngine();
        stage.cluster.say("node2", Signal.NODE_DOWN);
        stage.toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls()).endsWith("startInitial node2");
    }

    @Test
    void anInitialStartReplacesWhatWasDamaged() {
        stage.cluster.damage("node2", new Damage(Damage.Kind.FLIP, 1, "**", 1));

        stage.playToEnd(
                step("init", new InitialiseNode(StopMode.KILL, Duration.ZERO)).on(DrillStage.node("node2")));

        assertThat(stage.cluster.damagedSince("node2")).isEmpty();
    }

    @Test
    void whatAnotherNodeHasWholeIsNotRemovedMeanwhile() {
        stage.cluster.damage("node1", new Damage(Damage.Kind.FLIP, 1, "**", 1));

        assertThatThrownBy(() -> new InitialiseNode(StopMode.KILL, Duration.ZERO).inject(stage.cluster, node2(), null))
                .hasMessageContaining("the files of node2 are not removed: node1 has damaged files");

        assertThat(stage.cluster.calls()).doesNotContain("kill node2");
    }

    @Test
    void theNextDrillIsRefusedUnlessItIsTheRepair() {
        stage.cluster.damage("node2", new Damage(Damage.Kind.FLIP, 1, "**", 1));
        FaultSchedule next = DrillStage.schedule()
                .step(step("restart", DrillStage.restart(Duration.ZERO)).on(DrillStage.node("node1")))
                .build();
        FaultSchedule repair = DrillStage.schedule()
                .step(step("init", new InitialiseNode(StopMode.KILL, Duration.ZERO))
                        .on(DrillStage.node("node2")))
                .build();

        assertThat(ScheduleCheck.problems(next, stage.cluster))
                .singleElement()
                .asString()
                .contains("node2 has damaged files since ", "take the cluster down");
        assertThat(ScheduleCheck.problems(repair, stage.cluster)).isEmpty();
    }

    /** Before the first of them is brought down. */
    @Test
    void allNodesAreRefusedAsNoCopyWouldBeLeft() {
        List<String> ids = stage.cluster.nodes().stream().map(NodeInfo::id).toList();
        for (Fault fault : List.of(schedule.steps().get(0).fault(), new InitialiseNode(StopMode.KILL, Duration.ZERO))) {
            for (NodeSelector selector : List.of(new EveryNode(), new Named(ids))) {
                FaultSchedule all = DrillStage.schedule()
                        .step(step("all", fault).on(selector))
                        .build();

                assertThat(ScheduleCheck.problems(all, stage.cluster))
                        .singleElement()
                        .asString()
                        .contains("no copy of the data");
            }
            FaultSchedule others = DrillStage.schedule()
                    .step(step("others", fault).on(new Named(ids.subList(1, ids.size()))))
                    .build();
            assertThat(ScheduleCheck.problems(others, stage.cluster)).isEmpty();
        }
    }
}
