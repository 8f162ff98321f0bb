package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.Restorable;
import io.ycsbdrill.fault.node.kit.Restoring.Backup;
import io.ycsbdrill.fault.node.os.DirectoryUsers;
import io.ycsbdrill.fault.node.os.FileDamage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loses and restores a local cluster, as far as it is the same for every engine. It is one operation: all is checked, a mark is written, and only
 * then the first file is removed; the mark goes when the first node serves what the backup has, as the others are empty then, and copy it like any node
 * that is initialised, or have all of it, too. While it is there no node is started, by nobody: what was cut short is never completed, and no start removes anything.
 * Thread-safe.
 */
public final class Restoration implements Restorable {
    private static final Duration DOWN_BOUND = Duration.ofSeconds(60);
    /** For the recovery of a large database; the step that it belongs to has a bound of its own, which interrupts it. */
    private static final Duration SERVES_BOUND = Duration.ofHours(1);

    private static final String TURN = "restore";

    private final LostNodes cluster;
    private final Restoring engine;
    private final NodeLocks turn = new NodeLocks(() -> List.of(TURN));
    /** Nodes that were killed for the restore that comes. */
    private final Set<String> lost = ConcurrentHashMap.newKeySet();
    /** Nodes whose data were removed, and that this has not started yet. */
    private final Set<String> returning = ConcurrentHashMap.newKeySet();

    private volatile String first = "";

    /** @param engine how its backups are made and put back */
    public Restoration(LostNodes cluster, Restoring engine) {
        this.cluster = cluster;
        this.engine = engine;
    }

    private static Path mark(Path directory) {
        return directory.resolve("restoring");
    }

    /** Why no node of the cluster in the directory can be started; empty when nothing is unfinished. */
    public static Optional<String> unfinished(Path directory) {
        Path mark = mark(directory);
        if (!Files.exists(mark, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        String which;
        try {
            which = Files.readString(mark).strip();
        } catch (IOException e) {
            which = mark + " cannot be read: " + FileReason.of(e);
        }
        return Optional.of("a restore was cut short, or is under way (" + which
                + "): data of this cluster are incomplete, and no node is started; take it down (ycsb cluster down) and begin"
                + " anew; if a node still runs, copy what you need from it first");
    }

    private List<String> members() {
        return cluster.nodes().stream().map(NodeInfo::id).toList();
    }

    @Override
    public Optional<String> restoreLacks() {
        return engine.restoreLacks();
    }

    @Override
    public void lose(String node) {
        backup();
        cluster.kill(node);
        returning.remove(node);
        lost.add(node);
    }

    private Backup backup() {
        return engine.lastBackup()
                .filter(backup -> members().contains(backup.node()) && isKept(backup.path()))
                .orElseThrow(
                        () -> new NodeControlException("no complete backup that this controller has made, of a node"
                                + " that is a member, is left in " + cluster.directory() + ", so no data is removed"));
    }

    /** Whether it is where the removal of the nodes' data does not reach it. */
    private boolean isKept(Path backup) {
        return Io.or(false, () -> {
            boolean removed = members().stream()
                    .map(node -> cluster.data(node).toAbsolutePath().normalize())
                    .anyMatch(data -> backup.toAbsolutePath().normalize().startsWith(data));
            return !removed
                    && Files.isDirectory(backup, LinkOption.NOFOLLOW_LINKS)
                    && backup.toRealPath().startsWith(cluster.directory().toRealPath());
        });
    }

    @Override
    public void restore(String node) {
        List<String> nodes = members();
        NodeLocks.await(DOWN_BOUND, () -> returning.contains(node) || lost.containsAll(nodes), () -> unfinished(
                        cluster.directory())
                .orElse("not all nodes were killed within " + DOWN_BOUND.toSeconds() + " s, so no data is removed"));
        turn.locked(TURN, () -> {
            if (!returning.contains(node)) {
                once(nodes);
            }
        });
        returning.remove(node);
        if (!node.equals(first) || nodes.size() == 1) {
            awaitFirst();
            unmark();
        }
        if (!node.equals(first)) {
            cluster.start(node);
        }
    }

    private void awaitFirst() {
        try {
            cluster.awaitStarted(first, SERVES_BOUND);
        } catch (NodeControlException e) {
            throw new NodeControlException(
                    "the restored " + first + " has not come up (" + e.getMessage() + "); "
                            + unfinished(cluster.directory()).orElse(""),
                    e);
        }
    }

    private void once(List<String> nodes) {
        if (!lost.containsAll(nodes)) {
            throw new NodeControlException(
                    unfinished(cluster.directory()).orElse("the restore has failed on another node"));
        }
        try {
            Runnable all = () -> replace(nodes);
            for (String each : nodes) {
                Runnable inner = all;
                all = () -> cluster.exclusively(each, inner);
            }
            all.run();
            returning.addAll(nodes);
        } finally {
            lost.clear();
        }
    }

    /** The caller holds the locks of all nodes. */
    private void replace(List<String> nodes) {
        Backup backup = backup();
        check(nodes, backup);
        NodeLocks.pause(Duration.ofNanos(1)); // the last moment at which a drill that was stopped removes nothing
        first = backup.node();
        write(backup);
        long begin = System.nanoTime();
        for (String each : nodes) {
            new DataDirectory(each, cluster.data(each)).empty();
            FileDamage.removed(cluster.directory(), each);
        }
        boolean isNew = engine.putBack(backup);
        // Nothing of before is acknowledged any more by now, and nothing new can be yet.
        cluster.restored(
                first,
                Formatted.of(
                        "the data of all nodes was removed; the backup %s was put back in %.1f s",
                        backup.path().getFileName(), (System.nanoTime() - begin) / 1e9));
        cluster.launchRestored(first, isNew);
    }

    /** All that can be known before the first file is removed. */
    private void check(List<String> nodes, Backup backup) {
        unfinished(cluster.directory()).ifPresent(why -> {
            throw new NodeControlException(why);
        });
        for (String each : nodes) {
            if (!cluster.idle(each)) {
                throw new NodeControlException(each + " is up again, so no data is removed");
            }
            DirectoryUsers.requireUnused(each, cluster.data(each));
            NodeIo.run(
                    "the data of " + each + " cannot be removed, and no data is",
                    () -> OwnedDirectory.checkPart(cluster.data(each)));
        }
        engine.checkPutBack(backup);
    }

    private void write(Backup backup) {
        Path mark = mark(cluster.directory());
        NodeIo.run(
                mark + " cannot be written, so no data is removed",
                () -> AtomicFile.write(
                        mark,
                        "of " + backup.path().getFileName() + " of " + backup.node() + ", begun at "
                                + Instant.now().truncatedTo(ChronoUnit.SECONDS) + "\n"));
    }

    private void unmark() {
        NodeIo.run(
                mark(cluster.directory()) + " cannot be removed",
                () -> Files.deleteIfExists(mark(cluster.directory())));
    }
}
