package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.fault.inventory.EngineDefaults;
import io.ycsbdrill.fault.inventory.HostedCluster;
import io.ycsbdrill.fault.inventory.HostedEngine;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.RemoteCluster;
import io.ycsbdrill.fault.node.galera.hosted.GaleraNodes;
import io.ycsbdrill.fault.node.haproxy.HaproxyTool;
import io.ycsbdrill.fault.node.os.CompilerTool;
import io.ycsbdrill.fault.node.os.Teardown;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * MariaDB Galera Cluster: on this machine, servers that each hold all data, on loopback, which needs Linux and an installation, see
 * {@link GaleraHome#find}; elsewhere, clusters that somebody else runs, on the hosts of an inventory. Stateless and thread-safe.
 */
public final class GaleraEngine implements LocalEngine, HostedEngine {
    /** The engine's name as typed. */
    public static final String NAME = "galera";

    /** Property of an inventory: MariaDB's client on the hosts, with options. */
    private static final String CLIENT = "galera.client";

    /** For {@link java.util.ServiceLoader}. */
    public GaleraEngine() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int order() {
        return 20;
    }

    @Override
    public List<String> bindings() {
        return List.of("jdbc");
    }

    @Override
    public List<Option> options() {
        return GaleraOptions.ALL;
    }

    @Override
    public void check(Map<String, String> options) {
        GaleraOptions.parse(options);
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

    /** Never {@code bad}: other engines work without it. */
    @Override
    public List<Finding> diagnose(EngineContext context) {
        boolean named = GaleraHome.named(null, context.environment()).isPresent();
        Optional<GaleraHome> found = GaleraHome.find(null, context.environment());
        if (found.isEmpty()) {
            return List.of(Finding.note(
                    "no MariaDB with Galera found (GALERA_HOME is not set). Next: bin/install-galera, no root needed"));
        }
        GaleraHome home = found.get();
        List<String> missing = home.missing();
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.okIf(
                missing.isEmpty(), "Galera installation: " + home.root() + (named ? " (GALERA_HOME)" : " (found)")));
        if (home.program("mariadbd").isPresent()) {
            findings.add(Finding.detail("server: " + home.version()));
        }
        home.provider().ifPresent(provider -> findings.add(Finding.detail("Galera: " + provider)));
        boolean up = context.clusters().find(NAME).isPresent();
        findings.add(Finding.detail(
                missing.isEmpty()
                        ? "next: ycsb " + (up ? "run jdbc -P workloads/workloadb" : "cluster up galera")
                        : "next: it lacks " + String.join(", ", missing)
                                + "; set GALERA_HOME to the folder that has usr, or unset it and let bin/install-galera make"
                                + " a complete one"));
        return findings;
    }

    /** The way Debian's packages run it. */
    @Override
    public EngineDefaults defaults() {
        return new EngineDefaults(
                "/run/mysqld/mysqld.pid",
                List.of("mariadbd", "mysqld"),
                "/var/lib/mysql",
                "grastate.dat",
                List.of("systemctl", "start", "mariadb"),
                List.of());
    }

    @Override
    public RemoteCluster cluster(Inventory inventory, EngineContext context) {
        List<HostedNode> nodes = inventory.nodes(Role.DATA);
        String client = Optional.of(context.property(CLIENT))
                .filter(given -> !given.isEmpty())
                .orElse("mariadb");
        String hosts = nodes.stream().map(node -> node.host().address()).collect(Collectors.joining(","));
        return new RemoteCluster(
                NAME,
                hosts,
                NAME + " on " + hosts,
                Map.of(),
                () -> HostedCluster.connect(inventory, () -> GaleraNodes.connect(NAME, nodes, client)));
    }

    @Override
    public List<Tool> tools() {
        return List.of(HaproxyTool.HAPROXY, CompilerTool.CC);
    }
}
