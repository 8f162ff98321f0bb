package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.fault.inventory.EngineDefaults;
import io.ycsbdrill.fault.inventory.HostedCluster;
import io.ycsbdrill.fault.inventory.HostedEngine;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.JdbcProperties;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.RemoteCluster;
import io.ycsbdrill.fault.node.galera.hosted.GaleraNodes;
import io.ycsbdrill.fault.node.haproxy.HealthCheck;
import io.ycsbdrill.fault.node.kit.ClusterPlan;
import io.ycsbdrill.fault.node.kit.CommonOptions;
import io.ycsbdrill.fault.node.kit.EngineHomes;
import io.ycsbdrill.fault.node.kit.InstalledRecipe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * MariaDB Galera Cluster: on this machine, servers that each hold all data, on loopback, which needs Linux and an installation, see
 * {@link GaleraHome#PLACES}; elsewhere, clusters that somebody else runs, on the hosts of an inventory. Stateless and thread-safe.
 */
public final class GaleraEngine implements InstalledRecipe<GaleraOptions, GaleraCluster>, HostedEngine {
    /** The engine's name as typed. */
    public static final String NAME = "galera";

    /** Property of an inventory: MariaDB's client on the hosts, with options. */
    private static final String CLIENT = "galera.client";

    @Override
    public List<String> alsoCalled() {
        return List.of("mariadb", "pxc");
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
    public EngineHomes<GaleraHome> homes() {
        return GaleraHome.PLACES;
    }

    @Override
    public List<Option> ownOptions() {
        return GaleraOptions.OWN;
    }

    @Override
    public GaleraOptions read(OptionReader reader, CommonOptions common) {
        return GaleraOptions.read(reader, common);
    }

    @Override
    public int nodes(GaleraOptions options) {
        return options.nodes();
    }

    @Override
    public Optional<HealthCheck> proxied() {
        return Optional.of(HealthCheck.SYNCED);
    }

    private static GaleraHome home(GaleraOptions options) {
        return GaleraHome.PLACES.require(options.home());
    }

    @Override
    public List<Path> require(GaleraOptions options) {
        GaleraHome home = home(options);
        return List.of(home.root());
    }

    @Override
    public Optional<Path> longestSocket(Path directory) {
        return Optional.of(new GaleraFiles(directory).home("node1").resolve("recover.sock"));
    }

    @Override
    public int portsPerNode() {
        return GaleraConfig.PORTS;
    }

    @Override
    public void write(ClusterPlan<GaleraOptions> plan) throws IOException {
        GaleraConfig.write(home(plan.options()), plan);
    }

    @Override
    public String version(ClusterPlan<GaleraOptions> plan) {
        return "unknown";
    }

    @Override
    public Map<String, Map<String, String>> bindings(ClusterPlan<GaleraOptions> plan) {
        return Map.of(
                "jdbc",
                JdbcProperties.at(plan.proxyPort()
                        .map(port -> List.of("127.0.0.1:" + port))
                        .orElse(List.copyOf(plan.servers(GaleraConfig.SQL).values()))));
    }

    @Override
    public Map<String, String> state(ClusterPlan<GaleraOptions> plan) {
        return Map.of(
                "home",
                home(plan.options()).root().toString(),
                "nodes",
                Integer.toString(plan.nodes().size()));
    }

    @Override
    public GaleraCluster open(ClusterDescriptor descriptor) {
        return GaleraCluster.open(descriptor);
    }

    @Override
    public void bringUp(ClusterPlan<GaleraOptions> plan, GaleraCluster cluster) throws IOException {
        cluster.bringUp(plan);
    }

    @Override
    public Map<String, String> servers(ClusterPlan<GaleraOptions> plan) {
        return plan.servers(GaleraConfig.SQL);
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
                () -> HostedCluster.connect(inventory, pausesNodes(), () -> GaleraNodes.connect(NAME, nodes, client)));
    }

    /** The others say who is a member, and have it no longer after some seconds. */
    @Override
    public boolean pausesNodes() {
        return true;
    }

    @Override
    public Optional<String> withoutPrimary() {
        return Optional.of(NodeController.noPrimary(NAME));
    }
}
