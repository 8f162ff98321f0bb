package io.ycsbdrill.fault.inject;

import static io.ycsbdrill.fault.inject.DrillStage.after;
import static io.ycsbdrill.fault.inject.DrillStage.node;
import static io.ycsbdrill.fault.inject.DrillStage.restart;
import static io.ycsbdrill.fault.inject.DrillStage.schedule;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.FAILURE_HANDLED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.NODE_DOWN;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.PROCESS_STARTED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.RECOVERED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.SYNCHRONISE_STARTED;
import static io.ycsbdrill.fault.schedule.ScheduledFault.step;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.AddNode;
import io.ycsbdrill.fault.DiskFault;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.PartitionFault;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.RemoveNode;
import io.ycsbdrill.fault.ResumeNode;
import io.ycsbdrill.fault.StarveNode;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import io.ycsbdrill.fault.node.trouble.Partition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pauses: how they end, alone and beside other faults of the node. */
class PausesTest {
    private static final DiskTrouble SLOW = new DiskTrouble(DiskTrouble.Kind.SLOW, ofMillis(5), Duration.ZERO);

    private final DrillStage stage = new DrillStage();

    @Test
    void aShortPauseIsOverWhenTheNodeIsResumed() {
        stage.playToEnd(step("pause", new PauseNode(ofSeconds(2), true))
                .on(node("node2"))
                .at(ofSeconds(1)));

        assertThat(stage.cluster.calls()).containsExactly("pause node2", "resume node2");
        assertThat(stage.phaseChanges()).containsExactly("node2 1000 fault", "node2 3000 recovered");
        assertThat(stage.phases).containsExactly("1000 fault", "3000 recovered");
    }

    /** It was waited for until the earlier fault was over, or in vain. */
    @Test
    void aResumeIsOverAtOnceThoughAnEarlierFaultIsInForceAgain() {
        resumeAtFiveSeconds(ofSeconds(1), ofSeconds(2));

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
        resumeAtFiveSeconds(ofSeconds(2), ofSeconds(1));

        assertThat(stage.acts()).anyMatch(act -> act.matches("50\\d\\d fault-started node3"));
    }

    /** Of node2, which is slow and paused from these moments on; then node3 is paused. */
    private void resumeAtFiveSeconds(Duration slow, Duration paused) {
        stage.playToEnd(
                step("slow", new DiskFault(SLOW, ofSeconds(300)))
                        .on(node("node2"))
                        .at(slow),
                step("pause", new PauseNode(ofSeconds(200), false))
                        .on(node("node2"))
                        .at(paused),
                step("resume", new ResumeNode()).on(node("node2")).at(ofSeconds(5)),
                step("next", new PauseNode(ofSeconds(1), false))
                        .on(node("node3"))
                        .after("resume", Duration.ZERO));

        assertThat(stage.run.failures()).isEmpty();
    }

    /** The process that was paused is gone, and its end would have resumed the next one. */
    @Test
    void aPauseEndsWhenItsNodeIsRestarted() {
        restartAndPauseAfter(new PauseNode(ofSeconds(60), false));

        assertThat(stage.cluster.calls())
                .containsExactly("pause node2", "kill node2", "start node2", "pause node2", "resume node2");
    }

    /** It stayed in force until its own end, and in the way of a pause, though the process that it was done to was gone. */
    @Test
    void aStarveEndsWhenItsNodeIsStartedAgain() {
        restartAndPauseAfter(new StarveNode(0.8, ofSeconds(300)));

        assertThat(stage.cluster.calls())
                .containsExactly(
                        "starve node2", "kill node2", "start node2", "relieve node2", "pause node2", "resume node2");
        assertThat(stage.acts())
                .as("the restart and the starve")
                .filteredOn("11000 fault-ended node2"::equals)
                .hasSize(2);
        assertThat(stage.record.open()).isEmpty();
    }

    /** Of node2, on which the first fault is in force for longer than until then. */
    private void restartAndPauseAfter(Fault first) {
        stage.scriptEngine();

        stage.playToEnd(
                step("first", first).on(node("node2")).at(ofSeconds(1)),
                step("restart", restart(ofSeconds(1))).on(node("node2")).at(ofSeconds(10)),
                step("second", new PauseNode(ofSeconds(90), false))
                        .on(node("node2"))
                        .after("restart", ofSeconds(5)));

        assertThat(stage.run.failures()).isEmpty();
    }

