package io.ycsbdrill.client.audit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WriteNumbersTest {
    @Test
    void aNumberIsOfOneWriteOnlyUntilThereAreNoMore() {
        Random random = new Random(1);
        WriteNumbers numbers = new WriteNumbers(new MemoryBudget(Long.MAX_VALUE), 20_000);
        Map<Integer, Long> known = new HashMap<>();
        long[] next = new long[50];
        int first = 0;
        while (first != WriteNumbers.NONE || known.isEmpty()) {
            int writer = random.nextInt(next.length);
            int size = 1 + random.nextInt(40);
            first = numbers.reserve(WriteId.of(writer, next[writer]), size);
            for (int i = 0; i < size && first != WriteNumbers.NONE; i++) {
                assertThat(known.put(first + i, WriteId.of(writer, next[writer] + i)))
                        .isNull();
            }
            next[writer] += size;
        }

        assertThat(known).hasSizeBetween(19_960, 20_000).doesNotContainKey(WriteNumbers.NONE);
        known.forEach((number, id) -> assertThat(numbers.id(number)).isEqualTo(id));
    }

    @Test
    void thereAreAlmost2To32() {
        WriteNumbers numbers = new WriteNumbers(new MemoryBudget(Long.MAX_VALUE), WriteNumbers.MOST);
        int block = 1 << 16;
        long blocks = 0;
        int last = WriteNumbers.NONE;
        for (int first = numbers.reserve(0, block); first != WriteNumbers.NONE; ) {
            last = first;
            blocks++;
            first = numbers.reserve(blocks * block, block);
        }

        assertThat(blocks).isEqualTo(block - 1);
        assertThat(Integer.toUnsignedLong(last)).isEqualTo((1L << 32) - 2 * block + 1);
        assertThat(numbers.id(1)).isZero();
        assertThat(numbers.id(last + block - 1)).isEqualTo(blocks * block - 1);
    }
}
