package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.KeyOwners;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.measure.KeyOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which node had the primary copies of which keys when the run began, and how that has changed since. Operations are counted for the
 * owner at the start throughout, so that a series is of the same keys before a fault and after it. Immutable but for the changes,
 * which are added by one thread and may be read by others.
 */
final class Ownership {
    private final String table;
    private final List<String> nodes;
    private final List<String> byPartition;
    private final int[] owners;
    private final String reason;
    private final List<Change> changes = new ArrayList<>();

    /**
     * From a moment on so many partitions had another owner than at the start.
     *
     * @param atNanos since run start, when it was seen
     */
    private record Change(long atNanos, long moved) {}

    private Ownership(String table, List<String> byPartition, String reason) {
        this.table = table;
        this.byPartition = byPartition;
        this.reason = reason;
        nodes = byPartition.stream()
                .filter(node -> !node.isEmpty())
                .distinct()
                .sorted()
                .toList();
        owners = byPartition.stream().mapToInt(nodes::indexOf).toArray();
    }

    /** The state of the cluster now, before the run. */
    static Ownership of(String table, KeyOwners.Owners now) {
        return new Ownership(table, now.byPartition(), now.reason());
    }

    static Ownership unknown(String table, String reason) {
        return new Ownership(table, List.of(), reason);
    }

    /** Whether anything can be counted. */
    boolean isKnown() {
        return !nodes.isEmpty();
    }

    /** The names of the owners, by their number. */
    List<String> nodes() {
        return nodes;
    }

    /** Tells the owners of keys to the client thread that uses this binding. */
    KeyOwner lookup(KeyOwners binding) {
        return (used, key) -> {
            int partition = used.equals(table) ? binding.partition(used, key) : KeyOwner.NONE;
            return partition >= 0 && partition < owners.length ? owners[partition] : KeyOwner.NONE;
        };
    }

    /** The cluster was asked again; a table that was divided anew has no owner of the start any more. */
    synchronized void seen(KeyOwners.Owners now, long atNanos) {
        List<String> present = now.byPartition();
        if (present.isEmpty()) {
            return;
        }
        long moved = present.size() != byPartition.size()
                ? byPartition.size()
                : IntStream.range(0, present.size())
                        .filter(i -> !present.get(i).equals(byPartition.get(i)))
                        .count();
        long before = changes.isEmpty() ? 0 : changes.get(changes.size() - 1).moved;
        if (moved != before) {
            changes.add(new Change(atNanos, moved));
        }
    }

    /** The section {@code keyOwners} of {@code run.json}. */
    synchronized ObjectNode json() {
        ObjectNode json = RunDirectory.JSON.createObjectNode().put("table", table);
        if (!isKnown()) {
            return json.put("reason", reason.isEmpty() ? "no partition had an owner" : reason);
        }
        byPartition.forEach(json.putArray("partitions")::add);
        ArrayNode moves = json.putArray("changes");
        changes.forEach(change ->
                moves.addObject().put("atSeconds", change.atNanos / 1e9).put("partitionsMoved", change.moved));
        return json;
    }

    /** Whether a run is to have it: a drill, and what may be one of several clients of a drill. */
    static boolean wantedBy(RunSpec spec) {
        return spec.mode() == RunSpec.Mode.RUN
                && (spec.extra().containsKey("drill") || spec.part().isShare());
    }

    /** The table whose keys are looked at. */
    static String table(RunSpec spec) {
        return spec.properties().getProperty("table", "usertable");
    }
}
