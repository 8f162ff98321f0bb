package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.LocalPorts;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.Teardown;
import io.ycsbdrill.fault.node.os.Watchdog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Starts a local cluster, step by step, and undoes what was done when a step fails. */
final class FaunaDbStarter {
    private static final Duration BOUND = Duration.ofMinutes(4);
    private static final String DATABASE = "ycsb";
    private static final int KEY_BYTES = 18;

    private FaunaDbStarter() {}

    static FaunaDbCluster up(
            FaunaDbHome home,
            FaunaDbOptions options,
            FaunaDbFiles files,
            Lifetime lifetime,
            Consumer<String> progress) {
        check(files);
        Path java = FaunaDbHome.java();
        FaunaDbCluster cluster = null;
        Process watchdog = null;
        try {
            Directories.claim(files.directory(), FaunaDbEngine.NAME);
            List<Integer> ports = LocalPorts.free(3, files.directory());
            FaunaDbSettings settings = new FaunaDbSettings(
                    home,
                    java,
                    options.nodes(),
                    options.replicas(),
                    options.heap(),
                    ports.get(0),
                    ports.get(1),
                    ports.get(2));
            write(settings, files);
            watchdog = Watchdog.start(files.directory(), files.output("watchdog"));
            ClusterDescriptor descriptor = new ClusterDescriptor(
                    FaunaDbEngine.NAME,
                    files.directory(),
                    Instant.now(),
                    home.version(),
                    Map.of("rest", settings.access(files)),
                    settings.state());
            cluster = FaunaDbCluster.open(descriptor, lifetime == Lifetime.OWNED ? watchdog : null);
            form(cluster, settings, files, progress);
            if (lifetime == Lifetime.DETACHED) {
                watchdog.destroy(); // complete: from now on it outlives this process
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            throw Teardown.undo(e, cluster, watchdog, files.directory());
        }
    }

    /** Several replicas can be made only when the first node takes writes. */
    private static void form(
            FaunaDbCluster cluster, FaunaDbSettings settings, FaunaDbFiles files, Consumer<String> progress)
            throws IOException {
        List<String> nodes = settings.names();
        String first = nodes.get(0);
        progress.accept(nodes.size() + " nodes start together, in "
                + (settings.replicas() == 1 ? "one replica" : settings.replicas() + " replicas"));
        Map<String, Process> started = new LinkedHashMap<>();
        nodes.forEach(node -> started.put(node, cluster.launch(node, false)));
        started.forEach(cluster::awaitAnswer);
        FaunaDbAdmin admin = cluster.admin();
        admin.init(first);
        if (settings.replicas() > 1) {
            NodeLocks.await(
                    BOUND,
                    () -> admin.writable(first),
                    () -> first + " does not accept writes after " + BOUND.toSeconds() + " s"
                            + cluster.lastWords(first));
        }
        nodes.stream().skip(1).forEach(node -> admin.join(node, first));
        if (settings.replicas() > 1) {
            admin.replicate(first);
        }
        for (String node : nodes) {
            cluster.awaitStarted(node, BOUND);
            progress.accept(node + " takes writes on " + FaunaDbSettings.address(node) + ":" + settings.httpPort());
        }
        writeKey(files.clientKey(), admin.createKey(DATABASE));
    }

    private static void check(FaunaDbFiles files) {
        Path directory = files.directory();
        Directories.requireEmpty(directory);
        if (directory.toString().matches(".*[\\s\"'#,:\\\\].*")) {
            throw new NodeControlException("directory \"" + directory
                    + "\": blanks, quotes, commas and the like are not supported in paths; use another directory");
        }
        if (!ProcFs.available()) {
            throw new NodeControlException("local FaunaDB clusters need Linux (/proc)");
        }
    }

    private static void write(FaunaDbSettings settings, FaunaDbFiles files) throws IOException {
        Files.createDirectories(files.directory());
        Files.setPosixFilePermissions(files.directory(), PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(files.run());
        Files.createDirectories(files.output("").getParent());
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        String rootKey = HexFormat.of().formatHex(random);
        writeKey(files.rootKey(), rootKey);
        for (String node : settings.names()) {
            Files.createDirectories(files.data(node));
            Files.createDirectories(files.logs(node));
            // It wants the file, and takes one without flags for damaged.
            Files.writeString(files.node(node).resolve("flags.json"), "{}\n");
            AtomicFile.writePrivate(
                    files.configuration(node),
                    settings.configuration(files, node, rootKey).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void writeKey(Path file, String key) throws IOException {
        AtomicFile.writePrivate(file, key.getBytes(StandardCharsets.US_ASCII));
    }
}
