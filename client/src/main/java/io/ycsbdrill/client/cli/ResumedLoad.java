package io.ycsbdrill.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.key.KeyRange;
import io.ycsbdrill.client.session.TableProbe;
import io.ycsbdrill.client.session.WorkloadKeys;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.RunFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import site.ycsb.DBException;

/**
 * Loads only what an earlier load left: its failed keys, those it did not start, and those with an unknown outcome that turn
 * out not to be in the table.
 */
record ResumedLoad(
        CommandContext world, Path directory, JsonNode first, List<KeyRange> missing, List<KeyRange> unknown) {
    /** Properties that decide which rows a load means, with their values where they are not set. */
    private static final Map<String, String> OF_ROWS = new TreeMap<>(Map.ofEntries(
            Map.entry("workload", "none"),
            Map.entry("table", "usertable"),
            Map.entry("recordcount", "none"),
            Map.entry("insertorder", "hashed"),
            Map.entry("zeropadding", "1"),
            Map.entry("fieldcount", "10"),
            Map.entry("fieldnameprefix", "field"),
            Map.entry("fieldlength", "100"),
            Map.entry("minfieldlength", "1"),
            Map.entry("fieldlengthdistribution", "constant"),
            Map.entry("fieldlengthhistogram", "hist.txt"),
            Map.entry("dataintegrity", "false")));

    /** @throws ConfigException when the directory is not that of a load that can be resumed */
    static ResumedLoad of(Path directory, CommandContext world) {
        JsonNode load = read(directory, RunFile.SUMMARY).path("load");
        if (!load.path("failedRanges").isArray()) {
            throw new ConfigException("--resume " + directory + ": " + directory.resolve(RunFile.SUMMARY)
                    + " holds no key ranges of a load; only loads of workloads that number their keys can be resumed");
        }
        List<KeyRange> missing = new ArrayList<>(ranges(load.path("failedRanges")));
        missing.addAll(ranges(load.path("notStartedRanges")));
        ResumedLoad resumed = new ResumedLoad(
                world,
                directory,
                read(directory, RunFile.RUN),
                KeyRange.joined(missing),
                ranges(load.path("unknownRanges")));
        if (resumed.missing.isEmpty() && resumed.unknown.isEmpty()) {
            throw new ConfigException(
                    "--resume " + directory + ": that load is complete; there is nothing left to load");
        }
        return resumed;
    }

    private static JsonNode read(Path directory, String name) {
        Path file = directory.resolve(name);
        try {
            return Json.read(file);
        } catch (IOException e) {
            throw new ConfigException("--resume " + directory + ": " + file + " cannot be read (" + FileReason.of(e)
                    + "); a load that has none, as after a kill, must be done again");
        }
    }

    private static List<KeyRange> ranges(JsonNode array) {
        List<KeyRange> ranges = new ArrayList<>();
        array.forEach(r -> ranges.add(new KeyRange(r.get(0).asLong(), r.get(1).asLong())));
        return ranges;
    }

    /** Finds properties with which other rows would be loaded than those that are left. */
    void check(Properties properties, Problems problems) {
        JsonNode before = first.path("properties");
        OF_ROWS.forEach((key, absent) ->
                same(key, properties.getProperty(key, absent), before.path(key).asText(absent), problems));
        // They need not be given: what is left has numbers of its own, and those of a client's share were never typed.
        for (String key : List.of("insertstart", "insertcount")) {
            if (properties.containsKey(key)) {
                same(key, properties.getProperty(key), before.path(key).asText("none"), problems);
            }
        }
    }

    private void same(String key, String now, String before, Problems problems) {
        if (!now.equals(before)) {
            problems.add("--resume " + directory + ": " + key + " is " + now + ", but was " + before
                    + " in that load; give what it had, or load without --resume");
        }
    }

    /**
     * Limits the load to the keys that are missing.
     *
     * @throws ConfigException when there are none, the database cannot say, or it is reached by another binding
     */
    void prepare(Access access, RunSpec.Builder spec) {
        Problems problems = new Problems();
        same("binding", access.bindingClass(), first.path("bindingClass").asText(), problems);
        problems.throwIfAny(ConfigException::new);
        TableProbe.check(access.bindingClass(), spec.properties(), false, true);
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

    /** The keys with an unknown outcome that the database says it does not have. */
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
                    + " records with an unknown outcome cannot be looked up: "
                    + (e.getMessage() == null ? e : e.getMessage()));
        }
        world.say("of " + asked + " records with an unknown outcome " + (asked - left.size()) + " are in the table");
        return left;
    }
}
