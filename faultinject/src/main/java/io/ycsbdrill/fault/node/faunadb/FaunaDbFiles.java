package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.base.AtomicFile;
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
record FaunaDbFiles(Path directory) implements ClusterFiles {
    private static final int KEY_BYTES = 18;

    /** Everything that the node itself reads or writes. */
    Path node(String node) {
        return directory.resolve(node);
    }

    Path configuration(String node) {
        return node(node).resolve("faunadb.yml");
    }

    /** What an initial start removes. */
    @Override
    public Path data(String node) {
        return node(node).resolve("data");
    }

    Path logs(String node) {
        return node(node).resolve("log");
    }

    @Override
    public Path log(String node) {
        return logs(node).resolve("core.log");
    }

    /** The key that may do everything, for nobody but the owner of the directory. */
    Path rootKey() {
        return directory.resolve("root-key");
    }

    /** The key of the benchmark's database. */
    Path clientKey() {
        return directory.resolve("client-key");
    }

    /** Writes a key for nobody but this user. */
    void writeKey(Path file, String key) throws IOException {
        AtomicFile.writePrivate(file, key.getBytes(StandardCharsets.US_ASCII));
    }

    /** Writes keys and configurations. */
    void write(FaunaDbSettings settings) throws IOException {
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        String root = HexFormat.of().formatHex(random);
        writeKey(rootKey(), root);
        for (String node : settings.names()) {
            Files.createDirectories(data(node));
            Files.createDirectories(logs(node));
            // It wants the file, and takes one without flags for damaged.
            Files.writeString(node(node).resolve("flags.json"), "{}\n");
            AtomicFile.writePrivate(
                    configuration(node),
                    settings.configuration(this, node, root).getBytes(StandardCharsets.UTF_8));
        }
    }
}
