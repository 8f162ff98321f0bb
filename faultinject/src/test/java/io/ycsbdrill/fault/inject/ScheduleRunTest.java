package io.ycsbdrill.fault.inject;

import static io.ycsbdrill.fault.inject.DrillStage.after;
import static io.ycsbdrill.fault.inject.DrillStage.node;
import static io.ycsbdrill.fault.inject.DrillStage.restart;
import static io.ycsbdrill.fault.inject.DrillStage.schedule;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.NODE_DOWN;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.PROCESS_STARTED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.RECOVERED;
import static io.ycsbdrill.fault.schedule.ScheduledFault.step;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.AddNode;
import io.ycsbdrill.fault.CommandFault;
import io.ycsbdrill.fault.InitialiseNode;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.NoFault;
import io.ycsbdrill.fault.NodeSelector.Named;
import io.ycsbdrill.fault.NodeSelector.PrimaryNode;
import io.ycsbdrill.fault.NodeSelector.Rolling;
import io.ycsbdrill.fault.NodeSelector.SameAs;
import io.ycsbdrill.fault.NodeSelector.SynchronousStandby;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.StartNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.marker.FaultStarted;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.UserCommand;
import io.ycsbdrill.fault.node.UserCommands;
import io.ycsbdrill.fault.recovery.PhaseTable;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.Repeat;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.ServedSecond;
import io.ycsbdrill.fault.schedule.SteadyState;
import io.ycsbdrill.fault.schedule.When;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Ground truth: an engine whose every event time is known. */
class ScheduleRunTest {
    private final DrillStage stage = new DrillStage();

    @Test
    void everyMarkerAndPhaseHasTheTimeOfTheEventItself() {
        stage.scriptEngine();
        stage.cluster.duringCall(() -> stage.clock.advance(ofMillis(5)));

        stage.playToEnd(step("restart", restart(ofSeconds(2))).on(node("node2")).at(ofSeconds(1)));

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

    /** It came as long after the next time, or never. */
    @Test
    void aStepAimedAtAPhaseComesAfterTheFirstTimeEvenIfTheNodeDiesOnItsWay() {
        stage.cluster.afterDown(after(2, NODE_DOWN), after(300, Signal.FAILURE_HANDLED));
        stage.cluster.afterStart(after(10, PROCESS_STARTED));
        stage.play(schedule()
                .step(step("first", restart(ofSeconds(1))).on(node("node1")).at(ofSeconds(1)))
                .step(step("second", new PauseNode(ofSeconds(1), false))
                        .on(node("node2"))
                        .at("node1", Phase.LOCAL_RECOVERY, ofSeconds(2)))
                .build());
        stage.pass(ofSeconds(3));
        assertThat(stage.phaseChanges()).last().isEqualTo("node1 2000 local-recovery");

        stage.cluster.say("node1", NODE_DOWN);
        stage.pass(ofMillis(500));
        assertThat(stage.phaseChanges()).last().isEqualTo("node1 3000 failure-handling");
        stage.pass(ofSeconds(1));

        assertThat(stage.acts()).contains("4000 fault-started node2");
    }

    /** Patroni names one again up to a loop_wait after the last one is back. */
    @Test
    void aReplicaThatCommitsWaitForIsAwaitedForAWhile() {
        ScheduledFault twice = step("pause", new PauseNode(ofSeconds(1), false))
                .on(new SynchronousStandby())
                .at(ofSeconds(1))
                .repeated(2, ofSeconds(5));
        stage.cluster.synchronous("node2");
        stage.play(schedule().step(twice).build()).pass(ofSeconds(3));
        stage.cluster.synchronous(new String[0]);
        stage.pass(ofSeconds(13));
        assertThat(stage.cluster.calls()).containsExactly("pause node2", "resume node2");
        stage.cluster.synchronous("node3");

        stage.toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls()).containsExactly("pause node2", "resume node2", "pause node3", "resume node3");
    }

    @Test
    void aReplicaThatCommitsWaitForIsNotAwaitedForEver() {
        stage.playToEnd(step("pause", new PauseNode(ofSeconds(1), false))
                .on(new SynchronousStandby())
                .at(ofSeconds(1)));

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("node sync-standby: there is no eligible replica that a commit waits for now");
        assertThat(stage.nowMillis()).isBetween(31_000L, 31_200L);
    }

