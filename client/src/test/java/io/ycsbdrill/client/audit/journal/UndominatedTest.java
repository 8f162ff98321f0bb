package io.ycsbdrill.client.audit.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.audit.journal.Write.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Against a definition that compares each write with each. */
class UndominatedTest {
    private static final int FIELDS = 3;

    @Test
    void whatALaterWriteHasCoveredIsDroppedAndNothingElse() {
        long dropped = 0;
        for (int seed = 0; seed < 5_000; seed++) {
            List<Write> all = history(new Random(seed));
            List<Write> kept = WriteHistory.undominated(all);

            assertThat(kept).as("seed %d", seed).containsExactlyElementsOf(undominated(all));
            dropped += all.size() - kept.size();
        }
        assertThat(dropped).isGreaterThan(5_000);
    }

    /** Of up to five writers, in anything from one after the other to all at once. */
    private static List<Write> history(Random random) {
        List<Write> history = new ArrayList<>();
        int writers = 1 + random.nextInt(5);
        int longest = random.nextBoolean() ? 2 : 12;
        int deletes = random.nextInt(3);
        int unknown = random.nextInt(3) * 6;
        long[] busyUntil = new long[writers];
        long now = 0;
        for (int i = 0; i < 1 + random.nextInt(14); i++) {
            int writer = random.nextInt(writers);
            // Times are never equal: each write has its own last digits.
            now += random.nextInt(4) * 100L;
            long start = Math.max(now, busyUntil[writer]) / 100 * 100 + 100 + 2 * i;
            long end = start + random.nextInt(longest) * 100L + 1;
            busyUntil[writer] = end;
            boolean acknowledged = random.nextInt(30) >= unknown;
            Kind kind = random.nextInt(10) < deletes ? Kind.DELETE : random.nextInt(6) == 0 ? Kind.INSERT : Kind.UPDATE;
            for (int field : fields(kind, random)) {
                history.add(new Write(
                        field, kind, acknowledged, WriteId.of(writer, i), start, acknowledged ? end : Long.MAX_VALUE));
            }
        }
        return history;
    }

    private static int[] fields(Kind kind, Random random) {
        if (kind != Kind.UPDATE || random.nextInt(8) == 0) {
            return new int[] {Write.ROW};
        }
        int mask = random.nextBoolean() ? 1 << random.nextInt(FIELDS) : 1 + random.nextInt((1 << FIELDS) - 1);
        return IntStream.range(0, FIELDS).filter(i -> (mask >> i & 1) == 1).toArray();
    }

    private static List<Write> undominated(List<Write> all) {
        return all.stream()
                .filter(write -> all.stream()
                        .noneMatch(later -> write.acknowledged()
                                && later.acknowledged()
                                && later.startNanos() > write.endNanos()
                                && later.concerns(write.field())))
                .toList();
    }
}
