package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class LauncherTest {
    private static final long BOUND_MILLIS = 10_000;

    /** A length that no other child of this process has. */
    private static final String SECONDS = "60.0625";

    @TempDir
    private Path folder;

    @AfterEach
    void endWhatIsLeft() {
        started().forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void aProgramWhosePidCannotBeRecordedIsEnded() throws IOException {
        Path pidFile = folder.resolve("a.pid");
        Files.createDirectories(pidFile.resolve("in-the-way"));

        assertThatThrownBy(() -> Launcher.start(
                        List.of("sleep", SECONDS),
                        folder,
                        folder.resolve("out"),
                        pidFile,
                        List.of("sleep"),
                        environment -> {}))
                .isInstanceOf(IOException.class);

        assertThat(started()).allMatch(process -> new OsProcess(process.pid()).awaitEnd(BOUND_MILLIS));
    }

    private static List<ProcessHandle> started() {
        return ProcessHandle.current()
                .children()
                .filter(child -> ProcFs.arguments(child.pid()).contains(SECONDS))
                .toList();
    }
}
