package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.NodeSandbox;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.ignite.configuration.WALMode;

/**
 * The options of {@code up}, checked.
 *
 * @param nodes data nodes
 * @param spares number of nodes that are prepared beside them
 * @param backups copies of each row beside the primary one
 * @param heapMegabytes heap of one node
 * @param regionMegabytes page memory of one node
 * @param failureDetectionMillis silence after which a node is dropped
 * @param sandbox what surrounds the nodes
 * @param walMode when the write-ahead log is synced
 */
record EmbeddedOptions(
        int nodes,
        int spares,
        int backups,
        int heapMegabytes,
        int regionMegabytes,
        int failureDetectionMillis,
        NodeSandbox.Wanted sandbox,
        WALMode walMode) {

    private static final List<Option> OWN = List.of(
            new Option("data-nodes", "3", "number of data nodes, 1 to 9"),
            Members.OPTION,
            new Option("backups", "2", "copies of each row beside the primary one, 0 to data-nodes - 1"),
            new Option("heap-mb", "256", "JVM heap of one node in MB, 128 to 65536"),
            new Option(
                    "memory-mb",
                    "256",
                    "page memory of one node in MB, 64 to 65536; more rows than fit are paged from disk"),
            new Option(
                    "failure-detection-ms", "3000", "silence in ms after which the others eject a node, 500 to 60000"),
            new Option(
                    "wal-mode",
                    "log-only",
                    "when the write-ahead log is synced: log-only (every half second; a power cut loses what is not)"
                            + " or fsync (before each write is acknowledged)"));

    static final List<Option> ALL =
            Stream.concat(OWN.stream(), NodeSandbox.options(Set.of()).stream()).toList();

    /** @throws IllegalArgumentException naming every invalid option with its value and range */
    static EmbeddedOptions of(Map<String, String> given) {
        OptionReader reader = new OptionReader("embedded", ALL, given);
        int nodes = reader.number("data-nodes", 1, 9);
        EmbeddedOptions options = new EmbeddedOptions(
                nodes,
                reader.number(Members.OPTION.name(), 0, 3),
                reader.given("backups") ? reader.number("backups", 0, nodes - 1) : Math.min(2, nodes - 1),
                reader.number("heap-mb", 128, 65_536),
                reader.number("memory-mb", 64, 65_536),
                reader.number("failure-detection-ms", 500, 60_000),
                NodeSandbox.Wanted.read(reader, Set.of()),
                walMode(reader));
        reader.check();
        return options;
    }

    private static WALMode walMode(OptionReader reader) {
        String value = reader.text("wal-mode");
        return switch (value) {
            case "log-only" -> WALMode.LOG_ONLY;
            case "fsync" -> WALMode.FSYNC;
            default -> {
                reader.problem("--wal-mode " + value + ": expected log-only or fsync");
                yield WALMode.LOG_ONLY;
            }
        };
    }
}
