package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
@EnabledOnOs(OS.LINUX)
class WatchdogTest {
    private final List<Process> started = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    /** A program of the cluster in the folder. */
    private Process program(String name) throws Exception {
        Path file = Files.writeString(folder.resolve(name), "x");
        Process process = Launcher.start(
                List.of("tail", "-f", file.toString()),
                folder,
                folder.resolve("output"),
                folder.resolve("run").resolve(name + ".pid"),
                List.of("tail"),
                environment -> {});
        started.add(process);
        while (!new OsProcess(process.pid()).is("tail")) {
            Thread.sleep(5); // setsid is about to become it
        }
        return process;
    }

    @Test
    void itEndsTheRecordedProcessesAndNoneThatHasThePidOfOneOrRunsAnotherProgram() throws Exception {
        Process mine = program("mine");
        Process recycled = program("recycled");
        Files.writeString(folder.resolve("run/recycled.pid"), recycled.pid() + " 1 tail\n");
        Process editor = program("editor");
        Files.writeString(folder.resolve("run/editor.pid"), PidFile.text(editor.pid(), List.of("mariadbd")));
        Process watchdog = Watchdog.start(folder, folder.resolve("watchdog-output"));

        watchdog.getOutputStream().close();

        assertThat(watchdog.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(mine.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(recycled.isAlive()).isTrue();
        assertThat(editor.isAlive()).isTrue();
        assertThat(folder.resolve("watchdog-output")).isEmptyFile();
    }

    /** A server that another one has started, and a pipe in place of a record, which nobody writes to. */
    @Test
    void aProcessThatLeadsNoGroupIsEndedTooAndNothingKeepsItFromThat() throws Exception {
        Files.createDirectories(folder.resolve("run"));
        new ProcessBuilder("mkfifo", folder.resolve("run/a.pid").toString())
                .start()
                .waitFor();
        Process member = new ProcessBuilder("sleep", "600").start();
        started.add(member);
        Path written = Files.writeString(folder.resolve("written.pid"), PidFile.text(member.pid(), List.of("sleep")));
        Files.createSymbolicLink(folder.resolve("run/node1.postgres.pid"), written);
        Process watchdog = Watchdog.start(folder, folder.resolve("watchdog-output"));

        watchdog.getOutputStream().close();

        assertThat(watchdog.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(member.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(folder.resolve("watchdog-output")).isEmptyFile();
    }
}
