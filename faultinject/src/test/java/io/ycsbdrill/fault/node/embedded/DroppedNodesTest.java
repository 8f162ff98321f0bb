package io.ycsbdrill.fault.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DroppedNodesTest {
    private final ManualClock clock = new ManualClock(7);
    private final DroppedNodes dropped = new DroppedNodes(clock);

    @Test
    void aProcessThatIsStillThereAfterItsTimeOverstays() {
        assertThat(dropped.overstays(11)).isFalse();
        clock.advance(DroppedNodes.LEAVING);
        assertThat(dropped.overstays(11)).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(dropped.overstays(11)).isTrue();
        assertThat(dropped.overstays(12))
                .as("the one that was started in its place")
                .isFalse();
    }
}