    /** It was dated before the question which node it should hit, as if the cluster had been hit while it answered. */
    @Test
    void aFaultIsDatedWhenItIsRequestedHoweverLateTheClusterAnswers() {
        stage.cluster.duringStatus(() -> {
            stage.cluster.duringStatus(() -> {});
            stage.clock.advance(ofSeconds(2));
        });

        stage.playToEnd(step("kill", new KillNode()).on(node("node2")).at(ofSeconds(1)));

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

        stage.playToEnd(
                step("named", new PauseNode(ofMillis(10), false))
                        .on(node("node2"))
                        .at(ofSeconds(1)),
                step("primary", new PauseNode(ofMillis(10), false))
                        .on(new PrimaryNode())
                        .at(ofSeconds(2)));

        assertThat(asked).hasSize(1);
        assertThat(stage.cluster.calls()).containsExactly("pause node2", "resume node2", "pause node1", "resume node1");
    }

    @Test
    void phaseDurationsAddUpToTheTotalExactly() {
        stage.scriptEngine();

        stage.playToEnd(step("init", new InitialiseNode(StopMode.KILL, ofMillis(17)))
                .on(node("node1"))
                .at(ofMillis(333)));

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
    void whatFailedIsNeverCalledInjected() {
        stage.cluster.failing("kill node2", "node node2 is still alive (pid 4711)");

        stage.playToEnd(
                step("kill", new KillNode()).on(node("node2")).at(ofSeconds(1)),
                step("later", new KillNode()).on(node("node3")).at(ofSeconds(2)));

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

        stage.playToEnd(
                step("restart", restart(Duration.ZERO)).on(node("node2")).at(ofSeconds(1)));

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("node2", "did not recover within 60 s", "local-recovery");
        assertThat(stage.acts()).last().isEqualTo("61002 fault-failed node2");
    }

    /** A start that ends well says nothing of the process, and neither does the phase that it leads to. */
    @Test
    void aNodeWhoseProcessEndsAfterItsStartFailsTheDrillWithinSeconds() {
        stage.cluster.afterStart(after(10, PROCESS_STARTED)).ending("node2", "its log ends with \"no space left\"");

        stage.playToEnd(
                step("restart", restart(Duration.ZERO)).on(node("node2")).at(ofSeconds(1)));

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("node2", "was started, but its log ends with");
        assertThat(stage.nowMillis()).isLessThan(15_000);
    }

    /** Such as a second crash during the recovery from the first. */
    @Test
    void aNodeThatALaterStepHasBroughtDownAgainIsNoFailedStart() {
        stage.cluster.afterStart(after(10, PROCESS_STARTED)).ending("node2", "gone");

        stage.play(schedule()
                        .step(step("restart", restart(Duration.ZERO))
                                .on(node("node2"))
                                .at(ofSeconds(1)))
                        .step(step("again", new KillNode()).on(node("node2")).at(ofSeconds(2)))
                        .build())
                .pass(ofSeconds(20));

        assertThat(stage.run.failures()).isEmpty();
    }

    @Test
    void killStaysDownUntilALaterStepStartsTheNode() {
        stage.scriptEngine();

        stage.playToEnd(
                step("kill", new KillNode()).on(node("node3")).at(ofSeconds(1)),
                step("start", new StartNode()).on(new SameAs("kill")).after("kill", Phase.DOWN, ofSeconds(5)));

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
        stage.scriptEngine();

        stage.playToEnd(step("kill", new KillNode()).on(node("node3")).at(ofSeconds(1)));

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.phase()).isEqualTo(Phase.DOWN);
        assertThat(stage.record.open()).singleElement().satisfies(e -> assertThat(e.node())
                .isEqualTo("node3"));
        assertThat(stage.nowMillis()).isBetween(2302L, 2310L);
    }

