package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.kit.ClusterFiles;
import java.nio.file.Path;

/**
 * The layout of a local cluster's state directory. Nodes are {@code node1}, {@code node2}, ...
 *
 * @param directory the cluster's own
 */
record CrateDbFiles(Path directory) implements ClusterFiles {

    /** The installation as the servers see it: links to its parts, and to the JDK that was chosen. */
    Path home() {
        return directory.resolve("home");
    }

    /** Everything that the node itself reads or writes. */
    Path node(String node) {
        return directory.resolve(node);
    }

    Path configuration(String node) {
        return node(node).resolve("conf");
    }

    @Override
    public Path data(String node) {
        return node(node).resolve("data");
    }

    Path logs(String node) {
        return node(node).resolve("logs");
    }

    @Override
    public Path log(String node) {
        return logs(node).resolve("node.log");
    }
}
