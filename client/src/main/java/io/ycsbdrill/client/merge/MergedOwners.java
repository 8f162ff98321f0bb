package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.client.run.file.OwnerSlices;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.rundir.RunTable;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What was done with the keys of each owner, all clients together: {@code owners.csv}, and {@code keyOwners} of {@code run.json}. */
record MergedOwners(List<AlignedClient> clients) {
    private static final String SECTION = "keyOwners";

    private List<AlignedClient> started() {
        return clients.stream().filter(client -> client.files().started()).toList();
    }

    /** Why the series cannot be added up; empty when they can. */
    private String problem() {
        for (AlignedClient client : started()) {
            if (!Files.isRegularFile(client.files().directory().resolve(RunTable.OWNERS.file()))) {
                return "client " + client.number() + " did not count its operations by the owners of their keys";
            }
        }
        // An operation of one client is counted for the same owner as that of another only if both saw the same owners.
        boolean same = started().stream()
                        .map(client -> client.run().path(SECTION).path("partitions"))
                        .distinct()
                        .count()
                == 1;
        return same ? "" : "the clients did not see the same owners at their start";
    }

    /** The section of the merged document; empty when no client has one. */
    Optional<ObjectNode> section() {
        List<AlignedClient> having =
                clients.stream().filter(client -> client.run().has(SECTION)).toList();
        if (having.isEmpty()) {
            return Optional.empty();
        }
        AlignedClient one = having.stream()
                .filter(client -> client.files().drills())
                .findFirst()
                .orElse(having.get(0));
        ObjectNode section = one.run().path(SECTION).deepCopy();
        String problem = problem();
        if (problem.isEmpty()) {
            for (JsonNode change : section.path("changes")) {
                ((ObjectNode) change).put("atSeconds", change.path("atSeconds").asDouble() + one.offsetNanos() / 1e9);
            }
        } else {
            section.remove(List.of("partitions", "changes"));
            section.put("reason", problem);
        }
        return Optional.of(section);
    }

    void write(RunDirectory directory, int slices, long sliceNanos) throws IOException {
        if (section().isEmpty() || !problem().isEmpty()) {
            return;
        }
        Map<String, IntervalTotals.Slices> sums = new TreeMap<>();
        for (AlignedClient client : started()) {
            client.files()
                    .slices(RunTable.OWNERS, "owner")
                    .addTo(
                            owner -> sums.computeIfAbsent(owner, none -> ClientFiles.emptySlices(slices)),
                            client.sliceShift());
        }
        List<String> nodes = List.copyOf(sums.keySet());
        Map<Integer, IntervalTotals.Slices> owned = new HashMap<>();
        sums.forEach((owner, columns) -> owned.put(nodes.indexOf(owner), columns));
        try (OwnerSlices file = new OwnerSlices(nodes, sliceNanos, directory.table(RunTable.OWNERS))) {
            file.add(IntervalTotals.ofOwners(slices, sliceNanos, owned));
        }
    }
}
