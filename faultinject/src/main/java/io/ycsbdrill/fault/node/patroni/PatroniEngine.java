package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.base.PrivateFolders;
import io.ycsbdrill.fault.inventory.EngineDefaults;
import io.ycsbdrill.fault.inventory.HostedCluster;
import io.ycsbdrill.fault.inventory.HostedEngine;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.RemoteCluster;
import io.ycsbdrill.fault.node.haproxy.HealthCheck;
import io.ycsbdrill.fault.node.kit.ClusterPlan;
import io.ycsbdrill.fault.node.kit.CommonOptions;
import io.ycsbdrill.fault.node.kit.EngineHomes;
import io.ycsbdrill.fault.node.kit.InstalledRecipe;
import io.ycsbdrill.fault.node.os.DiskShim;
import io.ycsbdrill.fault.node.os.RunAs;
import io.ycsbdrill.fault.node.os.SandboxFeature;
import io.ycsbdrill.fault.node.os.Starver;
import io.ycsbdrill.fault.node.patroni.PatroniConfig.Place;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * PostgreSQL with Patroni: on this machine with one etcd, which needs Linux and an installation, see {@link PatroniHome#PLACES}; on other
 * hosts, clusters that somebody else runs. Stateless and thread-safe.
 */
public final class PatroniEngine implements InstalledRecipe<PatroniOptions, PatroniCluster>, HostedEngine {
    /** The engine's name as typed. */
    public static final String NAME = "patroni";

    private static final int REST = 0;
    private static final int SQL = 1;
    private static final Duration BOUND = Duration.ofMinutes(3);

    @Override
    public EngineHomes<PatroniHome> homes() {
        return PatroniHome.PLACES;
    }

    @Override
    public List<String> alsoCalled() {
        return List.of("postgres", "postgresql", "pg");
    }

    @Override
    public int order() {
        return 25;
    }

    @Override
    public List<String> bindings() {
        return List.of("jdbc");
    }

    @Override
    public String firstDrill() {
        return "primary-kill";
    }

    @Override
    public List<Option> ownOptions() {
        return PatroniOptions.OWN;
    }

    @Override
    public PatroniOptions read(OptionReader reader, CommonOptions common) {
        return PatroniOptions.read(reader, common);
    }

    @Override
    public int nodes(PatroniOptions options) {
        return options.nodes();
    }

    @Override
    public List<String> helpers() {
        return List.of(PatroniFiles.ETCD);
    }

    /** Both know one process of a node, whose files only it writes. */
    @Override
    public Set<SandboxFeature> without() {
        return Set.of(DiskShim.JOURNAL, Starver.FEATURE);
    }

    @Override
    public Optional<HealthCheck> proxied() {
        return Optional.of(HealthCheck.PRIMARY);
    }

    @Override
    public List<Path> require(PatroniOptions options) {
        PatroniHome home = home(options);
        PatroniOptions.check(home.version(), options.ttl(), options.retryTimeout());
        if (options.pgbouncer()) {
            home.pgbouncer();
        }
        return List.of(home.root());
    }

    private static PatroniHome home(PatroniOptions options) {
        return PatroniHome.PLACES.require(options.home());
    }

    @Override
    public Optional<Path> longestSocket(Path directory) {
        return Optional.of(new PatroniFiles(directory).home("node1").resolve(".s.PGSQL.65535.lock"));
    }

    @Override
    public int portsPerNode() {
        return 2;
    }

    /** Those of etcd: for clients, and for other members, of which there are none; and PgBouncer's. */
    @Override
    public int sharedPorts(PatroniOptions options) {
        return options.pgbouncer() ? 3 : 2;
    }

    private static Optional<PgBouncer> pgbouncer(ClusterPlan<PatroniOptions> plan) {
        return plan.options().pgbouncer()
                ? Optional.of(new PgBouncer(new PatroniFiles(plan.directory()), plan.sharedPort(2)))
                : Optional.empty();
    }

    @Override
    public void write(ClusterPlan<PatroniOptions> plan) throws IOException {
        PatroniFiles files = new PatroniFiles(plan.directory());
        PatroniHome home = home(plan.options());
        RunAs user = RunAs.of(plan.options().user());
        String password = new BigInteger(160, new SecureRandom()).toString(36);
        user.admit(plan.directory());
        Files.createDirectories(files.data(PatroniFiles.ETCD));
        give(files.home(PatroniFiles.ETCD), user);
        for (String node : plan.nodes()) {
            PrivateFolders.forOwner(files.home(node));
            String configuration = PatroniConfig.patroni(
                    files,
                    plan.options(),
                    node,
                    new Place(plan.address(node), plan.port(node, REST), plan.port(node, SQL)),
                    etcd(plan),
                    network(plan),
                    password);
            AtomicFile.writePrivate(files.configuration(node), configuration.getBytes(StandardCharsets.UTF_8));
            give(files.home(node), user);
            home.link(files, node);
            Files.createSymbolicLink(files.server(node), files.written(node));
        }
        for (Path folder = files.programs("node1").getParent();
                !folder.equals(plan.directory().getParent());
                folder = folder.getParent()) {
            user.admit(folder);
        }
        user.check(
                Stream.concat(
                                Stream.of(home.etcd(), Path.of(home.program("postgres")), files.configuration("node1")),
                                plan.options().pgbouncer() ? Stream.of(home.pgbouncer()) : Stream.empty())
                        .toList(),
                files.home("node1"));
    }

    private static void give(Path folder, RunAs user) throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        user.own(folder);
    }

    private static String etcd(ClusterPlan<PatroniOptions> plan) {
        return plan.address(PatroniFiles.ETCD) + ":" + plan.sharedPort(0);
    }

    /** The addresses of the nodes and of clients. */
    private static String network(ClusterPlan<PatroniOptions> plan) {
        return plan.common().sandbox().isolated()
                ? plan.address("node1").replaceFirst("[0-9]+$", "0/24")
                : "127.0.0.0/8";
    }

    @Override
    public String version(ClusterPlan<PatroniOptions> plan) {
        PatroniHome home = home(plan.options());
        return home.version() + " with PostgreSQL " + home.serverVersion();
    }

    @Override
    public Map<String, Map<String, String>> bindings(ClusterPlan<PatroniOptions> plan) {
        List<String> servers = pgbouncer(plan)
                .map(PgBouncer::address)
                .or(() -> plan.proxyPort().map(port -> "127.0.0.1:" + port))
                .map(List::of)
                .orElseGet(() -> List.copyOf(plan.servers(SQL).values()));
        String hosts = String.join(",", servers);
        Map<String, String> jdbc = new LinkedHashMap<>(Map.of("db.user", "ycsb", "db.passwd", ""));
        if (plan.options().urlList()) {
            jdbc.put("db.url", "jdbc:postgresql://" + hosts + "/ycsb?targetServerType=primary");
        } else {
            jdbc.put("db.url", "jdbc:postgresql://" + servers.get(0) + "/ycsb");
            jdbc.put("db.hosts", hosts);
        }
        return Map.of("jdbc", jdbc);
    }

    @Override
    public Map<String, String> state(ClusterPlan<PatroniOptions> plan) {
        Map<String, String> state = new LinkedHashMap<>(Map.of(
                "home",
                home(plan.options()).root().toString(),
                "nodes",
                Integer.toString(plan.nodes().size()),
                "user",
                plan.options().user(),
                "rest",
                plan.nodes().stream()
                        .map(node -> plan.address(node) + ":" + plan.port(node, REST))
                        .collect(Collectors.joining(",")),
                "etcd",
                etcd(plan) + ":" + plan.sharedPort(1)));
        pgbouncer(plan).ifPresent(front -> state.putAll(front.state()));
        return state;
    }

    @Override
    public PatroniCluster open(ClusterDescriptor descriptor) {
        if (!Files.isDirectory(descriptor.directory().resolve("bin"))) {
            throw new NodeControlException("no Patroni cluster is left in " + descriptor.directory());
        }
        return new PatroniCluster(descriptor);
    }

    @Override
    public void bringUp(ClusterPlan<PatroniOptions> plan, PatroniCluster cluster) throws IOException {
        List<String> members = plan.members().members();
        String first = members.get(0);
        exposure(plan.common().sandbox().isolated()).ifPresent(plan.progress());
        cluster.start(PatroniFiles.ETCD);
        plan.progress().accept("etcd is on " + etcd(plan) + "; " + first + " makes a new database");
        cluster.start(first);
        cluster.awaitStarted(first, BOUND);
        new PatroniAccounts(
                        home(plan.options()),
                        RunAs.of(plan.options().user()),
                        new PatroniFiles(plan.directory()).home(first))
                .make(plan.port(first, SQL));
        plan.progress().accept(first + " is primary, on " + plan.servers(SQL).get(first));
        List<String> others = members.subList(1, members.size());
        others.forEach(cluster::start);
        for (String node : others) {
            cluster.awaitStarted(node, BOUND);
            plan.progress().accept(node + " streams, on " + plan.servers(SQL).get(node));
        }
        cluster.awaitStarted(PatroniFiles.ETCD, BOUND);
        Optional<PgBouncer> front = pgbouncer(plan);
        if (front.isPresent()) { // it asks for the HAProxy behind it when a client comes
            front.get()
                    .start(
                            home(plan.options()),
                            RunAs.of(plan.options().user()),
                            plan.proxyPort().orElseThrow());
            plan.progress().accept("PgBouncer is on " + front.get().address());
        }
        if (plan.options().synchronous()) {
            cluster.awaitSynchronous(BOUND);
        }
    }

    /** What other accounts of this machine could do, as etcd takes the settings of the servers from anybody. */
    static Optional<String> exposure(boolean isolated) {
        return isolated
                ? Optional.empty()
                : Optional.of(
                        "every account of this machine can reach etcd on 127.0.0.1, which asks for no password, and"
                                + " through it change the servers' settings and run commands as their user; where there are"
                                + " others, start it with --network isolated");
    }

    @Override
    public Map<String, String> servers(ClusterPlan<PatroniOptions> plan) {
        return plan.servers(SQL);
    }

    @Override
    public Map<String, Integer> checked(ClusterPlan<PatroniOptions> plan) {
        Map<String, Integer> ports = new LinkedHashMap<>();
        plan.members().members().forEach(node -> ports.put(node, plan.port(node, REST)));
        return ports;
    }

    // --- On other hosts

    /** The way Debian's packages run it: the pid file is PostgreSQL's, and Patroni keeps it running. */
    @Override
    public EngineDefaults defaults() {
        return new EngineDefaults(
                EngineDefaults.DATA + "/postmaster.pid",
                List.of("postgres"),
                "/var/lib/postgresql/15/main",
                "PG_VERSION",
                List.of("systemctl", "start", "patroni"),
                List.of(),
                "patroni");
    }

    @Override
    public RemoteCluster cluster(Inventory inventory, EngineContext context) {
        List<HostedNode> nodes = inventory.nodes(Role.DATA);
        HttpServers servers = HostedRest.of(nodes, context);
        return new RemoteCluster(
                NAME,
                servers.toString(),
                NAME + " on "
                        + nodes.stream().map(node -> node.host().address()).collect(Collectors.joining(",")),
                Map.of(),
                () -> HostedCluster.connect(inventory, pausesNodes(), () -> HostedPatroni.connect(nodes, servers)));
    }

    /** The others, and the primary above all, say who is there. */
    @Override
    public boolean pausesNodes() {
        return true;
    }

    @Override
    public Optional<String> switchedBy() {
        return Optional.of("Patroni");
    }
}
