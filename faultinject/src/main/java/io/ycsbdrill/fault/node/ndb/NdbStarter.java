package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.JdbcProperties;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.haproxy.Haproxy;
import io.ycsbdrill.fault.node.haproxy.HaproxyHome;
import io.ycsbdrill.fault.node.haproxy.HealthCheck;
import io.ycsbdrill.fault.node.kit.Teardown;
import io.ycsbdrill.fault.node.ndb.mgm.MgmException;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.LocalPorts;
import io.ycsbdrill.fault.node.os.SandboxFeature.Ground;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Starts a local cluster, step by step, and undoes what was done when a step fails. */
final class NdbStarter {
    private static final Duration MANAGEMENT_BOUND = Duration.ofSeconds(60);
    private static final Duration DATA_BOUND = Duration.ofMinutes(5);
    private static final Duration ARBITRATOR_BOUND = Duration.ofSeconds(60);
    private static final Duration SQL_BOUND = Duration.ofMinutes(3);

    static NdbCluster up(
            NdbHome home, NdbOptions options, NdbFiles files, Lifetime lifetime, Consumer<String> progress) {
        options.sandbox().require();
        check(options, files);
        Optional<HaproxyHome> proxy = options.haproxy().program(System.getenv(), List.of());
        NdbPrograms programs = new NdbPrograms(home, files);
        NdbCluster cluster = null;
        Process watchdog = null;
        // The SQL nodes' root may be reached by the socket in here.
        Directories.claim(files.directory(), NdbEngine.NAME);
        try {
            options.sandbox().make(new Ground(files.directory(), options.nodeIds(), lifetime, false));
            List<Integer> ports =
                    LocalPorts.free(1 + options.sqlNodes() + (proxy.isPresent() ? 1 : 0), files.directory());
            List<Integer> sqlPorts = ports.subList(1, 1 + options.sqlNodes());
            Optional<Integer> proxyPort = proxy.map(p -> ports.get(ports.size() - 1));
            write(home, options, files, ports.get(0), sqlPorts);
            NdbCluster.members(files.directory(), options.dataNodes() + options.spares())
                    .begin(options.dataNodes());
            watchdog = programs.watchdog();

            progress.accept("management server on " + NdbConfig.connectString(files, ports.get(0)));
            Process management = programs.startManagement();
            ClusterDescriptor descriptor =
                    descriptor(home, options, files, ports.get(0), sqlPorts, proxyPort, "unknown");
            cluster = new NdbCluster(descriptor, programs, files, lifetime == Lifetime.OWNED ? watchdog : null);
            awaitManagement(cluster, management::isAlive, programs);
            startData(cluster, options, programs, progress);
            for (int sql = 1; sql <= options.sqlNodes(); sql++) {
                progress.accept("SQL node " + sql + " on 127.0.0.1:" + sqlPorts.get(sql - 1));
                awaitSql(programs.startSql(sql), sqlPorts.get(sql - 1), sql, programs);
            }
            if (proxy.isPresent()) {
                Map<String, String> servers = new LinkedHashMap<>();
                sqlPorts.forEach(port -> servers.put("sql" + (servers.size() + 1), "127.0.0.1:" + port));
                Haproxy.start(proxy.get(), files.directory(), proxyPort.get(), HealthCheck.ANSWERS, servers, Map.of());
                progress.accept("HAProxy in front of the SQL nodes, on 127.0.0.1:" + proxyPort.get());
            }
            if (lifetime == Lifetime.DETACHED) {
                watchdog.destroy(); // complete: from now on it outlives this process
            }
            return cluster.withDescriptor(
                    descriptor(home, options, files, ports.get(0), sqlPorts, proxyPort, cluster.engineVersion()));
        } catch (IOException | RuntimeException e) {
            throw Teardown.undo(e, cluster, watchdog, files.directory());
        }
    }

    private static void check(NdbOptions options, NdbFiles files) {
        Path directory = files.directory();
        Directories.requirePlain(directory, "set YCSB_DRILL_STATE to a directory");
        if (options.sqlNodes() > 0) {
            Directories.requireShort(directory, files.sqlSocket(1));
        }
        if (!Files.isDirectory(Path.of("/proc/self"))) {
            throw new NodeControlException(
                    "local NDB clusters need Linux (/proc); on this system attach to a cluster with ndb.connectstring");
        }
    }

    private static void write(NdbHome home, NdbOptions options, NdbFiles files, int port, List<Integer> sqlPorts)
            throws IOException {
        List<Path> folders = new ArrayList<>(List.of(
                files.configCache(),
                files.managementData(),
                files.output("").getParent(),
                files.pid("").getParent()));
        for (int node = 1; node <= options.dataNodes() + options.spares(); node++) {
            folders.add(files.data(node));
        }
        for (Path folder : folders) {
            Files.createDirectories(folder);
        }
        Files.writeString(files.config(), NdbConfig.cluster(options, files, port));
        Files.writeString(files.dataOptions(), NdbConfig.dataOptions(files, port));
        // In its own network every process is root, be it in a user namespace.
        boolean asRoot = options.sandbox().isolated() || "root".equals(System.getProperty("user.name"));
        for (int sql = 1; sql <= options.sqlNodes(); sql++) {
            Files.writeString(
                    files.sqlOptions(sql), NdbConfig.sqlOptions(home, files, sql, port, sqlPorts.get(sql - 1), asRoot));
            Files.writeString(files.sqlInit(sql), NdbConfig.sqlInit());
        }
    }

