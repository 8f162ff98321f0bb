package io.ycsbdrill.fault.inject;

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

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.BackUp;
import io.ycsbdrill.fault.CommandFault;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.NetworkFault;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.NodeSelector.EveryNode;
import io.ycsbdrill.fault.NodeSelector.Rolling;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.StarveNode;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.net.Disturbance;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.UserCommand;
import io.ycsbdrill.fault.node.UserCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What shows that a fault has had its effect, when, and what does not. */
class ProofOfEffectTest {
    private final DrillStage stage = new DrillStage();

    @Test
    void aFaultThatIsConfirmedButHasNoEffectFailsTheDrill() {
        for (Fault fault : List.of(new KillNode(), restart(ofSeconds(60)), new PauseNode(ofSeconds(60), false))) {
            DrillStage stage = new DrillStage();
            stage.cluster.idle();

            stage.playToEnd(step("one", fault).on(node("node2")).at(ofSeconds(1)));

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

    /** What would look has ended before the last poll. */
    @Test
    void aLookThatIsRefusedAsTheDrillIsBeingStoppedIsNoFailure() {
        AtomicBoolean stopped = new AtomicBoolean();
        stage.caller = task -> {
            if (stopped.get()) {
                throw new RejectedExecutionException();
            }
            task.run();
        };
        stage.cluster.idle();
        stage.play(schedule()
                .step(step("one", new KillNode()).on(node("node2")).at(ofSeconds(1)))
                .build());
        stage.pass(ofSeconds(3));
        stopped.set(true);
        stage.pass(ofSeconds(3));

        assertThat(stage.run.failures()).isEmpty();
    }

    @Test
    void thatTheNodeWentDownBeforeProvesNothing() {
        stage.scriptEngine();
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
        CommandFault nothing = new CommandFault(List.of("true"), List.of(), Optional.empty(), ofSeconds(30));
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

    /** PostgreSQL takes writes without its Patroni: that this is over is an effect, and it is seen when all processes are gone. */
    @Test
    void aNodeOfWhichAProcessGoesOnIsNotDownYet() {
        stage.cluster.orphaned("node1");

        stage.playToEnd(
                step("kill", new KillNode()).on(new NodeSelector.PrimaryNode()).at(ofSeconds(1)));

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls()).containsExactly("kill node1");
        DrillStage without = new DrillStage();
        without.cluster.idle().orphaned("node1");
        without.playToEnd(step("kill", new KillNode()).on(node("node1")).at(ofSeconds(1)));
        assertThat(without.run.failures()).singleElement().asString().contains("fault not effective", "node1 is DOWN");
    }

    /** The whole cluster is down only when such a process has ended, too; for a fault of a node that is up it is no target. */
    @Test
    void aNodeOfWhichAProcessGoesOnIsOneOfAllThatAreKilled() {
        stage.cluster.orphaned("node1");
        stage.cluster.state("node3", State.DOWN);

        stage.playToEnd(step("kill", new KillNode()).on(new EveryNode()).at(ofSeconds(1)));

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.cluster.calls()).containsExactly("kill node1", "kill node2");
        DrillStage left = new DrillStage();
        left.cluster.orphaned("node1");
        left.cluster.state("node2", State.DOWN);
        left.cluster.state("node3", State.DOWN);
        left.playToEnd(
                step("kill", new KillNode()).on(new NodeSelector.AnyNode()).at(ofSeconds(1)));
        assertThat(left.cluster.calls()).containsExactly("kill node1");
        DrillStage pause = new DrillStage();
        pause.cluster.orphaned("node1");
        pause.playToEnd(step("pause", new PauseNode(ofSeconds(2), false))
                .on(new EveryNode())
                .at(ofSeconds(1)));
        assertThat(pause.cluster.calls()).noneMatch(call -> call.contains("node1"));
    }

    /** The state that a fault leads to would prove nothing if it had been there before. */
    @Test
    void aFaultOnANodeThatIsInItsStateAlreadyFailsTheDrill() {
        stage.cluster.state("node2", State.DOWN);

        stage.playToEnd(step("kill", new KillNode()).on(node("node2")).at(ofSeconds(1)));

        assertThat(stage.run.failures()).singleElement().asString().contains("node2 is DOWN already");
        assertThat(stage.cluster.calls()).isEmpty();
    }

    @Test
    void theEffectHasATimeOfItsOwn() {
        stage.play(schedule()
                .step(step("cut", new CommandFault(List.of("true"), List.of(), Optional.empty(), ofSeconds(30)))
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

        stage.playToEnd(step("kill", new KillNode()).on(node("node2")).at(ofSeconds(1)));

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

        stage.playToEnd(
                step("one", new BackUp()).on(node("node2")).at(ofSeconds(1)),
                step("two", new BackUp()).on(node("node3")).after("one", Duration.ZERO));

        assertThat(stage.acts()).contains("1050 fault-effective node2", "1051 fault-started node3");
        assertThat(stage.markers).extracting(Marker::atNanos).isSorted();
    }

    /** A node that a supervisor has started again before anybody looked. */
    @Test
    void theEnginesWordThatTheNodeWentDownProvesTheEffectToo() {
        stage.play(schedule()
                .step(step("restart", restartsByItself()).on(node("node2")).at(ofSeconds(1)))
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

    private static CommandFault restartsByItself() {
        return new CommandFault(List.of("true"), List.of(), Optional.empty(), ofSeconds(30));
    }

    private List<String> started() {
        return stage.acts().stream()
                .filter(act -> act.contains("fault-started"))
                .toList();
    }

    private void backAgain(String node) {
        stage.cluster.say(node, PROCESS_STARTED);
        stage.cluster.say(node, RECOVERED);
    }

    /** Two commands, one right after the other, and then a pause of node3. */
    private void playTwoRestarts(NodeSelector nodes) {
        stage.play(schedule()
                .step(step("restart", restartsByItself())
                        .on(nodes)
                        .at(ofSeconds(1))
                        .repeated(2, Duration.ZERO))
                .step(step("next", new PauseNode(ofSeconds(1), false))
                        .on(node("node3"))
                        .after("restart", Phase.RECOVERED, Duration.ZERO))
                .build());
    }

    /** The look sees it sooner than the engine says it; the next node was hit while this one was down. */
    @Test
    void aCommandIsOverWhenItsNodeIsBackThoughTheEngineHasYetToSayThatItIsDown() {
        playTwoRestarts(new Rolling());

        stage.pass(ofMillis(1500));
        stage.cluster.state("node1", State.DOWN);
        stage.pass(ofMillis(500));
        stage.cluster.say("node1", NODE_DOWN);
        stage.pass(ofSeconds(4));
        backAgain("node1");
        stage.pass(ofMillis(500));
        stage.cluster.say("node2", NODE_DOWN);
        backAgain("node2");
        stage.toEnd();

        assertThat(started())
                .containsExactly("1000 fault-started node1", "6000 fault-started node2", "6500 fault-started node3");
        assertThat(stage.run.failures()).isEmpty();
    }

    /** That the node was down just before is about the command before. */
    @Test
    void aCommandWaitsForTheEnginesWordOfItsOwnThoughItHasJustGivenOne() {
        playTwoRestarts(node("node2"));

        stage.pass(ofMillis(1500));
        stage.cluster.say("node2", NODE_DOWN);
        backAgain("node2");
        stage.pass(ofMillis(200));
        stage.cluster.state("node2", State.DOWN);
        stage.pass(ofMillis(500));
        stage.cluster.say("node2", NODE_DOWN);
        stage.pass(ofSeconds(4));
        backAgain("node2");
        stage.toEnd();

        assertThat(started())
                .containsExactly("1000 fault-started node2", "1500 fault-started node2", "6200 fault-started node3");
        assertThat(stage.run.failures()).isEmpty();
    }

    /** An engine may give a silent node up so late that it counts as a failure of its own. */
    @Test
    void aCommandIsNotOverWhileItsNodeIsDownForAnotherReasonAsFarAsAnybodyKnows() {
        stage.play(schedule()
                .step(step("restart", restartsByItself()).on(node("node2")).at(ofSeconds(1)))
                .step(step("next", new PauseNode(ofSeconds(1), false))
                        .on(node("node3"))
                        .after("restart", ofSeconds(2)))
                .build());

        stage.pass(ofMillis(1500));
        stage.cluster.state("node2", State.DOWN);
        stage.pass(ofMillis(29_700));
        stage.cluster.say("node2", NODE_DOWN);
        stage.pass(ofMillis(3800));
        backAgain("node2");
        stage.toEnd();

        assertThat(stage.recoveries()).extracting(r -> r.of().step()).containsExactly("restart", "", "next");
        assertThat(started()).containsExactly("1000 fault-started node2", "37000 fault-started node3");
        assertThat(stage.run.failures()).isEmpty();
    }

    /** As of a node that was back before the engine asked it, or of servers that nobody watches. */
    @Test
    void anEngineThatSaysNothingDoesNotHoldACommandForEver() {
        stage.play(schedule()
                .recoveryBound(ofSeconds(20))
                .step(step("restart", restartsByItself()).on(node("node2")).at(ofSeconds(1)))
                .build());

        stage.pass(ofMillis(1500));
        stage.cluster.state("node2", State.DOWN);
        stage.toEnd();

        assertThat(stage.run.failures()).isEmpty();
        assertThat(stage.nowMillis()).isBetween(32_500L, 32_700L);
    }

    /** From when on it was down, and not from when the command had ended. */
    @Test
    void aNodeThatIsNotBackInTimeAfterACommandFailsTheDrill() {
        stage.play(schedule()
                .step(step("restart", restartsByItself()).on(node("node2")).at(ofSeconds(1)))
                .build());

        stage.pass(ofSeconds(11));
        stage.cluster.say("node2", NODE_DOWN);
        stage.toEnd();

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("step restart: node node2 did not recover within 60 s after run", "failure-handling");
        assertThat(stage.nowMillis()).isBetween(71_000L, 71_100L);
    }

    @Test
    void aVerifyThatNeverSaysYesFailsTheDrillWithItsCode() {
        CommandFault command = new CommandFault(
                new UserCommands(
                        UserCommand.of(List.of("true")),
                        UserCommand.NONE,
                        UserCommand.line("exit 4"),
                        UserCommand.NONE,
                        ofSeconds(2)),
                Optional.empty());

        stage.playToEnd(step("cut", command).on(node("node2")).at(ofSeconds(1)));

        assertThat(stage.run.failures())
                .singleElement()
                .asString()
                .contains("fault not effective within 2 s", "verify exited with code 4");
    }
}
