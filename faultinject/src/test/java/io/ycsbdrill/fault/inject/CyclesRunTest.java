package io.ycsbdrill.fault.inject;

import static io.ycsbdrill.fault.node.EngineEvent.Signal.FAILURE_HANDLED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.NODE_DOWN;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.PROCESS_STARTED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.RECOVERED;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.AddNode;
import io.ycsbdrill.fault.CommandFault;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.RemoveNode;
import io.ycsbdrill.fault.RestartNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.marker.CycleBegun;
import io.ycsbdrill.fault.marker.CycleEnded;
import io.ycsbdrill.fault.marker.FaultStarted;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.marker.SteadyReached;
import io.ycsbdrill.fault.node.FakeNodeController.Step;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.UserCommand;
import io.ycsbdrill.fault.node.UserCommands;
import io.ycsbdrill.fault.schedule.Cycles;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.Repeat;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.ServedSecond;
import io.ycsbdrill.fault.schedule.SteadyState;
import io.ycsbdrill.fault.schedule.When;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Several cycles of a drill against an engine whose every event time is known. */
class CyclesRunTest {
    private static final SteadyState STEADY = new SteadyState(ofSeconds(1), ofSeconds(2), 0.1, 0.2, ofSeconds(30));
    private static final Cycles CYCLES = new Cycles(5, 2, ofSeconds(3));

    private DrillStage stage = new DrillStage();
    private final List<ServedSecond> seconds = new ArrayList<>(Collections.nCopies(4, DrillStage.second(1000)));

    private static ScheduledFault restart(NodeSelector on) {
        return ScheduledFault.step("restart", new RestartNode(StopMode.KILL, ofMillis(500)))
                .on(on);
    }

    private static FaultSchedule.Builder schedule() {
        return FaultSchedule.named("test").steady(STEADY).cooldown(ofSeconds(2)).recoveryBound(ofSeconds(20));
    }

    private void play(FaultSchedule schedule) {
        stage = new DrillStage();
        script();
        stage.play(schedule, length -> seconds).toEnd();
    }

    private void script() {
        stage.cluster.afterDown(new Step(ofMillis(2), NODE_DOWN), new Step(ofMillis(300), FAILURE_HANDLED));
        stage.cluster.afterStart(new Step(ofMillis(10), PROCESS_STARTED), new Step(ofMillis(700), RECOVERED));
    }

