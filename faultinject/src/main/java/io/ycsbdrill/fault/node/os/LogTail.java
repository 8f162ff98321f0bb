package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Io;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what is appended to a log, line by line; a partial line is kept until the rest of it is written. Owned by one thread.
 * The static methods read the end of a log and are thread-safe.
 */
public final class LogTail {
    private static final Logger LOG = LoggerFactory.getLogger(LogTail.class);
    private static final int LAST_BYTES = 64 << 10;

    private final Path path;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[1 << 16];
    private long position;

    /** Begins at the start of the file, which need not be there yet. */
    public LogTail(Path path) {
        this.path = path;
    }

    /** The complete lines since the last call; none when the file is not there (yet). */
    public List<String> poll() throws IOException {
        List<String> lines = new ArrayList<>();
        if (path.toFile().length() <= position) {
            return lines;
        }
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
            file.seek(position);
            int read;
            while ((read = file.read(buffer)) > 0) {
                position += read;
                for (int i = 0; i < read; i++) {
                    if (buffer[i] == '\n') {
                        lines.add(pending.toString(StandardCharsets.UTF_8));
                        pending.reset();
                    } else {
                        pending.write(buffer[i]);
                    }
                }
            }
        }
        return lines;
    }

    /** As {@link #poll}; when the file cannot be read, that is logged, and there are none. */
    public List<String> readable() {
        try {
            return poll();
        } catch (IOException e) {
            LOG.warn("{} cannot be read", path, e);
            return List.of();
        }
    }

    /** The last lines of a log that are not blank, of its last 64 KiB; none when it cannot be read. */
    public static List<String> last(Path log, int lines) {
        List<String> all = end(log);
        return all.subList(Math.max(0, all.size() - lines), all.size());
    }

    /** The last lines with that text, of the log's last 64 KiB; none when it cannot be read. */
    public static List<String> last(Path log, int lines, String text) {
        List<String> with =
                end(log).stream().filter(line -> line.contains(text)).toList();
        return with.subList(Math.max(0, with.size() - lines), with.size());
    }

    private static List<String> end(Path log) {
        return Io.or(List.of(), () -> new String(bytes(log, LAST_BYTES), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank())
                .toList());
    }

    /** The last bytes of a log, at most so many. */
    public static byte[] bytes(Path log, int most) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long from = Math.max(0, file.length() - most);
            file.seek(from);
            byte[] end = new byte[(int) (file.length() - from)];
            file.readFully(end);
            return end;
        }
    }

    /** For messages: the last lines of a log in quotes, and its path. */
    public static String quoted(Path log, int lines) {
        return "\"" + String.join("\n", last(log, lines)) + "\" (" + log + ")";
    }
}
