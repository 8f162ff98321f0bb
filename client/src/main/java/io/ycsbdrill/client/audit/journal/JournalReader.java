package io.ycsbdrill.client.audit.journal;

import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.binding.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Reads the journal of one client thread ({@link JournalFormat}), as often as asked, from its beginning. Not thread-safe. */
final class JournalReader {
    /** Takes what was read. */
    interface Visitor {
        /** What a read has shown; see {@link Read}. */
        default void read(String key, String field, long found, long startNanos, long endNanos) {}

        /** Whether {@link #write} is to be told the key, with its hash known. */
        boolean wants(int keyHash);

        /**
         * A write that has ended, or never will: then it is {@link Outcome#UNKNOWN}.
         *
         * @param key null when it is not wanted
         * @param fields empty = the whole row
         * @param endNanos {@link Long#MAX_VALUE} when it has not ended
         */
        void write(
                long id,
                Write.Kind kind,
                String key,
                List<String> fields,
                long startNanos,
                Outcome outcome,
                long endNanos);
    }

    private record Open(long id, Write.Kind kind, String key, List<String> fields, long startNanos) {}

    private final Path file;
    /** Null unless it is being read: there may be more journals than the heap has megabytes. */
    private byte[] segment;

    private final List<String> fields = new ArrayList<>();
    private final ArrayDeque<Open> open = new ArrayDeque<>();
    private int writer;
    private long run;
    private UUID boot;
    private long nanosAtEpoch;
    private long sequence;

    JournalReader(Path file) {
        this.file = file;
    }

    /** Number of the thread; known when it was read. */
    int writer() {
        return writer;
    }

    /** See {@link Stamp}; known when it was read. */
    long run() {
        return run;
    }

    /** The machine that the journal is of; known when it was read. */
    UUID boot() {
        return boot;
    }

    /** What {@link System#nanoTime} was there in 1970, so to speak; known when it was read. */
    long nanosAtEpoch() {
        return nanosAtEpoch;
    }

    /**
     * Reads all of it.
     *
     * @return false when its process was killed before it could write anything
     * @throws IOException when it cannot be read, or is no journal
     */
    boolean read(Visitor visitor) throws IOException {
        fields.clear();
        open.clear();
        sequence = 0;
        InputFile.requireRegularWithin(file);
        segment = new byte[(int) Math.min(Files.size(file), JournalFormat.SEGMENT_BYTES)];
        try {
            return readSegments(visitor);
        } finally {
            segment = null;
        }
    }

    private boolean readSegments(Visitor visitor) throws IOException {
        boolean started = false;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (long at = 0; at < channel.size(); at += JournalFormat.SEGMENT_BYTES) {
                ByteBuffer buffer = ByteBuffer.wrap(segment);
                while (buffer.hasRemaining() && channel.read(buffer, at + buffer.position()) > 0) {}
                buffer.flip();
                if (at == 0) {
                    started = header(buffer);
                }
                if (started) {
                    records(buffer, visitor);
                }
            }
        }
        open.forEach(write -> end(write, Outcome.UNKNOWN, Long.MAX_VALUE, visitor));
        return started;
    }

    /** @return false when its process was killed before the header was complete: its magic comes last, and no record before it */
    private boolean header(ByteBuffer buffer) throws IOException {
        int length = buffer.limit();
        if (isZero(0, Math.min(Long.BYTES, length)) && isZero(Math.min(JournalFormat.HEADER_BYTES, length), length)) {
            return false;
        }
        if (buffer.remaining() < JournalFormat.HEADER_BYTES || buffer.getLong() != JournalFormat.MAGIC) {
            throw damaged("it is not a journal of writes");
        }
        int version = buffer.getInt();
        writer = buffer.getInt();
        run = buffer.getLong();
        boot = new UUID(buffer.getLong(), buffer.getLong());
        nanosAtEpoch = buffer.getLong() - buffer.getLong();
        if (version != JournalFormat.VERSION) {
            throw damaged("it is of version " + version + ", not " + JournalFormat.VERSION);
        }
        return true;
    }

    private boolean isZero(int from, int to) {
        for (int i = from; i < to; i++) {
            if (segment[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private void records(ByteBuffer buffer, Visitor visitor) throws IOException {
        while (buffer.hasRemaining()) {
            int at = buffer.position();
            int tag = buffer.get();
            if (tag == JournalFormat.NOTHING) {
                return;
            }
            try {
                record(tag, buffer, visitor);
            } catch (RuntimeException e) {
                throw damaged("record " + tag + " at " + at + " of a segment: " + e);
            }
        }
    }

    private void record(int tag, ByteBuffer buffer, Visitor visitor) {
        if (tag == JournalFormat.FIELD) {
            fields.add(text(buffer, Short.toUnsignedInt(buffer.getShort())));
        } else if (tag == JournalFormat.READ) {
            long start = buffer.getLong();
            long end = buffer.getLong();
            String key = key(buffer, visitor);
            int field = Short.toUnsignedInt(buffer.getShort());
            visitor.read(key, field == JournalFormat.NO_ROW ? null : fields.get(field), buffer.getLong(), start, end);
        } else if (tag < JournalFormat.END) {
            Write.Kind kind = Write.Kind.values()[tag - JournalFormat.BEGIN];
            long start = buffer.getLong();
            String key = key(buffer, visitor);
            String[] names = new String[Short.toUnsignedInt(buffer.getShort())];
            for (int i = 0; i < names.length; i++) {
                names[i] = fields.get(Short.toUnsignedInt(buffer.getShort()));
            }
            open.add(new Open(WriteId.of(writer, sequence++), kind, key, List.of(names), start));
        } else {
            end(open.remove(), Outcome.values()[tag - JournalFormat.END], buffer.getLong(), visitor);
        }
    }

    private static void end(Open write, Outcome outcome, long endNanos, Visitor visitor) {
        visitor.write(write.id, write.kind, write.key, write.fields, write.startNanos, outcome, endNanos);
    }

    /** null when it is not wanted. */
    private String key(ByteBuffer buffer, Visitor visitor) {
        int length = Short.toUnsignedInt(buffer.getShort());
        if (visitor.wants(hash(buffer.position(), length))) {
            return text(buffer, length);
        }
        buffer.position(buffer.position() + length);
        return null;
    }

    private String text(ByteBuffer buffer, int length) {
        String text = new String(segment, buffer.position(), length, StandardCharsets.UTF_8);
        buffer.position(buffer.position() + length);
        return text;
    }

    private int hash(int from, int length) {
        int hash = 0;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + segment[i];
        }
        return (hash * 0x9E37_79B9) >>> 1;
    }

    private IOException damaged(String why) {
        return new IOException("the journal " + file + " is damaged: " + why);
    }
}
