package io.ycsbdrill.report.data;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.rundir.CsvFile;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.SliceRow;
import io.ycsbdrill.rundir.TextFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The operations of a run by the node that had the primary copy of their key when the run began, from {@code owners.csv}.
 *
 * @param byOwner columns of as many slices as the run has, by the name of the node; empty when they are not known
 * @param changes how the owners have changed since, in order of time
 * @param reason why they are not known; empty when they are
 */
public record OwnerSeries(Map<String, Slices.Columns> byOwner, List<Change> changes, String reason) {
    private static final String SECTION = "keyOwners";

    /**
     * From a moment on, so many partitions had another owner than at the start of the run.
     *
     * @param atSeconds since run start
     */
    public record Change(double atSeconds, long partitionsMoved) {}

    public OwnerSeries {
        changes = List.copyOf(changes);
    }

    /** Where nobody knows which keys a node had. */
    public static OwnerSeries unknown(String reason) {
        return new OwnerSeries(Map.of(), List.of(), reason);
    }

    /** Reads the owners of a run with these slices. */
    static OwnerSeries read(Path directory, JsonNode run, Slices slices, List<Problem> problems) {
        JsonNode section = run.path(SECTION);
        if (!section.isObject()) {
            return unknown("the binding does not tell which node has the primary copy of a key");
        }
        Path path = directory.resolve(RunTable.OWNERS.file());
        if (section.has("reason") || !Files.isRegularFile(path)) {
            return unknown(section.path("reason").asText("no owners.csv"));
        }
        Map<String, List<SliceRow>> rows = new LinkedHashMap<>();
        TextFile file = TextFile.read(path);
        new CsvFile(file, problems, RunTable.OWNERS.required())
                .forEach(row -> rows.computeIfAbsent(row.text("owner"), name -> new ArrayList<>())
                        .add(SliceRow.of(row.numbered("slice", file.lines().size()))));
        if (!problems.isEmpty() || rows.isEmpty()) {
            return unknown("owners.csv is damaged");
        }
        Map<String, Slices.Columns> byOwner = new LinkedHashMap<>();
        rows.forEach((owner, list) -> byOwner.put(owner, Slices.Columns.of(list, 0, slices.count(), 0)));
        for (Slices.Columns columns : byOwner.values()) {
            for (int i = 0; i < slices.whole(); i++) {
                if (Double.isNaN(columns.ok()[i])) {
                    problems.add(
                            new Problem(RunTable.OWNERS.file(), 0, Problem.Kind.DAMAGED, "slice " + i + " is missing"));
                    return unknown("owners.csv is damaged: slice " + i + " is missing");
                }
            }
        }
        List<Change> changes = new ArrayList<>();
        section.path("changes")
                .forEach(change -> changes.add(new Change(
                        change.path("atSeconds").asDouble(),
                        change.path("partitionsMoved").asLong())));
        return new OwnerSeries(byOwner, changes, "");
    }

    /** Whether it is known which keys a node had. */
    public boolean known() {
        return !byOwner.isEmpty();
    }

    /** How many partitions had another owner than at the start of the run, as far as was seen by then. */
    public long movedAt(double seconds) {
        return changes.stream()
                .filter(change -> change.atSeconds <= seconds)
                .mapToLong(Change::partitionsMoved)
                .reduce(0, (earlier, later) -> later);
    }

    /** Successful operations by slice on the keys of these nodes together; those that had none are left out. */
    public double[] ok(List<String> owners) {
        double[] sum = new double[byOwner.values().iterator().next().ok().length];
        for (String owner : owners) {
            Slices.Columns columns = byOwner.get(owner);
            for (int i = 0; columns != null && i < sum.length; i++) {
                sum[i] += columns.ok()[i];
            }
        }
        return sum;
    }

    /** The owners among these nodes, or the others. */
    public List<String> owners(List<String> nodes, boolean among) {
        return byOwner.keySet().stream()
                .filter(owner -> nodes.contains(owner) == among)
                .toList();
    }
}
