package io.ycsbdrill.client.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.client.merge.RunMerge;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
                List.of(),
                false);
    }

    private List<ClientPlace> here(String... program) {
        return List.of(new LocalPlace(List.of(program), directory, Map.of()));
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

    /** A host that leaves half a file. */
    private ClientPlace lossy(Path leaves) {
        return new ClientPlace() {
            @Override
            public String where() {
                return "on load1";
            }

            @Override
            public Process start(RunSpec placed) throws IOException {
                return new ProcessBuilder(
                                "sh",
                                "-c",
                                "read spec; echo ready; read start; mkdir -p \"$1\"; echo '{' >\"$1/run.json\"; exit 255",
                                "sh",
                                leaves.toString())
                        .start();
            }

            @Override
            public boolean mayBeLost() {
                return true;
            }
        };
    }

    @Test
    void whatALostClientHasLeftDoesNotSpoilTheRestWhenItIsDamaged() throws Exception {
        Path left = directory.resolve("all/client-2");
        RunGroup group = group();
        Thread ends = new Thread(() -> {
            while (!Files.exists(left.resolve("run.json"))
                    || !Files.exists(directory.resolve("all/client-1/windows.csv"))) {
                Thread.onSpinWait();
            }
            group.interrupt("enough");
        });
        ends.start();

        group.execute(List.of(lossy(left)), said::add);
        ends.join();

        RunMerge.Merged merged = group.merge(directory.resolve("all"), List.of("run"));
        assertThat(merged.result().state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(merged.result().reasons())
                .anyMatch(reason -> reason.startsWith("client 2 of 2 on load1 was lost during the run"))
                .anyMatch(reason -> reason.startsWith("what a lost client has left cannot be merged: "))
                .contains("client 2 of 2 is missing");
        assertThat(left.resolve("run.json")).exists();
        assertThat(directory.resolve("all/summary.json")).exists();
    }

    /** A host with a clock of its own, which is lost as soon as the run begins. */
    private class Host implements ClientPlace {
        @Override
        public String where() {
            return "on load1";
        }

        @Override
        public boolean hasOwnClock() {
            return true;
        }

        @Override
        public boolean mayBeLost() {
            return true;
        }

        @Override
        public Process start(RunSpec placed) throws IOException {
            return new ProcessBuilder(
                            "sh",
                            "-c",
                            "read spec; echo ready; for i in $(seq 21); do read word t; echo \"clock $t $t $t\"; done;"
                                    + " read start; : >\"$1\"; exit 255",
                            "sh",
                            directory.resolve("begun").toString())
                    .start();
        }
    }

    /** Until the run has begun. */
    private void executeForAMoment(RunGroup group, Host place) throws InterruptedException {
        Thread ends = new Thread(() -> {
            while (!Files.exists(directory.resolve("begun"))
                    || !Files.exists(directory.resolve("all/client-1/windows.csv"))) {
                Thread.onSpinWait();
            }
            group.interrupt("enough");
        });
        ends.start();
        group.execute(List.of(place), said::add);
        ends.join();
    }

    /** Else it would be merged by its own clock, of which nobody would know how wrong it is. */
    @Test
    void aClientThatCannotBeFetchedInFullKeepsItsClock() throws Exception {
        RunGroup group = group();

        executeForAMoment(group, new Host() {
            @Override
            public void collect(RunSpec spec) throws IOException {
                Files.createDirectories(spec.out());
                throw new IOException("only half of it came");
            }
        });

        assertThat(directory.resolve("all/client-2/clock.json")).exists();
    }

    @Test
    void whatIsNoRunDirectoryYetDoesNotKeepTheOthersFromBeingMerged() throws Exception {
        RunGroup group = group();

        executeForAMoment(group, new Host() {
            @Override
            public void collect(RunSpec spec) throws IOException {
                Files.createDirectories(spec.out().resolve("charts"));
                throw new IOException("the archive ends before its end");
            }
        });

        RunMerge.Merged merged = group.merge(directory.resolve("all"), List.of("run"));
        assertThat(merged.result().reasons())
                .anyMatch(reason -> reason.startsWith("the run directory of client 2 of 2 on load1 could not be had: "))
                .contains("client 2 of 2 is missing");
        assertThat(directory.resolve("all/summary.json")).exists();
        assertThat(directory.resolve("all/client-2/charts")).exists();
    }

    @Test
    void aRunDirectoryThatCannotBeRemovedFromItsHostIsSaidAndCostsNothing() throws Exception {
        RunGroup group = group();

        executeForAMoment(group, new Host() {
            @Override
            public void clean(RunSpec spec) throws IOException {
                throw new IOException("it is busy");
            }
        });

        assertThat(said)
                .contains("note: the run directory of client 2 of 2 on load1 is here, and could not be removed there:"
                        + " it is busy");
        assertThat(group.merge(directory.resolve("all"), List.of("run"))
                        .result()
                        .reasons())
                .noneMatch(reason -> reason.contains("could not be had"));
    }
}
