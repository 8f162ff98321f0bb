package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.NotOursException;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.base.PrivateFolders;
import io.ycsbdrill.fault.node.ClusterDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Folders of clusters that live no longer than one command, named after its process: {@code owned-<pid>}. A command that
 * was killed cannot remove its own, so the next one does.
 */
record OwnedDirectories(ClusterDirectory clusters) {
    private static final String PREFIX = "owned-";

    /** This process's folder, absent now; those of processes that are gone are removed. */
    Path claim() {
        Path mine = clusters.home(PREFIX + ProcessHandle.current().pid());
        Io.run("state directory " + mine.getParent() + " cannot be used", () -> {
            Path root = mine.getParent();
            PrivateFolders.create(root);
            for (Path directory : Io.list(root)) {
                if (abandoned(directory)) {
                    removeIfOurs(directory);
                }
            }
            if (Files.exists(mine)) {
                OwnedDirectory.of(mine).delete();
            }
        });
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