    @Test
    void rollingRestartTakesOneNodeAfterTheOther() {
        stage.scriptEngine();

        stage.playToEnd(step("roll", restart(Duration.ZERO))
                .on(new Rolling())
                .at(ofSeconds(1))
                .repeated(3, ofSeconds(10)));

        assertThat(stage.acts().stream().filter(a -> a.contains("started")))
                .containsExactly("1000 fault-started node1", "11000 fault-started node2", "21000 fault-started node3");
    }

    @Test
    void nodesOfAListAreTakenTogetherOrInTurn() {
        stage.scriptEngine();

        stage.playToEnd(
                step("together", restart(Duration.ZERO))
                        .on(new Named(List.of("node1", "node3")))
                        .at(ofSeconds(1)),
                new ScheduledFault(
                        "in-turn",
                        restart(Duration.ZERO),
                        new Rolling(List.of("node3", "node1")),
                        new When.At(ofSeconds(20)),
                        new Repeat(ofSeconds(10), OptionalInt.empty()),
                        false));

        assertThat(stage.acts().stream().filter(a -> a.contains("started")))
                .containsExactly(
                        "1000 fault-started node1",
                        "1000 fault-started node3",
                        "20000 fault-started node3",
                        "30000 fault-started node1");
    }

    @Test
    void aRollingStepThatHasNoNodeLeftFailsTheDrill() {
        stage.playToEnd(
                step("add", new AddNode()).on(new Rolling()).at(ofSeconds(1)).repeated(3, ofSeconds(10)));

        assertThat(stage.cluster.calls()).containsExactly("add spare1");
        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("step add: node rolling: there is no node to choose from now");
    }

    @Test
    void anInjectionWaitsForTheOneBeforeItEvenWhenItIsLate() {
        stage.scriptEngine();

        stage.playToEnd(step("roll", restart(Duration.ZERO))
                .on(new Rolling())
                .at(ofSeconds(1))
                .repeated(2, ofMillis(100)));

        assertThat(stage.acts().stream().filter(a -> a.contains("started")))
                .as("down 302 ms + recovery 1310 ms after the first")
                .containsExactly("1000 fault-started node1", "2612 fault-started node2");
    }

