package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.Copyable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.DirectoryUsers;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Copies of the data directories of a local cluster's members, each in a folder with the node's name. Thread-safe. */
final class DataCopies implements Copyable {
    private static final String PURPOSE = "snapshot of ";
    /** Names the nodes; written when all of them were copied. */
    private static final String COMPLETE = "nodes";

    private static final Duration COPY_BOUND = Duration.ofHours(6);

    private final ProcessCluster<?> cluster;

    DataCopies(ProcessCluster<?> cluster) {
        this.cluster = cluster;
    }

    @Override
    public void copyTo(Path to) {
        requireDown();
        try {
            Path path = OwnedDirectory.claim(to, PURPOSE + cluster.engine()).path();
            for (String node : cluster.memberIds()) {
                copy(node, cluster.data(node), path.resolve(node));
            }
            AtomicFile.write(path.resolve(COMPLETE), nodes());
        } catch (IOException e) {
            throw new NodeControlException("the data cannot be copied to " + to + ": " + FileReason.of(e), e);
        }
    }

    @Override
    public void replaceBy(Path from) {
        requireDown();
        try {
            Path path = OwnedDirectory.of(from.toAbsolutePath(), PURPOSE + cluster.engine())
                    .path();
            String copied = Files.isRegularFile(path.resolve(COMPLETE))
                    ? Files.readString(path.resolve(COMPLETE))
                    : "an incomplete copy";
            if (!copied.equals(nodes())) {
                throw new NodeControlException(
                        from + " has " + copied.strip() + "; expected a copy of a cluster with " + nodes().strip());
            }
            for (String node : cluster.memberIds()) {
                new DataDirectory(node, cluster.data(node)).empty();
                Files.delete(cluster.data(node)); // empty now, and copied as a whole
                copy(node, path.resolve(node), cluster.data(node));
            }
        } catch (IOException e) {
            throw new NodeControlException("the data in " + from + " cannot be put back: " + FileReason.of(e), e);
        }
    }

    private String nodes() {
        return String.join(" ", cluster.memberIds()) + "\n";
    }

    private void requireDown() {
        for (String node : cluster.memberIds()) {
            cluster.process(node).ifPresent(process -> {
                throw new NodeControlException(
                        node + " is running (pid " + process.pid() + "); stop it before its data are copied");
            });
            DirectoryUsers.requireUnused(node, cluster.data(node));
        }
    }

    /** Holes stay holes, and where the file system can share blocks nothing is copied. */
    private static void copy(String node, Path from, Path to) throws IOException {
        ProgramOutput output =
                ProgramOutput.of(List.of("cp", "-a", "--reflink=auto", from.toString(), to.toString()), COPY_BOUND);
        if (output.exit() != 0) {
            throw new IOException("cp of " + node + " ended with exit code " + output.exit() + ": "
                    + output.text().strip());
        }
    }
}
