package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.LocalPorts;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.Teardown;
import io.ycsbdrill.fault.node.os.Watchdog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.function.Consumer;

/** Starts a local server and undoes what was done when a step fails. */
final class HarperStarter {
    private static final Duration START_BOUND = Duration.ofMinutes(3);
    private static final int PASSWORD_BYTES = 18;

    private HarperStarter() {}

    static HarperCluster up(
            HarperHome home, HarperOptions options, HarperFiles files, Lifetime lifetime, Consumer<String> progress) {
        check(files);
        Path node = HarperHome.requiredNode(System.getenv());
        HarperCluster cluster = null;
        Process watchdog = null;
        try {
            Directories.claim(files.directory(), HarperEngine.NAME);
            HarperSettings settings = HarperSettings.of(home, node, options, LocalPorts.free(4, files.directory()));
            write(files);
            watchdog = Watchdog.start(files.directory(), files.watchdogOutput());
            ClusterDescriptor descriptor = new ClusterDescriptor(
                    HarperEngine.NAME,
                    files.directory(),
                    Instant.now(),
                    home.version(),
                    Map.of("rest", settings.access(files)),
                    settings.state());
            cluster = HarperCluster.open(descriptor, lifetime == Lifetime.OWNED ? watchdog : null);
            progress.accept("creating the database and starting the server");
            cluster.start(HarperCluster.NODE);
            cluster.awaitStarted(HarperCluster.NODE, START_BOUND);
            progress.accept(HarperCluster.NODE + " serves on 127.0.0.1:" + settings.restPort());
            if (lifetime == Lifetime.DETACHED) {
                watchdog.destroy(); // complete: from now on it outlives this process
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            throw Teardown.undo(e, cluster, watchdog, files.directory());
        }
    }

    private static void check(HarperFiles files) {
        Path directory = files.directory();
        Directories.requireEmpty(directory);
        if (directory.toString().matches(".*[\\s\"'\\\\].*")) {
            throw new NodeControlException("directory \"" + directory
                    + "\": blanks, quotes and backslashes are not supported in paths; use another directory");
        }
        Directories.requireShort(directory, files.root().resolve("operations-server"));
        if (!ProcFs.available()) {
            throw new NodeControlException("a local Harper server needs Linux (/proc)");
        }
    }

    private static void write(HarperFiles files) throws IOException {
        Files.createDirectories(files.directory());
        // Whoever reaches the server's socket in here needs no password.
        Files.setPosixFilePermissions(files.directory(), PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(files.run());
        Files.createDirectories(files.output().getParent());
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        AtomicFile.writePrivate(
                files.password(), HexFormat.of().formatHex(random).getBytes(StandardCharsets.US_ASCII));
        try (InputStream script = HarperStarter.class.getResourceAsStream("loopback.cjs")) {
            Files.write(files.loopback(), script.readAllBytes());
        }
    }
}
