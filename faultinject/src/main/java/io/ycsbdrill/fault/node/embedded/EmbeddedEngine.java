package io.ycsbdrill.fault.node.embedded;

import com.sun.management.OperatingSystemMXBean;
import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.embedded.ClusterSettings.Ports;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.NodeSandbox;
import io.ycsbdrill.fault.node.kit.Teardown;
import io.ycsbdrill.fault.node.os.CompilerTool;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.SandboxFeature.Ground;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The default cluster, for machines without a database: Apache Ignite data nodes with native persistence and synchronous
 * backups, each in a JVM of its own. Needs Linux and a JDK. Thread-safe.
 */
public final class EmbeddedEngine implements LocalEngine {
    static final String NAME = "embedded";

    private static final int ATTEMPTS = 3;
    private static final long MEBIBYTE = 1L << 20;
    /** For the default number of nodes and a client. */
    private static final long MEMORY = 2048 * MEBIBYTE;

    /** In a directory whose cluster did not come up: its logs are kept until the next attempt. */
    private static final String FAILED = "up-failed";

    private final String classPath;

    /** Nodes run with this process's own class path. */
    public EmbeddedEngine() {
        this(System.getProperty("java.class.path"));
    }

    /**
     * @param classPath of the nodes: this module and Ignite at least, and the binding whose server-side code they run
     */
    public EmbeddedEngine(String classPath) {
        this.classPath = Arrays.stream(classPath.split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> alsoCalled() {
        return List.of("ignite", "apache-ignite");
    }

    @Override
    public int order() {
        return 50;
    }

    @Override
    public List<String> bindings() {
        return List.of("native", "rest");
    }

    @Override
    public boolean startsOnDemand() {
        return true;
    }

    @Override
    public String describe(LocalCluster cluster) {
        return "embedded cluster (Apache Ignite " + cluster.engineVersion() + ", "
                + Counted.of(cluster.nodes().size(), "node") + " on this machine); its figures are not RonDB's";
    }

    @Override
    public List<Finding> diagnose(EngineContext context) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                && system.getTotalMemorySize() < MEMORY) {
            return List.of(Finding.note("the embedded cluster needs " + MEMORY / MEBIBYTE
                    + " MiB of memory; this machine has " + system.getTotalMemorySize() / MEBIBYTE + " MiB"));
        }
        return List.of();
    }

    @Override
    public List<Option> options() {
        return EmbeddedOptions.ALL;
    }

    @Override
    public void check(Map<String, String> options) {
        EmbeddedOptions.of(options);
    }

    @Override
    public List<Tool> tools() {
        return List.of(CompilerTool.CC);
    }

    @Override
    public LocalCluster up(Path directory, Map<String, String> options, Lifetime lifetime, Consumer<String> progress) {
        EmbeddedOptions checked = EmbeddedOptions.of(options);
        if (!ProcFs.available()) {
            throw new NodeControlException(
                    "the embedded cluster needs Linux (it reads /proc); this is " + System.getProperty("os.name"));
        }
        checked.sandbox().require();
        exposure(checked, System.getProperty("user.name")).ifPresent(progress);
        Path home = directory.toAbsolutePath().normalize();
        for (int attempt = 1; ; attempt++) {
            prepare(home);
            List<String> nodes = Members.numbered(checked.nodes() + checked.spares());
            prepare(home, () -> checked.sandbox().make(new Ground(home, nodes, lifetime, false)));
            ClusterSettings settings = settings(checked, lifetime, home);
            settings.write(home);
            EmbeddedCluster.members(home, settings).begin(checked.nodes());
            progress.accept("starting " + checked.nodes() + " data nodes (heap " + checked.heapMegabytes()
                    + " MB, page memory " + checked.regionMegabytes() + " MB each) in " + home);
            EmbeddedCluster cluster = EmbeddedCluster.open(home, settings);
            try {
                cluster.bringUp(progress);
                ClusterSettings.setComplete(home);
                return cluster;
            } catch (RuntimeException e) {
                cluster.abandon();
                if (Thread.currentThread().isInterrupted()) {
                    NodeIo.run(
                            "interrupted while the embedded cluster was starting; its nodes were stopped, but its files in "
                                    + home + " cannot be removed",
                            () -> OwnedDirectory.of(home, NAME).delete());
                    throw new NodeControlException(
                            "interrupted while the embedded cluster was starting; its nodes were stopped and its files removed",
                            e);
                }
                mark(home);
                if (attempt == ATTEMPTS || !portTaken(e)) {
                    throw e;
                }
                progress.accept("a port was taken in the meantime; trying others");
            }
        }
    }

    /** What other accounts of this machine could do, as the ports of the nodes take commands and objects of Java from anybody. */
    static Optional<String> exposure(EmbeddedOptions options, String user) {
        return options.sandbox().isolated() || !user.equals("root")
                ? Optional.empty()
                : Optional.of(
                        "as root: every account of this machine can reach the nodes' ports on 127.0.0.1, and through"
                                + " them do as root does; where there are others, start it with --network isolated, or as another user");
    }

    @Override
    public LocalCluster attach(ClusterDescriptor descriptor) {
        Path directory = descriptor.directory();
        return EmbeddedCluster.open(directory, ClusterSettings.read(directory));
    }

    @Override
    public void removeLeftovers(Path directory) {
        Path home = directory.toAbsolutePath().normalize();
        if (ClusterSettings.writtenIn(home)) {
            EmbeddedCluster.open(home, ClusterSettings.read(home)).down();
        } else {
            Teardown.run(home, null); // cut off before the first node
        }
    }

    private ClusterSettings settings(EmbeddedOptions options, Lifetime lifetime, Path home) {
        List<Ports> ports = Ports.free(options.nodes() + options.spares(), home);
        long pid = ProcessHandle.current().pid();
        return new ClusterSettings(
                UUID.randomUUID().toString(),
                options.backups(),
                options.heapMegabytes(),
                options.regionMegabytes(),
                options.failureDetectionMillis(),
                options.walMode(),
                ports,
                "usertable",
                lifetime,
                pid,
                ProcFs.stat(pid).orElseThrow().startTicks(),
                ProcFs.bootId(),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                classPath);
    }

    private static void prepare(Path directory) {
        NodeIo.run("directory " + directory + " cannot be used", () -> {
            if (Files.exists(directory.resolve(FAILED))) {
                OwnedDirectory.of(directory, NAME).delete();
            }
            OwnedDirectory.claim(directory, NAME);
        });
    }

    private static void prepare(Path home, Runnable step) {
        try {
            step.run();
        } catch (NodeControlException e) {
            NodeSandbox.end(home);
            mark(home); // or the next attempt would find the directory in use
            throw e;
        }
    }

    private static void mark(Path directory) {
        try {
            Files.createFile(directory.resolve(FAILED));
        } catch (IOException e) {
            // Then the next attempt will say that the directory is not empty.
        }
    }

    private static boolean portTaken(RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        return message.contains("BindException")
                || message.contains("Address already in use")
                || message.contains("already in use");
    }
}
