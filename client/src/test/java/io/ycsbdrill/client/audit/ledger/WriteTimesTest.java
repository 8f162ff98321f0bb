package io.ycsbdrill.client.audit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WriteTimesTest {
    @Test
    void boundsAreRightAndNarrowAndTakeLittle() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            MemoryBudget memory = new MemoryBudget(Long.MAX_VALUE);
            WriteTimes times = new WriteTimes(memory);
            List<long[]> writes = new ArrayList<>();
            long now = random.nextInt(1_000_000_000) - 500_000_000;
            long first = now;
            long next = Long.MIN_VALUE;
            long lastEnd = Long.MIN_VALUE;
            int longest = 1 + random.nextInt(5_000_000);
            for (int i = 0; i < 20_000; i++) {
                now += random.nextInt(5_000) == 0 ? 3_000_000_000L : random.nextInt(longest);
                long start = now;
                if (start >= next) {
                    next = times.began(i, start, lastEnd);
                }
                now += random.nextInt(longest);
                lastEnd = now;
                writes.add(new long[] {start, now});
            }
            times.close(lastEnd);

            for (int i = 0; i < writes.size(); i++) {
                long start = writes.get(i)[0];
                long end = writes.get(i)[1];
                assertThat(times.notBefore(i)).isLessThanOrEqualTo(start);
                assertThat(times.notAfter(i)).isGreaterThanOrEqualTo(end);
                assertThat(times.notAfter(i) - times.notBefore(i))
                        .isLessThanOrEqualTo(end - start + longest + Math.max(4_000_000, (now - first) / 40));
            }
            assertThat(memory.bytes()).isLessThanOrEqualTo(12_288);
        }
    }
}
