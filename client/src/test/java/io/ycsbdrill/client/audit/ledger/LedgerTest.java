package io.ycsbdrill.client.audit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.audit.History;
import io.ycsbdrill.client.audit.KeyJudge;
import io.ycsbdrill.client.audit.ReadRow;
import io.ycsbdrill.client.audit.ledger.Write.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the ledger keeps, and how much that takes. */
class LedgerTest {
    static final List<String> TEN =
            IntStream.range(0, 10).mapToObj(i -> "field" + i).toList();

    @Test
    void takesAtMost64BytesForEachKeyWhenAllFieldsAreUpdatedOneByOne() {
        int keys = 100_000;
        Ledger ledger = new Ledger(TEN, Long.MAX_VALUE);
        Writer writer = new Writer(0, ledger);

        for (int i = 0; i < keys; i++) {
            write(writer, key(i), Kind.INSERT, TEN);
        }
        double whole = (double) ledger.memory().bytes() / keys;
        for (String field : TEN) {
            for (int i = 0; i < keys; i++) {
                write(writer, key(i), Kind.UPDATE, List.of(field));
            }
        }
        writer.close();

        assertThat(ledger.dropped()).isZero();
        assertThat(ledger.stripes().stream().mapToInt(Stripe::keys).sum()).isEqualTo(keys);
        assertThat((double) ledger.memory().bytes() / keys).isBetween(whole, 64.0);
        for (Stripe stripe : ledger.stripes()) {
            assertThat(stripe.writes(0)).hasSize(11);
        }
    }

    @Test
    void takesLittleBeforeAnythingIsWritten() {
        Ledger ledger = new Ledger(TEN, Long.MAX_VALUE);
        Writer writer = new Writer(0, ledger);

        write(writer, "user1", Kind.INSERT, TEN);

        assertThat(ledger.memory().bytes()).isLessThan(40_000);
    }

    @Test
    void aKeyTakesNoMoreHoweverOftenItIsWritten() {
        Ledger ledger = new Ledger(TEN, Long.MAX_VALUE);
        Writer one = new Writer(0, ledger);
        Writer other = new Writer(1, ledger);
        Random random = new Random(1);
        long early = 0;
        for (int i = 0; i < 4_000_000; i++) {
            // Each overlaps one of the other writer.
            one.begin(key(random.nextInt(500)), Kind.UPDATE, List.of(TEN.get(random.nextInt(10))));
            other.begin(key(random.nextInt(500)), Kind.UPDATE, List.of(TEN.get(random.nextInt(10))));
            one.end(Outcome.OK);
            other.end(Outcome.OK);
            one.flushSome();
            other.flushSome();
            if (i == 400_000) {
                early = ledger.memory().bytes();
            }
        }

        // What is left is the numbers' blocks and a writer's times, which have bounds of their own.
        assertThat(ledger.memory().bytes()).isBetween(early, early + 2 * 12_288 + 2_048);
    }

    @Test
    void writesWithoutANumberAreKeptWithTheirTimes() {
        Ledger ledger = new Ledger(TEN, Long.MAX_VALUE, 100);
        Writer writer = new Writer(0, ledger);
        for (int i = 0; i < 2_000; i++) {
            write(writer, key(i % 200), i < 200 ? Kind.INSERT : Kind.UPDATE, List.of(TEN.get(i / 200)));
            if (i == 199) {
                sweep(ledger, writer);
            }
        }
        sweep(ledger, writer);

        assertThat(ledger.dropped()).isZero();
        List<Write> kept = kept(ledger);
        assertThat(kept).hasSize(200 * 10).filteredOn(History::isSettled).isNotEmpty();
        assertThat(kept.stream().map(Write::id).distinct()).hasSize(2_000);
        assertThat(kept).allMatch(write -> WriteId.sequence(write.id()) < 64 || !History.isSettled(write));
    }

    @Test
    void timesOfSettledWritesAreReportedWithinBounds() {
        Ledger ledger = new Ledger(TEN, Long.MAX_VALUE);
        Writer writer = new Writer(3, ledger);
        List<Long> starts = new ArrayList<>();
        List<Long> ends = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            starts.add(System.nanoTime());
            write(writer, key(i), Kind.INSERT, TEN);
            ends.add(System.nanoTime());
        }
        writer.close();
        sweep(ledger);

