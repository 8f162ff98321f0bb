package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;

/** Checks and removes the directories of local clusters. Stateless. */
public final class Directories {

    /** Longest path of a socket: the kernel's 108 bytes with the closing zero. */
    private static final int LONGEST_SOCKET = 107;

    private Directories() {}

    /**
     * Checks that nothing is in the directory; it need not exist.
     *
     * @throws NodeControlException when something is in it, or it cannot be read
     */
    public static void requireEmpty(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> inside = Files.list(directory)) {
            if (inside.findAny().isPresent()) {
                throw new NodeControlException(
                        "directory " + directory + " is not empty; take the cluster in it down first, or remove it");
            }
        } catch (IOException e) {
            throw new NodeControlException("directory " + directory + " cannot be used: " + e.getMessage(), e);
        }
    }

    /**
     * Checks that a socket in the directory can have its path.
     *
     * @throws NodeControlException when the path is too long
     */
    public static void requireShort(Path directory, Path socket) {
        int length = socket.toString().length();
        if (length > LONGEST_SOCKET) {
            throw new NodeControlException("directory " + directory + " is too long: a socket's path in it has "
                    + length + " characters, the maximum is " + LONGEST_SOCKET + "; use a shorter one");
        }
    }

    /** Removes a directory and what is in it; links are removed, not followed. Nothing happens when it is not there. */
    public static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
