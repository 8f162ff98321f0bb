package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.Teardown;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * MySQL NDB Cluster (or RonDB) on this machine: a management server, data nodes and SQL nodes on loopback. Needs Linux and
 * an installation, see {@link NdbHome#find}. Stateless and thread-safe.
 */
public final class NdbEngine implements LocalEngine {
    /** The engine's name as typed. */
    public static final String NAME = "ndb";

    /** For {@link java.util.ServiceLoader}. */
    public NdbEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Option> options() {
        return NdbOptions.ALL;
    }

    @Override
    public LocalCluster up(Path directory, Map<String, String> options, Lifetime lifetime, Consumer<String> progress) {
        NdbOptions shape = NdbOptions.parse(options);
        NdbHome home = NdbHome.find(shape.home(), System.getenv())
                .orElseThrow(() -> new NodeControlException("no NDB installation found; set NDB_HOME to one (MySQL NDB"
                        + " Cluster or RonDB), or let bin/install-ndb make one in "
                        + NdbHome.cache(System.getenv())));
        List<String> missing = home.missing(shape.sqlNodes() > 0);
        if (!missing.isEmpty()) {
            throw new NodeControlException("NDB installation " + home.root() + " lacks " + String.join(", ", missing)
                    + "; expected in bin, sbin or libexec below it"
                    + (missing.equals(List.of("mysqld")) ? "; or give --sql-nodes 0" : ""));
        }
        return NdbStarter.up(
                home, shape, new NdbFiles(directory.toAbsolutePath().normalize()), lifetime, progress);
    }

    @Override
    public LocalCluster attach(ClusterDescriptor descriptor) {
        return NdbCluster.attach(descriptor);
    }

    @Override
    public void removeLeftovers(Path directory) {
        Teardown.run(directory.toAbsolutePath().normalize(), null);
    }
}
