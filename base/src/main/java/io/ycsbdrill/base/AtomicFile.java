package io.ycsbdrill.base;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;

/** Replaces files atomically: a reader sees the old content or the new one, never half of it. Stateless. */
public final class AtomicFile {
    private AtomicFile() {}

    /** Writes text as UTF-8, as {@link #write(Path, byte[])} does. */
    public static void write(Path file, String content) throws IOException {
        write(file, content.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Writes to a hidden draft in the same directory and moves it over the file. Missing parent directories are created.
     *
     * @throws IOException when the draft cannot be written or moved; the old file is then as it was
     */
    public static void write(Path file, byte[] content) throws IOException {
        write(file, content, false);
    }

    /** As {@link #write(Path, byte[])}, for a file that only its owner may read, where the file system can do that. */
    public static void writePrivate(Path file, byte[] content) throws IOException {
        write(file, content, true);
    }

    private static void write(Path file, byte[] content, boolean forOwner) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (forOwner) {
            PrivateFolders.create(directory);
        } else {
            Files.createDirectories(directory);
        }
        // Threads and processes that write the same file at once each have a draft of their own.
        Path draft = directory.resolve("." + file.getFileName() + "."
                + ProcessHandle.current().pid() + "-" + Thread.currentThread().getId() + ".draft");
        try {
            // The directory may be another user's, who can put a link here: what is there already is never written to.
            Files.deleteIfExists(draft);
            if (forOwner && Files.getFileStore(directory).supportsFileAttributeView(PosixFileAttributeView.class)) {
                Files.createFile(
                        draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
                Files.write(draft, content, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            } else {
                Files.write(draft, content, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            }
            replace(draft, file);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Moves a complete draft over a file of the same file system; not atomic only where the file system cannot do so. */
    public static void replace(Path draft, Path file) throws IOException {
        try {
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
