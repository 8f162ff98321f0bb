package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cluster.CommandContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;

/** The folder of whatever is written without {@code --out}. Stateless. */
final class ResultsFolder {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss");

    private ResultsFolder() {}

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
}
