package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.NodeIo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which of a local cluster's nodes are members and which are spare: prepared, and not started until they are added. It is kept
 * in the cluster's directory, so that every process that controls the cluster agrees. Thread-safe.
 */
public final class Members {
    /** The option of engines whose clusters can grow. */
    public static final Option OPTION = new Option(
            "spare-nodes",
            "0",
            "further nodes, 0 to 3, that are prepared and not started, for the operation add-node of drills");

    private final Path file;
    private final List<String> all;

    /**
     * Those of a cluster.
     *
     * @param directory the cluster's
     * @param all ids of members and spare nodes, in their order
     */
    public Members(Path directory, List<String> all) {
        this.file = directory.resolve("spare-nodes");
        this.all = List.copyOf(all);
    }

    /** Those of a cluster whose nodes are {@code node1}, {@code node2}, ... */
    public static Members numbered(Path directory, int count) {
        return new Members(directory, numbered(count));
    }

    /** {@code node1}, {@code node2}, ... */
    public static List<String> numbered(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> "node" + number)
                .toList();
    }

    /** Members and spare nodes, in their order. */
    public List<String> all() {
        return all;
    }

    /** Those that belong to the cluster, in their order. */
    public synchronized List<String> members() {
        List<String> spares = read();
        return all.stream().filter(id -> !spares.contains(id)).toList();
    }

    /** Those that do not, in their order. */
    public synchronized List<String> spares() {
        List<String> spares = read();
        return all.stream().filter(spares::contains).toList();
    }

    /** Makes the nodes behind the first ones spare, before any of them was started. */
    public synchronized void begin(int members) {
        write(all.subList(members, all.size()));
    }

    /** Makes a spare node a member. */
    public synchronized void join(String node) {
        write(read().stream().filter(id -> !id.equals(node)).toList());
    }

    /** Makes a member a spare node. */
    public synchronized void leave(String node) {
        write(Stream.concat(read().stream(), Stream.of(node)).distinct().toList());
    }

    private List<String> read() {
        return NodeIo.get(file + " cannot be read", () -> Files.notExists(file) ? List.of() : Files.readAllLines(file));
    }

    private void write(List<String> spares) {
        NodeIo.run(file + " cannot be written", () -> {
            if (spares.isEmpty()) {
                Files.deleteIfExists(file);
            } else {
                AtomicFile.write(file, String.join("\n", spares) + "\n");
            }
        });
    }
}
