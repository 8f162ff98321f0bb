package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.fault.host.HostScript;
import io.ycsbdrill.fault.node.kit.ClusterFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The layout of a local cluster's state directory.
 *
 * @param directory the cluster's own
 */
record HarperFiles(Path directory) implements ClusterFiles {
    private static final int PASSWORD_BYTES = 18;

    /** Configuration, database, its own log. */
    @Override
    public Path data(String node) {
        return directory.resolve(node);
    }

    /** Harper's root path. */
    Path root() {
        return data(HarperCluster.NODE).resolve("root");
    }

    /** The server's home directory, where it notes the place of its configuration. */
    Path home() {
        return data(HarperCluster.NODE).resolve("home");
    }

    /** Folder of the component that defines the tables. */
    Path component() {
        return root().resolve("components").resolve("ycsb");
    }

    @Override
    public Path log(String node) {
        return root().resolve("log").resolve("hdb.log");
    }

    /** The administrator's password, for nobody but the owner of the directory. */
    Path password() {
        return directory.resolve("password");
    }

    /** The script that keeps the server on the loopback interface. */
    Path loopback() {
        return directory.resolve("loopback.cjs");
    }

    /** Writes a new password, and the script. */
    void write() throws IOException {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        AtomicFile.writePrivate(password(), HexFormat.of().formatHex(random).getBytes(StandardCharsets.US_ASCII));
        Files.writeString(loopback(), HostScript.read(HarperFiles.class, "loopback.cjs"));
    }
}
