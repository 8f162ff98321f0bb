package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What one node has written and not synced, as {@code disk.c} records it: a folder for each file, named by its inode number, with
 * a file of records for each generation. Read and changed only while the node has no process. Owned by one thread.
 *
 * @param folder the journal's
 * @param data the directory with the node's files
 */
record UndoJournal(Path folder, Path data) {
    /** By the number that the library notes: why the journal is not complete. */
    static final List<String> UNFOLLOWED = List.of(
            "",
            "a record could not be written",
            "asynchronous writes (io_submit) were made",
            "a write with flags (pwritev2) was made",
            "ranges of a file were moved (fallocate)");

    /** Longer than any node runs. */
    private static final Duration NEVER = Duration.ofDays(3650);

    private static final int OVERWRITTEN = 0x4f565752;
    private static final int DURABLE = 0x44555242;
    private static final int HEADER = 40;
    private static final int CHUNK = 1 << 20;

    /**
     * What was taken from the files.
     *
     * @param files how many had writes that were not synced
     * @param writes how many
     * @param bytes in these
     */
    record Loss(int files, long writes, long bytes) {
        static final Loss NONE = new Loss(0, 0, 0);

        Loss plus(Loss more) {
            return new Loss(files + more.files, writes + more.writes, bytes + more.bytes);
        }
    }

    /** @param position of the bytes that were there before, in its file */
    private record Entry(boolean durable, long second, long place, long bytes, long before, long old, long position) {}

    /** Drops the records of files that are no longer there, as their inode numbers may be used again. */
    void prune() throws IOException {
        Map<Long, Path> present = present();
        for (Path records : recorded()) {
            if (!present.containsKey(inode(records))) {
                OwnedDirectory.deletePart(records);
            }
        }
    }

    /** How long a write stays in memory when nobody syncs it: then the kernel of this machine writes it back by itself. */
    static Duration writeBack() {
        try {
            return writeBack(setting("dirty_expire_centisecs"), setting("dirty_writeback_centisecs"));
        } catch (IOException | NumberFormatException e) {
            return Duration.ofSeconds(35); // what kernels do unless told otherwise
        }
    }

    /** By one read: a second one of such a file finds its end, and {@link Files#readString} begins with a single byte. */
    private static long setting(String name) throws IOException {
        return Long.parseLong(
                Files.readAllLines(Path.of("/proc/sys/vm", name)).get(0).strip());
    }

    /**
     * @param expire from which age on a write is written back, in hundredths of a second
     * @param every how often the kernel looks for those; 0 for never
     */
    static Duration writeBack(long expire, long every) {
        return every == 0 ? NEVER : Duration.ofMillis((expire + every) * 10);
    }

    /**
     * Takes back every write that was not synced, and empties the journal. When it is cut short, doing it again completes it.
     *
     * @param since what was written earlier has been written back
     * @throws NodeControlException when the journal is damaged
     */
    Loss rollBack(Instant since) throws IOException {
        Map<Long, Path> present = present();
        List<Path> all = recorded();
        Loss loss = Loss.NONE;
        for (Path records : all) {
            Path file = present.get(inode(records));
            if (file != null) {
                loss = loss.plus(rollBack(file, generations(records), since.getEpochSecond()));
            }
        }
        for (Path records : all) {
            OwnedDirectory.deletePart(records);
        }
        return loss;
    }

    /** Without those whose removal was cut off: what they say has been taken back. */
    private List<Path> recorded() throws IOException {
        OwnedDirectory.completeRemovals(folder);
        try (Stream<Path> folders = Files.list(folder)) {
            return folders.toList();
        }
    }

    private static long inode(Path records) {
        return Long.parseLong(records.getFileName().toString());
    }

    /** The latest first. */
    private static List<Path> generations(Path records) throws IOException {
        try (Stream<Path> files = Files.list(records)) {
            return files.sorted(Comparator.comparingLong(UndoJournal::inode).reversed())
                    .toList();
        }
    }

