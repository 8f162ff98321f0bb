package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.kit.ClusterFiles;
import java.nio.file.Path;

/**
 * The layout of a local cluster's state directory. Nodes are {@code node1}, {@code node2}, ...; what Patroni and PostgreSQL say is
 * in the same file, which is {@link #output}.
 *
 * @param directory the cluster's own
 */
record PatroniFiles(Path directory) implements ClusterFiles {
    /** The node that has no data: the store in which Patroni keeps who leads. */
    static final String ETCD = "etcd1";

    Path home(String node) {
        return directory.resolve(node);
    }

    @Override
    public Path data(String node) {
        return home(node).resolve("data");
    }

    @Override
    public Path log(String node) {
        return output(node);
    }

    Path configuration(String node) {
        return home(node).resolve("patroni.yml");
    }

    /** Programs of the installation, and one of ours that stands in for the server. */
    Path programs(String node) {
        return directory.resolve("bin").resolve(node);
    }

    /** What the server's user has written of the server that it became, beside {@link #server}, which leads here. */
    Path written(String node) {
        return home(node).resolve("postgres.pid");
    }

    /** The record of the node's second process, which Patroni starts: PostgreSQL's server. */
    Path server(String node) {
        return run().resolve(node + ".postgres.pid");
    }
}
