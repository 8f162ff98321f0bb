package io.ycsbdrill.fault.inject;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.UserCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Faults that are injected and not yet undone, kept in a file so that a later process can undo them when this one was
 * killed. Written before a fault begins, and replaced atomically. Thread-safe.
 */
public final class HealRecord {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Optional<Path> file;
    private final List<Entry> open = new ArrayList<>();
    private final ReentrantLock healing = new ReentrantLock();
    /** Those of which the command was run by this process, and not yet called healed. */
    private final Set<Entry> ran = ConcurrentHashMap.newKeySet();

    /**
     * One fault on one node.
     *
     * @param node the node
     * @param step the step that injected it
     * @param fault its name
     * @param command the user's own command that heals it; empty when the controller can
     * @param healed the user's own command that ends with 0 when the node is healed; empty when there is none
     * @param bound the longest time that each of these commands may run
     */
    public record Entry(
            String node, String step, String fault, List<String> command, List<String> healed, Duration bound) {
        public Entry {
            command = List.copyOf(command);
            healed = List.copyOf(healed);
        }

        /** The entry for a fault that is about to be injected. */
        static Entry of(NodeInfo node, Occurrence of, Fault fault) {
            return new Entry(
                    node.id(),
                    of.step(),
                    of.fault(),
                    fault.commands().heal().words(node),
                    fault.commands().healed().words(node),
                    fault.commands().bound());
        }
    }

    private HealRecord(Optional<Path> file) {
        this.file = file;
    }

    /** Kept in memory only: for clusters without a directory of their own on this machine. */
    public static HealRecord inMemory() {
        return new HealRecord(Optional.empty());
    }

    /**
     * Kept in {@code heal.json} of the cluster's directory; begins with what an earlier process left there.
     *
     * @throws NodeControlException when the file is there but cannot be read
     */
    public static HealRecord in(Path clusterDirectory) {
        Path file = clusterDirectory.resolve("heal.json");
        HealRecord record = new HealRecord(Optional.of(file));
        if (Files.exists(file)) {
            try {
                InputFile.requireOwn(file);
                for (JsonNode e : JSON.readTree(file.toFile()).path("open")) {
                    record.open.add(new Entry(
                            e.path("node").asText(),
                            e.path("step").asText(),
                            e.path("fault").asText(),
                            texts(e.path("heal")),
                            texts(e.path("healed")),
                            // Records of earlier versions have none.
                            Duration.ofNanos(e.path("boundNanos").asLong(UserCommands.DEFAULT_BOUND.toNanos()))));
                }
            } catch (IOException e) {
                throw new NodeControlException(
                        "record of open faults " + file + " cannot be read: " + FileReason.of(e)
                                + "; check the nodes by hand and remove the file",
                        e);
            }
        }
        return record;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    /** Where it is kept; empty when in memory only. */
    Optional<Path> file() {
        return file;
    }

    /** What is open, oldest first. */
    public synchronized List<Entry> open() {
        return List.copyOf(open);
    }

    /** Heals while nobody else heals what is recorded here, as the command of a fault is to be run once. The work says what could not be healed. */
    List<String> alone(Duration bound, Supplier<List<String>> work) {
        if (!NodeLocks.holds(bound, healing::tryLock)) {
            return List.of("another healing is under way");
        }
        try {
            return work.get();
        } finally {
            healing.unlock();
        }
    }

    Set<Entry> ran() {
        return ran;
    }

    synchronized void add(Entry entry) {
        open.add(entry);
        write();
    }

    synchronized void remove(Entry entry) {
        ran.remove(entry);
        if (open.remove(entry)) {
            write();
        }
    }

    private void write() {
        if (file.isEmpty()) {
            return;
        }
        Path target = file.get();
        try {
            if (open.isEmpty()) {
                Files.deleteIfExists(target);
                return;
            }
            ObjectNode json = JSON.createObjectNode().put("schema", 1);
            ArrayNode list = json.putArray("open");
            for (Entry e : open) {
                ObjectNode entry = list.addObject()
                        .put("node", e.node())
                        .put("step", e.step())
                        .put("fault", e.fault())
                        .put("boundNanos", e.bound().toNanos());
                entry.set("heal", JSON.valueToTree(e.command()));
                entry.set("healed", JSON.valueToTree(e.healed()));
            }
            // Commands may contain passwords, and a later process needs them as they are.
            AtomicFile.writePrivate(target, JSON.writeValueAsBytes(json));
        } catch (IOException e) {
            throw new NodeControlException("record of open faults " + target + " cannot be written: " + e, e);
        }
    }
}
