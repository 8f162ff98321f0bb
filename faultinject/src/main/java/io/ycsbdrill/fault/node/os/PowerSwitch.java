package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Unpluggable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Cuts the power of nodes whose writes the {@link DiskShim} records: ends the process, then takes back what was not synced. A node
 * that writes in ways that are not recorded is left alone, and the cut refused. Thread-safe.
 */
public final class PowerSwitch implements Unpluggable {
    private final DiskShim shim;
    private final Killable nodes;
    private final Function<String, Optional<OsProcess>> processes;
    private final BiConsumer<String, Runnable> exclusively;
    private final Set<String> mapped;
    private final Map<String, UndoJournal.Loss> losses = new ConcurrentHashMap<>();

    /**
     * @param shim with a journal
     * @param nodes ends their processes
     * @param processes the process of a node that writes its files; empty when it is not running
     * @param exclusively runs an operation on a node while no other runs, so that none is started in the middle
     * @param mapped names of files that a node may map to write to them: they keep what they have, on which no acknowledged write
     *     depends
     */
    public PowerSwitch(
            DiskShim shim,
            Killable nodes,
            Function<String, Optional<OsProcess>> processes,
            BiConsumer<String, Runnable> exclusively,
            Set<String> mapped) {
        this.shim = shim;
        this.nodes = nodes;
        this.processes = processes;
        this.exclusively = exclusively;
        this.mapped = Set.copyOf(mapped);
    }

    @Override
    public void unplug(String node) {
        processes.apply(node).ifPresent(process -> {
            losses.remove(node); // of an earlier cut
            unfollowed(node, process).ifPresent(why -> {
                throw new NodeControlException("the power of " + node
                        + " is not cut, as it is not known what it has synced: " + why
                        + "; see docs/faults.md#power-loss");
            });
        });
        exclusively.accept(node, () -> {
            nodes.kill(node);
            losses.merge(node, shim.rollBack(node), UndoJournal.Loss::plus);
        });
    }

    @Override
    public Sight lookForLoss(String node) {
        UndoJournal.Loss loss = losses.get(node);
        if (loss == null) {
            return new Sight(false, "its power was not cut");
        }
        return new Sight(
                true,
                loss.writes() == 0
                        ? "everything that it had written was synced"
                        : loss.writes() + " writes of " + loss.bytes() + " bytes to " + loss.files()
                                + " files were not synced and are gone");
    }

    /** Why the journal does not have everything that the process has written; empty when it has. */
    private Optional<String> unfollowed(String node, OsProcess process) {
        Optional<String> noted = shim.unfollowed(node);
        if (noted.isPresent()) {
            return noted;
        }
        Path proc = Path.of("/proc", Long.toString(process.pid()));
        String data = shim.data(node) + "/";
        try {
            boolean loaded = false;
            for (String line : Files.readAllLines(proc.resolve("maps"))) {
                loaded |= line.endsWith(shim.library().toString());
                int path = line.indexOf('/');
                if (path >= 0
                        && line.contains(" rw-s ")
                        && line.startsWith(data, path)
                        && !mapped.contains(
                                Path.of(line.substring(path)).getFileName().toString())) {
                    return Optional.of("it writes through memory to " + line.substring(path));
                }
            }
            if (!loaded) {
                return Optional.of("it has not loaded " + shim.library());
            }
            return rings(proc) ? Optional.of("it writes through io_uring") : Optional.empty();
        } catch (IOException e) {
            return Optional.of("its mapped files cannot be listed: " + e.getMessage());
        }
    }

    private static boolean rings(Path proc) throws IOException {
        try (Stream<Path> open = Files.list(proc.resolve("fd"))) {
            return open.anyMatch(PowerSwitch::isRing);
        }
    }

    private static boolean isRing(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("io_uring");
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }
}
