package io.ycsbdrill.fault.node.galera;

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
 * MariaDB Galera Cluster on this machine: servers that each hold all data, on loopback. Needs Linux and an installation, see
 * {@link GaleraHome#find}. Stateless and thread-safe.
 */
public final class GaleraEngine implements LocalEngine {
    /** The engine's name as typed. */
    public static final String NAME = "galera";

    /** For {@link java.util.ServiceLoader}. */
    public GaleraEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<Option> options() {
        return GaleraOptions.ALL;
    }

    @Override
    public LocalCluster up(Path directory, Map<String, String> options, Lifetime lifetime, Consumer<String> progress) {
        GaleraOptions shape = GaleraOptions.parse(options);
        GaleraHome home = GaleraHome.find(shape.home(), System.getenv())
                .orElseThrow(
                        () -> new NodeControlException("no MariaDB with Galera found; let bin/install-galera unpack"
                                + " the distribution's packages into " + GaleraHome.cache(System.getenv())
                                + " (no root needed), or set GALERA_HOME"));
        if (!home.missing().isEmpty()) {
            throw new NodeControlException(
                    "Galera installation " + home.root() + " lacks " + String.join(", ", home.missing())
                            + "; expected in usr/bin, usr/sbin and usr/lib/galera below it");
        }
        return GaleraStarter.up(
                home, shape, new GaleraFiles(directory.toAbsolutePath().normalize()), lifetime, progress);
    }

    @Override
    public LocalCluster attach(ClusterDescriptor descriptor) {
        return GaleraCluster.attach(descriptor);
    }

    @Override
    public void removeLeftovers(Path directory) {
        Teardown.run(directory.toAbsolutePath().normalize(), null);
    }
}
