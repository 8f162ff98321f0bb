package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.fault.node.kit.ClusterFiles;
import java.nio.file.Path;

/**
 * The layout of a local cluster's state directory. Nodes are {@code node1}, {@code node2}, ...
 *
 * @param directory the cluster's own
 */
record GaleraFiles(Path directory) implements ClusterFiles {

    Path options(String node) {
        return directory.resolve(node + ".cnf");
    }

    /** The script that starts a node. */
    Path script() {
        return directory.resolve("node.sh");
    }

    /** Programs that stand in for the installation's. */
    Path programs() {
        return directory.resolve("bin");
    }

    Path home(String node) {
        return directory.resolve(node);
    }

    @Override
    public Path data(String node) {
        return home(node).resolve("data");
    }

    Path temporary(String node) {
        return home(node).resolve("tmp");
    }

    Path socket(String node) {
        return home(node).resolve("s.sock");
    }

    /** The server's error log, to which its recovery writes as well. */
    @Override
    public Path log(String node) {
        return home(node).resolve("error.log");
    }

    /** The server's account of itself, rewritten at each change. */
    Path status(String node) {
        return home(node).resolve("status.json");
    }

    /** Where the node's data stands in the cluster's history; there only while the node has recovered and waits. */
    Path position(String node) {
        return run().resolve(node + ".position");
    }
}