    /** It stayed in force until its own end, though nothing was left of the process that it was done to. */
    @Test
    void aStarveEndsWhenItsNodeIsRemoved() {
        stage.scriptEngine();

        stage.playToEnd(
                step("first", new StarveNode(0.8, ofSeconds(300)))
                        .on(node("node3"))
                        .at(ofSeconds(1)),
                step("remove", new RemoveNode()).on(node("node3")).at(ofSeconds(10)),
                step("add", new AddNode()).on(node("node3")).after("remove", ofSeconds(5)),
                step("second", new PauseNode(ofSeconds(90), false))
                        .on(node("node3"))
                        .after("add", ofSeconds(5)));

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls())
                .containsExactly(
                        "starve node3", "remove node3", "relieve node3", "add node3", "pause node3", "resume node3");
        assertThat(stage.acts())
                .as("the removal and the starve")
                .filteredOn("10000 fault-ended node3"::equals)
                .hasSize(2);
    }

    /** It was in the way of the starve of the process before, whose end is known only when the call returns. */
    @Test
    void aNodeThatRecoversCanBePausedThoughItsFormerProcessWasStarved() {
        starveRestartAnd(new PauseNode(ofSeconds(2), false));

        assertThat(stage.cluster.calls())
                .containsExactly(
                        "starve node2", "kill node2", "pause node2", "start node2", "relieve node2", "resume node2");
    }

    /** The end of the first one must not be that of the second. */
    @Test
    void aNodeThatRecoversCanBeStarvedThoughItsFormerProcessWas() {
        starveRestartAnd(new StarveNode(0.5, ofSeconds(2)));

        assertThat(stage.cluster.calls())
                .containsExactly("starve node2", "kill node2", "starve node2", "start node2", "relieve node2");
    }

    /** The engine says at 11.5 s that the process runs, and the call that has started it returns at 12 s. */
    private void starveRestartAnd(Fault second) {
        stage.cluster.afterDown(after(2, NODE_DOWN), after(300, FAILURE_HANDLED));
        List<Runnable> starts = new ArrayList<>();
        stage.caller = call -> {
            if (stage.nowMillis() == 11_000) {
                starts.add(call);
            } else {
                call.run();
            }
        };
        stage.play(schedule()
                .step(step("first", new StarveNode(0.8, ofSeconds(300)))
                        .on(node("node2"))
                        .at(ofSeconds(1)))
                .step(step("restart", restart(ofSeconds(1))).on(node("node2")).at(ofSeconds(10)))
                .step(step("second", second).on(node("node2")).after("restart", Phase.LOCAL_RECOVERY, Duration.ZERO))
                .build());

        stage.pass(ofMillis(11_500));
        assertThat(starts).as("the start of node2").hasSize(1);
        stage.cluster.state("node2", State.STARTING);
        stage.cluster.say("node2", PROCESS_STARTED);
        stage.pass(ofMillis(500));
        starts.get(0).run();
        stage.pass(ofSeconds(5));
        stage.cluster.say("node2", RECOVERED);
        stage.toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.acts()).contains("12000 fault-ended node2", "13500 fault-ended node2");
    }

    /** The pause found no process. */
    @Test
    void aStepAfterAStarveDoesNotBeginWhileTheNodeIsDown() {
        stage.scriptEngine();

        stage.playToEnd(
                step("starve", new StarveNode(0.8, ofSeconds(60)))
                        .on(node("node2"))
                        .at(Duration.ZERO),
                step("restart", restart(ofSeconds(20))).on(node("node2")).at(ofSeconds(10)),
                step("pause", new PauseNode(ofSeconds(2), true))
                        .on(node("node2"))
                        .after("starve", ofSeconds(5)));

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls())
                .containsExactly(
                        "starve node2", "kill node2", "start node2", "relieve node2", "pause node2", "resume node2");
    }

    /** What waits for the fault counts from its beginning, also when it is in force again after another one. */
    @Test
    void aStepThatWaitsForAFaultIsNotPutOffByALaterOne() {
        stage.scriptEngine();
        stage.playToEnd(
                step("slow", new DiskFault(SLOW, ofSeconds(60)))
                        .on(node("node2"))
                        .at(ofSeconds(1)),
                step("restart", restart(ofSeconds(1))).on(node("node2")).at(ofSeconds(5)),
                step("next", new PauseNode(ofSeconds(1), false))
                        .on(node("node3"))
                        .after("slow", Phase.FAULT, ofSeconds(20)));

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.acts()).contains("21000 fault-started node3");
        assertThat(stage.phaseChanges()).contains("node2 7310 recovered", "node2 7310 fault", "node2 61000 recovered");
    }

    /** The drill waited in vain for it to be said again, and was invalid. */
    @Test
    void aNodeThatIsReportedAsRecoveredBeforeItsResumeHasReturnedIsWaitedForNoMore() {
        List<Runnable> resume = new ArrayList<>();
        stage.caller = call -> {
            if (stage.nowMillis() == 11_000) {
                resume.add(call);
            } else {
                call.run();
            }
        };
        stage.play(schedule()
                .step(step("pause", new PauseNode(ofSeconds(10), true))
                        .on(node("node2"))
                        .at(ofSeconds(1)))
                .build());

        stage.pass(ofSeconds(4));
        stage.cluster.say("node2", NODE_DOWN);
        stage.cluster.say("node2", FAILURE_HANDLED);
        stage.pass(ofSeconds(7).plusMillis(20));
        stage.cluster.say("node2", RECOVERED);
        stage.pass(ofMillis(30));
        resume.get(0).run();
        stage.toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls()).containsExactly("pause node2", "resume node2");
        assertThat(stage.phaseChanges())
                .containsExactly(
                        "node2 1000 fault", "node2 4000 failure-handling", "node2 4000 down", "node2 11020 recovered");
    }

    @Test
    void aPausedNodeThatWasThrownOutIsStartedAgain() {
        stage.scriptEngine();
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

    @Test
    void aPausedNodeThatWasThrownOutAndCannotBeStartedSaysWhy() {
        stage.scriptEngine();
        stage.cluster.failing("start node2", "container node2 is running");
        stage.play(schedule()
                .step(step("pause", new PauseNode(ofSeconds(5), true))
                        .on(node("node2"))
                        .at(ofSeconds(1)))
                .build());

        stage.pass(ofSeconds(4));
        stage.cluster.say("node2", NODE_DOWN);
        stage.cluster.say("node2", FAILURE_HANDLED);
        stage.pass(ofSeconds(2));
        stage.cluster.state("node2", State.DOWN);
        stage.toEnd();

        assertThat(stage.run.failures())
                .containsExactly("step pause: node node2 was ejected from the cluster and could not be started again:"
                        + " container node2 is running");
    }

    /** Its links were mended in the moment in which it was dropped: it never noticed, and the drill waited for it until its end. */
    @Test
    void aNodeThatWasThrownOutAndDoesNotEndItselfIsStartedAgain() {
        stage.scriptEngine();
        stage.play(schedule()
                .step(step("alone", new PartitionFault(new Partition.Isolate(Partition.Ends.NODES), ofSeconds(5)))
                        .on(node("node2"))
                        .at(ofSeconds(1)))
                .build());

        stage.pass(ofSeconds(4));
        stage.cluster.say("node2", NODE_DOWN);
        stage.cluster.say("node2", FAILURE_HANDLED);
        stage.cluster.state("node2", State.STOPPING);
        stage.pass(ofSeconds(10));
        assertThat(stage.cluster.calls()).endsWith("mend node2");
        stage.cluster.state("node2", State.EXPELLED);
        stage.toEnd();

        assertThat(stage.cluster.calls()).endsWith("mend node2", "start node2");
        assertThat(stage.run.failures()).isEmpty();
    }

    /** The second time was a failure of no fault: nobody started the node, and the next step did not wait for it. */
    @Test
    void aNodeThatIsEjectedTwiceDuringAFaultIsStartedAndWaitedFor() {
        stage.scriptEngine();
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
}
