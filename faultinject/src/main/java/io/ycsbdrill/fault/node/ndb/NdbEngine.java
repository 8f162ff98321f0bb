package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.inventory.EngineDefaults;
import io.ycsbdrill.fault.inventory.HostedEngine;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.inventory.NodeCommands;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.RemoteCluster;
import io.ycsbdrill.fault.node.haproxy.HaproxyTool;
import io.ycsbdrill.fault.node.kit.Teardown;
import io.ycsbdrill.fault.node.os.CompilerTool;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * MySQL NDB Cluster (or RonDB) on this machine: a management server, data nodes and SQL nodes on loopback. Needs Linux and
 * an installation, see {@link NdbHome#find}. Stateless and thread-safe.
 */
public final class NdbEngine implements LocalEngine, HostedEngine {
    private static final String DOES_NOT_RUN = " (does not run: ";
    /** The engine's name as typed. */
    public static final String NAME = "ndb";

    private static final RemoteProperty CONNECT_STRING = new RemoteProperty(
            "ndb.connectstring", "HOST:1186", "management servers of an NDB cluster, separated by commas");
    private static final String HOME = "ndb.home";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> alsoCalled() {
        return List.of("rondb", "mysql-ndb", "mysql-cluster", "ndbcluster");
    }

    @Override
    public int order() {
        return 10;
    }

    @Override
    public List<String> bindings() {
        return List.of("native", "jdbc");
    }

    @Override
    public List<Option> options() {
        return NdbOptions.ALL;
    }

    @Override
    public void check(Map<String, String> options) {
        NdbOptions.parse(options);
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

    @Override
    public List<RemoteProperty> remoteProperties() {
        return List.of(CONNECT_STRING);
    }

    @Override
    public Optional<String> remoteHint() {
        return Optional.of("an NDB cluster whose management servers answer (" + CONNECT_STRING.typed() + ")");
    }

    @Override
    public Optional<String> requestedBy(EngineContext context) {
        if (remote(context).isPresent()) {
            return Optional.of(CONNECT_STRING.name());
        }
        if (!context.property(HOME).isEmpty()) {
            return Optional.of(HOME);
        }
        return context.environment().getOrDefault("NDB_HOME", "").isBlank()
                ? Optional.empty()
                : Optional.of("NDB_HOME");
    }

    @Override
    public Optional<RemoteCluster> remote(EngineContext context) {
        String servers = context.property(CONNECT_STRING.name());
        return servers.isEmpty() ? Optional.empty() : Optional.of(at(servers, NodeCommands.NONE, context));
    }

    @Override
    public EngineDefaults defaults() {
        List<String> start =
                List.of("ndbmtd", "--ndb-nodeid={node}", "--ndb-connectstring={" + CONNECT_STRING.name() + "}");
        return new EngineDefaults(
                "/var/lib/mysql-cluster/ndb_{node}.pid",
                List.of("ndbmtd", "ndbd"),
                "",
                "ndb_{node}_fs",
                start,
                Stream.concat(start.stream(), Stream.of("--initial")).toList());
    }

    /** The management server says who is up, whatever node is paused. */
    @Override
    public boolean pausesNodes() {
        return true;
    }

    @Override
    public Optional<String> stoppedBy() {
        return Optional.of("the management server");
    }

    @Override
    public Optional<String> backedUpBy() {
        return Optional.of("the management server");
    }

    @Override
    public RemoteCluster cluster(Inventory inventory, EngineContext context) {
        String servers = context.property(CONNECT_STRING.name());
        if (servers.isEmpty()) {
            throw new IllegalArgumentException(
                    "the inventory does not say where the management servers are: add properties: {"
                            + CONNECT_STRING.name() + ": " + CONNECT_STRING.example() + "}");
        }
        return at(servers, inventory, context);
    }

    @Override
    public Optional<String> tooSmall(Map<String, String> options, Properties properties, double rowBytes) {
        var machine = ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class);
        NdbOptions shape = NdbOptions.parse(options);
        boolean onDisk = properties.getProperty("ndb.storage", "").equals("disk");
        return NdbMemory.problem(shape, onDisk ? 0 : rowBytes, machine.getTotalMemorySize())
                .or(() -> onDisk
                        ? NdbMemory.diskProblem(
                                shape, rowBytes, new File("").getAbsoluteFile().getUsableSpace())
                        : Optional.empty());
    }

    private static RemoteCluster at(String servers, NodeCommands commands, EngineContext context) {
        Map<String, String> properties = new HashMap<>();
        properties.put(CONNECT_STRING.name(), servers);
        // The binding searches the same places; given what was found here, it uses the same installation.
        NdbHome.find(context.properties().getProperty(HOME), context.environment())
                .ifPresent(home -> properties.put(HOME, home.root().toString()));
        return new RemoteCluster(
                NAME, servers, "NDB cluster at " + servers, properties, () -> RemoteNdb.connect(servers, commands));
    }

    @Override
    public List<Finding> diagnose(EngineContext context) {
        boolean named = NdbHome.named(null, context.environment()).isPresent();
        Optional<NdbHome> found = NdbHome.find(null, context.environment());
        if (found.isEmpty()) {
            return List.of(
                    Finding.note("no NDB installation found (NDB_HOME is not set); without one native uses the embedded"
                            + " cluster, whose figures are not RonDB's. Next: bin/install-ndb, or set NDB_HOME to a MySQL NDB"
                            + " Cluster or RonDB installation"));
        }
        NdbHome home = found.get();
        if (named && !home.holdsSomething()) {
            return List.of(Finding.bad("NDB_HOME=" + context.environment().get("NDB_HOME")
                    + (Files.isDirectory(home.root())
                            ? " holds neither a server nor a client of NDB"
                            : " is not a directory")
                    + "; set it to a MySQL NDB Cluster or RonDB installation, or unset it"));
        }
        List<String> lines = describe(home);
        List<String> missing = new ArrayList<>(home.missing(true));
        if (home.clientLibrary().isEmpty()) {
            missing.add("libndbclient");
        }
        if (home.clusterj().isEmpty()) {
            missing.add("ClusterJ");
        }
        boolean runs = lines.stream().noneMatch(line -> line.contains(DOES_NOT_RUN));
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.okIf(missing.isEmpty() && runs, lines.get(0) + (named ? " (NDB_HOME)" : " (found)")));
        lines.stream().skip(1).forEach(line -> findings.add(Finding.detail(line.strip())));
        findings.add(Finding.detail(next(missing, context.clusters().find(NAME).isPresent())));
        return findings;
    }

    /**
     * What was found, one line each, for {@code doctor}: programs, library and jar with their places, and what is missing.
     * Runs {@code ndb_mgmd --version} and {@code mysqld --version}.
     */
    static List<String> describe(NdbHome home) {
        List<String> lines = new ArrayList<>();
        lines.add("NDB installation: " + home.root());
        Optional<Path> management = home.program("ndb_mgmd");
        lines.add("  management server: " + management.map(NdbEngine::version).orElse("missing (ndb_mgmd)"));
        lines.add("  data node: " + place(home.program("ndbmtd"), "ndbmtd"));
        lines.add("  SQL node: "
                + home.program("mysqld")
                        .map(NdbEngine::version)
                        .orElse("missing (mysqld; needed for --sql-nodes above 0 and the jdbc binding)"));
        lines.add("  client library: " + place(home.clientLibrary(), "libndbclient.so; needed by the native binding"));
        lines.add("  ClusterJ: "
                + place(
                        home.clusterj(),
                        "clusterj-*.jar in share/java or share/mysql/java; needed by the native binding"));
        return List.copyOf(lines);
    }

    private static String place(Optional<Path> found, String otherwise) {
        return found.map(Path::toString).orElse("missing (" + otherwise + ")");
    }

    private static String version(Path program) {
        try {
            ProgramOutput output = ProgramOutput.of(List.of(program.toString(), "--version"));
            return program + ", " + output.firstLine()
                    + (output.exit() == 0
                            ? ""
                            : DOES_NOT_RUN + "exit code " + output.exit()
                                    + "; a library that is missing is in a package of the"
                                    + " system, see docs/ndb.md)");
        } catch (IOException e) {
            return program + DOES_NOT_RUN + e.getMessage() + ")";
        }
    }

    private static String next(List<String> missing, boolean up) {
        if (!missing.isEmpty()) {
            return "next: it lacks " + String.join(", ", missing)
                    + "; install these packages of the same version, or let bin/install-ndb make a complete one";
        }
        return up
                ? "next: ycsb run native -P workloads/workloadb"
                : "next: ycsb cluster up ndb, or " + CONNECT_STRING.typed() + " for a cluster elsewhere";
    }

    @Override
    public List<Tool> tools() {
        return List.of(HaproxyTool.HAPROXY, CompilerTool.CC);
    }
}
