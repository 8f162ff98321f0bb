package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.os.Directories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Folders of clusters that live no longer than one command, named after its process: {@code owned-<pid>}. A command that
 * was killed cannot remove its own, so the next one does.
 */
record OwnedDirectories(ClusterDirectory clusters) {
    private static final String PREFIX = "owned-";

    /** This process's folder, absent now; those of processes that are gone are removed. */
    Path claim() {
        Path mine = clusters.home(PREFIX + ProcessHandle.current().pid());
        try {
            Path root = mine.getParent();
            Files.createDirectories(root);
            try (Stream<Path> all = Files.list(root)) {
                for (Path directory : all.filter(OwnedDirectories::abandoned).toList()) {
                    Directories.delete(directory);
                }
            }
            Directories.delete(mine);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "state directory " + mine.getParent() + " cannot be used: " + FileReason.of(e), e);
        }
        return mine;
    }

    private static boolean abandoned(Path directory) {
        String name = directory.getFileName().toString();
        if (!name.matches(PREFIX + "\\d{1,18}") || !Files.isDirectory(directory)) {
            return false;
        }
        return ProcessHandle.of(Long.parseLong(name.substring(PREFIX.length()))).isEmpty();
    }
}
