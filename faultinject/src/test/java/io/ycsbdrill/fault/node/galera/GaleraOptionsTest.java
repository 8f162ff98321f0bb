package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.haproxy.HaproxyOptions;
import io.ycsbdrill.fault.node.os.DiskShim;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GaleraOptionsTest {

    @Test
    void defaultsAreThreeSmallNodes() {
        assertThat(GaleraOptions.parse(Map.of()))
                .isEqualTo(new GaleraOptions(
                        3, 0, "128M", "128M", 0, DiskShim.Mode.OFF, false, false, "", HaproxyOptions.NONE));
        assertThat(GaleraOptions.parse(Map.of("buffer-pool", "2g", "data-nodes", "5")))
                .isEqualTo(new GaleraOptions(
                        5, 0, "2G", "128M", 0, DiskShim.Mode.OFF, false, false, "", HaproxyOptions.NONE));
    }

    @Test
    void everyMistakeIsNamed() {
        assertThatThrownBy(() -> GaleraOptions.parse(Map.of(
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
