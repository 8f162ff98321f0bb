package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
        process = OsProcess.started(leader, "sh");
        leader.inputReader().readLine();
    }

    @AfterEach
    void end() {
        leader.descendants().forEach(ProcessHandle::destroyForcibly);
        leader.destroyForcibly();
    }

    @Test
    void aRecordOfAnotherFormIsNoWordOnAnyProcess(@TempDir Path folder) throws IOException {
        Path pid = folder.resolve("a.pid");
        assertThat(PidFile.running(pid)).isEmpty();
        for (String record :
                List.of("none", leader.pid() + "\n", leader.pid() + " 1\n", leader.pid() + " x sh\n", "")) {
            Files.writeString(pid, record);
            assertThatThrownBy(() -> PidFile.running(pid))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("pid file " + pid + " is damaged");
        }
    }

    /** Reading it would not end. */
    @Test
    void whatIsNoFileIsNotRead(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("a.pid");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        for (Path pid : List.of(pipe, Files.createSymbolicLink(folder.resolve("b.pid"), pipe))) {
            assertThatThrownBy(() -> PidFile.running(pid))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("pid file " + pipe + " is left alone");
        }
    }

    /** The kernel then tells none of its command line, or the beginning of it. */
    @Test
    void aProcessIsFoundWhileItBecomesAnotherProgram() throws IOException {
        Process changing = new ProcessBuilder(
                        "sh",
                        "-c",
                        "[ \"$2\" = 0 ] && kill -STOP $$; exec sh -c \"$0\" \"$0\" \"$1\" $(($2 - 1))",
                        "[ \"$2\" = 0 ] && kill -STOP $$; exec sh -c \"$0\" \"$0\" \"$1\" $(($2 - 1))",
                        "mark/",
                        "500")
                .start();
        try {
            OsProcess found = new OsProcess(changing.pid());
            while (!found.stopped()) {
                assertThat(found.runs("mark/")).isTrue();
            }
        } finally {
            changing.destroyForcibly();
        }
    }

    @Test
    void aProcessThatHasThePidOfARecordedOneIsNotTakenForIt(@TempDir Path folder) throws IOException {
        Path pid = Files.writeString(folder.resolve("a.pid"), PidFile.text(leader.pid(), List.of("sh")));
        assertThat(PidFile.running(pid)).contains(process);

        OsProcess earlier =
                new OsProcess(leader.pid(), OptionalLong.of(process.startTicks().getAsLong() - 1), Set.of("sh"));
        Files.writeString(pid, leader.pid() + " " + earlier.startTicks().getAsLong() + " sh\n");

        assertThat(PidFile.running(pid)).isEmpty();
        earlier.kill();
        earlier.signal("KILL");
        earlier.signalGroup("KILL");
        assertThat(earlier.alive()).isFalse();
        assertThat(process.alive()).isTrue();
    }

    /** An editor, a look at the log, an exporter of figures: its arguments may name the server as they like. */
    @Test
    void aProcessThatRunsAnotherProgramIsNotSignalled(@TempDir Path folder) throws Exception {
        Process editor = new ProcessBuilder("tail", "-f", "/dev/null", "mariadbd", "/run/mariadbd").start();
        try {
            Path pid = Files.writeString(
                    folder.resolve("a.pid"), PidFile.text(editor.pid(), List.of("mariadbd", "d", "ail")));
            OsProcess found = PidFile.running(pid).orElseThrow();

            for (ThrowingCallable signal : List.<ThrowingCallable>of(
                    found::kill,
                    () -> found.signal("TERM"),
                    () -> found.signalGroup("STOP"),
                    () -> found.end(100),
                    new OsProcess(editor.pid())::kill)) {
                assertThatThrownBy(signal)
                        .isInstanceOf(NodeControlException.class)
                        .hasMessageStartingWith("process " + editor.pid() + " (tail -f /dev/null mariadbd ")
                        .hasMessageContaining("is left alone");
            }
            assertThat(found.alive()).isTrue();
            assertThat(found.stopped()).isFalse();
        } finally {
            editor.destroyForcibly().waitFor();
        }
    }

    /** A server that runs as another user writes down its own process, and must not get anybody else's ended. */
    @Test
    void aRecordOfAnotherUserCountsForThatUsersProcessesOnly(@TempDir Path folder) throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root can give a file away");
        Process ours = new ProcessBuilder("sleep", "100").start();
        try {
            Path pid = Files.writeString(folder.resolve("a.pid"), PidFile.text(ours.pid(), List.of("sleep")));
            Files.setOwner(
                    pid, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));

            assertThatThrownBy(PidFile.running(pid).orElseThrow()::kill)
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("is left alone");

            // Our own record, to which a link of that user's leads.
            Path other = Files.writeString(folder.resolve("b.pid"), PidFile.text(ours.pid(), List.of("sleep")));
            Path theirs = Files.createSymbolicLink(folder.resolve("c"), other);
            Files.getFileAttributeView(theirs, FileOwnerAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setOwner(Files.getOwner(pid));
            for (Path link : List.of(theirs, Files.createSymbolicLink(folder.resolve("d.pid"), theirs))) {
                assertThatThrownBy(() -> PidFile.running(link)).hasMessageContaining("is left alone: it is a link");
            }
            // Nor one that is our own in a folder of that user's, to which it could have been linked.
            Path shared = Files.createDirectory(folder.resolve("shared"));
            Files.setOwner(shared, Files.getOwner(pid));
            Path linked = Files.createLink(shared.resolve("f.pid"), other);
            assertThatThrownBy(PidFile.running(linked).orElseThrow()::kill).hasMessageContaining("is left alone");
            assertThat(ours.isAlive()).isTrue();

            PidFile.running(Files.createSymbolicLink(folder.resolve("e.pid"), other))
                    .orElseThrow()
                    .kill();
            assertThat(ours.waitFor()).isEqualTo(128 + 9);
        } finally {
            ours.destroyForcibly().waitFor();
        }
    }

    /** Whatever its file is called, as that of a link, and when the file was replaced meanwhile. */
    @Test
    void aProgramIsKnownByItsFileOrTheNameByWhichItWasStarted(@TempDir Path folder) throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("drilldbd"), Path.of("/bin/sleep"));
        Path copy = Files.copy(Path.of("/bin/sleep"), folder.resolve("otherdbd"), StandardCopyOption.COPY_ATTRIBUTES);
        for (Path program : List.of(link, copy)) {
            Process server = new ProcessBuilder(program.toString(), "60").start();
            Files.delete(program);
            OsProcess.started(server, program.getFileName().toString()).kill();
            assertThat(server.waitFor()).isEqualTo(128 + 9);
        }
    }

    @Test
    void aSignalToTheGroupEndsWhatItStartedToo() {
        OsProcess parent = new OsProcess(process.pid(), process.startTicks(), Set.of("sh", "sleep"));
        while (parent.children().isEmpty() || !parent.children().get(0).is("sleep")) {
            Thread.onSpinWait(); // the shell is about to start it
        }
        OsProcess child = parent.children().get(0);
        process.signalGroup("KILL");
        assertThat(process.awaitEnd(BOUND_MILLIS)).isTrue();
        assertThat(child.awaitEnd(BOUND_MILLIS)).isTrue();
        assertThat(process.runs("sleep 61")).isFalse();
        process.signal("STOP"); // gone already: no error
    }

    @Test
    void aProcessThatNobodyCollectsHasEndedAndIsListed() throws Exception {
        Process careless = new ProcessBuilder("sh", "-c", "sleep 61 & echo $!; exec sleep 62").start();
        try {
            long pid = Long.parseLong(careless.inputReader().readLine());
            OsProcess child = new OsProcess(pid, new OsProcess(pid).startTicks(), Set.of("sleep"));
            await(() -> new OsProcess(careless.pid()).is("sleep")); // until then it is a shell, which collects

            child.kill();

            assertThat(child.awaitEnd(BOUND_MILLIS)).isTrue();
            assertThat(child.alive()).isFalse();
            assertThat(child.listed()).isTrue();
        } finally {
            careless.descendants().forEach(ProcessHandle::destroyForcibly);
            careless.destroyForcibly();
        }
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BOUND_MILLIS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
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

    /** It had its ports and the lock of its directory when the next one was started. */
    @Test
    void aServerOfWhichOneThreadIsLeftHasNotEnded(@TempDir Path folder) throws Exception {
        Process dying = DyingServer.start(folder.resolve("drilldbd"), folder, 60);
        try {
            OsProcess server = OsProcess.started(dying, "drilldbd");
            assertThat(server.alive()).isTrue();
            assertThat(server.awaitEnd(1)).isFalse();
            assertThatThrownBy(new OsProcess(dying.pid())::kill)
                    .as("nobody has said that it is ours")
                    .hasMessageContaining("is left alone");

            server.kill();

            assertThat(server.awaitEnd(BOUND_MILLIS)).isTrue();
        } finally {
            dying.destroyForcibly();
        }
    }
}