        List<Write> kept = kept(ledger);
        assertThat(kept).hasSize(5_000).allMatch(History::isSettled);
        for (Write write : kept) {
            Write timed = ledger.timed(write);
            int sequence = (int) WriteId.sequence(write.id());
            assertThat(timed.id()).isEqualTo(write.id());
            assertThat(timed.startNanos())
                    .isLessThanOrEqualTo(ends.get(sequence))
                    .isGreaterThanOrEqualTo(starts.get(0));
            assertThat(timed.endNanos())
                    .isGreaterThanOrEqualTo(starts.get(sequence))
                    .isLessThanOrEqualTo(ends.get(4_999));
            assertThat(timed.startNanos()).isLessThan(timed.endNanos());
        }
    }

    /** Real threads and the real clock: the ledger against a list of all that they have told it. */
    @Test
    void keepsWhatItMustWhileThreadsWriteAndItSettles() throws InterruptedException {
        List<String> names = TEN.subList(0, 3);
        int keys = 40;
        for (int seed = 0; seed < 8; seed++) {
            Ledger ledger = new Ledger(names, Long.MAX_VALUE);
            List<List<Write>> all = new ArrayList<>();
            IntStream.range(0, keys).forEach(i -> all.add(new ArrayList<>()));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int number = i;
                Random random = new Random(10L * seed + number);
                threads.add(new Thread(() -> tell(ledger, number, random, all)));
            }
            AtomicBoolean over = new AtomicBoolean();
            Thread sweeper = new Thread(() -> {
                while (!over.get()) {
                    sweep(ledger);
                }
            });
            threads.forEach(Thread::start);
            sweeper.start();
            for (Thread thread : threads) {
                thread.join();
            }
            over.set(true);
            sweeper.join();

            compare(ledger, names, all, new Random(seed));
        }
    }

    /** Some writes at a time, the last of which may be in flight yet. */
    private static void tell(Ledger ledger, int number, Random random, List<List<Write>> all) {
        PendingWrites pending = ledger.pendingOf(() -> {});
        int numbers = WriteNumbers.NONE;
        List<Runnable> ended = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            int key = random.nextInt(4) == 0 ? 0 : random.nextInt(all.size());
            Kind kind = random.nextInt(50) == 0 ? Kind.DELETE : random.nextInt(10) == 0 ? Kind.INSERT : Kind.UPDATE;
            int field = kind == Kind.UPDATE && random.nextInt(6) > 0 ? random.nextInt(3) : Write.ROW;
            long id = WriteId.of(number, i);
            numbers = i % 100 == 0 ? ledger.numbers().reserve(id, 100) : numbers + 1;
            long start = pending.begin(Ledger.stripe(key(key)));
            for (int spins = random.nextInt(100); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            if (random.nextInt(40) == 0) {
                ended.forEach(Runnable::run);
                ended.clear();
                pending.keep(start, 1 << Ledger.stripe(key(key)));
            }
            boolean acknowledged = random.nextInt(2_000) > 0;
            Write write =
                    new Write(field, kind, acknowledged, id, start, acknowledged ? System.nanoTime() : Long.MAX_VALUE);
            if (random.nextInt(20) == 0) {
                Thread.yield();
            }
            int last = numbers;
            ended.add(() -> ledger.end(key(key), last, List.of(write)));
            if (random.nextInt(8) == 0) {
                ended.forEach(Runnable::run);
                ended.clear();
                pending.clear();
            }
            synchronized (all.get(key)) {
                all.get(key).add(write);
            }
        }
        ended.forEach(Runnable::run);
        pending.clear();
    }

    private static void compare(Ledger ledger, List<String> names, List<List<Write>> all, Random random) {
        KeyJudge judge = new KeyJudge(ledger.fields(), names, id -> true);
        long settled = 0;
        int found = 0;
        for (Stripe stripe : ledger.stripes()) {
            for (int i = 0; i < stripe.keys(); i++) {
                List<Write> kept = stripe.writes(i);
                List<Write> told = all.get(number(stripe.key(i)));
                List<Write> expected = SettledWritesTest.undominated(told);
                assertThat(kept.stream().map(Write::id))
                        .containsExactlyInAnyOrderElementsOf(
                                expected.stream().map(Write::id).toList());
                for (ReadRow read : SettledWritesTest.reads(random, expected)) {
                    assertThat(SettledWritesTest.what(judge.judge(kept, read)))
                            .as("%s kept as %s, found %s", expected, kept, read)
                            .isEqualTo(SettledWritesTest.what(judge.judge(expected, read)));
                }
                settled += kept.stream().filter(History::isSettled).count();
                found++;
            }
        }
        assertThat(found).isEqualTo(all.size());
        assertThat(settled).as("writes without times").isPositive();
        assertThat(ledger.dropped()).isZero();
    }

    static void write(Writer writer, String key, Kind kind, List<String> names) {
        writer.begin(key, kind, names);
        writer.end(List.of(Outcome.OK));
    }

    static void sweep(Ledger ledger, Writer... writers) {
        List.of(writers).forEach(Writer::flush);
        ledger.stripes().forEach(Stripe::sweep);
    }

    static List<Write> kept(Ledger ledger) {
        List<Write> kept = new ArrayList<>();
        for (Stripe stripe : ledger.stripes()) {
            IntStream.range(0, stripe.keys()).forEach(key -> kept.addAll(stripe.writes(key)));
        }
        return kept;
    }

    static String key(int number) {
        return "user" + number * 7_919_000_000_001L;
    }

    private static int number(String key) {
        return (int) (Long.parseLong(key.substring(4)) / 7_919_000_000_001L);
    }

    @Test
    void findsKeysOfAnyForm() {
        Random random = new Random(4);
        KeyTable table = new KeyTable(new MemoryBudget(Long.MAX_VALUE), 2);
        Map<String, Integer> rows = new HashMap<>();
        for (int i = 0; i < 30_000; i++) {
            String key =
                    switch (random.nextInt(3)) {
                        case 0 -> "user" + random.nextInt(10_000);
                        case 1 -> "user" + (random.nextLong() >>> 1);
                        default -> "key-" + random.nextInt(5_000);
                    };
            assertThat(table.find(key)).isEqualTo(rows.getOrDefault(key, KeyTable.NONE));
            if (!rows.containsKey(key)) {
                rows.put(key, table.add(key));
                table.word(rows.get(key), 1, i);
            }
        }

        assertThat(table.count()).isEqualTo(rows.size());
        rows.forEach((key, row) -> {
            assertThat(table.find(key)).isEqualTo(row);
            assertThat(table.name(row)).isEqualTo(key);
        });
    }
}
