package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The options of {@code up}, checked.
 *
 * @param nodes data nodes
 * @param backups copies of each row beside the primary one
 * @param heapMegabytes heap of one node
 * @param regionMegabytes page memory of one node
 * @param failureDetectionMillis silence after which a node is dropped
 */
record EmbeddedOptions(int nodes, int backups, int heapMegabytes, int regionMegabytes, int failureDetectionMillis) {

    static final List<Option> ALL = List.of(
            new Option("data-nodes", "3", "number of data nodes, 1 to 9"),
            new Option("backups", "2", "copies of each row beside the primary one, 0 to data-nodes - 1"),
            new Option("heap-mb", "256", "JVM heap of one node in MB, 128 to 65536"),
            new Option(
                    "memory-mb",
                    "256",
                    "page memory of one node in MB, 64 to 65536; more rows than fit are paged from disk"),
            new Option(
                    "failure-detection-ms", "3000", "silence in ms after which the others drop a node, 500 to 60000"));

    /**
     * @throws IllegalArgumentException naming every bad option with its value and range
     */
    static EmbeddedOptions of(Map<String, String> given) {
        List<String> problems = new ArrayList<>();
        for (String name : new TreeSet<>(given.keySet())) {
            if (ALL.stream().noneMatch(o -> o.name().equals(name))) {
                problems.add("--" + name + " is not an option of the embedded cluster; it has "
                        + String.join(
                                ", ", ALL.stream().map(o -> "--" + o.name()).toList()));
            }
        }
        int nodes = number(given, "data-nodes", 1, 9, problems);
        int backups = given.containsKey("backups")
                ? number(given, "backups", 0, nodes - 1, problems)
                : Math.min(2, nodes - 1);
        EmbeddedOptions options = new EmbeddedOptions(
                nodes,
                backups,
                number(given, "heap-mb", 128, 65_536, problems),
                number(given, "memory-mb", 64, 65_536, problems),
                number(given, "failure-detection-ms", 500, 60_000, problems));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return options;
    }

    private static int number(Map<String, String> given, String name, int min, int max, List<String> problems) {
        String usual = ALL.stream()
                .filter(o -> o.name().equals(name))
                .map(Option::defaultValue)
                .findFirst()
                .orElseThrow();
        String value = given.getOrDefault(name, usual).strip();
        try {
            int number = Integer.parseInt(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through: the same message serves both.
        }
        problems.add("--" + name + " " + value + ": expected a whole number from " + min + " to " + max);
        return Integer.parseInt(usual);
    }
}
