package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/** Where results are written: the folder without {@code --out}, and whether one can be written. Stateless. */
final class ResultsFolder {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss");

    /** A directory in it, named after the time and the title, that is not there yet. */
    static Path fresh(CommandContext world, String title) {
        String name = TIME.format(LocalDateTime.now()) + "-" + title.replaceAll("[^A-Za-z0-9._-]+", "-");
        Path results = world.workingDirectory().resolve("results");
        Path folder = results.resolve(name);
        for (int i = 2; Files.exists(folder); i++) {
            folder = results.resolve(name + "-" + i);
        }
        return folder;
    }

    /** Before a cluster is started for nothing: makes the directory, in one that no other command uses or takes away. */
    static void requireWritable(Path out) {
        Path there = out;
        while (!Files.exists(there)) {
            there = there.getParent();
        }
        try {
            Path probe = Files.createTempDirectory(there, ".ycsb-");
            try {
                Files.createDirectories(probe.resolve(there.relativize(out)));
            } finally {
                for (Path made = probe.resolve(there.relativize(out));
                        made.startsWith(probe);
                        made = made.getParent()) {
                    Files.deleteIfExists(made);
                }
            }
        } catch (IOException e) {
            throw unwritable("--out " + out, e);
        }
    }

    static ConfigException unwritable(String what, IOException e) {
        return new ConfigException(
                what + " cannot be made or written (" + FileReason.of(e) + "); name another directory");
    }
}
