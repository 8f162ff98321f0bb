package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.CommandContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The directory that something new is written into. Stateless. */
final class OutDirectory {
    private OutDirectory() {}

    /**
     * The directory of what is begun: that of {@code --out}, or one of its own.
     *
     * @param kind of what may have been begun in it before
     */
    static Path chosen(CommandContext world, Optional<Path> out, String title, String kind) {
        Path directory = out.map(world.workingDirectory()::resolve).orElseGet(() -> ResultsFolder.fresh(world, title));
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
