package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

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

    /**
     * The directory of what is begun: that of {@code --out}, or one of its own.
     *
     * @param kind of what may have been begun in it before
     */
    static Path chosen(CommandContext world, Optional<Path> out, String title, String kind) {
        Path directory = out.map(world.workingDirectory()::resolve).orElseGet(() -> fresh(world, title));
        occupied(directory).ifPresent(problem -> {
            throw new ConfigException(problem + ", or continue the " + kind + " in it: --resume " + directory);
        });
        return directory;
    }

    /** What is wrong with a directory that is there; empty when nothing is in it but what a process killed at its start has left. */
    static Optional<String> occupied(Path out) {
        // A file is no directory, nor is one that is not ours to look into.
        boolean free =
                !Files.exists(out) || Io.or(false, () -> Io.names(out).stream().allMatch(ExperimentLock.NAME::equals));
        return free
                ? Optional.empty()
                : Optional.of("--out " + out + " exists and is not an empty directory; give a new one");
    }
}
