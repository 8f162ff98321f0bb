package io.ycsbdrill.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Removes a temporary directory that was kept on purpose, and so is nobody's any more. Stateless. */
public final class Leftovers {
    private Leftovers() {}

    public static void remove(Path directory) throws IOException {
        try (Stream<Path> inside = Files.walk(directory)) {
            for (Path each : inside.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
