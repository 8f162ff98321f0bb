package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.kit.ClusterFiles;
import java.nio.file.Path;

/**
 * The layout of a cluster's state directory: everything of a node is in the node's own folder.
 *
 * @param directory the cluster's own
 */
record EmbeddedFiles(Path directory) implements ClusterFiles {

    NodeFiles node(String node) {
        return new NodeFiles(directory.resolve(node));
    }

    @Override
    public Path data(String node) {
        return node(node).data();
    }

    @Override
    public Path log(String node) {
        return node(node).log();
    }

    @Override
    public Path output(String node) {
        return node(node).console();
    }

    @Override
    public Path pid(String node) {
        return node(node).pid();
    }
}
