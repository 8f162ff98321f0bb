package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeIo;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The directory that an initial start of a node empties; in a directory of ours.
 *
 * @param node the node's id, for messages
 * @param path of the directory, which need not be there
 */
record DataDirectory(String node, Path path) {
    /** Removes all files; nobody finds it with some of them, whatever ends this in the middle. */
    void empty() {
        NodeIo.run("files of " + node + " cannot be removed", () -> {
            OwnedDirectory.deletePart(path);
            Files.createDirectories(path);
        });
    }

    /** Whether nothing is in it, as an initial start was cut off before the process was there; what that has left is removed. */
    boolean emptied() {
        if (Files.isDirectory(path)
                && !NodeIo.get("files of " + node + " cannot be looked at", () -> Io.list(path))
                        .isEmpty()) {
            return false;
        }
        empty();
        return true;
    }
}