    private <M extends Marker> List<M> all(Class<M> kind) {
        return stage.markers.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private List<String> victims() {
        return all(FaultStarted.class).stream().map(FaultStarted::node).toList();
    }

    @Test
    void everyCycleOfThePlanIsDoneInItsOrderAfterItsPause() {
        play(schedule().step(restart(new NodeSelector.AnyNode())).cycles(CYCLES).build());

        assertThat(stage.run.failures()).isEmpty();
        List<CycleBegun> begun = all(CycleBegun.class);
        List<CycleEnded> ended = all(CycleEnded.class);
        List<SteadyReached> steady = all(SteadyReached.class);
        List<Cycles.Cycle> plan = CYCLES.plan(42);
        assertThat(ended).hasSameSizeAs(plan).hasSameSizeAs(steady);
        for (int i = 0; i < plan.size(); i++) {
            CycleBegun cycle = begun.get(i);
            assertThat(cycle.number()).isEqualTo(i + 1);
            assertThat(cycle.isNull()).isEqualTo(plan.get(i).isNull());
            long pause = plan.get(i).pause().toNanos();
            assertThat(cycle.atNanos() - steady.get(i).atNanos()).isBetween(pause, pause + 1_000_000);
            long faults = all(FaultStarted.class).stream()
                    .filter(f -> f.atNanos() >= cycle.atNanos())
                    .filter(f -> f.atNanos() < ended.get(cycle.number() - 1).atNanos())
                    .count();
            assertThat(faults).isEqualTo(cycle.isNull() ? 0 : 1);
        }
        // Each is 0.5 s down, 0.71 s on its way back, 2 s of cool-down; a null cycle lasts as long as they did.
        for (int i = 0; i < plan.size(); i++) {
            assertThat((ended.get(i).atNanos() - begun.get(i).atNanos()) / 1_000_000)
                    .as("cycle %d", i + 1)
                    .isBetween(3210L, 3230L);
        }
    }

    @Test
    void injectionsAreNumberedOnAndTheSeedChoosesOtherNodesInEachCycle() {
        FaultSchedule schedule = schedule()
                .step(restart(new NodeSelector.AnyNode()))
                .cycles(new Cycles(8, 0, ofSeconds(0)))
                .build();
        play(schedule);
        List<String> first = victims();

        assertThat(all(FaultStarted.class)).extracting(f -> f.of().number()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(Set.copyOf(first)).hasSizeGreaterThan(1);
        play(schedule);
        assertThat(victims()).isEqualTo(first);
    }

    @Test
    void aRollingStepGoesOnWithTheNextNode() {
        play(schedule()
                .step(restart(new NodeSelector.Rolling()))
                .cycles(new Cycles(4, 1, ofSeconds(0)))
                .build());

        assertThat(victims()).containsExactly("node1", "node2", "node3", "node1");
    }

    /** It stays down, which no cycle after that waits for, a null cycle among them. */
    @Test
    void aNodeThatWasRemovedIsAddedAgainInTheNextCycle() {
        play(schedule()
                .step(ScheduledFault.step("add", new AddNode()).on(new NodeSelector.AnyNode()))
                .step(ScheduledFault.step("remove", new RemoveNode())
                        .on(new NodeSelector.SameAs("add"))
                        .after("add", ofMillis(10)))
                .cycles(new Cycles(3, 2, ofSeconds(0)))
                .build());

        assertThat(stage.run.failures()).isEmpty();
        assertThat(victims()).hasSize(6).containsOnly("spare1");
    }

    /** It was "down" for the rest of the run, whatever the cluster did without it. */
    @Test
    void aNodeThatHasLeftDoesNotCountInThePhaseOfTheCluster() {
        play(schedule()
                .step(ScheduledFault.step("add", new AddNode()).on(new NodeSelector.AnyNode()))
                .step(ScheduledFault.step("remove", new RemoveNode())
                        .on(new NodeSelector.SameAs("add"))
                        .after("add", ofMillis(10)))
                .cycles(new Cycles(2, 1, ofSeconds(0)))
                .build());

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.phases.stream().map(phase -> phase.split(" ")[1]).distinct())
                .containsExactly("fault", "local-recovery", "recovered", "steady");
    }

    /** It was never over, as it was to be injected 0 times. */
    @Test
    void aStepThatFindsNoNodeInALaterCycleFailsTheDrill() {
        play(schedule()
                .step(new ScheduledFault(
                        "add",
                        new AddNode(),
                        new NodeSelector.AnyNode(),
                        new When.At(ofSeconds(0)),
                        new Repeat(ofSeconds(10), OptionalInt.empty()),
                        false))
                .cycles(new Cycles(2, 0, ofSeconds(0)))
                .build());

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("step add: node random: there is no eligible node now");
        assertThat(victims()).containsExactly("spare1");
        assertThat(stage.nowMillis()).isLessThan(600_000);
    }

    @Test
    void severalStepsAreRepeatedTogether() {
        stage.play(
                        schedule()
                                .step(restart(new NodeSelector.Rolling()).repeated(3, ofMillis(100)))
                                .step(ScheduledFault.step("kill", new KillNode())
                                        .on(new NodeSelector.SameAs("restart"))
                                        .after("restart", ofMillis(10)))
                                .cycles(new Cycles(2, 0, ofSeconds(0)))
                                .build(),
                        length -> seconds)
                .toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(victims()).containsExactly("node1", "node2", "node3", "node3", "node1", "node2", "node3", "node3");
    }

    /** Otherwise the second cycle would measure a cluster that has lost a node already. */
    @Test
    void whatACycleLeavesDownIsStartedBeforeTheNextOne() {
        stage.play(
                        schedule()
                                .step(ScheduledFault.step("kill", new KillNode())
                                        .on(new NodeSelector.Named(List.of("node2"))))
                                .cycles(new Cycles(2, 0, ofSeconds(0)))
                                .build(),
                        length -> seconds)
                .toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls())
                .containsExactly("kill node2", "start node2", "awaitStarted node2", "kill node2");
        List<CycleBegun> begun = all(CycleBegun.class);
        long recovered = stage.recoveries().get(0).reachedNanos(Phase.RECOVERED).orElseThrow();
        assertThat(recovered)
                .isGreaterThanOrEqualTo(all(CycleEnded.class).get(0).atNanos())
                .isLessThan(begun.get(1).atNanos());
        assertThat(stage.record.open()).hasSize(1);
    }

