package io.ycsbdrill.fault.node.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class DataCopiesTest {
    @TempDir
    Path folder;

    private Path directory;
    private Path copy;
    private Optional<OsProcess> running = Optional.empty();

    @BeforeEach
    void twoNodesWithARowEach() throws IOException {
        directory = OwnedDirectory.claim(folder.resolve("c"), "scripted").path();
        copy = folder.resolve("copy");
        put("node1", "first");
        put("node2", "second");
    }

    private void put(String node, String text) throws IOException {
        Files.createDirectories(directory.resolve(node).resolve("t"));
        Files.writeString(directory.resolve(node).resolve("t/rows"), text);
    }

    private String rows(String node) throws IOException {
        return Files.readString(directory.resolve(node).resolve("t/rows"));
    }

    private DataCopies copies(int nodes) {
        return new DataCopies(new ScriptedCluster(directory, Members.numbered(directory, nodes)) {
            @Override
            public Optional<OsProcess> process(String node) {
                return running;
            }
        });
    }

    @Test
    void whatWasCopiedIsPutBackInPlaceOfAllThatIsThere() throws IOException {
        copies(2).copyTo(copy);
        put("node1", "changed");
        Files.writeString(directory.resolve("node2/t/more"), "added");

        copies(2).replaceBy(copy);
        copies(2).replaceBy(copy); // as often as one likes

        assertThat(rows("node1")).isEqualTo("first");
        assertThat(rows("node2")).isEqualTo("second");
        assertThat(directory.resolve("node2/t/more")).doesNotExist();
    }

    @Test
    void nothingIsDoneWhileANodeRuns() throws IOException {
        copies(2).copyTo(copy);
        put("node1", "changed");
        running = Optional.of(new OsProcess(ProcessHandle.current().pid()));

        assertThatThrownBy(() -> copies(2).copyTo(folder.resolve("other")))
                .isInstanceOf(NodeControlException.class)
                .hasMessageStartingWith("node1 is running (pid ");
        assertThatThrownBy(() -> copies(2).replaceBy(copy)).hasMessageStartingWith("node1 is running (pid ");

        assertThat(rows("node1")).isEqualTo("changed");
        assertThat(folder.resolve("other")).doesNotExist();
    }

    @Test
    void onlyACompleteCopyOfSuchAClusterIsPutBack() throws IOException {
        copies(1).copyTo(folder.resolve("one"));
        copies(2).copyTo(copy);
        Files.delete(copy.resolve("nodes")); // as after a kill -9
        Path foreign = Files.createDirectories(folder.resolve("foreign"));

        assertThatThrownBy(() -> copies(2).replaceBy(folder.resolve("one")))
                .hasMessageEndingWith("has node1; expected a copy of a cluster with node1 node2");
        assertThatThrownBy(() -> copies(2).replaceBy(copy)).hasMessageContaining("has an incomplete copy; expected");
        assertThatThrownBy(() -> copies(2).replaceBy(foreign)).hasMessageContaining(foreign.toString());
        assertThatThrownBy(() -> copies(2).copyTo(copy)).hasMessageContaining("it is not empty");

        assertThat(rows("node1")).isEqualTo("first");
    }
}
