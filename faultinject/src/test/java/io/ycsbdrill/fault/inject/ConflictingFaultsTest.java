package io.ycsbdrill.fault.inject;

import static io.ycsbdrill.fault.schedule.ScheduledFault.step;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.DiskFault;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.NetworkFault;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.NodeSelector.Named;
import io.ycsbdrill.fault.NodeSelector.SameAs;
import io.ycsbdrill.fault.PartitionFault;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.ProcessFault;
import io.ycsbdrill.fault.RemoveNode;
import io.ycsbdrill.fault.ResumeNode;
import io.ycsbdrill.fault.SqueezeNode;
import io.ycsbdrill.fault.StartNode;
import io.ycsbdrill.fault.StarveNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.StopNode;
import io.ycsbdrill.fault.marker.FaultEnded;
import io.ycsbdrill.fault.net.Direction;
import io.ycsbdrill.fault.net.Disturbance;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import io.ycsbdrill.fault.node.trouble.Partition;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Two faults at the same time: which would replace each other, and which are both in force. */
class ConflictingFaultsTest {
    private static final Duration LONG = ofSeconds(60);
    private static final Duration SHORT = ofSeconds(10);
    private static final NodeSelector SAME = new SameAs("first");

    private final DrillStage stage = new DrillStage();

    private static Fault loss() {
        return new PartitionFault(new Partition.Cable("link-loss", new LinkTrouble.Loss(0.05)), LONG);
    }

    private static Fault flaky() {
        LinkTrouble trouble = new LinkTrouble.Flaky(ofSeconds(2), ofMillis(500), 1);
        return new PartitionFault(new Partition.Cable("flaky", trouble), SHORT);
    }

    /** The second one on nodes of its own choice, 20 s after the first one on node2. */
    private void play(Fault first, Fault second, NodeSelector node) {
        FaultSchedule schedule = FaultSchedule.named("two")
                .cooldown(ofSeconds(1))
                .recoveryBound(ofSeconds(60))
                .step(step("first", first).on(new Named(List.of("node2"))))
                .step(step("second", second).on(node).after("first", Phase.FAULT, ofSeconds(20)))
                .build();
        stage.play(schedule).toEnd();
    }

    static Stream<Arguments> replacing() {
        return Stream.of(
                Arguments.of(loss(), flaky(), "links"),
                Arguments.of(new StarveNode(0.5, LONG), new StarveNode(0.9, SHORT), "processor time"),
                Arguments.of(new StarveNode(0.5, LONG), new PauseNode(SHORT, false), "processor time"),
                Arguments.of(new SqueezeNode(0.9, LONG), new SqueezeNode(0.8, SHORT), "memory"),
                Arguments.of(
                        new DiskFault(new DiskTrouble(DiskTrouble.Kind.SLOW, ofMillis(5), Duration.ZERO), LONG),
                        new DiskFault(DiskTrouble.of(DiskTrouble.Kind.STALL), SHORT),
                        "disk"));
    }

    /** Its end would also end the first one, which would count as in force. */
    @ParameterizedTest
    @MethodSource("replacing")
    void aFaultThatWouldReplaceOneInForceFails(Fault first, Fault second, String part) {
        play(first, second, SAME);

        assertThat(stage.run.failures())
                .containsExactly("step second: step first is in force on node node2: " + second.name() + " and "
                        + first.name() + " both use the node's " + part
                        + "; end one first or choose another node");
        assertThat(stage.nowMillis()).isBetween(20_000L, 20_100L);
        assertThat(stage.cluster.calls()).hasSize(1);
        assertThat(stage.cluster.disturbances()).hasSize(1);
    }

    /** The first stop that the starver took back would have ended the pause. */
    @Test
    void aPausedNodeCannotBeStarved() {
        play(new PauseNode(LONG, false), new StarveNode(0.5, SHORT), SAME);

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("step first is in force on node node2: starve and pause both use the node's processor time");
        assertThat(stage.cluster.calls()).containsExactly("pause node2");
    }

