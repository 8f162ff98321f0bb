package io.ycsbdrill.fault.inject;

import static io.ycsbdrill.fault.inject.DrillStage.after;
import static io.ycsbdrill.fault.inject.DrillStage.node;
import static io.ycsbdrill.fault.inject.DrillStage.restart;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.FAILURE_HANDLED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.NODE_DOWN;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.PROCESS_STARTED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.RECOVERED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.UNHANDLED;
import static io.ycsbdrill.fault.schedule.ScheduledFault.step;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.NodeSelector.EveryNode;
import io.ycsbdrill.fault.NodeSelector.SameAs;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.StartNode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who is left to handle the failure of a node, and for how long that is waited for. */
class SurvivorsTest {
    private final DrillStage stage = new DrillStage();

    @Test
    void aNodeIsNotStartedBeforeTheSurvivorsHaveHandledItsFailure() {
        stage.cluster.afterDown(after(2, NODE_DOWN), after(5000, FAILURE_HANDLED));

        stage.playToEnd(step("restart", restart(ofSeconds(1))).on(node("node2")).at(ofSeconds(1)));

        assertThat(stage.acts().get(3)).isEqualTo("6002 fault-ended node2");
    }

    @Test
    void survivorsThatNeverReportDoNotHoldTheDrillUpForEver() {
        stage.cluster.afterDown(after(2, NODE_DOWN));

        stage.playToEnd(step("restart", restart(ofSeconds(1))).on(node("node2")).at(ofSeconds(1)));

        assertThat(stage.acts()).contains("61000 note node2", "61000 fault-ended node2");
        assertThat(stage.recoveries().get(0).spans())
                .as("a phase that was not reached is absent")
                .noneMatch(s -> s.phase() == Phase.DOWN);
        assertThat(stage.run.failures()).isEmpty();
    }

    /** Each failure of a server without peers was waited for in vain, for a minute. */
    @Test
    void nobodyIsWaitedForWhenTheNodeIsTheOnlyOne() {
        DrillStage alone = new DrillStage(1);
        alone.cluster.afterDown(after(2, NODE_DOWN));
        alone.cluster.afterStart(after(10, PROCESS_STARTED), after(200, RECOVERED));

        alone.playToEnd(
                step("restart", restart(ofSeconds(1))).on(node("node1")).at(ofSeconds(1)),
                step("kill", new KillNode()).on(node("node1")).after("restart", ofSeconds(1)));

        assertThat(alone.acts())
                .contains("2000 fault-ended node1", "3210 fault-injected node1")
                .noneMatch(act -> act.contains("note"));
        assertThat(alone.nowMillis()).isLessThan(6000);
        assertThat(alone.run.failures()).isEmpty();
    }

    /** Nothing failed, and nobody was waited for in vain, which a note would say. */
    private void assertEndsWithoutANote(String... acts) {
        assertThat(stage.acts()).contains(acts).noneMatch(act -> act.contains("note"));
        assertThat(stage.run.failures()).isEmpty();
    }

    /** They were down for a minute, whatever the drill said. */
    @Test
    void nobodyIsWaitedForWhenAllNodesGoDown() {
        stage.cluster.afterDown(after(2, NODE_DOWN));

        stage.playToEnd(
                step("restart", restart(ofSeconds(1))).on(new EveryNode()).at(ofSeconds(1)));

        assertEndsWithoutANote("2000 fault-ended node1", "2000 fault-ended node2", "2000 fault-ended node3");
    }

    @Test
    void aNodeThatIsBackHandlesNoFailureThatItHasNotSeen() {
        stage.cluster.afterDown(after(2, NODE_DOWN));

        stage.playToEnd(
                step("short", restart(ofSeconds(1))).on(node("node1")).at(ofSeconds(1)),
                step("long", restart(ofSeconds(3))).on(node("node2", "node3")).at(ofSeconds(1)));

        assertEndsWithoutANote("2000 fault-ended node1", "4000 fault-ended node2", "4000 fault-ended node3");
    }

    @Test
    void nodesThatAnEarlierStepHasLeftDownAreNotWaitedFor() {
        stage.cluster.afterDown(after(2, NODE_DOWN));

        stage.playToEnd(
                step("kill", new KillNode()).on(node("node1", "node3")).at(ofSeconds(1)),
                step("restart", restart(ofSeconds(1))).on(node("node2")).at(ofSeconds(2)));

        assertEndsWithoutANote("3000 fault-ended node2");
    }

    @Test
    void pausedNodesAreSurvivorsForAsLongAsTheyAreNotEjected() {
        stage.cluster.afterDown(after(2, NODE_DOWN), after(5000, FAILURE_HANDLED));

        stage.playToEnd(
                step("pause", new PauseNode(ofSeconds(10), false))
                        .on(node("node1", "node3"))
                        .at(ofSeconds(1)),
                step("restart", restart(ofSeconds(1))).on(node("node2")).at(ofSeconds(2)));

        assertThat(stage.acts()).contains("7002 fault-ended node2");
    }

    @Test
    void aKillOfAllNodesIsOverAtOnce() {
        stage.cluster.afterDown(after(2, NODE_DOWN));

        stage.playToEnd(step("kill", new KillNode()).on(new EveryNode()).at(ofSeconds(1)));

        assertThat(stage.acts()).noneMatch(act -> act.contains("note"));
        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.nowMillis()).isBetween(2000L, 2010L);
    }

    /** As when a third node is left without the majority. */
    @Test
    void nobodyIsWaitedForWhenTheEngineSaysThatNobodyIsLeftToHandleTheFailure() {
        stage.cluster.afterDown(after(2, NODE_DOWN), after(3000, UNHANDLED));

        stage.playToEnd(
                step("kill", new KillNode()).on(node("node2", "node3")).at(ofSeconds(1)),
                step("next", new PauseNode(ofSeconds(1), false))
                        .on(node("node1"))
                        .after("kill", Duration.ZERO));

        assertEndsWithoutANote("4002 fault-started node1");
    }

    @Test
    void aNodeIsStartedWhenTheEngineSaysThatNobodyIsLeftToHandleItsFailure() {
        stage.cluster.afterDown(after(2, NODE_DOWN), after(3000, UNHANDLED));

        stage.playToEnd(step("restart", restart(ofSeconds(1)))
                .on(node("node2", "node3"))
                .at(ofSeconds(1)));

        assertEndsWithoutANote("4002 fault-ended node2", "4002 fault-ended node3");
    }

    @Test
    void allNodesThatWereKilledCanBeStartedThoughTheEngineHasReportedNothing() {
        stage.cluster.afterDown();

        stage.playToEnd(
                step("kill", new KillNode()).on(new EveryNode()).at(ofSeconds(1)),
                step("up", new StartNode()).on(new SameAs("kill")).after("kill", Phase.FAILURE_HANDLING, ofSeconds(5)));

        assertThat(stage.cluster.calls())
                .containsExactly("kill node1", "kill node2", "kill node3", "start node1", "start node2", "start node3");
        assertThat(stage.acts()).contains("6000 fault-injected node3").noneMatch(act -> act.contains("note"));
        assertThat(stage.recoveries()).hasSize(3).allMatch(r -> r.phase() == Phase.RECOVERED);
        assertThat(stage.run.failures()).isEmpty();
    }
}
