package io.ycsbdrill.report.live;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;

/** The lines that a file of a run has got since the last look at it. Owned by one thread at a time. */
final class GrowingFile {
    private final Path path;
    private Object identity;
    private long read;

    GrowingFile(Path path) {
        this.path = path;
    }

    String name() {
        return path.getFileName().toString();
    }

    /**
     * Complete lines only; none when the file is not there yet. None either once another file has taken its place, as happens
     * at the end of a run: what was read then stays, and the closed run is read as a whole.
     */
    List<String> more() throws IOException {
        byte[] fresh;
        try {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            if (read == 0) {
                identity = now.fileKey();
            }
            if (!Objects.equals(identity, now.fileKey()) || now.size() <= read) {
                return List.of();
            }
            try (InputStream in = Files.newInputStream(path)) {
                in.skipNBytes(read);
                fresh = in.readAllBytes();
            }
        } catch (NoSuchFileException e) {
            return List.of(); // not made yet, or its directory is just being moved
        }
        int end = fresh.length;
        while (end > 0 && fresh[end - 1] != '\n') {
            end--;
        }
        read += end;
        return new String(fresh, 0, end, StandardCharsets.UTF_8).lines().toList();
    }
}
