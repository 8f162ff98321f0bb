package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.NotOursException;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.base.PrivateFolders;
import io.ycsbdrill.fault.node.ClusterDirectory;
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
            PrivateFolders.create(root);
            try (Stream<Path> all = Files.list(root)) {
                for (Path directory : all.filter(OwnedDirectories::abandoned).toList()) {
                    removeIfOurs(directory);
                }
            }
            if (Files.exists(mine)) {
                OwnedDirectory.of(mine).delete();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "state directory " + mine.getParent() + " cannot be used: " + FileReason.of(e), e);
        }
        return mine;
    }

    /** One of another machine or PID namespace is named after a process there. */
    private static void removeIfOurs(Path directory) throws IOException {
        try {
            OwnedDirectory.of(directory).delete();
        } catch (NotOursException e) {
            return;
        }
    }

    private static boolean abandoned(Path directory) {
        String name = directory.getFileName().toString();
        if (!name.matches(PREFIX + "\\d{1,18}") || !Files.isDirectory(directory)) {
            return false;
        }
        return ProcessHandle.of(Long.parseLong(name.substring(PREFIX.length()))).isEmpty();
    }
}
