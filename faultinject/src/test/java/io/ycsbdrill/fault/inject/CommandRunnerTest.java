package io.ycsbdrill.fault.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.fault.CommandFault;
import io.ycsbdrill.fault.FaultContext;
import io.ycsbdrill.fault.NodeSelector.Named;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.UserCommand;
import io.ycsbdrill.fault.node.UserCommands;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("process")
class CommandRunnerTest {
    private final FaultContext runner = new CommandRunner(Duration.ofMillis(2500));

    @TempDir
    Path directory;

    @Test
    void aCommandThatFailsIsReportedWithItsOutput() {
        assertThatThrownBy(
                        () -> runner.run(List.of("sh", "-c", "echo no such unit >&2; exit 3"), Duration.ofSeconds(20)))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContainingAll("exited with code 3", "no such unit");
    }

    @Test
    void aCommandThatDoesNotEndIsEndedWithWhatItStarted() {
        assertThatThrownBy(() -> runner.run(List.of("sh", "-c", "echo begun; sleep 600"), Duration.ofMillis(300)))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("did not end within 300 ms");
    }

    @Test
    void aProgramThatIsNotThereIsReported() {
        assertThatThrownBy(() -> runner.run(List.of("no-such-program-here"), Duration.ofSeconds(1)))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("cannot be started");
    }

    @Test
    void aQuestionIsAnsweredByTheExitCode() {
        assertThat(runner.ask(List.of("true"), Duration.ofSeconds(20))).isZero();
        assertThat(runner.ask(List.of("sh", "-c", "exit 7"), Duration.ofSeconds(20)))
                .isEqualTo(7);
    }

    @Test
    void aCommandIsRepeatedUntilItSaysYesAndNotForEver() {
        Path out = directory.resolve("out");
        String twice = "echo x >> " + out + "; test $(wc -l < " + out + ") -ge 2";

        runner.await(List.of("sh", "-c", twice), Duration.ofSeconds(20));

        assertThat(out).hasContent("x\nx");
        assertThatThrownBy(() -> runner.await(List.of("sh", "-c", "echo no; exit 3"), Duration.ofSeconds(20)))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContainingAll("did not exit with code 0 within 2 s", "exited with 3", "\"no\"");
    }

    /** The step gave up sooner, by as much as the heal command had taken, and said that the node did not respond. */
    @Test
    void aNodeThatIsNeverHealedFailsTheDrillWithTheLastAnswer() throws Exception {
        CommandFault command = new CommandFault(
                new UserCommands(
                        UserCommand.of(List.of("true")),
                        UserCommand.of(List.of("sleep", "1")),
                        UserCommand.of(List.of("true")),
                        UserCommand.of(List.of("false")),
                        Duration.ofSeconds(20)),
                Optional.of(Duration.ofMillis(100)));
        FaultSchedule schedule = FaultSchedule.named("commands")
                .recoveryBound(Duration.ofSeconds(2))
                .step(ScheduledFault.step("mine", command).on(new Named(List.of("node2"))))
                .build();
        FaultInjector injector = FaultInjector.builder(new FakeNodeController(NanoClock.SYSTEM, 3), schedule)
                .build();

        injector.start();
        DrillOutcome outcome = injector.await();
        injector.leave();

        assertThat(outcome.failures())
                .singleElement()
                .asString()
                .contains(
                        "step mine: node node2 end of run failed",
                        "command false did not exit with code 0 within 2 s; at last it exited with 1");
    }

    @Test
    void passwordsOfACommandAreInNoMessage() {
        for (Runnable each : List.<Runnable>of(
                () -> runner.run(List.of("sh", "-c", "echo token=hunter2; exit 1", "-phunter2"), Duration.ofSeconds(9)),
                () -> runner.run(List.of("sleep", "600", "--password=hunter2"), Duration.ofMillis(300)),
                () -> runner.run(List.of("no-such-program", "-u", "me:hunter2"), Duration.ofSeconds(9)))) {
            assertThatThrownBy(each::run)
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("***")
                    .hasMessageNotContaining("hunter2");
        }
    }

    @Test
    void aLineForTheShellFindsNodeAndHostInVariablesAndNotInItsText() {
        UserCommand line = UserCommand.line("test \"$NODE/$HOST\" = node2/host2");

        assertThat(runner.ask(line.words(new NodeInfo("node2", "host2", 0)), Duration.ofSeconds(20)))
                .isZero();
        assertThatThrownBy(() -> UserCommand.line("docker kill {node}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("$NODE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-oProxyCommand=id", "a b", "$(id)", "x;id", "h`id`", "h'", ""})
    void aNameThatAShellOrProgramWouldReadInAnotherWayIsRefused(String host) {
        NodeInfo node = new NodeInfo("node2", host, 0);

        for (UserCommand each : List.of(UserCommand.of(List.of("ssh", "{host}")), UserCommand.line("ssh \"$HOST\""))) {
            assertThat(each.problem(node)).isPresent();
            assertThatThrownBy(() -> each.words(node)).isInstanceOf(NodeControlException.class);
        }
        assertThat(UserCommand.of(List.of("docker", "kill", "{node}")).problem(node))
                .as("it does not use the host")
                .isEmpty();
    }

    @Test
    void nodeAndHostArePutIntoTheArgumentsWithoutAShell() throws Exception {
        Path out = directory.resolve("out");
        CommandFault command = new CommandFault(
                new UserCommands(
                        UserCommand.of(List.of("sh", "-c", "echo \"$0 $1\" >> " + out, "{node}@{host}", "$(id)")),
                        UserCommand.of(List.of("sh", "-c", "echo healed $0 >> " + out, "{node}")),
                        UserCommand.of(List.of("grep", "-q", "^{node}", out.toString())),
                        UserCommand.NONE,
                        Duration.ofSeconds(20)),
                Optional.of(Duration.ofSeconds(1)));

        DrillStage stage = new DrillStage()
                .play(FaultSchedule.named("commands")
                        .step(ScheduledFault.step("mine", command).on(new Named(List.of("node2"))))
                        .build())
                .toEnd();

        assertThat(Files.readAllLines(out)).containsExactly("node2@host2 $(id)", "healed node2");
        assertThat(stage.phases).containsExactly("0 fault", "1000 recovered");
        assertThat(stage.record.open()).isEmpty();
    }
}
