package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class PrintedTest {

    /** A kill -9 of this process left the file in the temporary folder. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void noFileIsLeftWhileTheProgramRuns() throws Exception {
        try (Printed printed = Printed.by(new ProcessBuilder("cat"))) {
            Path output =
                    Files.readSymbolicLink(Path.of("/proc/" + printed.process().pid() + "/fd/1"));

            assertThat(output.toString()).contains("ycsb-drill").endsWith(" (deleted)");
            printed.process().destroyForcibly().waitFor();
        }
    }

    @Test
    void whatItPrintsIsReadAsFarAsItHasCome() throws Exception {
        try (Printed printed = Printed.by(new ProcessBuilder("sh", "-c", "echo one; echo two >&2"))) {
            printed.process().waitFor();

            assertThat(new String(printed.more(), StandardCharsets.UTF_8)).isEqualTo("one\ntwo\n");
            assertThat(printed.more()).isEmpty();
        }
    }
}
