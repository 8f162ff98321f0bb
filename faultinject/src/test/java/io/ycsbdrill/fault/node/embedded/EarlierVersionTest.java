package io.ycsbdrill.fault.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that is up while the tool is replaced by a newer one. */
class EarlierVersionTest {
    @TempDir
    private Path folder;

    @Test
    void nothingIsRemovedUnderNodesThatCannotBeFound() throws Exception {
        Path home = folder.resolve("c");
        OwnedDirectory.claim(home, EmbeddedEngine.NAME);
        Path data = Files.createDirectory(home.resolve("node1"));
        Files.writeString(home.resolve("cluster.properties"), "id=1\n");

        assertThatThrownBy(() -> new EmbeddedEngine().removeLeftovers(home))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("made by an earlier version of ycsb-drill; stop it with that one");
        assertThatThrownBy(() -> ClusterSettings.read(home)).hasMessageContaining("made by an earlier version");

        assertThat(data).exists();
        assertThat(home.resolve("cluster.properties")).exists();
    }
}
