package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.fault.node.kit.ClusterFiles;
import java.nio.file.Path;

/**
 * The layout of a local cluster's state directory.
 *
 * @param directory the cluster's own
 */
record FaunaDbFiles(Path directory) implements ClusterFiles {

    /** Everything that the node itself reads or writes. */
    Path node(String node) {
        return directory.resolve(node);
    }

    Path configuration(String node) {
        return node(node).resolve("faunadb.yml");
    }

    /** What an initial start removes. */
    Path data(String node) {
        return node(node).resolve("data");
    }

    Path logs(String node) {
        return node(node).resolve("log");
    }

    Path log(String node) {
        return logs(node).resolve("core.log");
    }

    /** The key that may do everything, for nobody but the owner of the directory. */
    Path rootKey() {
        return directory.resolve("root-key");
    }

    /** The key of the benchmark's database. */
    Path clientKey() {
        return directory.resolve("client-key");
    }
}
