package io.ycsbdrill.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The archive of this build, as a user has it. */
final class Unpacked {
    private Unpacked() {}

    /** Unpacks it into the folder and returns its only entry there. */
    static Path archive(Path folder) throws Exception {
        Path place = Files.createTempDirectory(folder, "archive");
        tar("xzf", System.getProperty("archive"), place);
        try (Stream<Path> unpacked = Files.list(place)) {
            return unpacked.toList().get(0);
        }
    }

    static void tar(String how, String file, Path place) throws Exception {
        assertThat(new ProcessBuilder("tar", how, file, "-C", place.toString())
                        .inheritIO()
                        .start()
                        .waitFor())
                .as("tar %s %s", how, file)
                .isZero();
    }
}
