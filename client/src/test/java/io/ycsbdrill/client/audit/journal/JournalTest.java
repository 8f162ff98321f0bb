package io.ycsbdrill.client.audit.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.audit.journal.WriteHistory.KeyWrites;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a history reads from the journals is what the threads wrote into them, however their processes ended. */
class JournalTest {
    private static final List<String> ROW =
            IntStream.range(0, 10).mapToObj(i -> "field" + i).toList();

    /** A thread that keeps, beside its journal, what it has told it. */
    private static final class Thread {
        private record Open(String key, Write.Kind kind, List<String> fields, long id, long start) {}

        private final JournalWriter journal;
        private final Random random;
        private final ArrayDeque<Open> open = new ArrayDeque<>();
        private final Map<String, List<Write>> told;
        private final long[] counts = new long[Outcome.values().length];

        Thread(Path directory, int number, Random random, Map<String, List<Write>> told) {
            journal = new JournalWriter(directory.resolve(number + ".journal"), number, 77, ROW);
            this.random = random;
            this.told = told;
        }

        void call() {
            int batch = random.nextInt(30) == 0 ? random.nextInt(200) : 1;
            for (int i = 0; i < batch; i++) {
                begin();
            }
            while (!open.isEmpty()) {
                end(Outcome.values()[random.nextInt(6) / 4 * random.nextInt(3)]);
            }
            if (random.nextInt(3) > 0) {
                journal.makeRoom();
            }
        }

        void begin() {
            String key = random.nextInt(50) == 0
                    ? "ü".repeat(random.nextInt(30_000)) + random.nextInt(3)
                    : "user" + random.nextInt(200);
            Write.Kind kind = Write.Kind.values()[random.nextInt(3)];
            List<String> fields = kind == Write.Kind.UPDATE && random.nextInt(4) > 0
                    ? List.of(ROW.get(random.nextInt(10)), "extra" + random.nextInt(300))
                    : ROW;
            long before = System.nanoTime();
            long id = journal.begin(key, kind, fields);
            assertThat(id)
                    .isEqualTo(
                            WriteId.of(WriteId.writer(id), Arrays.stream(counts).sum() + open.size()));
            told.computeIfAbsent(key, k -> new ArrayList<>());
            open.add(new Open(key, kind, fields, id, before));
        }

        void end(Outcome outcome) {
            journal.end(outcome);
            ended(outcome, System.nanoTime());
        }

        private void ended(Outcome outcome, long now) {
            Open write = open.remove();
            counts[outcome.ordinal()]++;
            if (outcome != Outcome.FAILED) {
                boolean ok = outcome == Outcome.OK;
                List<String> fields = write.fields == ROW ? List.of("") : write.fields;
                fields.forEach(field -> told.get(write.key)
                        .add(new Write(
                                field.hashCode(), write.kind, ok, write.id, write.start, ok ? now : Long.MAX_VALUE)));
            }
        }

        /** What the killed process cannot say any more. */
        void killed() {
            while (!open.isEmpty()) {
                ended(Outcome.UNKNOWN, Long.MAX_VALUE);
            }
        }
    }

    @TempDir
    private Path directory;