    private Map<Long, Path> present() throws IOException {
        Map<Long, Path> files = new HashMap<>();
        Files.walkFileTree(data, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()) {
                    files.put(((Number) Files.getAttribute(file, "unix:ino")).longValue(), file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    private static Loss rollBack(Path file, List<Path> generations, long since) throws IOException {
        long writes = 0;
        long bytes = 0;
        try (FileChannel to = FileChannel.open(file, StandardOpenOption.WRITE)) {
            Ranges settled = new Ranges();
            for (Path generation : generations) {
                try (FileChannel from = FileChannel.open(generation, StandardOpenOption.READ)) {
                    List<Entry> entries = entries(from, generation);
                    for (int i = entries.size() - 1; i >= 0; i--) {
                        Entry entry = entries.get(i);
                        if (entry.second() < since) {
                            continue;
                        }
                        if (entry.durable()) {
                            settled.add(entry.place(), entry.place() + entry.bytes());
                        } else {
                            undo(entry, from, to, settled);
                            writes++;
                            bytes += entry.bytes();
                        }
                    }
                }
            }
        }
        return writes == 0 ? Loss.NONE : new Loss(1, writes, bytes);
    }

    /** A record that is not complete is left out: its write was not begun. */
    private static List<Entry> entries(FileChannel from, Path name) throws IOException {
        List<Entry> entries = new ArrayList<>();
        ByteBuffer header = ByteBuffer.allocate(HEADER).order(ByteOrder.nativeOrder());
        long end = from.size();
        for (long at = 0; at + HEADER <= end; ) {
            header.clear();
            while (header.hasRemaining()) {
                from.read(header, at + header.position());
            }
            header.flip();
            int kind = header.getInt();
            long second = Integer.toUnsignedLong(header.getInt());
            if (kind != OVERWRITTEN && kind != DURABLE) {
                throw new NodeControlException("the undo journal " + name + " is damaged at byte " + at
                        + "; start the node with its files removed, or the cluster anew");
            }
            Entry entry = new Entry(
                    kind == DURABLE,
                    second,
                    header.getLong(),
                    header.getLong(),
                    header.getLong(),
                    header.getLong(),
                    at + HEADER);
            at += HEADER + entry.old();
            if (at <= end) {
                entries.add(entry);
            }
        }
        return entries;
    }

    /** A file never becomes longer by this: that it was shortened meanwhile is durable. */
    private static void undo(Entry entry, FileChannel from, FileChannel to, Ranges settled) throws IOException {
        long end = entry.place() + entry.bytes();
        if (end > entry.before()) {
            long size = Math.max(entry.before(), settled.end());
            if (size < to.size()) {
                to.truncate(size);
            }
            // Below a later write that was durable, what was never synced is a hole.
            for (long[] part : settled.without(Math.max(entry.place(), entry.before()), Math.min(end, to.size()))) {
                copy(null, 0, to, part[0], part[1] - part[0]);
            }
        }
        for (long[] part : settled.without(entry.place(), Math.min(entry.place() + entry.old(), to.size()))) {
            copy(from, entry.position() + part[0] - entry.place(), to, part[0], part[1] - part[0]);
        }
    }

    /** @param from null for zeros */
    private static void copy(FileChannel from, long position, FileChannel to, long place, long bytes)
            throws IOException {
        for (long done = 0; done < bytes; ) {
            ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK, bytes - done));
            while (from != null && chunk.hasRemaining()) {
                from.read(chunk, position + done + chunk.position());
            }
            chunk.clear();
            while (chunk.hasRemaining()) {
                to.write(chunk, place + done + chunk.position());
            }
            done += chunk.capacity();
        }
    }

    /** Parts of a file, from their first byte to that after their last one. */
    private static final class Ranges {
        private final TreeMap<Long, Long> ranges = new TreeMap<>();

        void add(long from, long to) {
            long begin = from;
            long end = to;
            Map.Entry<Long, Long> near = ranges.floorEntry(to);
            while (near != null && near.getValue() >= from) {
                begin = Math.min(begin, near.getKey());
                end = Math.max(end, near.getValue());
                ranges.remove(near.getKey());
                near = ranges.floorEntry(to);
            }
            ranges.put(begin, end);
        }

        /** The end of the last one; 0 when there is none. */
        long end() {
            return ranges.isEmpty() ? 0 : ranges.lastEntry().getValue();
        }

        /** What of a part is in none of them. */
        List<long[]> without(long from, long to) {
            List<long[]> parts = new ArrayList<>();
            long at = from;
            Map.Entry<Long, Long> before = ranges.floorEntry(from);
            if (before != null) {
                at = Math.max(at, before.getValue());
            }
            while (at < to) {
                Map.Entry<Long, Long> next = ranges.ceilingEntry(at);
                long end = next == null ? to : Math.min(to, next.getKey());
                if (end > at) {
                    parts.add(new long[] {at, end});
                }
                at = next == null ? to : next.getValue();
            }
            return parts;
        }
    }
}
