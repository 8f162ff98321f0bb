package io.ycsbdrill.client.run.key;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import site.ycsb.generator.CounterGenerator;
import site.ycsb.generator.SkewedLatestGenerator;

/** The choice among the newest records. */
class LatestKeysTest {

    @Test
    void latestDoesNotWaitForTheThreadThatMakesItsConstants() throws ReflectiveOperationException {
        CounterGenerator counter = new CounterGenerator(1_001);
        counter.nextValue();
        InsertedKeys keys = new InsertedKeys(1_001);
        LatestKeys latest = LatestKeys.like(new SkewedLatestGenerator(counter), keys, 1);
        keys.inserted(5_000);

        // As if another thread had been stopped while it makes them.
        latest.growing.set(true);

        for (int i = 0; i < 1_000; i++) {
            assertThat(latest.nextValue()).isBetween(5_000L - 1_001, 5_000L);
        }
    }
}