    @Test
    void holdsWhatWasToldAlsoOfAProcessThatWasKilledInTheMiddle() throws IOException {
        for (int seed = 0; seed < 12; seed++) {
            Path live = Files.createDirectory(directory.resolve("live" + seed));
            Path left = Files.createDirectory(directory.resolve("left" + seed));
            Random random = new Random(seed);
            Map<String, List<Write>> told = new TreeMap<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                threads.add(new Thread(live, i, random, told));
            }
            int calls = random.nextInt(3_000);
            for (int i = 0; i < calls; i++) {
                threads.get(random.nextInt(3)).call();
            }
            threads.get(0).begin();
            boolean killed = random.nextBoolean();
            for (Thread thread : threads) {
                if (!killed) {
                    thread.journal.close();
                }
                thread.killed();
            }
            for (Path file : list(live)) {
                Files.copy(file, left.resolve(file.getFileName()));
            }
            threads.forEach(thread -> thread.journal.close());

            same(new WriteHistory(list(left), ROW), threads, told);
            same(new WriteHistory(list(left), ROW, 50_000), threads, told);
        }
    }

    private static void same(WriteHistory history, List<Thread> threads, Map<String, List<Write>> told) {
        for (Outcome outcome : Outcome.values()) {
            assertThat(history.count(outcome))
                    .isEqualTo(threads.stream()
                            .mapToLong(thread -> thread.counts[outcome.ordinal()])
                            .sum());
        }
        Map<Integer, String> names = new TreeMap<>(Map.of(Write.ROW, ""));
        history.fields().forEach((name, number) -> names.put(number, name));
        Map<String, List<Write>> read = new TreeMap<>();
        history.keys().forEachRemaining(key -> assertThat(read.put(key.key(), key.writes()))
                .as("each key once")
                .isNull());
        assertThat(read.keySet()).isEqualTo(told.keySet());
        told.forEach((key, writes) -> {
            List<Write> found = read.get(key);
            assertThat(found.stream()
                            .map(write -> what(write, names.get(write.field()).hashCode())))
                    .containsExactlyInAnyOrderElementsOf(WriteHistory.undominated(rows(writes)).stream()
                            .map(write -> what(write, write.field() == Write.ROW ? "".hashCode() : write.field()))
                            .toList());
            for (Write write : found) {
                Write of = writes.stream()
                        .filter(w -> w.id() == write.id())
                        .findFirst()
                        .orElseThrow();
                assertThat(write.startNanos()).isGreaterThanOrEqualTo(of.startNanos());
                assertThat(write.endNanos()).isLessThanOrEqualTo(of.endNanos());
                assertThat(history.mayExist(write.id())).isTrue();
            }
        });
        assertThat(history.mayExist(
                        WriteId.of(0, threads.get(0).counts[0] + threads.get(0).counts[1] + threads.get(0).counts[2])))
                .as("a write that was never sent")
                .isFalse();
    }

    /** With the number that stands for the row. */
    private static List<Write> rows(List<Write> writes) {
        return writes.stream()
                .map(w -> w.field() != "".hashCode()
                        ? w
                        : new Write(Write.ROW, w.kind(), w.acknowledged(), w.id(), w.startNanos(), w.endNanos()))
                .toList();
    }

    private static String what(Write write, int field) {
        return field + " " + write.kind() + " " + write.acknowledged() + " " + write.id();
    }

    private static List<Path> list(Path directory) throws IOException {
        try (var files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    @Test
    void failedWritesAreKnownAsSuch() throws IOException {
        JournalWriter journal = new JournalWriter(directory.resolve("0"), 0, 77, ROW);
        Random random = new Random(1);
        boolean[] failed = new boolean[5_000];
        for (int i = 0; i < failed.length; i++) {
            failed[i] = random.nextBoolean();
            journal.begin("user" + i, Write.Kind.INSERT, ROW);
            journal.end(failed[i] ? Outcome.FAILED : Outcome.OK);
        }
        journal.close();

        WriteHistory history = new WriteHistory(list(directory), ROW);

        for (int i = 0; i < failed.length; i++) {
            assertThat(history.mayExist(WriteId.of(0, i))).isEqualTo(!failed[i]);
        }
        List<KeyWrites> keys = new ArrayList<>();
        history.keys().forEachRemaining(keys::add);
        assertThat(keys).as("a failed write may be there, as a phantom").hasSize(failed.length);
    }

    @Test
    void readsAreLoadedOnlyForWhoWantsThem() throws IOException {
        JournalWriter journal = new JournalWriter(directory.resolve("0"), 0, 77, ROW);
        journal.begin("user1", Write.Kind.INSERT, ROW);
        journal.end(Outcome.OK);
        journal.read("user1", 0, "field1", WriteId.of(0, 0));
        journal.close();

        WriteHistory history = new WriteHistory(list(directory), ROW);

        assertThat(history.keys().next().reads()).isEmpty();
        KeyWrites with = history.keysWithReads((key, reads) -> {}).next();
        assertThat(with.reads()).hasSize(1);
    }

    @Test
    void nothingIsWrittenAfterTheEnd() {
        JournalWriter journal = new JournalWriter(directory.resolve("0"), 0, 77, ROW);
        journal.begin("user1", Write.Kind.INSERT, ROW);
        journal.close();

        journal.end(Outcome.OK);

        assertThatThrownBy(() -> journal.begin("user2", Write.Kind.INSERT, ROW))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the run is over");
        assertThat(new WriteHistory(List.of(directory.resolve("0")), ROW).count(Outcome.UNKNOWN))
                .isEqualTo(1);
    }

    @Test
    void aDamagedJournalIsRefused() throws IOException {
        Path file = directory.resolve("0");
        JournalWriter journal = new JournalWriter(file, 0, 77, ROW);
        for (int i = 0; i < 10; i++) {
            journal.begin("user" + i, Write.Kind.UPDATE, List.of("field1"));
            journal.end(Outcome.OK);
        }
        journal.close();
        byte[] right = Files.readAllBytes(file);

        for (byte[] wrong :
                List.of(Arrays.copyOf(right, right.length - 3), "not a journal but a text of some length".getBytes())) {
            Files.write(file, wrong);
            assertThatThrownBy(() -> new WriteHistory(List.of(file), ROW))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(file.toString());
        }
        byte[] unknown = right.clone();
        unknown[JournalFormat.HEADER_BYTES] = 99;
        Files.write(file, unknown);
        assertThatThrownBy(() -> new WriteHistory(List.of(file), ROW)).hasMessageContaining("record 99");
    }

    @Test
    void journalsOfAnotherRunOrOfTheSameWriterAreRefused() throws IOException {
        new JournalWriter(directory.resolve("a"), 0, 77, ROW).close();
        new JournalWriter(directory.resolve("b"), 1, 78, ROW).close();
        assertThatThrownBy(() -> new WriteHistory(list(directory), ROW)).hasMessageContaining("different runs");

        Files.delete(directory.resolve("b"));
        new JournalWriter(directory.resolve("b"), 0, 77, ROW).close();
        assertThatThrownBy(() -> new WriteHistory(list(directory), ROW)).hasMessageContaining("same writer");
    }

    @Test
    void aNumberThatDoesNotFitIntoTheStampIsRefused() {
        assertThatThrownBy(() -> new JournalWriter(directory.resolve("0"), Stamp.MOST_WRITERS, 77, ROW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("262144");
    }

    /** Their clocks cannot be compared, so nobody knows which write was first. */
    @Test
    void journalsOfDifferentMachinesAreRefused() throws IOException {
        Path one = directory.resolve("1.journal");
        Path other = directory.resolve("2.journal");
        new JournalWriter(one, 1, 7, List.of()).close();
        new JournalWriter(other, 2, 7, List.of()).close();
        assertThat(new WriteHistory(List.of(one, other), List.of()).writes()).isZero();
        byte[] bytes = Files.readAllBytes(other);
        int boot = Long.BYTES + 2 * Integer.BYTES + Long.BYTES;
        bytes[boot] ^= 1;
        Files.write(other, bytes);

        assertThatThrownBy(() -> new WriteHistory(List.of(one, other), List.of()))
                .hasMessageContaining("the journals are of different machines");
    }

    @Test
    void aFileOfAProcessThatWasKilledAtOnceHoldsNothing() throws IOException {
        Files.write(directory.resolve("0"), new byte[0]);
        Files.write(directory.resolve("1"), new byte[JournalFormat.SEGMENT_BYTES]);

        JournalWriter journal = new JournalWriter(directory.resolve("2"), 0, 77, ROW);
        journal.begin("user1", Write.Kind.INSERT, ROW);
        journal.close();

        assertThat(new WriteHistory(list(directory), ROW).writes()).isEqualTo(1);
    }

    /** Its magic is stored last. */
    @Test
    void aFileOfAProcessThatWasKilledWhileItWroteTheHeaderHoldsNothing() throws IOException {
        JournalWriter journal = new JournalWriter(directory.resolve("0"), 0, 77, ROW);
        journal.begin("user1", Write.Kind.INSERT, ROW);
        byte[] header = Arrays.copyOf(Files.readAllBytes(directory.resolve("0")), JournalFormat.HEADER_BYTES);
        journal.close();
        Arrays.fill(header, 0, Long.BYTES, (byte) 0);
        Path killed = Files.write(directory.resolve("1"), Arrays.copyOf(header, JournalFormat.SEGMENT_BYTES));

        assertThat(new WriteHistory(list(directory), ROW).writes()).isEqualTo(1);

        byte[] damaged = Files.readAllBytes(killed);
        damaged[JournalFormat.HEADER_BYTES] = JournalFormat.FIELD;
        Files.write(killed, damaged);
        assertThatThrownBy(() -> new WriteHistory(list(directory), ROW)).hasMessageContaining("not a journal");
    }

    @Test
    void thereMayBeMoreJournalsThanTheHeapHasMegabytes() throws IOException {
        Path empty = Files.createFile(directory.resolve("0"));
        int journals = (int) (Runtime.getRuntime().maxMemory() / JournalFormat.SEGMENT_BYTES) + 100;

        assertThat(new WriteHistory(Collections.nCopies(journals, empty), ROW).writes())
                .isZero();
    }
}
