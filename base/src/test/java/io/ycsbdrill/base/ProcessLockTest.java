package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessLockTest {
    private static final String HERE = "process " + ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    private final List<Process> others = new ArrayList<>();

    @AfterEach
    void end() {
        others.forEach(Process::destroyForcibly);
    }

    private ProcessLock take() throws IOException {
        return ProcessLock.take(directory.resolve("made/it.lock"), IllegalStateException::new);
    }

    /** Starts another process that tries to take it, and returns when it has said how that went. */
    private String tryElsewhere() throws IOException {
        Process other = new ProcessBuilder(JavaProgram.command(
                        Other.class, directory.resolve("made/it.lock").toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        others.add(other);
        return other.inputReader().readLine();
    }

    /** The other process. */
    static final class Other {
        private Other() {}

        public static void main(String[] arguments) throws Exception {
            try {
                ProcessLock lock = ProcessLock.take(Path.of(arguments[0]), IllegalStateException::new);
                System.out.println("taken");
                TimeUnit.MINUTES.sleep(5);
                lock.close();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void whoComesSecondIsToldWhoHasIt() throws IOException {
        ProcessLock first = take();

        assertThatThrownBy(this::take).isInstanceOf(IllegalStateException.class).hasMessage(HERE);

        first.close();
        ProcessLock second = take();
        first.close();
        assertThatThrownBy(this::take).hasMessage(HERE);
        second.close();
    }

    @Test
    void anInterruptIsCalledSoAndLeavesItFree() throws IOException {
        Thread.currentThread().interrupt();

        assertThatThrownBy(this::take).isInstanceOf(ClosedByInterruptException.class);

        assertThat(Thread.interrupted()).isTrue();
        take().close();
    }

    /** To close a second channel to the file would free it. */
    @Test
    @Tag("process")
    void aSecondAttemptHereLeavesItLockedForOtherProcesses() throws IOException {
        ProcessLock first = take();
        assertThatThrownBy(this::take).hasMessage(HERE);

        assertThat(tryElsewhere()).isEqualTo(HERE);

        first.close();
        assertThat(tryElsewhere()).isEqualTo("taken");
    }

    @Test
    @Tag("process")
    void aProcessThatIsKilledHasItNoLonger() throws Exception {
        assertThat(tryElsewhere()).isEqualTo("taken");
        Process holder = others.get(0);
        assertThatThrownBy(this::take).hasMessage("process " + holder.pid());

        holder.destroyForcibly().waitFor();

        take().close();
    }

    @Test
    void aFileThatALinkInItsPlaceLeadsToIsNotWritten() throws IOException {
        Path victim = Files.writeString(directory.resolve("victim"), "precious");
        Files.createSymbolicLink(
                Files.createDirectory(directory.resolve("made")).resolve("it.lock"), victim);

        assertThatThrownBy(this::take).isInstanceOf(IOException.class);

        assertThat(victim).hasContent("precious");
    }
}
