package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class OsProcessTest {
    private static final long BOUND_MILLIS = 20_000;

    private Process leader;
    private OsProcess process;

    @BeforeEach
    void start() throws IOException {
        leader = new ProcessBuilder("setsid", "sh", "-c", "echo up; sleep 61 & wait").start();
        process = new OsProcess(leader.pid());
        leader.inputReader().readLine();
    }

    @AfterEach
    void end() {
        leader.descendants().forEach(ProcessHandle::destroyForcibly);
        leader.destroyForcibly();
    }

    @Test
    void aRecordedProcessIsOursOnlyWithTheMark(@TempDir Path folder) throws IOException {
        Path pid = Files.writeString(folder.resolve("a.pid"), leader.pid() + "\n");
        assertThat(OsProcess.recorded(pid, "sleep 61")).contains(process);
        assertThat(OsProcess.recorded(pid, "sleep 62")).isEmpty();
        assertThat(OsProcess.recorded(folder.resolve("b.pid"), "sleep 61")).isEmpty();
        assertThat(OsProcess.recorded(Files.writeString(pid, "none"), "sleep 61"))
                .isEmpty();
    }

    /** The kernel then tells none of its command line, or the beginning of it. */
    @Test
    void aProcessIsFoundWhileItBecomesAnotherProgram(@TempDir Path folder) throws IOException {
        Path script = Files.writeString(folder.resolve("again.sh"), """
                [ "$2" = 0 ] && exec sh -c 'kill -STOP $$' sh "$1"
                exec sh "$0" "$1" $(($2 - 1))
                """);
        Process changing = new ProcessBuilder("sh", script.toString(), "mark/", "500").start();
        try {
            Path pid = Files.writeString(folder.resolve("a.pid"), OsProcess.record(changing.pid()));
            OsProcess found = new OsProcess(changing.pid());
            while (!found.stopped()) {
                assertThat(OsProcess.recorded(pid, "mark/")).contains(found);
            }
        } finally {
            changing.destroyForcibly();
        }
    }

    @Test
    void aProcessThatHasThePidOfARecordedOneIsNotTakenForIt(@TempDir Path folder) throws IOException {
        Path pid = Files.writeString(folder.resolve("a.pid"), OsProcess.record(leader.pid()));
        assertThat(OsProcess.recorded(pid, "sleep 61")).contains(process);

        OsProcess earlier =
                new OsProcess(leader.pid(), OptionalLong.of(process.startTicks().getAsLong() - 1));
        Files.writeString(pid, leader.pid() + " " + earlier.startTicks().getAsLong() + "\n");

        assertThat(OsProcess.recorded(pid, "sleep 61")).isEmpty();
        earlier.kill();
        earlier.signal("KILL");
        assertThat(earlier.alive()).isFalse();
        assertThat(process.alive()).isTrue();
    }

    @Test
    void aSignalToTheGroupEndsWhatItStartedToo() {
        while (process.children("sleep").isEmpty()) {
            Thread.onSpinWait(); // the shell is about to start it
        }
        OsProcess child = process.children("sleep").get(0);
        process.signalGroup("KILL");
        assertThat(process.awaitEnd(BOUND_MILLIS)).isTrue();
        assertThat(child.awaitEnd(BOUND_MILLIS)).isTrue();
        assertThat(process.runs("sleep 61")).isFalse();
        process.signal("STOP"); // gone already: no error
    }

    @Test
    void anUnknownSignalIsAnError() {
        assertThatThrownBy(() -> process.signal("NONSENSE"))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("signal NONSENSE to process " + process.pid());
        assertThat(process.alive()).isTrue();
    }

    @Test
    void anInterruptDoesNotEndTheWaitAndIsKept() {
        Thread.currentThread().interrupt();
        process.kill();
        assertThat(process.awaitEnd(BOUND_MILLIS)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }
}
