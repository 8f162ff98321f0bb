package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.NodeControlException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On files as the kernel shows them; what the kernel does with them, engine tests show. */
class MemoryGroupsTest {
    @TempDir
    Path folder;

    private Path mount;
    private Path cluster;

    @BeforeEach
    void folders() throws Exception {
        mount = Files.createDirectory(folder.resolve("cgroup"));
        cluster = Files.createDirectory(folder.resolve("c"));
    }

    private Path group() throws Exception {
        return Path.of(Files.readAllLines(cluster.resolve("memory-cgroup")).get(1));
    }

    @Test
    void machineWithoutAMemoryControllerIsRefusedWithTheReason() {
        assertThatThrownBy(() -> MemoryGroups.make(cluster, mount))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("--memory-faults needs a memory cgroup")
                .hasMessageContaining("there is no memory controller in " + mount);
        assertThat(MemoryGroups.of(cluster)).isEmpty();
        assertThat(MemoryGroups.FEATURE.enter(cluster, "node1")).isEmpty();
    }

    @Test
    void nodeIsStartedInItsGroupAndTheGroupGoesWithTheCluster() throws Exception {
        Files.createDirectory(mount.resolve("memory"));
        Files.writeString(mount.resolve("memory/memory.limit_in_bytes"), "");
        MemoryGroups.make(cluster, mount);

        List<String> prefix = MemoryGroups.FEATURE.enter(cluster, "node1");

        assertThat(group().getParent()).isEqualTo(mount.resolve("memory"));
        assertThat(group().resolve("node1")).isDirectory();
        Process process = new ProcessBuilder(
                        Stream.concat(prefix.stream(), Stream.of("true")).toList())
                .start();
        assertThat(process.waitFor()).isZero();
        assertThat(group().resolve("node1/cgroup.procs")).hasContent(Long.toString(process.pid()));
        Files.delete(group().resolve("node1/cgroup.procs")); // the kernel's own files go with their folder
        Path root = group();
        MemoryGroups.remove(cluster);
        assertThat(root).doesNotExist();
    }

    @Test
    void limitIsAShareOfWhatIsInUseAndIsMetWhenTheKernelCountsIt() throws Exception {
        Files.writeString(mount.resolve("cgroup.controllers"), "cpu memory pids");
        MemoryGroups.make(cluster, mount);
        assertThat(group().resolve("cgroup.subtree_control")).hasContent("+memory");
        MemoryGroups.FEATURE.enter(cluster, "node1");
        Path node = group().resolve("node1");
        Files.writeString(node.resolve("cgroup.procs"), "7\n");
        Files.writeString(node.resolve("memory.current"), "1000000\n");
        Files.writeString(node.resolve("memory.events"), "low 0\nhigh 0\nmax 5\noom 0\n");
        Files.writeString(node.resolve("memory.max"), "max\n");
        MemoryGroups groups = MemoryGroups.of(cluster).orElseThrow();
        assertThat(groups.lookForPressure("node1").effect()).isFalse();

        groups.squeeze("node1", 0.8);

        assertThat(node.resolve("memory.max")).hasContent("800000");
        assertThat(groups.lookForPressure("node1").effect()).isFalse();
        Files.writeString(node.resolve("memory.events"), "low 0\nhigh 0\nmax 7\noom 0\n");
        assertThat(groups.lookForPressure("node1").effect()).isTrue();
        assertThat(groups.lookForPressure("node1").text())
                .isEqualTo("node1 has met its memory limit of 800000 bytes 2 times");

        MemoryGroups.of(cluster).orElseThrow().releaseAll(); // another process, as after a kill of this one
        assertThat(node.resolve("memory.max")).hasContent("max");
    }

    @Test
    void nodeWithoutAProcessHasNoMemoryToLimit() throws Exception {
        Files.writeString(mount.resolve("cgroup.controllers"), "memory");
        MemoryGroups.make(cluster, mount);
        MemoryGroups.FEATURE.enter(cluster, "node1");
        Files.writeString(group().resolve("node1/cgroup.procs"), "");

        assertThatThrownBy(() -> MemoryGroups.of(cluster).orElseThrow().squeeze("node1", 0.5))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("node1 has no process");
    }
}
