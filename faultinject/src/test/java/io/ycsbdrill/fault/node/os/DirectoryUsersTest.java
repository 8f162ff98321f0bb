package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(120)
class DirectoryUsersTest {
    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();
    private Path data;

    @BeforeEach
    void directory() throws IOException {
        data = Files.createDirectory(folder.resolve("data"));
        Files.createFile(data.resolve("row"));
    }

    @AfterEach
    void end() {
        started.forEach(Process::destroyForcibly);
    }

    private Process run(Path in, String... command) throws IOException {
        Process process = new ProcessBuilder(command).directory(in.toFile()).start();
        started.add(process);
        return process;
    }

    @Test
    void whateverUsesItIsFoundAndNothingElseIs() throws Exception {
        assertThat(DirectoryUsers.of(data)).isEmpty();
        Files.createDirectory(folder.resolve("data2"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), data);
        Process standing = run(data, "sleep", "60");
        Process reading = run(folder, "tail", "-f", "data/row");
        Process naming = run(folder, "sh", "-c", "read -r x", "sh", "--datadir=" + link + "/x");
        run(folder.resolve("data2"), "sh", "-c", "read -r x", "sh", data + "2", "of " + data);
        while (DirectoryUsers.of(data).size() < 2) {
            Thread.onSpinWait(); // the second has not opened it yet
        }

        assertThat(DirectoryUsers.of(data))
                .extracting(OsProcess::pid)
                .containsExactlyInAnyOrder(standing.pid(), reading.pid());
        assertThat(DirectoryUsers.of(link)).extracting(OsProcess::pid).contains(naming.pid(), standing.pid());
        assertThat(DirectoryUsers.of(folder.resolve("none"))).isEmpty();
    }

    @Test
    void aNodeIsDownWhenNothingThatMayBeItsServerUsesItsData() throws Exception {
        Path pidFile = folder.resolve("node1.pid");
        Process server = run(data, "sleep", "60");

        assertThatThrownBy(() -> DirectoryUsers.requireDown("node1", data, pidFile))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("node1 may not be down: process " + server.pid() + " (sleep 60) uses " + data)
                .hasMessageContaining(pidFile + " is not there");
        Files.writeString(pidFile, server.pid() + " 1 sleep\n");
        assertThatThrownBy(() -> DirectoryUsers.requireDown("node1", data, pidFile))
                .hasMessageContaining(pidFile + " names another one");
        // What looks at the data of a node that is known to be down is no server.
        Files.writeString(pidFile, server.pid() + " 1 mariadbd\n");
        assertThatCode(() -> DirectoryUsers.requireDown("node1", data, pidFile)).doesNotThrowAnyException();
        assertThatThrownBy(() -> DirectoryUsers.requireUnused("node1", data, Duration.ZERO))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("process " + server.pid() + " (sleep 60) uses " + data + ", the data of node1");

        server.destroyForcibly().waitFor();
        Files.delete(pidFile);
        assertThatCode(() -> DirectoryUsers.requireDown("node1", data, pidFile)).doesNotThrowAnyException();
        assertThatCode(() -> DirectoryUsers.requireUnused("node1", data, Duration.ZERO))
                .doesNotThrowAnyException();
    }
}
