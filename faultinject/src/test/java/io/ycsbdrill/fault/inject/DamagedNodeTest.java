package io.ycsbdrill.fault.inject;

import static io.ycsbdrill.fault.inject.DrillStage.after;
import static io.ycsbdrill.fault.schedule.ScheduledFault.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.DamageFiles;
import io.ycsbdrill.fault.InitialiseNode;
import io.ycsbdrill.fault.NodeSelector.EveryNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.node.Damageable.Damage;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import java.time.Duration;
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

    @Test
    void oneThatComesUpWithThemKeepsThem() {
        stage.play(schedule).toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls()).containsExactly("kill node2", "bit-flip node2", "start node2");
        assertThat(stage.cluster.isDamaged("node2")).isTrue();
    }

    @Test
    void oneThatDoesNotStartWithThemIsStartedEmpty() {
        stage.cluster.failing("start node2", "node2 ended at once with exit status 1");

        stage.play(schedule).toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls())
                .containsExactly("kill node2", "bit-flip node2", "start node2", "startInitial node2", "replaced node2");
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
        assertThat(stage.cluster.calls()).endsWith("startInitial node2", "replaced node2");
    }

    @Test
    void anInitialStartReplacesWhatWasDamaged() {
        stage.cluster.damage("node2", new Damage(Damage.Kind.FLIP, 1, "**", 1));

        stage.playToEnd(
                step("init", new InitialiseNode(StopMode.KILL, Duration.ZERO)).on(DrillStage.node("node2")));

        assertThat(stage.cluster.isDamaged("node2")).isFalse();
    }

    @Test
    void allNodesAreRefusedAsNoCopyWouldBeWhole() {
        FaultSchedule all = DrillStage.schedule()
                .step(step("flip", schedule.steps().get(0).fault()).on(new EveryNode()))
                .build();

        assertThat(ScheduleCheck.problems(all, stage.cluster))
                .singleElement()
                .asString()
                .contains("no copy of the data");
    }
}
