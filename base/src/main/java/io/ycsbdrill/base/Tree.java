package io.ycsbdrill.base;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Removes a directory and what is in it. Where the system can do that, each directory is opened once and its files are removed relative to
 * it, so that a directory that somebody replaces by a link meanwhile is not followed. Stateless.
 */
final class Tree {
    /** @param last name of the file that is removed after all others */
    static void delete(Path directory, String last) throws IOException {
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(directory.getParent())) {
            if (inside instanceof SecureDirectoryStream<Path> parent) {
                empty(parent, directory.getFileName(), directory, last);
                parent.deleteDirectory(directory.getFileName());
                return;
            }
        }
        emptyByName(directory, last);
        Files.delete(directory);
    }

    private static void empty(SecureDirectoryStream<Path> parent, Path name, Path whole, String last)
            throws IOException {
        try (SecureDirectoryStream<Path> directory = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            boolean kept = false;
            for (Path each : directory) {
                Path file = each.getFileName();
                if (file.toString().equals(last)) {
                    kept = true;
                    continue;
                }
                try {
                    if (attributes(directory, file).isDirectory()) {
                        empty(directory, file, whole.resolve(file), "");
                        directory.deleteDirectory(file);
                    } else {
                        directory.deleteFile(file);
                    }
                } catch (NoSuchFileException e) {
                    continue; // gone by itself
                }
            }
            if (kept) {
                directory.deleteFile(Path.of(last));
            }
        } catch (NotDirectoryException e) {
            throw new NotOursException(whole, "it was replaced while it was removed; look by whom");
        }
    }

    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, Path file) throws IOException {
        return directory
                .getFileAttributeView(file, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    private static void emptyByName(Path directory, String last) throws IOException {
        Path kept = directory.resolve(last);
        try (DirectoryStream<Path> inside = Files.newDirectoryStream(directory)) {
            for (Path file : inside) {
                if (file.equals(kept) && !last.isEmpty()) {
                    continue;
                }
                if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    emptyByName(file, "");
                }
                Files.deleteIfExists(file);
            }
        }
        if (!last.isEmpty()) {
            Files.deleteIfExists(kept);
        }
    }
}