    /** The end of the first pause would have resumed the node from the second. */
    @Test
    void aPauseIsOverWhenItIsResumedAndAnotherOneCanBegin() {
        Named node2 = new Named(List.of("node2"));
        FaultSchedule schedule = FaultSchedule.named("again")
                .cooldown(ofSeconds(1))
                .recoveryBound(ofSeconds(60))
                .step(step("first", new PauseNode(LONG, false)).on(node2))
                .step(step("resume", new ResumeNode()).on(node2).at(ofSeconds(30)))
                .step(step("second", new PauseNode(LONG, false)).on(node2).at(ofSeconds(40)))
                .build();

        stage.play(schedule).toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls()).containsExactly("pause node2", "resume node2", "pause node2", "resume node2");
        assertThat(stage.acts().stream().filter(act -> act.contains("fault-ended")))
                .as("the first pause, the resume, the second pause")
                .containsExactly("30000 fault-ended node2", "30000 fault-ended node2", "100000 fault-ended node2");
        assertThat(stage.phaseChanges())
                .containsExactly(
                        "node2 0 fault", "node2 30000 recovered", "node2 40000 fault", "node2 100000 recovered");
        assertThat(stage.record.open()).isEmpty();
    }

    static Stream<Arguments> ofTheWholeNode() {
        return Stream.of(
                Arguments.of(new KillNode(), List.of("kill node2")),
                Arguments.of(new StopNode(StopMode.ABORT), List.of("stop node2 ABORT")),
                Arguments.of(new RemoveNode(), List.of("remove node2")),
                Arguments.of(new StartNode(), List.of("start node2")),
                Arguments.of(DrillStage.restart(ofSeconds(1)), List.of("kill node2", "start node2")));
    }

    /** Its end would start a node that a step has left down or removed, or the process that a later step has killed. */
    @ParameterizedTest
    @MethodSource("ofTheWholeNode")
    void aKilledProcessIsNotStartedOnceAnythingHasBecomeOfItsNode(Fault second, List<String> calls) {
        FaultSchedule schedule = FaultSchedule.named("two")
                .cooldown(ofSeconds(80))
                .recoveryBound(ofSeconds(60))
                .step(step("first", new ProcessFault(ProcessFault.Kind.KILL, "supervisor", LONG))
                        .on(new Named(List.of("node2"))))
                .step(step("second", second).on(SAME).at(ofSeconds(20)))
                .build();
        stage.play(schedule).pass(ofSeconds(10));
        if (second.bringsBack()) {
            stage.cluster.state("node2", second.expects());
        }

        stage.toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls().subList(1, stage.cluster.calls().size()))
                .isEqualTo(calls);
        assertThat(stage.markers.stream()
                        .filter(marker -> marker instanceof FaultEnded ended
                                && ended.of().step().equals("first"))
                        .map(marker -> marker.atNanos() / 1_000_000_000))
                .containsExactly(20L);
    }

    @Test
    void aProcessCanBeKilledAgainOnceItsNodeWasStarted() {
        ProcessFault kill = new ProcessFault(ProcessFault.Kind.KILL, "supervisor", LONG);
        Named node2 = new Named(List.of("node2"));
        stage.playToEnd(
                step("first", kill).on(node2),
                step("start", new StartNode()).on(node2).at(ofSeconds(20)),
                step("second", kill).on(node2).at(ofSeconds(40)));

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.acts().stream().filter(act -> act.contains("fault-ended")))
                .as("the first, the start, the second after its own time")
                .containsExactly("20000 fault-ended node2", "20000 fault-ended node2", "100000 fault-ended node2");
        assertThat(stage.record.open()).isEmpty();
    }

    @Test
    void theSameIsPossibleOnAnotherNode() {
        play(loss(), flaky(), new Named(List.of("node3")));

        assertThat(stage.run.failures()).isEmpty();
    }

    @Test
    void whatConcernsOtherPartsOfANodeIsInForceTogether() {
        play(loss(), new StarveNode(0.5, SHORT), SAME);

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls()).hasSize(4);
    }

    @Test
    void disturbancesOfAServerAddUp() {
        Disturbance delay = new Disturbance.Delay(ofMillis(5), Duration.ZERO, Direction.BOTH);
        play(new NetworkFault(delay, Optional.of(LONG)), new NetworkFault(delay, Optional.of(SHORT)), SAME);

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls()).hasSize(4);
    }

    @Test
    void oneAfterTheOtherIsPossible() {
        FaultSchedule schedule = FaultSchedule.named("turns")
                .cooldown(ofSeconds(1))
                .recoveryBound(ofSeconds(60))
                .step(step("first", loss()).on(new Named(List.of("node2"))))
                .step(step("second", flaky()).on(SAME).after("first", Duration.ZERO))
                .build();

        stage.play(schedule).toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls()).hasSize(4);
    }
}
