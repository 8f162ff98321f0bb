package io.ycsbdrill.testing;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeController;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The one directory that everything of a cluster is written below. Thread-safe. */
final class Workspace {
    private final Path root;
    private final Optional<OwnedDirectory> temporary;
    private final List<DrillResult> passing = new ArrayList<>();
    private final Set<List<String>> used = new HashSet<>();
    private final List<Path> clusters = new ArrayList<>();
    private boolean keepAll;

    private Workspace(Path root, Optional<OwnedDirectory> temporary) {
        this.root = root;
        this.temporary = temporary;
    }

    /** @throws ConfigException when it cannot be made */
    static Workspace in(Optional<Path> given) {
        try {
            if (given.isPresent()) {
                Path root = Files.createDirectories(given.get().toAbsolutePath());
                return new Workspace(root.normalize(), Optional.empty());
            }
            OwnedDirectory made = OwnedDirectory.temporary("ycsb-drill-");
            return new Workspace(made.path(), Optional.of(made));
        } catch (IOException e) {
            throw new ConfigException("directory " + given.map(Path::toString).orElse("for temporary files")
                    + " cannot be made: " + FileReason.of(e, ""));
        }
    }

    Path root() {
        return root;
    }

    /** An empty directory for a cluster's own files; several clusters may share a root. */
    synchronized Path cluster() {
        try {
            Path directory = Files.createTempDirectory(root, "cluster-");
            clusters.add(directory);
            return directory;
        } catch (IOException e) {
            throw new ConfigException("directory " + root + " cannot be written: " + FileReason.of(e));
        }
    }

    /** Where open faults are recorded: with a cluster of this machine, so that others heal what this process leaves. */
    Path records(NodeController nodes) {
        return nodes instanceof LocalCluster local ? local.descriptor().directory() : root;
    }

    /** A new empty directory, {@code name} or {@code name-2} and so on. */
    Path run(String name) {
        for (int number = 1; ; number++) {
            Path path = root.resolve(number == 1 ? name : name + "-" + number);
            try {
                return Files.createDirectory(path);
            } catch (FileAlreadyExistsException e) {
                continue; // an earlier drill, or one of another cluster
            } catch (IOException e) {
                throw new ConfigException("run directory " + path + " cannot be made: " + FileReason.of(e));
            }
        }
    }

    /** Whether no drill has used this table through this binding. */
    synchronized boolean isFirst(String bindingClass, String table) {
        return !used.contains(List.of(bindingClass, table));
    }

    /** To be called when a drill has used this table through this binding. */
    synchronized void used(String bindingClass, String table) {
        used.add(List.of(bindingClass, table));
    }

    /** A run directory that is removed at the end unless its result says otherwise. */
    synchronized void passed(DrillResult result) {
        passing.add(result);
    }

    synchronized void keepAll() {
        keepAll = true;
    }

    /** Removes what is no longer needed, if the directory is temporary. */
    synchronized void close() {
        clusters.forEach(Workspace::removeIfEmpty);
        if (temporary.isEmpty()) {
            return;
        }
        Io.run("temporary directory " + root + " cannot be removed", () -> {
            if (!keepAll) {
                for (DrillResult result : passing) {
                    if (!result.kept()) {
                        temporary.get().delete(result.directory());
                    }
                }
            }
        });
        removeIfEmpty(root);
    }

    /** A directory that nothing has come into; what is in another one tells what went wrong. */
    static void removeIfEmpty(Path directory) {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            return;
        } catch (IOException e) {
            throw new UncheckedIOException("directory " + directory + " cannot be removed: " + FileReason.of(e), e);
        }
    }
}