    private static ClusterDescriptor descriptor(
            NdbHome home,
            NdbOptions options,
            NdbFiles files,
            int port,
            List<Integer> sqlPorts,
            Optional<Integer> proxyPort,
            String version) {
        String connectString = NdbConfig.connectString(files, port);
        Map<String, Map<String, String>> bindings = new HashMap<>();
        Map<String, String> direct = new HashMap<>();
        direct.put("ndb.connectstring", connectString);
        direct.put("ndb.home", home.root().toString());
        direct.put("ndb.database", "ycsb");
        direct.put("ndb.client.slots", NdbConfig.clientSlots(options));
        String slots = NdbConfig.readSlots(options).entrySet().stream()
                .map(slot -> slot.getKey() + ":" + slot.getValue())
                .collect(Collectors.joining(","));
        if (!slots.isEmpty()) {
            direct.put("ndb.read.slots", slots);
        }
        if (!sqlPorts.isEmpty()) {
            direct.put("ndb.sql", "127.0.0.1:" + sqlPorts.get(0));
            direct.put("ndb.sql.user", "ycsb");
        }
        bindings.put("native", direct);
        if (!sqlPorts.isEmpty()) {
            bindings.put("jdbc", JdbcProperties.of(proxyPort.map(List::of).orElse(sqlPorts)));
        }
        Map<String, String> state = new HashMap<>(Map.of(
                "connectstring", connectString,
                "home", home.root().toString(),
                "dataNodes", Integer.toString(options.dataNodes() + options.spares()),
                "replicas", Integer.toString(options.replicas()),
                "sqlPorts", sqlPorts.stream().map(String::valueOf).collect(Collectors.joining(","))));
        proxyPort.ifPresent(p -> state.putAll(Haproxy.state(p)));
        return new ClusterDescriptor(NdbEngine.NAME, files.directory(), Instant.now(), version, bindings, state);
    }

    /** Returns when the management server, which was just started again, answers. */
    static void awaitManagement(NdbCluster cluster, NdbPrograms programs) {
        awaitManagement(cluster, programs::managementRuns, programs);
    }

    private static void awaitManagement(NdbCluster cluster, BooleanSupplier runs, NdbPrograms programs) {
        NodeLocks.await(
                MANAGEMENT_BOUND,
                () -> {
                    try {
                        cluster.client().dataNodes();
                        return true;
                    } catch (MgmException e) {
                        if (!runs.getAsBoolean()) {
                            throw new NodeControlException(
                                    "the management server ended at once; it printed: " + programs.lastLines("mgmd"),
                                    e);
                        }
                        return false;
                    }
                },
                () -> "the management server does not answer after " + MANAGEMENT_BOUND.toSeconds() + " s; it printed: "
                        + programs.lastLines("mgmd"));
    }

    /** Returns when the data nodes are started and can lose one another; SQL nodes' directories are made meanwhile. */
    private static void startData(
            NdbCluster cluster, NdbOptions options, NdbPrograms programs, Consumer<String> progress) {
        try (ArbitratorWatch arbitrator = new ArbitratorWatch(cluster.client().servers(), cluster.eventLoop())) {
            arbitrator.open(MANAGEMENT_BOUND);
            for (int node = 1; node <= options.dataNodes(); node++) {
                progress.accept("data node " + node + " of " + options.dataNodes());
                programs.startNode(node, true);
            }
            for (int sql = 1; sql <= options.sqlNodes(); sql++) {
                progress.accept("SQL node " + sql + " of " + options.sqlNodes() + ": creating its data directory");
                programs.initialiseSql(sql);
            }
            for (int node = 1; node <= options.dataNodes(); node++) {
                cluster.awaitStarted(Integer.toString(node), DATA_BOUND);
                progress.accept("data node " + node + " is started");
            }
            if (options.dataNodes() > 1) {
                arbitrator.awaitStarted(ARBITRATOR_BOUND);
            }
        }
    }

    private static void awaitSql(Process process, int port, int sql, NdbPrograms programs) {
        NodeLocks.await(
                SQL_BOUND,
                () -> {
                    if (!process.isAlive()) {
                        throw new NodeControlException("SQL node " + sql + " ended at once with exit status "
                                + process.exitValue() + "; it printed: "
                                + programs.lastLines(NdbPrograms.sqlName(sql)));
                    }
                    return SqlNodes.greets(port);
                },
                () -> "SQL node " + sql + " does not answer on port " + port + " after " + SQL_BOUND.toSeconds()
                        + " s; it printed: " + programs.lastLines(NdbPrograms.sqlName(sql)));
    }
}
