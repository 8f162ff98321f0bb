package io.ycsbdrill.fault.node.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.PidFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class TeardownTest {
    @TempDir
    private Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(process -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
    }

    /** A process with a child. */
    private Process parent(String pidFile, String... before) throws Exception {
        Path directory = folder.resolve("c");
        claim(directory);
        Path ready = directory.resolve(pidFile + ".ready");
        Path script =
                Files.writeString(folder.resolve(pidFile + ".sh"), "touch \"$1\"; tail -f \"$1\" & : >\"$2\"; wait\n");
        List<String> command = new ArrayList<>(Arrays.asList(before));
        command.addAll(List.of("sh", script.toString(), directory + "/x", ready.toString()));
        Process process = new ProcessBuilder(command).start();
        started.add(process);
        while (!Files.exists(ready)) {
            Thread.sleep(5);
        }
        record(pidFile, process.pid());
        return process;
    }

    private static void claim(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            OwnedDirectory.claim(directory, "test");
            Files.createDirectories(directory.resolve("run"));
        }
    }

    private void record(String pidFile, long pid) throws IOException {
        Files.writeString(folder.resolve("c/run").resolve(pidFile + ".pid"), PidFile.text(pid, List.of("sh", "tail")));
    }

    private static void assertEnds(List<ProcessHandle> processes) throws Exception {
        for (ProcessHandle process : processes) {
            process.onExit().get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void processesGoWithTheirChildrenWhetherTheyLeadAGroupOrNot() throws Exception {
        Process leader = parent("leader", "setsid");
        Process other = parent("other");
        List<ProcessHandle> all = new ArrayList<>(List.of(leader.toHandle(), other.toHandle()));
        all.addAll(leader.descendants().toList());
        all.addAll(other.descendants().toList());
        assertThat(all).hasSize(4);

        Teardown.run(folder.resolve("c"), null);

        assertEnds(all);
        assertThat(folder.resolve("c")).doesNotExist();
    }

    @Test
    void aPidThatBelongsToAnotherProgramNowIsLeftAlone() throws Exception {
        claim(folder.resolve("c"));
        Process stranger = new ProcessBuilder("sleep", "600").start();
        started.add(stranger);
        Files.writeString(folder.resolve("c/run/node1.pid"), stranger.pid() + " 1 sleep\n");

        Teardown.run(folder.resolve("c"), null);

        assertThat(stranger.isAlive()).isTrue();
        assertThat(folder.resolve("c")).doesNotExist();
    }

    /** It may be a server, of an earlier version or of another one's record. */
    @Test
    void whereAProcessCannotBeProvenItsFilesStay() throws Exception {
        claim(folder.resolve("c"));
        Process stranger = new ProcessBuilder("sleep", "600").start();
        started.add(stranger);
        for (String record : List.of(stranger.pid() + "\n", PidFile.text(stranger.pid(), List.of("mariadbd")))) {
            Files.writeString(folder.resolve("c/run/node1.pid"), record);

            assertThatThrownBy(() -> Teardown.run(folder.resolve("c"), null)).isInstanceOf(NodeControlException.class);

            assertThat(stranger.isAlive()).isTrue();
            assertThat(folder.resolve("c/run/node1.pid")).exists();
        }
    }

    /** As a worker whose parent was killed, or a server whose pid file was removed. */
    @Test
    void aServerWithoutARecordKeepsItsFiles() throws Exception {
        claim(folder.resolve("c"));
        Process server = new ProcessBuilder("sleep", "600")
                .directory(folder.resolve("c").toFile())
                .start();
        started.add(server);
        // First, or tail finds nothing and ends.
        Files.writeString(folder.resolve("c/run/node1.pid"), server.pid() + " 1 sleep\n");
        Process looking = new ProcessBuilder(
                        "tail", "-f", folder.resolve("c/run/node1.pid").toString())
                .start();
        started.add(looking);

        assertThatThrownBy(() -> Teardown.run(folder.resolve("c"), null))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("process " + server.pid() + " (sleep 600) still uses " + folder.resolve("c"));
        assertThat(folder.resolve("c/run/node1.pid")).exists();
        server.destroyForcibly().waitFor();
        Teardown.run(folder.resolve("c"), null);

        assertThat(folder.resolve("c")).doesNotExist();
        assertThat(looking.isAlive()).isTrue();
    }

    @Test
    void aDirectoryThatIsNotOursKeepsItsProcessesAndFiles() throws Exception {
        Process process = parent("node1", "setsid");
        Files.delete(folder.resolve("c").resolve(OwnedDirectory.MARKER));

        assertThatThrownBy(() -> Teardown.run(folder.resolve("c"), null))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining(folder.resolve("c").toString())
                .hasMessageContaining("remove it by hand: rm -r");

        assertThat(process.isAlive()).isTrue();
        assertThat(folder.resolve("c/run/node1.pid")).exists();
    }

    /** The message named a log that had just been removed. */
    @Test
    void theLogsThatAFailedStartPointsAtAreKept() throws Exception {
        Path directory = folder.resolve("c");
        claim(directory);
        Path log = Files.writeString(directory.resolve("run/node1"), "no memory\n");
        Path longer = Files.writeString(directory.resolve("run/node10"), "another\n");
        Files.writeString(directory.resolve("run/node2"), "not mentioned\n");
        NodeControlException reason =
                new NodeControlException("node1 ended at once; see " + log + ", and " + longer + " of node10");

        RuntimeException thrown = Teardown.undo(reason, null, null, directory);

        Path kept = folder.resolve("failed-start");
        assertThat(thrown)
                .hasMessage("node1 ended at once; see " + kept + "/run-node1, and " + kept + "/run-node10 of node10")
                .hasCause(reason);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept)))
                .isEqualTo("rwx------");
        assertThat(kept.resolve("run-node1")).hasContent("no memory");
        assertThat(kept.resolve("run-node10")).hasContent("another");
        assertThat(kept).isDirectoryNotContaining("glob:**node2");
        assertThat(directory).doesNotExist();
    }

    @Test
    void aFailedStartThatPointsAtNoFileIsThrownAsItIs() throws Exception {
        claim(folder.resolve("c"));
        NodeControlException reason = new NodeControlException("no port is free");

        assertThat(Teardown.undo(reason, null, null, folder.resolve("c"))).isSameAs(reason);
        assertThat(folder.resolve("failed-start")).doesNotExist();
    }

    @Test
    void anInterruptIsKeptForLater() {
        Thread.currentThread().interrupt();

        Teardown.run(folder.resolve("nothing"), null);

        assertThat(Thread.interrupted()).isTrue();
    }
}
