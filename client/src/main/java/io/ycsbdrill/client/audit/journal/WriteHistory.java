package io.ycsbdrill.client.audit.journal;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.binding.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BiConsumer;

/**
 * All writes of a run, from its journals, key by key. The keys are split by their hash into as many parts as needed for one of them to fit into memory, and
 * the journals are read once for each. Immutable, beside its iterators and {@link #rollBack}; an iterator is used by one thread at a time.
 */
public final class WriteHistory {
    /**
     * What happened to a key.
     *
     * @param all writes that did not fail; none when all of them have failed
     * @param reads whose result was recorded, when they were asked for
     */
    public record KeyWrites(String key, List<Write> all, List<Read> reads) {
        /** When the last acknowledged write ended; {@link Long#MIN_VALUE} without any. */
        public long lastNanos() {
            return all.stream()
                    .filter(Write::acknowledged)
                    .mapToLong(Write::endNanos)
                    .max()
                    .orElse(Long.MIN_VALUE);
        }

        /** Those that a read may show after the run, as far as real time tells. */
        public List<Write> writes() {
            return undominated(all);
        }
    }

    /** What one thread has done. */
    private static final class Issued {
        private long writes;
        private final FailedWrites failed = new FailedWrites();
    }

    /** A field that no write has named: only rows were written. */
    private static final int UNWRITTEN = Integer.MAX_VALUE;

    private static final long LEAST_PART_BYTES = 32 << 20;
    /** A write takes about three times as much memory as in the journal. */
    private static final int PART_OF_HEAP = 16;

    private final List<JournalReader> journals;
    private final Map<Integer, Issued> writers = new HashMap<>();
    private final Map<String, Integer> fields = new HashMap<>();
    private final long[] counts = new long[Outcome.values().length];
    private final long bytes;
    private JournalReader first;
    private final int parts;
    private Optional<Rollback> rollback = Optional.empty();

    /**
     * Reads the journals once.
     *
     * @param rowFields the first fields that are numbered
     * @throws UncheckedIOException when one cannot be read, or two are of the same writer or of different runs
     */
    public WriteHistory(List<Path> files, List<String> rowFields) {
        this(files, rowFields, Math.max(LEAST_PART_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));
    }

    WriteHistory(List<Path> files, List<String> rowFields, long partBytes) {
        journals = files.stream().map(JournalReader::new).toList();
        rowFields.forEach(this::field);
        long sum = 0;
        try {
            for (Path file : files) {
                sum += Files.size(file);
            }
            for (JournalReader journal : journals) {
                count(journal);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("audit: " + e.getMessage(), e);
        }
        bytes = sum;
        parts = (int) Math.min(1 << 20, 1 + sum / partBytes);
    }

    private void count(JournalReader journal) throws IOException {
        Issued issued = new Issued();
        boolean any = journal.read(new JournalReader.Visitor() {
            @Override
            public boolean wants(int keyHash) {
                return false;
            }

            @Override
            public void write(
                    long id, Write.Kind kind, String key, List<String> names, long start, Outcome outcome, long end) {
                issued.writes++;
                counts[outcome.ordinal()]++;
                names.forEach(WriteHistory.this::field);
                if (outcome == Outcome.FAILED) {
                    issued.failed.add(WriteId.sequence(id));
                }
            }
        });
        if (!any) {
            return;
        }
        if (writers.put(journal.writer(), issued) != null) {
            throw new IOException("two journals are of the same writer, " + journal.writer());
        }
        JournalReader other = first == null ? journal : first;
        if (journal.run() != other.run()) {
            throw new IOException("the journals are of different runs");
        }
        if (!journal.boot().equals(other.boot())) {
            throw new IOException("the journals are of different machines, or of one that was started again in between:"
                    + " which write was first cannot be said");
        }
        first = other;
    }

    private int field(String name) {
        return fields.computeIfAbsent(name, unknown -> fields.size());
    }

    /** All keys are handed out as of it from now on. */
    public void rollBack(Optional<Rollback> of) {
        rollback = of;
    }

    public Optional<Rollback> rollback() {
        return rollback;
    }

    /** Fields by their names, as {@link Write#field} numbers them. */
    public Map<String, Integer> fields() {
        return Collections.unmodifiableMap(fields);
    }

    /** What {@link System#nanoTime} was at this time where the journals were written. */
    public long nanosAt(Instant wall) {
        return ChronoUnit.NANOS.between(Instant.EPOCH, wall) + (first == null ? 0 : first.nanosAtEpoch());
    }

    /** Whether the machine is that of the journals and was not started since, so that {@link System#nanoTime} of now can be compared with them. */
    public boolean isOfThisBoot() {
        return first != null && first.boot().equals(JournalFormat.boot());
    }

    /** What all values of this run carry, see {@link Stamp}. */
    public long run() {
        return first == null ? 0 : first.run();
    }

    public long count(Outcome outcome) {
        return counts[outcome.ordinal()];
    }

    /** All that were sent. */
    public long writes() {
        return writers.values().stream().mapToLong(issued -> issued.writes).sum();
    }

    /** The size of the journals. */
    public long bytes() {
        return bytes;
    }

    /** Whether there is such a write and it did not fail. */
    public boolean mayExist(long id) {
        Issued of = writers.get(WriteId.writer(id));
        long sequence = WriteId.sequence(id);
        return of != null && sequence < of.writes && !of.failed.contains(sequence);
    }

    /** All keys that were written, in no order. Its methods throw {@link UncheckedIOException} when a journal cannot be read any more. */
    public Iterator<KeyWrites> keys() {
        return keys(null);
    }

    /** The keys with the last acknowledged writes, at most so many, the oldest of them first. */
    public List<KeyWrites> newest(int most) {
        PriorityQueue<KeyWrites> newest = new PriorityQueue<>(Comparator.comparingLong(KeyWrites::lastNanos));
        keys().forEachRemaining(key -> {
            if (key.lastNanos() > Long.MIN_VALUE) {
                newest.add(key);
            }
            if (newest.size() > most) {
                newest.remove();
            }
        });
        return newest.stream().sorted(newest.comparator()).toList();
    }

    /**
     * The same, with what reads have shown of each.
     *
     * @param onlyRead is told the keys that were not written, all of them when there is no next key
     */
    public Iterator<KeyWrites> keysWithReads(BiConsumer<String, List<Read>> onlyRead) {
        return keys(onlyRead);
    }

    /** @param onlyRead null when reads are not wanted */
    private Iterator<KeyWrites> keys(BiConsumer<String, List<Read>> onlyRead) {
        return new Iterator<>() {
            private int part;
            private Iterator<Map.Entry<String, List<Write>>> loaded = Collections.emptyIterator();
            private final Map<String, List<Read>> reads = new HashMap<>();

            @Override
            public boolean hasNext() {
                while (!loaded.hasNext() && part < parts) {
                    Map<String, List<Write>> keys = load(part++, onlyRead == null ? null : reads);
                    reads.entrySet().removeIf(of -> {
                        boolean unwritten = !keys.containsKey(of.getKey());
                        if (unwritten) {
                            onlyRead.accept(of.getKey(), of.getValue());
                        }
                        return unwritten;
                    });
                    loaded = keys.entrySet().iterator();
                }
                return loaded.hasNext();
            }

            @Override
            public KeyWrites next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                Map.Entry<String, List<Write>> key = loaded.next();
                loaded.remove();
                List<Read> of = reads.remove(key.getKey());
                return new KeyWrites(key.getKey(), key.getValue(), of == null ? List.of() : of);
            }
        };
    }

