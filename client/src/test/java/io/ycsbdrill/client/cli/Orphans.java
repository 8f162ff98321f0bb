package io.ycsbdrill.client.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Ends what tests have started and could not end, as their JVM was killed: a cluster of {@code cluster up}, which is meant to outlive
 * its command and has no watchdog, and commands that go on without whoever waits for them. Thread-safe.
 */
final class Orphans {
    /** Of processes that need not name the folder in another way. */
    static final String VARIABLE = "YCSB_DRILL_TESTED_IN";

    /** Reads folders until nobody can write any more, then kills the processes that have one in their arguments or environment. */
    private static final String SCRIPT = """
            folders=$(cat)
            # Nothing but a blank line is in every process.
            [ -n "$folders" ] || exit 0
            for again in 1 2 3; do
              for process in /proc/[0-9]*; do
                printf '%s\\n' "$folders" | grep -qsaF -f - "$process/environ" "$process/cmdline" && kill -9 "${process#/proc/}"
              done
            done
            """;

    private static final Set<Path> FOLDERS = new HashSet<>();
    private static Process guard;

    private Orphans() {}

    /** From now on, whatever is started in this folder. */
    static synchronized void guard(Path folder) {
        if (!FOLDERS.add(folder) || !Files.exists(Path.of("/proc/self/environ"))) {
            return;
        }
        try {
            if (guard == null) {
                guard = new ProcessBuilder("setsid", "sh", "-c", SCRIPT)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
            }
            guard.getOutputStream().write((text(folder) + "\n").getBytes(StandardCharsets.UTF_8));
            guard.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As it stands in arguments and variables: not the beginning of another one. */
    static String text(Path folder) {
        return folder.toAbsolutePath() + "/";
    }
}
