package io.ycsbdrill.fault.inject;

import static io.ycsbdrill.fault.node.EngineEvent.Signal.FAILURE_HANDLED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.NODE_DOWN;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.PROCESS_STARTED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.RECOVERED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.SYNCHRONISE_STARTED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.UNHANDLED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.WAIT_CHECKPOINT_STARTED;
import static io.ycsbdrill.fault.schedule.ScheduledFault.step;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.BackUp;
import io.ycsbdrill.fault.DiskFault;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.InitialiseNode;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.Marker;
import io.ycsbdrill.fault.NetworkFault;
import io.ycsbdrill.fault.NoFault;
import io.ycsbdrill.fault.NodeSelector.EveryNode;
import io.ycsbdrill.fault.NodeSelector.Named;
import io.ycsbdrill.fault.NodeSelector.PrimaryNode;
import io.ycsbdrill.fault.NodeSelector.Rolling;
import io.ycsbdrill.fault.NodeSelector.SameAs;
import io.ycsbdrill.fault.Partition;
import io.ycsbdrill.fault.PartitionFault;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.RestartNode;
import io.ycsbdrill.fault.ResumeNode;
import io.ycsbdrill.fault.RunCommand;
import io.ycsbdrill.fault.StartNode;
import io.ycsbdrill.fault.StarveNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.net.Disturbance;
import io.ycsbdrill.fault.node.DiskTrouble;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.FakeNodeController.Step;
import io.ycsbdrill.fault.node.LinkTrouble;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.UserCommand;
import io.ycsbdrill.fault.recovery.PhaseTable;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.Repeat;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.SteadyState;
import io.ycsbdrill.fault.schedule.When;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Ground truth: an engine whose every event time is known. */
class ScheduleRunTest {
    private final DrillStage stage = new DrillStage();

    private static Step after(long millis, Signal signal) {
        return new Step(ofMillis(millis), signal);
    }

    private void scriptEngine() {
        stage.cluster.afterDown(after(2, NODE_DOWN), after(300, FAILURE_HANDLED));
        stage.cluster.afterStart(
                after(10, PROCESS_STARTED),
                after(700, SYNCHRONISE_STARTED),
                after(400, WAIT_CHECKPOINT_STARTED),
                after(200, RECOVERED));
    }

    private static FaultSchedule.Builder schedule() {
        return FaultSchedule.named("test").cooldown(ofSeconds(1)).recoveryBound(ofSeconds(60));
    }

    private static RestartNode restart(Duration down) {
        return new RestartNode(StopMode.KILL, down);
    }

    private static Named node(String... ids) {
        return new Named(List.of(ids));
    }

