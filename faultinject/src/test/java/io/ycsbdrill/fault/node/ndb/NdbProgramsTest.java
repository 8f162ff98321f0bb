package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.os.PidFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The management server is a script that takes a second to end. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class NdbProgramsTest {
    private static final Duration BOUND = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private NdbFiles files;
    private NdbPrograms programs;
    private Path starts;

    @BeforeEach
    void install() throws IOException {
        Path bin = Files.createDirectories(directory.resolve("home/bin"));
        Path server = Files.writeString(bin.resolve("ndb_mgmd"), """
                #!/bin/sh
                trap 'sleep 1; exit 0' TERM
                echo started >>"${0%/*}/starts"
                while :; do sleep 0.1; done
                """);
        assertThat(server.toFile().setExecutable(true)).isTrue();
        starts = bin.resolve("starts");
        files = new NdbFiles(Files.createDirectories(directory.resolve("c")));
        Files.createDirectories(files.output("mgmd").getParent());
        programs = other();
    }

    /** As another process has them. */
    private NdbPrograms other() {
        return new NdbPrograms(new NdbHome(directory.resolve("home")), files);
    }

    @AfterEach
    void end() {
        PidFile.allRunning(files.run()).forEach(server -> {
            server.kill();
            server.awaitEnd(10_000);
        });
    }

    private void awaitStarts(int count) {
        NodeLocks.await(BOUND, () -> started() == count, () -> started() + " starts, and not " + count);
    }

    private long started() {
        try {
            return Files.exists(starts) ? Files.readAllLines(starts).size() : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whoLooksDuringARestartLeavesItToTheOneThatDoesIt() throws Exception {
        programs.startManagement();
        awaitStarts(1);
        CompletableFuture<Void> restart = CompletableFuture.runAsync(programs::restartManagement);
        NodeLocks.await(BOUND, () -> Files.exists(files.managementRestart()), () -> "the restart does not begin");

        other().resumeManagement();

        restart.get(20, TimeUnit.SECONDS);
        awaitStarts(2);
        assertThat(programs.managementRuns()).isTrue();
        assertThat(files.managementRestart()).doesNotExist();
    }

    @Test
    void aRestartWhoseProcessWasKilledIsCompleted() throws Exception {
        Process killed = new ProcessBuilder("true").start();
        Files.writeString(files.managementRestart(), PidFile.text(killed.pid(), List.of("true")));
        assertThat(killed.waitFor(20, TimeUnit.SECONDS)).isTrue();

        other().resumeManagement();

        awaitStarts(1);
        assertThat(programs.managementRuns()).isTrue();
        assertThat(files.managementRestart()).doesNotExist();
    }
}
