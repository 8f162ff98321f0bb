package io.ycsbdrill.client.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.Timeline;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class IntervalSenderTest {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final RunControl run = (RunControl) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {RunControl.class}, (p, method, args) -> List.of());

    private static IntervalTotals interval(long index) {
        return new IntervalTotals(
                index, index * Timeline.SLICE_NANOS, (index + 1) * Timeline.SLICE_NANOS, Timeline.SLICE_NANOS);
    }

    @Test
    void whatWasRecordedLastIsSentBeforeTheEnd() {
        IntervalSender sender = new IntervalSender(lines::add);
        sender.started(run);
        for (int i = 0; i < 50; i++) {
            sender.interval(interval(i), new Operations());
        }

        sender.close();

        assertThat(lines).hasSize(50);
        assertThat(lines.get(49)).contains("\"index\":49");
    }

    @Test
    void aConnectionThatStallsHoldsUpNobody() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch stalls = new CountDownLatch(1);
        IntervalSender sender = new IntervalSender(line -> {
            stalls.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            lines.add(line);
        });
        sender.started(run);
        sender.interval(interval(0), new Operations());
        stalls.await();

        for (int i = 1; i < 10_000; i++) {
            sender.interval(interval(i), new Operations());
        }
        goOn.countDown();
        sender.close();

        assertThat(lines).hasSizeBetween(50, 500);
        assertThat(lines.get(0)).contains("\"index\":0");
    }
}
