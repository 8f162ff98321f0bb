package io.ycsbdrill.fault.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.kit.NodeSandbox;
import java.util.List;
import java.util.Map;
import org.apache.ignite.configuration.WALMode;
import org.junit.jupiter.api.Test;

class EmbeddedOptionsTest {

    @Test
    void defaultsAreThoseThatHelpShows() {
        EmbeddedOptions options = EmbeddedOptions.of(Map.of());

        assertThat(options)
                .isEqualTo(new EmbeddedOptions(
                        3, 0, 2, 256, 256, 3000, new NodeSandbox.Wanted(List.of()), WALMode.LOG_ONLY));
    }

    @Test
    void backupsFollowTheNumberOfNodesUnlessGiven() {
        assertThat(EmbeddedOptions.of(Map.of("data-nodes", "1")).backups()).isZero();
        assertThat(EmbeddedOptions.of(Map.of("data-nodes", "5")).backups()).isEqualTo(2);
    }

    @Test
    void everyBadOptionIsNamedWithItsRange() {
        assertThatThrownBy(() -> EmbeddedOptions.of(
                        Map.of("data-nodes", "10", "heap-mb", "a lot", "nodes", "3", "wal-mode", "none")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--data-nodes 10: expected a whole number from 1 to 9")
                .hasMessageContaining("--wal-mode none: expected log-only or fsync")
                .hasMessageContaining("--heap-mb a lot: expected a whole number from 128 to 65536")
                .hasMessageContaining("--nodes is not an option");
    }

    @Test
    void rootIsToldWhoElseReachesTheNodes() {
        EmbeddedOptions open = EmbeddedOptions.of(Map.of());
        EmbeddedOptions isolated = EmbeddedOptions.of(Map.of("network", "isolated"));

        assertThat(EmbeddedEngine.exposure(open, "root").orElseThrow())
                .contains("every account of this machine can reach the nodes' ports", "--network isolated")
                .doesNotContain("\n");
        assertThat(EmbeddedEngine.exposure(open, "ops")).isEmpty();
        assertThat(EmbeddedEngine.exposure(isolated, "root")).isEmpty();
    }
}
