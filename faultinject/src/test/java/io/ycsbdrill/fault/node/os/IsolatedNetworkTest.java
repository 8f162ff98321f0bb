package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.ycsbdrill.fault.node.OptionReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the files say; that links are really cut is tested with the engines. */
class IsolatedNetworkTest {
    @TempDir
    private Path cluster;

    @BeforeEach
    void fourNodes() throws IOException {
        Files.createDirectories(cluster.resolve("network"));
        Files.write(cluster.resolve("network/nodes"), List.of("PRIVATE", "a", "b", "c", "d"));
    }

    private void cut(String node, String... others) throws IOException {
        Files.write(
                cluster.resolve("network").resolve(node + ".cut"),
                List.of(others).stream().map(other -> node + " " + other).toList());
    }

    private List<String> aside() {
        return aside("a", "b", "c", "d");
    }

    private List<String> aside(String... members) {
        return Stream.of(members)
                .filter(node -> PartitionSides.aside(cluster, node, List.of(members)))
                .toList();
    }

    @Test
    void eachNodeHasItsAddressAndTheRestHasOne() {
        assertThat(IsolatedNetwork.address(cluster, "c")).isEqualTo("10.99.0.3");
        assertThat(IsolatedNetwork.clientAddress(cluster)).isEqualTo("10.99.0.254");
        assertThat(IsolatedNetwork.address(cluster.resolve("other"), "c")).isEqualTo("127.0.0.1");
        assertThat(IsolatedNetwork.into(cluster.resolve("other"), "c")).isEmpty();
    }

    @Test
    void anIsolatedNodeIsAside() throws IOException {
        cut("b", "a", "c", "d");

        assertThat(aside()).containsExactly("b");
    }

    @Test
    void aSpareNodeConnectsNobody() throws IOException {
        cut("b", "a", "c");

        assertThat(aside("a", "b", "c")).containsExactly("b");
        assertThat(aside()).isEmpty();
    }

    @Test
    void ofTwoHalvesTheOneWithoutTheFirstNodeIsAside() throws IOException {
        cut("c", "a", "b");
        cut("d", "a", "b");

        assertThat(aside()).containsExactly("c", "d");
    }

    @Test
    void nobodyIsAsideWhileOthersConnectTheNodes() throws IOException {
        cut("a", "c");
        cut("b", "d");

        assertThat(aside()).isEmpty();
    }

    @Test
    void theOptionHasTwoValues() {
        OptionReader right = new OptionReader("x", List.of(IsolatedNetwork.OPTION), Map.of("network", "isolated"));
        assertThat(IsolatedNetwork.wanted(right)).isTrue();
        right.check();

        OptionReader wrong = new OptionReader("x", List.of(IsolatedNetwork.OPTION), Map.of("network", "bridge"));
        IsolatedNetwork.wanted(wrong);
        assertThat(catchThrowable(wrong::check)).hasMessage("--network bridge: expected host or isolated");
    }
}
