package io.ycsbdrill.base;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * A temporary file for a program that is to be started. It loses its name as it is made, so that nothing of it is left however this
 * process ends; on systems without {@code /proc} it has one until it is closed. Only its owner may read it. Owned by one thread.
 */
final class NamelessFile implements AutoCloseable {
    private static final Path OPEN_FILES = Path.of("/proc/self/fd");

    private final FileChannel channel;
    private final Path path;

    private NamelessFile(FileChannel channel, Path path) {
        this.channel = channel;
        this.path = path;
    }

    static NamelessFile create() throws IOException {
        if (!Files.isDirectory(OPEN_FILES)) {
            Path path = Files.createTempFile("ycsb-drill", ".tmp");
            return new NamelessFile(FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE), path);
        }
        Path named = Path.of(System.getProperty("java.io.tmpdir"))
                .toRealPath() // as the system will name it
                .resolve("ycsb-drill-" + UUID.randomUUID() + ".tmp");
        FileChannel channel = FileChannel.open(
                named,
                Set.of(
                        StandardOpenOption.CREATE_NEW,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        // On Unix the JDK removes it right after it has opened it.
                        StandardOpenOption.DELETE_ON_CLOSE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            return new NamelessFile(channel, opened(named));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** The path by which it can be opened once more. */
    private static Path opened(Path named) throws IOException {
        for (Path descriptor : Io.list(OPEN_FILES)) {
            try {
                if (Files.readSymbolicLink(descriptor).toString().startsWith(named.toString())) {
                    return descriptor;
                }
            } catch (IOException e) {
                continue; // closed meanwhile
            }
        }
        throw new IOException("the temporary file " + named + " is not among the open files of this process");
    }

    /** To be opened as the input or output of a program while this is open. */
    File file() {
        return path.toFile();
    }

    void write(byte[] content) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(content);
        while (left.hasRemaining()) {
            channel.write(left);
        }
    }

    /** What others have written to it, from its beginning. */
    InputStream written() {
        return Channels.newInputStream(channel);
    }

    @Override
    public void close() throws IOException {
        channel.close();
        if (!path.startsWith(OPEN_FILES)) {
            Files.deleteIfExists(path);
        }
    }
}
