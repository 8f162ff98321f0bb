package io.ycsbdrill.fault.node.os;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads what is appended to a file, line by line; half a line is kept until its rest comes. Owned by one thread. */
public final class LogTail {
    private final Path path;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private final byte[] buffer = new byte[1 << 16];
    private long position;

    /** Begins at the start of the file, which need not be there yet. */
    public LogTail(Path path) {
        this.path = path;
    }

    /** The whole lines since the last call; none when the file is not there (yet). */
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
}
