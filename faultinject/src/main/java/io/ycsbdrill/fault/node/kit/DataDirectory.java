package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The directory that an initial start of a node empties; in a directory of ours.
 *
 * @param node the node's id, for messages
 * @param path of the directory, which need not be there
 */
record DataDirectory(String node, Path path) {
    /** Removes all files; nobody finds it with some of them, whatever ends this in the middle. */
    void empty() {
        try {
            OwnedDirectory.deletePart(path);
            Files.createDirectories(path);
        } catch (IOException e) {
            throw new NodeControlException("files of " + node + " cannot be removed: " + FileReason.of(e), e);
        }
    }

    /** Whether nothing is in it, as an initial start was cut off before the process was there; what that has left is removed. */
    boolean emptied() {
        try (Stream<Path> inside = Files.isDirectory(path) ? Files.list(path) : Stream.empty()) {
            if (inside.findAny().isPresent()) {
                return false;
            }
        } catch (IOException e) {
            throw new NodeControlException("files of " + node + " cannot be looked at: " + FileReason.of(e), e);
        }
        empty();
        return true;
    }
}
