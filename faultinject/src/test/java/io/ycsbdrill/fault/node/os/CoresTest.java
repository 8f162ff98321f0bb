package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class CoresTest {
    @TempDir
    private Path folder;

    @Test
    void listsAreRead() {
        assertThat(Cores.parse("0-2,5,8-9")).containsExactly(0, 1, 2, 5, 8, 9);
        assertThat(Cores.parse("3")).containsExactly(3);
    }

    @Test
    void moreCoresThanThereAreAreRefused() {
        assertThatThrownBy(() -> Cores.keepTo(Cores.count() + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected 1 to " + Cores.count());
        assertThatThrownBy(() -> Cores.keepTo(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aServerIsRestartedOnTheCoresOfItsFirstStart() throws Exception {
        String own = allowed(ProcessHandle.current().pid());
        assumeTrue(Cores.count() > 1, "one core only");

        assertThat(startAndEnd()).isEqualTo(own);
        Path record = folder.resolve("a.pid.cores");
        assertThat(record).hasContent(own);
        int first = Cores.parse(own).get(0);
        Files.writeString(record, first + "\n");

        assertThat(startAndEnd()).isEqualTo("" + first);
        assertThat(record).hasContent("" + first);
    }

    private String startAndEnd() throws IOException, InterruptedException {
        Process process = Launcher.start(
                List.of("sh", "-c", "echo up; exec sleep 60"),
                folder,
                folder.resolve("out"),
                folder.resolve("a.pid"),
                List.of("sleep"),
                e -> {});
        try {
            // Once it has printed, setsid and taskset have become it.
            while (!Files.readString(folder.resolve("out")).contains("up")) {
                Thread.sleep(5);
            }
            Files.writeString(folder.resolve("out"), "");
            return allowed(process.pid());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static String allowed(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.split(":")[1].strip())
                .findFirst()
                .orElseThrow();
    }
}