    /** The engine says nothing of a node that was up all the time: it counted as not recovered, and no cycle followed. */
    @Test
    void aCommandThatIsHealedBetweenTheCyclesIsOver() {
        UserCommand works = UserCommand.of(List.of("true"));
        CommandFault command = new CommandFault(
                new UserCommands(works, works, works, UserCommand.NONE, ofSeconds(10)), Optional.empty());
        play(schedule()
                .step(ScheduledFault.step("slow", command).on(new NodeSelector.Named(List.of("node2"))))
                .cycles(new Cycles(2, 0, ofSeconds(0)))
                .build());

        assertThat(stage.run.failures()).isEmpty();
        assertThat(victims()).containsExactly("node2", "node2");
        long recovered = stage.recoveries().get(0).reachedNanos(Phase.RECOVERED).orElseThrow();
        assertThat(recovered)
                .isGreaterThanOrEqualTo(all(CycleEnded.class).get(0).atNanos())
                .isLessThan(all(CycleBegun.class).get(1).atNanos());
    }

    @Test
    void aClusterThatDoesNotComeBackToItsFirstThroughputEndsTheDrill() {
        FaultSchedule schedule = schedule()
                .step(restart(new NodeSelector.AnyNode()))
                .cycles(new Cycles(3, 0, ofSeconds(0)))
                .build();
        script();
        stage.play(schedule, length -> seconds).pass(ofSeconds(3));
        Collections.fill(seconds, DrillStage.second(700));
        stage.toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("after cycle 1 the cluster is not back at the first steady state within 30 s")
                .contains("only 70% of the first steady state's");
        assertThat(all(CycleBegun.class)).hasSize(1);
        assertThat(stage.nowMillis()).isBetween(32_000L, 40_000L);
    }

    /** Then it is no null cycle, and what it shows is no noise. */
    @Test
    void aNodeThatFailsByItselfInANullCycleMakesTheDrillInvalid() {
        FaultSchedule schedule = schedule()
                .step(restart(new NodeSelector.Named(List.of("node1"))))
                .cycles(new Cycles(1, 1, ofSeconds(0)))
                .build();
        stage.play(schedule, length -> seconds);
        while (all(CycleBegun.class).size() < 2) {
            stage.pass(ofMillis(10));
        }
        script();
        stage.cluster.kill("node3");
        stage.cluster.start("node3");
        stage.toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("nothing was injected, but node node3 went through");
    }

    /** However steady the throughput is without it. */
    @Test
    void noCycleBeginsWhileANodeIsDown() {
        FaultSchedule schedule = schedule()
                .step(restart(new NodeSelector.Named(List.of("node1"))))
                .cycles(new Cycles(2, 0, ofSeconds(0)))
                .build();
        script();
        stage.play(schedule, length -> seconds);
        while (all(CycleEnded.class).isEmpty()) {
            stage.pass(ofMillis(1));
        }
        stage.cluster.say("node3", NODE_DOWN);
        stage.toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("after cycle 1 the cluster has not recovered within 30 s: node node3");
        assertThat(all(CycleBegun.class)).hasSize(1);
    }

    @Test
    void aClusterThatCannotBeHealedEndsTheDrillWithTheReason() {
        FaultSchedule schedule = schedule()
                .step(ScheduledFault.step("kill", new KillNode()).on(new NodeSelector.Named(List.of("node2"))))
                .cycles(new Cycles(2, 0, ofSeconds(0)))
                .build();
        stage.cluster.failing("start node2", "no space left");
        stage.play(schedule, length -> seconds).toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("after cycle 1 the cluster is not healed")
                .contains("no space left");
        assertThat(stage.cluster.status().stream()
                        .filter(s -> s.state() != NodeStatus.State.STARTED)
                        .collect(Collectors.toList()))
                .hasSize(1);
    }
}
