package io.ycsbdrill.fault.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.FaultContext;
import io.ycsbdrill.fault.NodeSelector.Named;
import io.ycsbdrill.fault.RunCommand;
import io.ycsbdrill.fault.node.NodeControlException;
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

@Tag("process")
class CommandRunnerTest {
    private final FaultContext runner = new CommandRunner();

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
    void nodeAndHostArePutIntoTheArgumentsWithoutAShell() throws Exception {
        Path out = directory.resolve("out");
        RunCommand command = new RunCommand(
                List.of("sh", "-c", "echo \"$0 $1\" >> " + out, "{node}@{host}", "$(id)"),
                List.of("sh", "-c", "echo healed $0 >> " + out, "{node}"),
                Optional.of(Duration.ofSeconds(1)),
                Duration.ofSeconds(20));

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
