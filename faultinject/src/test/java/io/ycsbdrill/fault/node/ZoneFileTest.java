package io.ycsbdrill.fault.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZoneFileTest {
    @TempDir
    Path directory;

    /** By their names, not by their places among the members. */
    @Test
    void eachNodeKeepsItsZone() {
        assertThat(Zones.of(directory)).isEmpty();
        List<NodeInfo> nodes = Stream.of("node1", "node2", "node3")
                .map(id -> new NodeInfo(id, "127.0.0.1", 0))
                .toList();

        Zones.write(directory, nodes, List.of("a", "b"));

        assertThat(Zones.of(directory)).isEqualTo(Map.of("node1", "a", "node2", "b", "node3", "a"));
    }

    @Test
    void aDamagedFileIsSaid() throws Exception {
        Files.writeString(directory.resolve("zones"), "node1=a\nnode2\n");

        assertThatThrownBy(() -> Zones.of(directory))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("\"node2\"; expected a node and its zone");
    }
}
