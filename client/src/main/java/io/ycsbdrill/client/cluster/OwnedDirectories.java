package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.PrivateFolders;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Folders of clusters that live no longer than one command, named after its process: {@code owned-<pid>}. A command that
 * was killed cannot remove its own, nor what is outside of it, such as memory groups, so the next one does.
 */
record OwnedDirectories(ClusterDirectory clusters, LocalEngine engine, Consumer<String> say) {
    private static final String PREFIX = "owned-";

    /** This process's folder, absent now; those of processes that are gone are removed. */
    Path claim() {
        Path mine = clusters.home(PREFIX + ProcessHandle.current().pid());
        Io.run("state directory " + mine.getParent() + " cannot be used", () -> {
            PrivateFolders.create(mine.getParent());
            Io.list(mine.getParent()).forEach(this::removeIfAbandoned);
        });
        if (Files.exists(mine)) {
            engine.removeLeftovers(mine);
        }
        return mine;
    }

    /** One of another machine or PID namespace is named after a process there. */
    private void removeIfAbandoned(Path directory) {
        if (!abandoned(directory)) {
            return;
        }
        try {
            Directories.owned(directory);
        } catch (NodeControlException e) {
            return;
        }
        try {
            engine.removeLeftovers(directory);
        } catch (NodeControlException e) {
            say.accept("what a command that was killed has left is still there: " + e.getMessage());
        }
    }

    private static boolean abandoned(Path directory) {
        String name = directory.getFileName().toString();
        return name.matches(PREFIX + "\\d{1,18}")
                && Files.isDirectory(directory)
                && ProcessHandle.of(Long.parseLong(name.substring(PREFIX.length())))
                        .isEmpty();
    }
}
