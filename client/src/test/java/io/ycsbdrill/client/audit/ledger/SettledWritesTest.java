package io.ycsbdrill.client.audit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.audit.History;
import io.ycsbdrill.client.audit.KeyJudge;
import io.ycsbdrill.client.audit.KeyJudge.Lost;
import io.ycsbdrill.client.audit.KeyJudge.Verdict;
import io.ycsbdrill.client.audit.ReadRow;
import io.ycsbdrill.client.audit.ledger.Write.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** That writes whose times are not kept are judged as if they were: against a list that keeps all that was not overwritten. */
class SettledWritesTest {
    private static final int FIELDS = 3;
    private static final List<String> NAMES =
            IntStream.range(0, FIELDS).mapToObj(i -> "field" + i).toList();
    private static final Map<String, Integer> NUMBERS = new LinkedHashMap<>();

    static {
        NAMES.forEach(name -> NUMBERS.put(name, NUMBERS.size()));
    }

    @Test
    void everyReadIsJudgedAsIfAllTimesWereKept() {
        KeyJudge judge = new KeyJudge(NUMBERS, NAMES, id -> WriteId.sequence(id) % 5 != 4);
        long settled = 0;
        long mixed = 0;
        long wrong = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            Random random = new Random(seed);
            List<Write> all = history(random);
            History ledger = new History(random.nextInt(6) == 0 ? 2 : FIELDS, random);

            ledger.play(all);

            List<Write> kept = ledger.kept();
            List<Write> expected = undominated(all);
            assertThat(kept.stream().map(SettledWritesTest::what))
                    .as("seed %d: of %s", seed, all)
                    .containsExactlyInAnyOrderElementsOf(
                            expected.stream().map(SettledWritesTest::what).toList());
            for (ReadRow found : reads(random, all)) {
                Verdict verdict = judge.judge(expected, found);
                assertThat(what(judge.judge(kept, found)))
                        .as("seed %d: %s kept as %s, found %s", seed, expected, kept, found)
                        .isEqualTo(what(verdict));
                wrong += verdict.findings().isEmpty() ? 0 : 1;
            }
            long without = kept.stream().filter(History::isSettled).count();
            settled += without;
            mixed += without > 0 && without < kept.size() ? 1 : 0;
        }
        assertThat(settled).as("writes without times").isGreaterThan(1_000);
        assertThat(mixed).as("keys with writes of both forms").isGreaterThan(250);
        assertThat(wrong).as("reads with findings").isGreaterThan(5_000);
    }

    @Test
    void aWriteThatEndsKeepsTheTimesOfWhatItOverlapsThoughItMakesRoomForItself() {
        for (int others = 0; others < 40; others++) {
            MemoryBudget memory = new MemoryBudget(Long.MAX_VALUE);
            long start = 1;
            Stripe stripe = new Stripe(memory, new WriteNumbers(memory, WriteNumbers.MOST), FIELDS, () -> start);
            for (int i = 0; i <= others; i++) {
                insert(stripe, "user" + i, 1 + i, 2 + 2 * i, 3 + 2 * i);
            }

            insert(stripe, "user0", 2 + others, start, 4 + 2 * others);

            assertThat(stripe.writes(0))
                    .as("after %d others", others)
                    .hasSize(2)
                    .noneMatch(History::isSettled);
        }
    }

    private static void insert(Stripe stripe, String key, int number, long start, long end) {
        Write write = new Write(Write.ROW, Kind.INSERT, true, WriteId.of(0, number), start, end);
        assertThat(stripe.end(key, number, List.of(write))).isTrue();
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

    static List<Write> undominated(List<Write> all) {
        return all.stream()
                .filter(write -> all.stream()
                        .noneMatch(later -> write.acknowledged()
                                && later.acknowledged()
                                && later.startNanos() > write.endNanos()
                                && later.concerns(write.field())))
                .toList();
    }

    /** No row, all values of one field beside some of the others, and rows that lack fields. */
    static List<ReadRow> reads(Random random, List<Write> all) {
        List<Long> values =
                new ArrayList<>(all.stream().map(Write::id).distinct().toList());
        values.addAll(List.of(Stamp.OTHER, Stamp.DAMAGED, WriteId.of(9, 4), WriteId.of(9, 5)));
        values.add(null);
        List<ReadRow> reads = new ArrayList<>(List.of(ReadRow.ABSENT, new ReadRow(true, Map.of())));
        for (String name : NAMES) {
            for (Long value : values) {
                Map<String, Long> row = new HashMap<>();
                NAMES.forEach(other -> put(row, other, values.get(random.nextInt(values.size()))));
                row.remove(name);
                put(row, name, value);
                reads.add(new ReadRow(true, row));
            }
        }
        return reads;
    }

    private static void put(Map<String, Long> row, String name, Long value) {
        if (value != null) {
            row.put(name, value);
        }
    }

    /** Without times. */
    private static String what(Write write) {
        return write.kind() + " " + write.field() + " " + write.acknowledged() + " " + WriteId.text(write.id());
    }

    static List<Object> what(Verdict verdict) {
        List<Object> findings = new ArrayList<>(verdict.findings());
        findings.replaceAll(finding -> finding instanceof Lost lost
                ? what(lost.write()).replaceFirst(" -?\\d+ ", " ") + " " + lost.field() + " " + lost.found()
                : finding);
        findings.add(verdict.resolved());
        return findings;
    }
}
