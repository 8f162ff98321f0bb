package io.ycsbdrill.client.audit.journal;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.binding.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Appends the writes of one client thread to its journal ({@link JournalFormat}), by memory that is mapped to the file: what was appended outlives a
 * SIGKILL of the process, and costs no system call. Room is made between two operations, so that it is in no latency. Used by that thread;
 * {@link #close} may be called from another, also while a call of the thread hangs.
 */
public final class JournalWriter {
    private static final byte[] ZEROS = new byte[JournalFormat.SEGMENT_BYTES];
    /** Less than that is left: the next segment is made between two operations. */
    private static final int LOW_BYTES = 1 << 16;

    private static final int CLOCK_READINGS = 5;
    private static final int LONGEST = (1 << 16) - 1;

    private final Path file;
    private final int writer;
    private final List<String> rowFields;
    private final FileChannel channel;
    private final Map<String, Integer> fields = new HashMap<>();
    private int segments;
    private ByteBuffer segment;
    private ByteBuffer next;
    private long issued;
    private volatile boolean closed;

    /**
     * Makes the file, which must not exist.
     *
     * @param writer number of the thread, below {@link Stamp#MOST_WRITERS}
     * @param run see {@link Stamp}
     * @param rowFields all fields of a row, so that an update of all of them is known to be one; empty when not known
     * @throws UncheckedIOException when it cannot be written
     */
    public JournalWriter(Path file, int writer, long run, List<String> rowFields) {
        if (writer < 0 || writer >= Stamp.MOST_WRITERS) {
            throw new IllegalArgumentException("writer " + writer + " is not one of " + Stamp.MOST_WRITERS
                    + ": its values would look like those of another");
        }
        this.file = file;
        this.writer = writer;
        this.rowFields = List.copyOf(rowFields);
        channel = Io.get(
                "--audit: the journal " + file + " cannot be made",
                () -> FileChannel.open(
                        file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
        segment = another();
        UUID boot = JournalFormat.boot();
        segment.putInt(JournalFormat.VERSION).putInt(writer).putLong(run);
        segment.putLong(boot.getMostSignificantBits()).putLong(boot.getLeastSignificantBits());
        clocks();
        segment.putLong(0, JournalFormat.MAGIC);
    }

    /** The two clocks at the same moment: of some tries the one in which the thread was not held up in between. */
    private void clocks() {
        long shortest = Long.MAX_VALUE;
        int at = segment.position();
        for (int i = 0; i < CLOCK_READINGS; i++) {
            long before = System.nanoTime();
            long wall = ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
            long took = System.nanoTime() - before;
            if (took < shortest) {
                shortest = took;
                segment.position(at).putLong(before + took / 2).putLong(wall);
            }
        }
    }

    /** Filled with zeros first: a full disk is reported here, not by a signal when the memory is touched. */
    private ByteBuffer another() {
        long at = (long) segments * JournalFormat.SEGMENT_BYTES;
        try {
            for (ByteBuffer zeros = ByteBuffer.wrap(ZEROS); zeros.hasRemaining(); ) {
                channel.write(zeros, at + zeros.position());
            }
            MappedByteBuffer made = channel.map(FileChannel.MapMode.READ_WRITE, at, JournalFormat.SEGMENT_BYTES);
            segments++;
            return at == 0 ? made.position(Long.BYTES) : made;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "--audit: the journal " + file + " cannot grow: " + e.getMessage()
                            + "; what is in it is complete and can be judged by `ycsb audit`",
                    e);
        }
    }

    /**
     * A write begins.
     *
     * @param names its fields; of an insert or delete they do not matter
     * @return its id
     * @throws IllegalStateException when the journal was closed: the write must not be sent
     */
    synchronized long begin(String key, Write.Kind kind, Collection<String> names) {
        if (closed) {
            throw new IllegalStateException("--audit: the run is over, and nothing may be written any more");
        }
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        boolean row = kind != Write.Kind.UPDATE
                || !rowFields.isEmpty() && names.size() >= rowFields.size() && names.containsAll(rowFields);
        int count = row ? 0 : names.size();
        if (issued > WriteId.MOST_SEQUENCE || bytes.length > LONGEST || count > LONGEST) {
            throw new IllegalStateException("--audit: more than a journal can hold: " + issued
                    + " writes of one thread, a" + " key of " + bytes.length + " bytes, or " + count + " fields");
        }
        if (!row) {
            names.forEach(this::define);
        }
        int tag = room(1 + Long.BYTES + Short.BYTES + bytes.length + Short.BYTES + count * Short.BYTES);
        int times = segment.position();
        segment.position(times + Long.BYTES);
        segment.putShort((short) bytes.length).put(bytes).putShort((short) count);
        if (!row) {
            names.forEach(name -> segment.putShort(fields.get(name).shortValue()));
        }
        segment.putLong(times, System.nanoTime());
        done(tag, JournalFormat.BEGIN + kind.ordinal());
        return WriteId.of(writer, issued++);
    }

    private void define(String name) {
        if (fields.putIfAbsent(name, fields.size()) == null) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            int tag = room(1 + Short.BYTES + bytes.length);
            segment.putShort((short) bytes.length).put(bytes);
            done(tag, JournalFormat.FIELD);
        }
    }

    /** The oldest write that has begun has ended so, now. */
    void end(Outcome outcome) {
        long now = System.nanoTime();
        synchronized (this) {
            if (!closed) {
                int tag = room(1 + Long.BYTES);
                segment.putLong(now);
                done(tag, JournalFormat.END + outcome.ordinal());
            }
        }
    }

    /**
     * A read has ended, now.
     *
     * @param field the one whose value is told; null when there was no such row
     * @param found see {@link Stamp#read}
     */
    synchronized void read(String key, long startNanos, String field, long found) {
        long now = System.nanoTime();
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        if (closed || bytes.length > LONGEST || fields.size() == JournalFormat.NO_ROW) {
            return;
        }
        if (field != null) {
            define(field);
        }
        int tag = room(1 + 3 * Long.BYTES + 2 * Short.BYTES + bytes.length);
        segment.putLong(startNanos).putLong(now).putShort((short) bytes.length).put(bytes);
        segment.putShort((short) (field == null ? JournalFormat.NO_ROW : fields.get(field)))
                .putLong(found);
        done(tag, JournalFormat.READ);
    }

    /** @return where the tag belongs; the buffer stands behind it */
    private int room(int bytes) {
        if (segment.remaining() < bytes) {
            segment = next == null ? another() : next;
            next = null;
        }
        int tag = segment.position();
        segment.position(tag + 1);
        return tag;
    }

    private void done(int tag, int value) {
        VarHandle.releaseFence();
        segment.put(tag, (byte) value);
    }

    /** Makes room when there is little, between two operations. */
    void makeRoom() {
        // Only this thread appends.
        if (next == null && segment.remaining() < LOW_BYTES) {
            synchronized (this) {
                next = closed ? null : another();
            }
        }
    }

    /** Whether {@link #close} was called. */
    public boolean isClosed() {
        return closed;
    }

    /** Nothing more is taken from the thread; what has begun and not ended is unknown. */
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        Io.run("--audit: the journal " + file + " cannot be closed", () -> {
            int used = segments - (next == null ? 1 : 2);
            channel.truncate((long) used * JournalFormat.SEGMENT_BYTES + segment.position());
            channel.close();
        });
    }
}
