package io.ycsbdrill.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeUse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class NodeMeterTest {
    @Test
    void aServerHasARowInEachSecondInWhichItHadAProcess() {
        Deque<Supplier<Map<String, NodeUse>>> seconds = new ArrayDeque<>(List.of(
                () -> Map.of("node1", new NodeUse("7-100", 86_400.5, 1.5, 20_000_000)),
                Map::of,
                () -> {
                    throw new NodeControlException("nobody answers");
                },
                () -> Map.of(
                        "node1",
                        new NodeUse("9-400", 0.5, 0.25, 12_345_678)
                                .with(new NodeUse.Traffic("net:[7]", 3_000_000, 4_567_890)))));
        NodeMeter meter = new NodeMeter(() -> seconds.remove().get());

        meter.sample(1_000_000);
        meter.sample(1_002_000_000);
        meter.sample(2_003_000_000);
        meter.sample(3_004_000_000L);

        assertThat(meter.text()).isEqualTo("""
                at_s,node,process,cpu_s,memory_mb,process_s,network,received_mb,sent_mb
                0.001,node1,7-100,1.50,20.0,86400.50,,,
                3.004,node1,9-400,0.25,12.3,0.50,net:[7],3.000,4.568
                """);
    }

    @Test
    void hostsAreConnectedBeforeTheLoadBegins() {
        AtomicInteger asked = new AtomicInteger();
        NodeMeter meter = new NodeMeter(() -> {
            asked.incrementAndGet();
            throw new NodeControlException("the login takes longer");
        });

        assertThat(meter.connected().text()).isEmpty();
        assertThat(asked).hasValue(1);
    }

    @Test
    void nothingIsWrittenOfServersElsewhere() {
        NodeMeter meter = new NodeMeter(Map::of);

        meter.sample(1_000_000);

        assertThat(meter.text()).isEmpty();
    }
}
