package io.ycsbdrill.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Keeps something to one user at a time, among threads and processes, by a lock on a file. It ends when it is closed
 * or its process ends, however that happens; child processes do not have it. The file has the process id of its holder,
 * and stays afterwards: another process may be about to lock it. Thread-safe.
 */
public final class ProcessLock implements AutoCloseable {
    /** Closing any channel to a file frees this process's lock on it, so no second one is opened meanwhile. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileLock lock;

    private ProcessLock(Path file, FileLock lock) {
        this.file = file;
        this.lock = lock;
    }

    /**
     * Takes the lock, or fails at once.
     *
     * @param file made when it is not there, with its directory
     * @param refusal makes the exception for when it is taken, from its holder: {@code process 4711}
     * @throws ClosedByInterruptException when the thread is interrupted
     * @throws IOException when the file cannot be made or locked
     */
    public static ProcessLock take(Path file, Function<String, ? extends RuntimeException> refusal) throws IOException {
        Path real = real(file);
        if (!HELD.add(real)) {
            throw refusal.apply("process " + ProcessHandle.current().pid());
        }
        try {
            return new ProcessLock(real, locked(real, refusal));
        } catch (IOException | RuntimeException e) {
            HELD.remove(real);
            throw e;
        }
    }

    private static Path real(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory);
        }
        return directory.toRealPath().resolve(file.getFileName());
    }

    private static FileLock locked(Path file, Function<String, ? extends RuntimeException> refusal) throws IOException {
        // What is truncated is no file that a link of somebody else's leads to, and nobody else can hold the lock.
        FileChannel channel = FileChannel.open(
                file,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                PrivateFolders.mode(file, "rw-------"));
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw refusal.apply(holder(channel));
            }
            writeHolder(channel);
            return lock;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** A courtesy to those who are refused; who could not write it, as on a full disk, has the lock all the same. */
    private static void writeHolder(FileChannel channel) throws ClosedByInterruptException {
        byte[] pid = (ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            channel.truncate(0); // First, so that no earlier holder is named.
            channel.write(ByteBuffer.wrap(pid), 0);
        } catch (ClosedByInterruptException e) {
            throw e; // The channel is closed, and the lock gone with it.
        } catch (IOException e) {
            return;
        }
    }

    private static String holder(FileChannel channel) throws IOException {
        String pid = new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8).strip();
        return pid.isEmpty() ? "another process" : "process " + pid;
    }

    /** Works while it is held, and frees it, however the work ends. */
    public <T> T during(Supplier<T> work) {
        try {
            return work.get();
        } finally {
            close();
        }
    }

    /** Frees it. Closing twice is harmless. */
    @Override
    public synchronized void close() {
        if (!lock.isValid()) {
            return;
        }
        try {
            lock.acquiredBy().close();
        } catch (IOException e) {
            throw new UncheckedIOException("lock file " + file + " cannot be closed: " + FileReason.of(e), e);
        } finally {
            HELD.remove(file);
        }
    }
}
