package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.trouble.Unpluggable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Cuts the power of nodes whose writes the {@link DiskShim} records: ends the process, then takes back what was not synced. A node
 * that writes in ways that are not recorded is left alone, and the cut refused. Thread-safe.
 */
public final class PowerSwitch implements Unpluggable {
    private final DiskShim shim;
    private final SandboxedNodes nodes;
    private final Map<String, UndoJournal.Loss> losses = new ConcurrentHashMap<>();

    /** @param shim with a journal */
    PowerSwitch(DiskShim shim, SandboxedNodes nodes) {
        this.shim = shim;
        this.nodes = nodes;
    }

    @Override
    public void unplug(String node) {
        nodes.process(node).ifPresent(process -> {
            losses.remove(node); // of an earlier cut
            unfollowed(node, process).ifPresent(why -> {
                throw new NodeControlException("the power of " + node
                        + " is not cut, as it is not known what it has synced: " + why
                        + "; see docs/faults-of-disks.md#power-loss");
            });
        });
        nodes.exclusively(node, () -> {
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
                        && !nodes.mapped()
                                .contains(Path.of(line.substring(path))
                                        .getFileName()
                                        .toString())) {
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
        // Closed meanwhile
        return Io.or(false, () -> Files.readSymbolicLink(descriptor).toString().contains("io_uring"));
    }
}
