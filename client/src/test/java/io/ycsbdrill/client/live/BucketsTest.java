package io.ycsbdrill.client.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.util.Random;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class BucketsTest {
    @Test
    void noBucketHoldsALongerTimeAndNoneIsLost() {
        Buckets buckets = new Buckets();
        Random random = new Random(11);
        long[] times = random.longs(20_000, 1_000, 80_000_000_000L).toArray();
        for (int part = 0; part < 4; part++) {
            Histogram histogram = new Histogram(3);
            for (int i = part; i < times.length; i += 4) {
                histogram.recordValue(times[i]);
            }
            buckets.add(histogram);
        }
        buckets.add(null);

        ClassicHistogramBuckets snapshot = buckets.snapshot();
        long below = 0;
        double sum = 0;
        for (long time : times) {
            sum += time / 1e9;
        }
        for (int i = 0; i < snapshot.size(); i++) {
            below += snapshot.getCount(i);
            double bound = snapshot.getUpperBound(i) * 1e9;
            long really = java.util.Arrays.stream(times).filter(t -> t <= bound).count();
            // Times within a thousandth below the bound may be counted in the next bucket, never the other way round.
            long surely = java.util.Arrays.stream(times)
                    .filter(t -> t <= bound * 0.998)
                    .count();
            assertThat(below).isBetween(surely, really);
        }
        assertThat(below).isEqualTo(times.length);
        assertThat(buckets.sumSeconds()).isCloseTo(sum, within(sum / 1000));
        assertThat(buckets.isEmpty()).isFalse();
        assertThat(new Buckets().isEmpty()).isTrue();
    }
}