    @Test
    void aSecondNodeCanBeHitWhileTheFirstOneRecovers() {
        stage.scriptEngine();

        stage.playToEnd(
                step("first", restart(Duration.ZERO)).on(node("node1")).at(ofSeconds(1)),
                step("second", restart(Duration.ZERO))
                        .on(node("node2"))
                        .after("first", Phase.SYNCHRONISE, ofMillis(100)));

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
        List<ServedSecond> seconds = new ArrayList<>();
        SteadyState steady = new SteadyState(ofSeconds(3), ofSeconds(2), 0.1, 0.1, ofSeconds(60));
        stage.play(
                schedule()
                        .steady(steady)
                        .step(step("kill", new KillNode()).on(node("node1")).at(ofSeconds(1)))
                        .build(),
                length -> seconds);
        seconds.addAll(Collections.nCopies(2, DrillStage.second(500)));
        seconds.addAll(Collections.nCopies(2, DrillStage.second(1000)));

        stage.pass(ofSeconds(10));
        assertThat(stage.acts()).isEmpty();
        seconds.clear();
        seconds.addAll(Collections.nCopies(4, DrillStage.second(1000)));
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
                        length -> Collections.nCopies(4, DrillStage.second(0)))
                .toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("within 30 s", "no operation succeeded", "no fault was injected");
        assertThat(stage.cluster.calls()).isEmpty();
    }

    /** No waiting brings them back, so the drill ends at the first look and not after {@code within}. */
    @Test
    void aTableThatLacksRowsEndsTheDrillAtOnce() {
        SteadyState steady = new SteadyState(ofSeconds(3), ofSeconds(2), 0.1, 0.1, ofSeconds(30));

        stage.play(
                        schedule()
                                .steady(steady)
                                .step(step("kill", new KillNode()).on(node("node1")))
                                .build(),
                        length -> Collections.nCopies(4, new ServedSecond(500, 500, 500, 1000, 1000, 1, 1)))
                .toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("50.0% of its operations did not find their row", "no fault was injected");
        assertThat(stage.nowMillis()).isLessThan(3100);
        assertThat(stage.cluster.calls()).isEmpty();
    }

    @Test
    void aNodeThatFailsByItselfKeepsTheDrillOpenUntilItIsBack() {
        stage.scriptEngine();
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
    private static CommandFault command(List<String> heal) {
        return new CommandFault(
                new UserCommands(
                        UserCommand.of(List.of("true")),
                        UserCommand.of(heal),
                        UserCommand.of(List.of("true")),
                        UserCommand.NONE,
                        ofSeconds(10)),
                Optional.empty());
    }

    @Test
    void aPlaceboWaitsAndLeavesNoTrace() {
        stage.playToEnd(
                step("nothing", new NoFault(ofSeconds(30))).at(ofSeconds(1)),
                step("more", new NoFault(ofSeconds(5))).after("nothing", ofSeconds(2)));

        assertThat(stage.markers).isEmpty();
        assertThat(stage.phases).isEmpty();
        assertThat(stage.cluster.calls()).isEmpty();
        assertThat(stage.record.open()).isEmpty();
        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.nowMillis()).isBetween(39_000L, 39_010L);
    }

    /** It has no node that could; what waited for that waited in vain. */
    @Test
    void aPlaceboHasRecoveredWhenItIsOver() {
        stage.playToEnd(
                step("nothing", new NoFault(ofSeconds(30))).at(ofSeconds(1)),
                step("pause", new PauseNode(ofSeconds(1), false))
                        .on(node("node2"))
                        .after("nothing", Phase.RECOVERED, ofSeconds(2)));

        assertThat(stage.acts()).startsWith("33000 fault-started node2");
        assertThat(stage.run.failures()).isEmpty();
    }

    @Test
    void aPlaceboInWhichANodeFailedHasFailed() {
        stage.scriptEngine();
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

        stage.playToEnd(
                step("kill", new KillNode()).on(node("node2")).at(ofSeconds(1)),
                step("start", new StartNode()).on(new SameAs("kill")).after("kill", Phase.DOWN, Duration.ZERO));

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
    /** Of a run that measures its maximum first nobody knows beforehand how long that takes. */
    @Test
    void whatCountsFromTheStartCountsFromTheBeginOfTheLoad() {
        AtomicLong since = new AtomicLong(Long.MAX_VALUE);
        stage.loadSince = since::get;
        stage.scriptEngine();
        stage.play(schedule()
                .step(step("kill", restart(ofMillis(500))).at(ofSeconds(2)))
                .build());

        stage.pass(ofSeconds(10));
        assertThat(stage.markers).noneMatch(FaultStarted.class::isInstance);

        since.set(ofSeconds(10).toNanos());
        stage.pass(ofSeconds(5));
        assertThat(stage.markers)
                .filteredOn(FaultStarted.class::isInstance)
                .first()
                .extracting(Marker::atNanos)
                .asInstanceOf(LONG)
                .isBetween(ofSeconds(12).toNanos(), ofMillis(12_010).toNanos());
    }

    @Test
    void aStepAimedAtAPhaseComesWhenTheNodeIsInIt() {
        stage.scriptEngine();

        stage.playToEnd(
                step("restart", restart(ofSeconds(2))).on(node("node2")).at(ofSeconds(1)),
                step("pause", new PauseNode(ofSeconds(1), false))
                        .on(node("node3"))
                        .at("node2", Phase.SYNCHRONISE, ofMillis(100)));

        assertThat(stage.phaseChanges()).contains("node2 3710 synchronise");
        assertThat(stage.acts()).contains("3810 fault-started node3");
        assertThat(stage.run.failures()).isEmpty();
    }

    @Test
    void aPhaseThatANodeDoesNotComeIntoIsNotAwaitedForEver() {
        stage.scriptEngine();
        stage.cluster.primary(Optional.of("node1"));

        stage.playToEnd(
                step("restart", restart(ofSeconds(2))).on(new PrimaryNode()).at(ofSeconds(1)),
                step("pause", new PauseNode(ofSeconds(1), false))
                        .on(node("node3"))
                        .at("node2", Phase.SYNCHRONISE, ofMillis(100)));

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("step pause: waited for node2.synchronise, which was not reached within 60 s");
    }
}
