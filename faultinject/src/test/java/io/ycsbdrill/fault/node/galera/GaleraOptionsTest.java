package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class GaleraOptionsTest {

    @Test
    void defaultsAreThreeSmallNodes() {
        assertThat(new GaleraEngine().parse(Map.of())).isEqualTo(new GaleraOptions(3, "128M", "128M", 0, ""));
        assertThat(new GaleraEngine().parse(Map.of("buffer-pool", "2g", "data-nodes", "5")))
                .isEqualTo(new GaleraOptions(5, "2G", "128M", 0, ""));
    }

    @Test
    void everyMistakeIsNamed() {
        assertThatThrownBy(() -> new GaleraEngine()
                        .parse(Map.of(
                                "data-nodes",
                                "1",
                                "buffer-pool",
                                "8M",
                                "sync-wait",
                                "16",
                                "replicas",
                                "3",
                                "disk-faults",
                                "yes")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--data-nodes 1: expected a whole number from 2 to 7")
                .hasMessageContaining("--buffer-pool 8M: expected a size")
                .hasMessageContaining("--sync-wait 16: expected a whole number from 0 to 15")
                .hasMessageContaining("--disk-faults yes: expected true or false")
                .hasMessageContaining("--replicas is not an option");
    }
}