    /** @param reads to be filled; null when they are not wanted */
    private Map<String, List<Write>> load(int part, Map<String, List<Read>> reads) {
        Map<String, List<Write>> keys = new HashMap<>();
        JournalReader.Visitor visitor = new JournalReader.Visitor() {
            @Override
            public boolean wants(int keyHash) {
                return keyHash % parts == part;
            }

            @Override
            public void read(String key, String field, long found, long start, long end) {
                if (key != null && reads != null) {
                    int number = field == null ? Write.ROW : fields.getOrDefault(field, UNWRITTEN);
                    reads.computeIfAbsent(key, k -> new ArrayList<>()).add(new Read(number, found, start, end));
                }
            }

            @Override
            public void write(
                    long id, Write.Kind kind, String key, List<String> names, long start, Outcome outcome, long end) {
                if (key == null) {
                    return;
                }
                List<Write> of = keys.computeIfAbsent(key, k -> new ArrayList<>(2));
                if (outcome == Outcome.FAILED) {
                    return;
                }
                long until = outcome == Outcome.OK ? end : Long.MAX_VALUE;
                boolean ok = outcome == Outcome.OK
                        && rollback.filter(loss -> loss.takes(end)).isEmpty();
                if (names.isEmpty()) {
                    of.add(new Write(Write.ROW, kind, ok, id, start, until));
                }
                names.forEach(name -> of.add(new Write(fields.get(name), kind, ok, id, start, until)));
            }
        };
        Io.run("audit", () -> {
            for (JournalReader journal : journals) {
                journal.read(visitor);
            }
        });
        return keys;
    }

    /** Without those that an acknowledged write of the same field or row covers that began after they had ended. */
    public static List<Write> undominated(List<Write> writes) {
        Map<Integer, Long> lastStarts = new HashMap<>();
        writes.stream()
                .filter(Write::acknowledged)
                .forEach(write -> lastStarts.merge(write.field(), write.startNanos(), Math::max));
        long row = lastStarts.getOrDefault(Write.ROW, Long.MIN_VALUE);
        return writes.stream()
                .filter(write ->
                        Math.max(row, lastStarts.getOrDefault(write.field(), Long.MIN_VALUE)) <= write.endNanos())
                .toList();
    }
}
