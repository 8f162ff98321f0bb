package io.ycsbdrill.report.live;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;

/** The lines that a file of a run has got since the last look at it. Owned by one thread at a time. */
final class GrowingFile {
    /** More than a run writes between two looks; what is left is read at the next ones. */
    private final int mostBytes;

    private final Path path;
    private Object identity;
    private long read;

    GrowingFile(Path path) {
        this(path, 16 << 20);
    }

    /** @param mostBytes of one look; a line that is longer is left out */
    GrowingFile(Path path, int mostBytes) {
        this.path = path;
        this.mostBytes = mostBytes;
    }

    /**
     * Complete lines of a regular file only; none when the file is not there yet. None either once another file has taken its place, as happens
     * at the end of a run: what was read then stays, and the closed run is read as a whole.
     */
    List<String> more() throws IOException {
        byte[] fresh;
        try {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (read == 0) {
                identity = now.fileKey();
            }
            if (!now.isRegularFile() || !Objects.equals(identity, now.fileKey()) || now.size() <= read) {
                return List.of();
            }
            try (InputStream in = Files.newInputStream(path)) {
                in.skipNBytes(read);
                fresh = in.readNBytes(mostBytes);
            }
        } catch (NoSuchFileException e) {
            return List.of(); // not made yet, or its directory is just being moved
        }
        int end = fresh.length;
        while (end > 0 && fresh[end - 1] != '\n') {
            end--;
        }
        if (end == 0 && fresh.length == mostBytes) {
            read += fresh.length;
            return List.of();
        }
        read += end;
        return new String(fresh, 0, end, StandardCharsets.UTF_8).lines().toList();
    }
}
