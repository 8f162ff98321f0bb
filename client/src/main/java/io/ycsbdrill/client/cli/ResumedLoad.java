package io.ycsbdrill.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.KeyRange;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.session.TableProbe;
import io.ycsbdrill.client.session.WorkloadKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import site.ycsb.DBException;

/**
 * Loads only what an earlier load left: its failed keys, those it did not start, and those with an unknown outcome that turn
 * out not to be in the table.
 */
record ResumedLoad(CommandContext world, Path directory, List<KeyRange> missing, List<KeyRange> unknown) {
    /** @throws ConfigException when the directory is not that of a load that can be resumed */
    static ResumedLoad of(Path directory, CommandContext world) {
        Path file = directory.resolve("summary.json");
        JsonNode load;
        try {
            load = new ObjectMapper().readTree(file.toFile()).path("load");
        } catch (IOException e) {
            throw new ConfigException("--resume " + directory + ": " + file + " cannot be read (" + e.getMessage()
                    + "); a load that was killed has none and must be done again");
        }
        if (!load.path("failedRanges").isArray()) {
            throw new ConfigException("--resume " + directory + ": " + file
                    + " holds no key ranges of a load; only loads of workloads that number their keys can be resumed");
        }
        List<KeyRange> missing = new ArrayList<>(ranges(load.path("failedRanges")));
        missing.addAll(ranges(load.path("notStartedRanges")));
        ResumedLoad resumed =
                new ResumedLoad(world, directory, KeyRange.joined(missing), ranges(load.path("unknownRanges")));
        if (resumed.missing.isEmpty() && resumed.unknown.isEmpty()) {
            throw new ConfigException(
                    "--resume " + directory + ": that load is complete; there is nothing left to load");
        }
        return resumed;
    }

    private static List<KeyRange> ranges(JsonNode array) {
        List<KeyRange> ranges = new ArrayList<>();
        array.forEach(r -> ranges.add(new KeyRange(r.get(0).asLong(), r.get(1).asLong())));
        return ranges;
    }

    /**
     * Limits the load to the keys that are missing.
     *
     * @throws ConfigException when there are none, or the database cannot say
     */
    void prepare(Access access, RunSpec.Builder spec) {
        TableProbe.check(access.bindingClass(), spec.properties(), false);
        List<KeyRange> left = new ArrayList<>(missing);
        left.addAll(stillMissing(access.bindingClass(), spec.properties()));
        List<KeyRange> ranges = KeyRange.joined(left);
        long count = ranges.stream().mapToLong(KeyRange::count).sum();
        if (count == 0) {
            throw new ConfigException("--resume " + directory
                    + ": every record with an unknown outcome is in the table; there is nothing left to load");
        }
        spec.properties().setProperty(KeyRange.PROPERTY, KeyRange.text(ranges));
        spec.operations(count);
        world.say("resuming " + directory + ": " + count + " records in " + ranges.size() + " key ranges");
    }

    /** Of the keys with an unknown outcome, those that the database says it does not have. */
    private List<KeyRange> stillMissing(String bindingClass, Properties properties) {
        long asked = unknown.stream().mapToLong(KeyRange::count).sum();
        if (asked == 0) {
            return List.of();
        }
        List<KeyRange> left = new ArrayList<>();
        try (TableProbe probe = new TableProbe(bindingClass, properties)) {
            for (KeyRange range : unknown) {
                List<WorkloadKeys.Key> keys =
                        WorkloadKeys.of(properties, range.first(), Math.toIntExact(range.count()));
                for (int i = 0; i < keys.size(); i++) {
                    if (probe.record(keys.get(i)) != TableProbe.Record.PRESENT) {
                        left.add(new KeyRange(range.first() + i, range.first() + i));
                    }
                }
            }
        } catch (DBException e) {
            throw new ConfigException("--resume " + directory + ": the " + asked
                    + " records with an unknown outcome cannot be looked up: " + e);
        }
        world.say("of " + asked + " records with an unknown outcome " + (asked - left.size()) + " are in the table");
        return left;
    }
}
