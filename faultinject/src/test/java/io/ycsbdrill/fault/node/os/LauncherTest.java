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
        started().forEach(OsProcess::kill);
    }

    @Test
    void aProgramWhosePidCannotBeRecordedIsEnded() throws IOException {
        Path pidFile = folder.resolve("a.pid");
        Files.createDirectories(pidFile.resolve("in-the-way"));

        assertThatThrownBy(() -> Launcher.start(
                        List.of("sleep", SECONDS), folder, folder.resolve("out"), pidFile, environment -> {}))
                .isInstanceOf(IOException.class);

        assertThat(started()).allMatch(process -> process.awaitEnd(BOUND_MILLIS));
    }

    private static List<OsProcess> started() {
        return new OsProcess(ProcessHandle.current().pid()).children("sleep " + SECONDS);
    }
}