    @Test
    void everyMarkerAndPhaseHasTheTimeOfTheEventItself() {
        scriptEngine();
        stage.cluster.duringCall(() -> stage.clock.advance(ofMillis(5)));

        stage.play(schedule()
                        .step(step("restart", restart(ofSeconds(2)))
                                .on(node("node2"))
                                .at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertThat(stage.acts())
                .containsExactly(
                        "1000 fault-started node2",
                        "1005 fault-injected node2",
                        "1005 fault-effective node2",
                        "3010 fault-ended node2");
        assertThat(stage.phaseChanges())
                .containsExactly(
                        "node2 1000 fault",
                        "node2 1005 failure-handling",
                        "node2 1307 down",
                        "node2 3010 local-recovery",
                        "node2 3720 synchronise",
                        "node2 4120 wait-checkpoint",
                        "node2 4320 recovered");
        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.nowMillis()).isBetween(5320L, 5330L);
    }

    /** It was dated before the question which node it should hit, as if the cluster had been hit while it answered. */
    @Test
    void aFaultIsDatedWhenItIsRequestedHoweverLateTheClusterAnswers() {
        stage.cluster.duringStatus(() -> {
            stage.cluster.duringStatus(() -> {});
            stage.clock.advance(ofSeconds(2));
        });

        stage.play(schedule()
                        .step(step("kill", new KillNode()).on(node("node2")).at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertThat(stage.acts()).startsWith("3000 fault-started node2", "3000 fault-injected node2");
        assertThat(stage.phaseChanges()).startsWith("node2 3000 fault");
        assertThat(stage.markers)
                .filteredOn(m -> m.kind().equals("fault-injected"))
                .extracting(m -> m.fields().get("requested_ns"))
                .containsExactly("3000000000");
    }

    @Test
    void onlyAStepThatNeedsThePrimaryNodeAsksForIt() {
        List<String> asked = new ArrayList<>();
        stage.cluster.duringPrimary(() -> asked.add("primary"));

        stage.play(schedule()
                        .step(step("named", new PauseNode(ofMillis(10), false))
                                .on(node("node2"))
                                .at(ofSeconds(1)))
                        .step(step("primary", new PauseNode(ofMillis(10), false))
                                .on(new PrimaryNode())
                                .at(ofSeconds(2)))
                        .build())
                .toEnd();

        assertThat(asked).hasSize(1);
        assertThat(stage.cluster.calls()).containsExactly("pause node2", "resume node2", "pause node1", "resume node1");
    }

    @Test
    void phaseDurationsAddUpToTheTotalExactly() {
        scriptEngine();

        stage.play(schedule()
                        .step(step("init", new InitialiseNode(StopMode.KILL, ofMillis(17)))
                                .on(node("node1"))
                                .at(ofMillis(333)))
                        .build())
                .toEnd();

        var recovery = stage.recoveries().get(0);
        long sum = recovery.spans().stream()
                .filter(s -> s.endNanos().isPresent())
                .mapToLong(s -> s.endNanos().getAsLong() - s.startNanos())
                .sum();
        assertThat(sum).isEqualTo(recovery.reachedNanos(Phase.RECOVERED).orElseThrow() - recovery.startNanos());
        assertThat(PhaseTable.csv(stage.recoveries()).lines())
                .hasSize(7)
                .contains("init,1,initialise,node1,fault,,0.333000000,0.333000000,0.000000000");
        assertThat(stage.cluster.calls()).containsExactly("kill node1", "startInitial node1");
    }

    @Test
    void aNodeIsNotStartedBeforeTheSurvivorsHaveHandledItsFailure() {
        stage.cluster.afterDown(after(2, NODE_DOWN), after(5000, FAILURE_HANDLED));

        stage.play(schedule()
                        .step(step("restart", restart(ofSeconds(1)))
                                .on(node("node2"))
                                .at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertThat(stage.acts().get(3)).isEqualTo("6002 fault-ended node2");
    }

    @Test
    void survivorsThatNeverReportDoNotHoldTheDrillUpForEver() {
        stage.cluster.afterDown(after(2, NODE_DOWN));

        stage.play(schedule()
                        .step(step("restart", restart(ofSeconds(1)))
                                .on(node("node2"))
                                .at(ofSeconds(1)))
                        .build())
                .toEnd();

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

        alone.play(schedule()
                        .step(step("restart", restart(ofSeconds(1)))
                                .on(node("node1"))
                                .at(ofSeconds(1)))
                        .step(step("kill", new KillNode()).on(node("node1")).after("restart", ofSeconds(1)))
                        .build())
                .toEnd();

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

        stage.play(schedule()
                        .step(step("restart", restart(ofSeconds(1)))
                                .on(new EveryNode())
                                .at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertEndsWithoutANote("2000 fault-ended node1", "2000 fault-ended node2", "2000 fault-ended node3");
    }

    @Test
    void aNodeThatIsBackHandlesNoFailureThatItHasNotSeen() {
        stage.cluster.afterDown(after(2, NODE_DOWN));

        stage.play(schedule()
                        .step(step("short", restart(ofSeconds(1)))
                                .on(node("node1"))
                                .at(ofSeconds(1)))
                        .step(step("long", restart(ofSeconds(3)))
                                .on(node("node2", "node3"))
                                .at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertEndsWithoutANote("2000 fault-ended node1", "4000 fault-ended node2", "4000 fault-ended node3");
    }

    @Test
    void nodesThatAnEarlierStepHasLeftDownAreNotWaitedFor() {
        stage.cluster.afterDown(after(2, NODE_DOWN));

        stage.play(schedule()
                        .step(step("kill", new KillNode())
                                .on(node("node1", "node3"))
                                .at(ofSeconds(1)))
                        .step(step("restart", restart(ofSeconds(1)))
                                .on(node("node2"))
                                .at(ofSeconds(2)))
                        .build())
                .toEnd();

        assertThat(stage.acts()).contains("3000 fault-ended node2").noneMatch(act -> act.contains("note"));
        assertThat(stage.run.failures()).isEmpty();
    }

    @Test
    void pausedNodesAreSurvivorsForAsLongAsTheyAreNotEjected() {
        stage.cluster.afterDown(after(2, NODE_DOWN), after(5000, FAILURE_HANDLED));

        stage.play(schedule()
                        .step(step("pause", new PauseNode(ofSeconds(10), false))
                                .on(node("node1", "node3"))
                                .at(ofSeconds(1)))
                        .step(step("restart", restart(ofSeconds(1)))
                                .on(node("node2"))
                                .at(ofSeconds(2)))
                        .build())
                .toEnd();

        assertThat(stage.acts()).contains("7002 fault-ended node2");
    }

    @Test
    void aKillOfAllNodesIsOverAtOnce() {
        stage.cluster.afterDown(after(2, NODE_DOWN));

        stage.play(schedule()
                        .step(step("kill", new KillNode()).on(new EveryNode()).at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertThat(stage.acts()).noneMatch(act -> act.contains("note"));
        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.nowMillis()).isBetween(2000L, 2010L);
    }

    /** As when a third node is left without the majority. */
    @Test
    void nobodyIsWaitedForWhenTheEngineSaysThatNobodyIsLeftToHandleTheFailure() {
        stage.cluster.afterDown(after(2, NODE_DOWN), after(3000, UNHANDLED));

        stage.play(schedule()
                        .step(step("kill", new KillNode())
                                .on(node("node2", "node3"))
                                .at(ofSeconds(1)))
                        .step(step("next", new PauseNode(ofSeconds(1), false))
                                .on(node("node1"))
                                .after("kill", Duration.ZERO))
                        .build())
                .toEnd();

        assertEndsWithoutANote("4002 fault-started node1");
    }

    @Test
    void aNodeIsStartedWhenTheEngineSaysThatNobodyIsLeftToHandleItsFailure() {
        stage.cluster.afterDown(after(2, NODE_DOWN), after(3000, UNHANDLED));

        stage.play(schedule()
                        .step(step("restart", restart(ofSeconds(1)))
                                .on(node("node2", "node3"))
                                .at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertEndsWithoutANote("4002 fault-ended node2", "4002 fault-ended node3");
    }

    @Test
    void allNodesThatWereKilledCanBeStartedThoughTheEngineHasReportedNothing() {
        stage.cluster.afterDown();

        stage.play(schedule()
                        .step(step("kill", new KillNode()).on(new EveryNode()).at(ofSeconds(1)))
                        .step(step("up", new StartNode())
                                .on(new SameAs("kill"))
                                .after("kill", Phase.FAILURE_HANDLING, ofSeconds(5)))
                        .build())
                .toEnd();

        assertThat(stage.cluster.calls())
                .containsExactly("kill node1", "kill node2", "kill node3", "start node1", "start node2", "start node3");
        assertThat(stage.acts()).contains("6000 fault-injected node3").noneMatch(act -> act.contains("note"));
        assertThat(stage.recoveries()).hasSize(3).allMatch(r -> r.phase() == Phase.RECOVERED);
        assertThat(stage.run.failures()).isEmpty();
    }

    @Test
    void whatFailedIsNeverCalledInjected() {
        stage.cluster.failing("kill node2", "node node2 is still alive (pid 4711)");

        stage.play(schedule()
                        .step(step("kill", new KillNode()).on(node("node2")).at(ofSeconds(1)))
                        .step(step("later", new KillNode()).on(node("node3")).at(ofSeconds(2)))
                        .build())
                .toEnd();

        assertThat(stage.acts()).containsExactly("1000 fault-started node2", "1000 fault-failed node2");
        assertThat(stage.run.failures()).singleElement().asString().contains("still alive (pid 4711)");
        assertThat(stage.cluster.calls()).containsExactly("kill node2");
        assertThat(stage.record.open())
                .as("what may be half done is still to be healed")
                .hasSize(1);
    }

    @Test
    void aNodeThatDoesNotComeBackInTimeFailsTheDrill() {
        stage.cluster.afterStart(after(10, PROCESS_STARTED));

        stage.play(schedule()
                        .step(step("restart", restart(Duration.ZERO))
                                .on(node("node2"))
                                .at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("node2", "did not recover within 60 s", "local-recovery");
        assertThat(stage.acts()).last().isEqualTo("61002 fault-failed node2");
    }

    @Test
    void killStaysDownUntilALaterStepStartsTheNode() {
        scriptEngine();

        stage.play(schedule()
                        .step(step("kill", new KillNode()).on(node("node3")).at(ofSeconds(1)))
                        .step(step("start", new StartNode())
                                .on(new SameAs("kill"))
                                .after("kill", Phase.DOWN, ofSeconds(5)))
                        .build())
                .toEnd();

        assertThat(stage.acts())
                .containsExactly(
                        "1000 fault-started node3",
                        "1000 fault-injected node3",
                        "1000 fault-effective node3",
                        "6302 fault-started node3",
                        "6302 fault-injected node3",
                        "6302 fault-ended node3",
                        "6302 fault-ended node3",
                        "6302 fault-effective node3");
        assertThat(stage.recoveries()).singleElement().satisfies(r -> {
            assertThat(r.of().step()).isEqualTo("kill");
            assertThat(r.phase()).isEqualTo(Phase.RECOVERED);
        });
        assertThat(stage.markers.stream().filter(m -> m.kind().equals("fault-started")))
                .as("the marker says that the start belongs to the recovery from the kill")
                .extracting(m -> m.fields().getOrDefault("brings_back", "absent"))
                .containsExactly("absent", "true");
        assertThat(stage.record.open()).isEmpty();
    }

    @Test
    void killWithoutStartEndsInPhaseDown() {
        scriptEngine();

        stage.play(schedule()
                        .step(step("kill", new KillNode()).on(node("node3")).at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.phase()).isEqualTo(Phase.DOWN);
        assertThat(stage.record.open()).singleElement().satisfies(e -> assertThat(e.node())
                .isEqualTo("node3"));
        assertThat(stage.nowMillis()).isBetween(2302L, 2310L);
    }

    @Test
    void rollingRestartTakesOneNodeAfterTheOther() {
        scriptEngine();

        stage.play(schedule()
                        .step(step("roll", restart(Duration.ZERO))
                                .on(new Rolling())
                                .at(ofSeconds(1))
                                .repeated(3, ofSeconds(10)))
                        .build())
                .toEnd();

        assertThat(stage.acts().stream().filter(a -> a.contains("started")))
                .containsExactly("1000 fault-started node1", "11000 fault-started node2", "21000 fault-started node3");
    }

    @Test
    void nodesOfAListAreTakenTogetherOrInTurn() {
        scriptEngine();

        stage.play(schedule()
                        .step(step("together", restart(Duration.ZERO))
                                .on(new Named(List.of("node1", "node3")))
                                .at(ofSeconds(1)))
                        .step(new ScheduledFault(
                                "in-turn",
                                restart(Duration.ZERO),
                                new Rolling(List.of("node3", "node1")),
                                new When.At(ofSeconds(20)),
                                new Repeat(ofSeconds(10), OptionalInt.empty()),
                                false))
                        .build())
                .toEnd();

        assertThat(stage.acts().stream().filter(a -> a.contains("started")))
                .containsExactly(
                        "1000 fault-started node1",
                        "1000 fault-started node3",
                        "20000 fault-started node3",
                        "30000 fault-started node1");
    }

    @Test
    void anInjectionWaitsForTheOneBeforeItEvenWhenItIsLate() {
        scriptEngine();

        stage.play(schedule()
                        .step(step("roll", restart(Duration.ZERO))
                                .on(new Rolling())
                                .at(ofSeconds(1))
                                .repeated(2, ofMillis(100)))
                        .build())
                .toEnd();

        assertThat(stage.acts().stream().filter(a -> a.contains("started")))
                .as("down 302 ms + recovery 1310 ms after the first")
                .containsExactly("1000 fault-started node1", "2612 fault-started node2");
    }

    @Test
    void aShortPauseIsOverWhenTheNodeIsResumed() {
        stage.play(schedule()
                        .step(step("pause", new PauseNode(ofSeconds(2), true))
                                .on(node("node2"))
                                .at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertThat(stage.cluster.calls()).containsExactly("pause node2", "resume node2");
        assertThat(stage.phaseChanges()).containsExactly("node2 1000 fault", "node2 3000 recovered");
        assertThat(stage.phases).containsExactly("1000 fault", "3000 recovered");
    }

    /** It was waited for until the earlier fault was over, or in vain. */
    @Test
    void aResumeIsOverAtOnceThoughAnEarlierFaultIsInForceAgain() {
        DiskTrouble slow = new DiskTrouble(DiskTrouble.Kind.SLOW, ofMillis(5), Duration.ZERO);

        stage.play(schedule()
                        .step(step("slow", new DiskFault(slow, ofSeconds(300)))
                                .on(node("node2"))
                                .at(ofSeconds(1)))
                        .step(step("pause", new PauseNode(ofSeconds(200), false))
                                .on(node("node2"))
                                .at(ofSeconds(2)))
                        .step(step("resume", new ResumeNode()).on(node("node2")).at(ofSeconds(5)))
                        .step(step("next", new PauseNode(ofSeconds(1), false))
                                .on(node("node3"))
                                .after("resume", Duration.ZERO))
                        .build())
                .toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.acts()).contains("5000 fault-started node3");
        assertThat(stage.phaseChanges().stream().filter(change -> change.startsWith("node2")))
                .containsExactly(
                        "node2 1000 fault",
                        "node2 2000 fault",
                        "node2 5000 recovered",
                        "node2 5000 fault",
                        "node2 301000 recovered");
    }

    /** The pause is over and unfinished, as the later fault has overtaken it. */
    @Test
    void aResumeIsOverAtOnceThoughALaterFaultIsInForce() {
        DiskTrouble slow = new DiskTrouble(DiskTrouble.Kind.SLOW, ofMillis(5), Duration.ZERO);

        stage.play(schedule()
                        .step(step("pause", new PauseNode(ofSeconds(200), false))
                                .on(node("node2"))
                                .at(ofSeconds(1)))
                        .step(step("slow", new DiskFault(slow, ofSeconds(300)))
                                .on(node("node2"))
                                .at(ofSeconds(2)))
                        .step(step("resume", new ResumeNode()).on(node("node2")).at(ofSeconds(5)))
                        .step(step("next", new PauseNode(ofSeconds(1), false))
                                .on(node("node3"))
                                .after("resume", Duration.ZERO))
                        .build())
                .toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.acts()).anyMatch(act -> act.matches("50\\d\\d fault-started node3"));
    }

    /** The process that was paused is gone, and its end would have resumed the next one. */
    @Test
    void aPauseEndsWhenItsNodeIsRestarted() {
        scriptEngine();

        stage.play(schedule()
                        .step(step("first", new PauseNode(ofSeconds(60), false))
                                .on(node("node2"))
                                .at(ofSeconds(1)))
                        .step(step("restart", restart(ofSeconds(1)))
                                .on(node("node2"))
                                .at(ofSeconds(10)))
                        .step(step("second", new PauseNode(ofSeconds(90), false))
                                .on(node("node2"))
                                .after("restart", ofSeconds(5)))
                        .build())
                .toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls())
                .containsExactly("pause node2", "kill node2", "start node2", "pause node2", "resume node2");
    }

    /** What waits for the fault counts from its beginning, also when it is in force again after another one. */
    @Test
    void aStepThatWaitsForAFaultIsNotPutOffByALaterOne() {
        scriptEngine();
        DiskTrouble slow = new DiskTrouble(DiskTrouble.Kind.SLOW, ofMillis(5), Duration.ZERO);

        stage.play(schedule()
                        .step(step("slow", new DiskFault(slow, ofSeconds(60)))
                                .on(node("node2"))
                                .at(ofSeconds(1)))
                        .step(step("restart", restart(ofSeconds(1)))
                                .on(node("node2"))
                                .at(ofSeconds(5)))
                        .step(step("next", new PauseNode(ofSeconds(1), false))
                                .on(node("node3"))
                                .after("slow", Phase.FAULT, ofSeconds(20)))
                        .build())
                .toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.acts()).contains("21000 fault-started node3");
        assertThat(stage.phaseChanges()).contains("node2 7310 recovered", "node2 7310 fault", "node2 61000 recovered");
    }

    @Test
    void aPausedNodeThatWasThrownOutIsStartedAgain() {
        scriptEngine();
        stage.play(schedule()
                .step(step("pause", new PauseNode(ofSeconds(5), true))
                        .on(node("node2"))
                        .at(ofSeconds(1)))
                .build());

        stage.pass(ofSeconds(4));
        stage.cluster.say("node2", NODE_DOWN);
        stage.pass(ofMillis(500));
        stage.cluster.say("node2", FAILURE_HANDLED);
        stage.pass(ofSeconds(2));
        stage.cluster.state("node2", State.DOWN);
        stage.toEnd();

        assertThat(stage.cluster.calls()).containsExactly("pause node2", "resume node2", "start node2");
        assertThat(stage.recoveries()).singleElement().satisfies(r -> {
            assertThat(r.of().step()).isEqualTo("pause");
            assertThat(r.phase()).isEqualTo(Phase.RECOVERED);
            assertThat(r.spans()).hasSize(7);
        });
        assertThat(stage.run.failures()).isEmpty();
    }

    /** The second time was a failure of no fault: nobody started the node, and the next step did not wait for it. */
    @Test
    void aNodeThatIsEjectedTwiceDuringAFaultIsStartedAndWaitedFor() {
        scriptEngine();
        Partition cable = new Partition.Cable("flaky", new LinkTrouble.Flaky(ofSeconds(20), ofSeconds(8), 1));
        stage.play(schedule()
                .step(step("loose", new PartitionFault(cable, ofSeconds(30)))
                        .on(node("node2"))
                        .at(ofSeconds(1)))
                .step(step("next", new PauseNode(ofSeconds(1), true))
                        .on(node("node3"))
                        .after("loose", Duration.ZERO))
                .build());

        stage.pass(ofSeconds(5));
        stage.cluster.say("node2", NODE_DOWN);
        stage.cluster.say("node2", FAILURE_HANDLED);
        stage.pass(ofSeconds(5));
        stage.cluster.say("node2", SYNCHRONISE_STARTED);
        stage.pass(ofSeconds(1));
        stage.cluster.say("node2", RECOVERED);
        stage.pass(ofSeconds(10));
        stage.cluster.say("node2", NODE_DOWN);
        stage.cluster.say("node2", FAILURE_HANDLED);
        stage.cluster.state("node2", State.DOWN);
        stage.toEnd();

        assertThat(stage.cluster.calls()).endsWith("mend node2", "start node2", "pause node3", "resume node3");
        assertThat(stage.acts()).contains("31000 fault-ended node2", "32310 fault-started node3");
        assertThat(stage.recoveries()).extracting(r -> r.of().step()).containsExactly("loose", "next");
        assertThat(stage.run.failures()).isEmpty();
    }

    @Test
    void aSecondNodeCanBeHitWhileTheFirstOneRecovers() {
        scriptEngine();

        stage.play(schedule()
                        .step(step("first", restart(Duration.ZERO))
                                .on(node("node1"))
                                .at(ofSeconds(1)))
                        .step(step("second", restart(Duration.ZERO))
                                .on(node("node2"))
                                .after("first", Phase.SYNCHRONISE, ofMillis(100)))
                        .build())
                .toEnd();

        assertThat(stage.phaseChanges())
                .contains("node1 2012 synchronise", "node2 2112 fault", "node1 2612 recovered", "node2 3724 recovered");
        assertThat(stage.phases)
                .as("the phase of the cluster is that of the node farthest from recovered")
                .endsWith(
                        "2012 synchronise",
                        "2112 fault",
                        "2112 failure-handling",
                        "2414 down",
                        "2414 local-recovery",
                        "3124 synchronise",
                        "3524 wait-checkpoint",
                        "3724 recovered");
    }

    @Test
    void noFaultIsInjectedBeforeTheThroughputIsSteady() {
        List<Long> slices = new ArrayList<>();
        SteadyState steady = new SteadyState(ofSeconds(3), ofSeconds(2), 0.1, 0.1, ofSeconds(60));
        stage.play(
                schedule()
                        .steady(steady)
                        .step(step("kill", new KillNode()).on(node("node1")).at(ofSeconds(1)))
                        .build(),
                length -> slices);
        slices.addAll(Collections.nCopies(20, 50L));
        slices.addAll(Collections.nCopies(20, 100L));

        stage.pass(ofSeconds(10));
        assertThat(stage.acts()).isEmpty();
        slices.clear();
        slices.addAll(Collections.nCopies(40, 100L));
        stage.toEnd();

        assertThat(stage.acts())
                .containsExactly(
                        "11000 steady",
                        "12000 fault-started node1",
                        "12000 fault-injected node1",
                        "12000 fault-effective node1");
    }

    @Test
    void throughputThatNeverBecomesSteadyFailsTheDrillWithoutAFault() {
        SteadyState steady = new SteadyState(ofSeconds(3), ofSeconds(2), 0.1, 0.1, ofSeconds(30));

        stage.play(
                        schedule()
                                .steady(steady)
                                .step(step("kill", new KillNode()).on(node("node1")))
                                .build(),
                        length -> Collections.nCopies(40, 0L))
                .toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("within 30 s", "no operation succeeded", "no fault was injected");
        assertThat(stage.cluster.calls()).isEmpty();
    }

    @Test
    void aNodeThatFailsByItselfKeepsTheDrillOpenUntilItIsBack() {
        scriptEngine();
        stage.play(schedule()
                .step(step("pause", new PauseNode(ofMillis(10), false))
                        .on(node("node1"))
                        .at(ofSeconds(1)))
                .build());

        stage.pass(ofMillis(1500));
        stage.cluster.say("node3", NODE_DOWN);
        stage.toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("node3", "without a fault of this drill", "60 s");
    }

    /** A node that dies when the command that hit it has ended: the drill must not wait for it without a bound. */
    @Test
    void aNodeThatGoesDownAfterItsFaultWasOverFailsTheDrillInTheEnd() {
        stage.play(schedule()
                .step(step("restart", command(List.of())).on(node("node2")).at(ofSeconds(1)))
                .build());

        stage.pass(ofMillis(1500));
        stage.cluster.say("node2", NODE_DOWN);
        stage.toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("node2", "went down when restart was over", "60 s");
        assertThat(stage.nowMillis()).isLessThan(63_000);
    }

    /** Without a duration the user's heal command runs at the end of the drill: until then the node is left down. */
    @Test
    void aCommandThatIsHealedAtTheEndLeavesItsNodeDownUntilThen() {
        for (long noticed : new long[] {1000, 1500}) {
            DrillStage stage = new DrillStage();
            stage.play(schedule()
                    .step(step("gone", command(List.of("true")))
                            .on(node("node2"))
                            .at(ofSeconds(1)))
                    .build());

            stage.pass(ofMillis(noticed + 1));
            stage.cluster.say("node2", NODE_DOWN);
            stage.toEnd();

            assertThat(stage.run.failures()).isEmpty();
            assertThat(stage.nowMillis()).isLessThan(4_000);
            assertThat(stage.record.open()).hasSize(1);
        }
    }

    /** Its effect is there at once, whatever the engine says. */
    private static RunCommand command(List<String> heal) {
        return new RunCommand(
                UserCommand.of(List.of("true")),
                UserCommand.of(heal),
                UserCommand.of(List.of("true")),
                UserCommand.NONE,
                Optional.empty(),
                ofSeconds(10));
    }

    @Test
    void aFaultThatIsConfirmedButHasNoEffectFailsTheDrill() {
        for (Fault fault : List.of(new KillNode(), restart(ofSeconds(60)), new PauseNode(ofSeconds(60), false))) {
            DrillStage stage = new DrillStage();
            stage.cluster.idle();

            stage.play(schedule()
                            .step(step("one", fault).on(node("node2")).at(ofSeconds(1)))
                            .build())
                    .toEnd();

            assertThat(stage.run.failures())
                    .singleElement()
                    .asString()
                    .contains("fault not effective within 10 s", "node2 is STARTED");
            assertThat(stage.acts())
                    .contains("1000 fault-injected node2", "11001 fault-failed node2")
                    .noneMatch(act -> act.contains("fault-effective"));
            assertThat(stage.record.open()).as("still to be healed").hasSize(1);
        }
    }

    @Test
    void thatTheNodeWentDownBeforeProvesNothing() {
        scriptEngine();
        stage.play(schedule()
                .step(step("one", restart(ofMillis(500))).on(node("node2")).at(ofSeconds(1)))
                .step(step("two", restart(ofSeconds(60))).on(node("node2")).at(ofSeconds(20)))
                .build());
        stage.pass(ofSeconds(10));
        stage.cluster.idle();
        stage.toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("step two", "fault not effective within 10 s");
    }

    /** What is seen of the first one proves nothing of the second. */
    @Test
    void aBackupThatFailsHasNoEffect() {
        stage.play(schedule()
                .step(step("first", new BackUp()).on(node("node2")).at(ofSeconds(1)))
                .step(step("second", new BackUp()).on(node("node2")).at(ofSeconds(5)))
                .build());
        stage.pass(ofSeconds(3));
        stage.cluster.failing("back up node2", "no space left");
        stage.toEnd();

        assertThat(stage.acts().stream().filter(act -> act.contains("fault-effective")))
                .singleElement()
                .asString()
                .startsWith("1");
        assertThat(stage.run.failures()).singleElement().asString().contains("step second", "no space left");
    }

    /** Whether it was hit was a matter of the moment at which it was looked at. */
    @Test
    void aStarvedNodeIsUpAlsoWhileItsProcessIsStopped() {
        stage.play(schedule()
                .step(step("starve", new StarveNode(0.5, ofSeconds(60)))
                        .on(node("node2"))
                        .at(ofSeconds(1)))
                .step(step("kill", new KillNode()).on(new EveryNode()).at(ofSeconds(20)))
                .build());

        stage.pass(ofSeconds(5));
        stage.cluster.state("node2", State.PAUSED);
        stage.toEnd();

        assertThat(stage.cluster.calls())
                .containsExactly("starve node2", "kill node1", "kill node2", "kill node3", "relieve node2");
        assertThat(stage.run.failures()).isEmpty();
    }

    @Test
    void theMomentaryStopOfAStarvedNodeIsNoEffectOfACommand() {
        RunCommand nothing = new RunCommand(List.of("true"), List.of(), Optional.empty(), ofSeconds(30));
        stage.play(schedule()
                .step(step("starve", new StarveNode(0.5, ofSeconds(60)))
                        .on(node("node2"))
                        .at(ofSeconds(1)))
                .step(step("nothing", nothing).on(node("node2")).at(ofSeconds(20)))
                .build());

        stage.pass(ofSeconds(5));
        stage.cluster.state("node2", State.PAUSED);
        stage.toEnd();

        assertThat(stage.run.failures()).singleElement().asString().contains("step nothing", "fault not effective");
    }

    /** The state that a fault leads to would prove nothing if it had been there before. */
    @Test
    void aFaultOnANodeThatIsInItsStateAlreadyFailsTheDrill() {
        stage.cluster.state("node2", State.DOWN);

        stage.play(schedule()
                        .step(step("kill", new KillNode()).on(node("node2")).at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertThat(stage.run.failures()).singleElement().asString().contains("node2 is DOWN already");
        assertThat(stage.cluster.calls()).isEmpty();
    }

    @Test
    void theEffectHasATimeOfItsOwn() {
        stage.play(schedule()
                .step(step("cut", new RunCommand(List.of("true"), List.of(), Optional.empty(), ofSeconds(30)))
                        .on(node("node2"))
                        .at(ofSeconds(1)))
                .build());

        stage.pass(ofMillis(4500));
        assertThat(stage.acts()).noneMatch(act -> act.contains("fault-effective"));
        stage.cluster.state("node2", State.DOWN);
        stage.toEnd();

        assertThat(stage.acts())
                .contains("1000 fault-injected node2")
                .anyMatch(act -> act.matches("4[56]\\d\\d fault-effective node2"));
        assertThat(stage.run.failures()).isEmpty();
    }

    /** The call that injects it and the look at its effect are two threads: who ends first is no matter of whose time is earlier. */
    @Test
    void anEffectThatIsSeenJustAfterTheInjectionComesSecondThoughNobodyKnewYetThatItWasDone() {
        List<Runnable> held = new ArrayList<>();
        stage.caller = call -> {
            if (held.isEmpty()) {
                held.add(call); // the injection, of which nobody hears until its effect is looked at
                return;
            }
            held.get(0).run();
            stage.clock.advance(ofMillis(18));
            call.run();
        };

        stage.play(schedule()
                        .step(step("kill", new KillNode()).on(node("node2")).at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertThat(stage.acts())
                .startsWith("1000 fault-started node2", "1000 fault-injected node2")
                .contains("1018 fault-effective node2");
        assertThat(stage.markers.stream()
                        .filter(m -> m.kind().startsWith("fault-"))
                        .map(Marker::atNanos))
                .isSorted();
    }

    /** The proxy has kept what an earlier one has done, until this one is in force. */
    @Test
    void nobodyLooksForADisturbanceThatIsNotInForceYet() {
        List<Runnable> calls = new ArrayList<>();
        stage.caller = call -> {
            calls.add(call);
            if (calls.size() > 1) {
                call.run();
            }
        };
        stage.play(schedule()
                .step(step("cut", new NetworkFault(new Disturbance.Cut(), Optional.of(ofSeconds(5))))
                        .on(node("node2"))
                        .at(ofSeconds(1)))
                .build());

        stage.pass(ofSeconds(3));
        assertThat(calls).as("its injection").hasSize(1);
        calls.get(0).run();
        stage.toEnd();

        assertThat(stage.acts()).contains("3000 fault-injected node2", "3000 fault-effective node2");
        assertThat(stage.run.failures()).isEmpty();
    }

    /** The look takes its time, and what it sees is known to the thread that begins the next step at once. */
    @Test
    void aStepThatWaitsForAnotherBeginsAfterTheEffectOfThatOne() {
        List<Runnable> calls = new ArrayList<>();
        stage.caller = call -> {
            calls.add(call);
            if (calls.size() == 2) {
                stage.clock.advance(ofMillis(50));
            }
            call.run();
        };

        stage.play(schedule()
                        .step(step("one", new BackUp()).on(node("node2")).at(ofSeconds(1)))
                        .step(step("two", new BackUp()).on(node("node3")).after("one", Duration.ZERO))
                        .build())
                .toEnd();

        assertThat(stage.acts()).contains("1050 fault-effective node2", "1051 fault-started node3");
        assertThat(stage.markers).extracting(Marker::atNanos).isSorted();
    }

    /** A node that a supervisor has started again before anybody looked. */
    @Test
    void theEnginesWordThatTheNodeWentDownProvesTheEffectToo() {
        stage.play(schedule()
                .step(step("restart", new RunCommand(List.of("true"), List.of(), Optional.empty(), ofSeconds(30)))
                        .on(node("node2"))
                        .at(ofSeconds(1)))
                .build());

        stage.pass(ofMillis(1500));
        stage.cluster.say("node2", NODE_DOWN);
        stage.cluster.say("node2", PROCESS_STARTED);
        stage.cluster.say("node2", RECOVERED);
        stage.toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.markers)
                .filteredOn(m -> m.kind().equals("fault-effective"))
                .singleElement()
                .satisfies(m -> {
                    assertThat(m.atNanos()).isBetween(1_500_000_000L, 1_502_000_000L);
                    assertThat(m.fields().get("text")).isEqualTo("reported by script: scripted");
                });
    }

    @Test
    void aVerifyThatNeverSaysYesFailsTheDrillWithItsCode() {
        RunCommand command = new RunCommand(
                UserCommand.of(List.of("true")),
                UserCommand.NONE,
                UserCommand.line("exit 4"),
                UserCommand.NONE,
                Optional.empty(),
                ofSeconds(2));

        stage.play(schedule()
                        .step(step("cut", command).on(node("node2")).at(ofSeconds(1)))
                        .build())
                .toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("fault not effective within 2 s", "verify exited with code 4");
    }

    @Test
    void aPlaceboWaitsAndLeavesNoTrace() {
        stage.play(schedule()
                        .step(step("nothing", new NoFault(ofSeconds(30))).at(ofSeconds(1)))
                        .step(step("more", new NoFault(ofSeconds(5))).after("nothing", ofSeconds(2)))
                        .build())
                .toEnd();

        assertThat(stage.markers).isEmpty();
        assertThat(stage.phases).isEmpty();
        assertThat(stage.cluster.calls()).isEmpty();
        assertThat(stage.record.open()).isEmpty();
        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.nowMillis()).isBetween(39_000L, 39_010L);
    }

    @Test
    void aPlaceboInWhichANodeFailedHasFailed() {
        scriptEngine();
        stage.play(schedule()
                .step(step("nothing", new NoFault(ofSeconds(30))).at(ofSeconds(1)))
                .build());

        stage.pass(ofSeconds(5));
        stage.cluster.say("node3", NODE_DOWN);
        stage.cluster.say("node3", PROCESS_STARTED);
        stage.cluster.say("node3", RECOVERED);
        stage.toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("nothing was injected, but node node3 went through failure-handling");
    }

    /** Each of its recoveries ends in time, and none of its cool-downs does. */
    @Test
    void aNodeThatComesAndGoesDoesNotKeepTheDrillRunningForEver() {
        stage.play(schedule()
                .step(step("pause", new PauseNode(ofMillis(10), false))
                        .on(node("node1"))
                        .at(ofSeconds(1)))
                .build());

        for (int i = 0; i < 1000 && !stage.run.over(); i++) {
            stage.pass(ofMillis(500));
            stage.cluster.say("node3", NODE_DOWN);
            stage.pass(ofMillis(200));
            stage.cluster.say("node3", PROCESS_STARTED);
            stage.cluster.say("node3", RECOVERED);
        }

        assertThat(stage.run.over()).isTrue();
        assertThat(stage.run.failures()).singleElement().asString().contains("come and go", "node3");
        assertThat(stage.nowMillis()).isLessThan(125_000);
    }

    @Test
    void aStepThatWaitsForAPhaseThatIsNeverReachedFailsTheDrill() {
        stage.cluster.afterDown(after(2, NODE_DOWN));

        stage.play(schedule()
                        .step(step("kill", new KillNode()).on(node("node2")).at(ofSeconds(1)))
                        .step(step("start", new StartNode())
                                .on(new SameAs("kill"))
                                .after("kill", Phase.DOWN, Duration.ZERO))
                        .build())
                .toEnd();

        assertThat(stage.run.over()).isTrue();
        assertThat(stage.run.failures()).singleElement().asString().contains("waited for kill.down", "60 s");
    }

    @Test
    void aBlindTimeOfTheWatchIsAMarkerOfTheRun() {
        stage.play(schedule()
                .step(step("pause", new PauseNode(ofSeconds(2), false)).on(node("node1")))
                .build());

        stage.cluster.say("", Signal.NOTE);
        stage.toEnd();

        assertThat(stage.acts()).contains("0 note");
        assertThat(stage.recoveries()).hasSize(1);
    }

    @Test
    void theSameSeedChoosesTheSameNodes() {
        FaultSchedule schedule = schedule()
                .step(step("kill", new PauseNode(ofMillis(5), false)).repeated(20, ofMillis(20)))
                .build();

        stage.play(schedule).toEnd();
        DrillStage again = new DrillStage().play(schedule).toEnd();

        assertThat(again.cluster.calls()).isEqualTo(stage.cluster.calls());
        assertThat(stage.cluster.calls()).contains("pause node1", "pause node2", "pause node3");
    }
}
