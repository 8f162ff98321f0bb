package io.ycsbdrill.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.client.merge.RunMerge;
import io.ycsbdrill.client.run.RunResult;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Other clients that never come to their run. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class RunGroupTest {
    @TempDir
    private Path directory;

    private final ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();

    private RunGroup group() {
        return new RunGroup(
                List.of(
                        EndlessRun.of(1, 2, directory.resolve("all/client-1")),
                        EndlessRun.of(2, 2, directory.resolve("all/client-2"))),
                List.of(),
                false);
    }

    private List<ClientPlace> here(String... program) {
        return List.of(new LocalPlace(List.of(program), directory));
    }

    @Test
    void aProcessThatEndsAtOnceEndsTheRunAndIsMissing() {
        RunGroup group = group();

        group.execute(here("sh", "-c", "echo broken >&2; exit 3", "sh"), said::add);

        RunMerge.Merged merged = group.merge(directory.resolve("all"), List.of("run"));
        assertThat(merged.result().state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(merged.result().reasons())
                .containsExactly(
                        "client 2 of 2 ended before it was done (exit code 3)",
                        "client 2 of 2 is missing",
                        "client 1: client 2 of 2 ended before it was done, so all do");
        assertThat(directory.resolve("all/run.json")).exists();
    }

    @Test
    void aProgramThatIsNotThereIsNamed() {
        RunGroup group = group();

        assertThatThrownBy(() -> group.execute(here(directory + "/nothing"), said::add))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageStartingWith("client 2 of 2 cannot be started: ")
                .hasMessageContaining(directory + "/nothing");
    }
}
