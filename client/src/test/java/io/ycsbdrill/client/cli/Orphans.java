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
 * its command and has no watchdog, and commands that go on without whoever waits for them. It knows a process by the variable that a test
 * has given it, or by its id and start in a pid file of the folder; the folder's name in its arguments says nothing, as an editor has it,
 * too. Thread-safe.
 */
final class Orphans {
    /** Of processes that a test has started, and of those that these start. */
    static final String VARIABLE = "YCSB_DRILL_TESTED_IN";

    /** Reads folders until nobody can write any more, then kills what belongs to them: $1 is the variable. */
    private static final String SCRIPT = """
            folders=$(cat)
            # Nothing but a blank line is in every process.
            [ -n "$folders" ] || exit 0
            start_of() {
              { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
              set -- ${line##*) }
              echo "${20}"
            }
            for again in 1 2 3; do
              for process in /proc/[0-9]*; do
                pid=${process#/proc/}
                start=$(start_of "$pid") || continue
                { tr '\\0' '\\n' <"$process/environ"; } 2>/dev/null | grep -qxaF "$(echo "$folders" | sed "s/^/$1=/")" || continue
                [ "$(start_of "$pid")" != "$start" ] || kill -9 "$pid"
              done
              echo "$folders" | while read -r folder; do
                find "$folder" -name '*.pid' -exec cat {} + 2>/dev/null
              done | while read -r pid start programs; do
                [ -n "$programs" ] && [ "$(start_of "$pid")" = "$start" ] || continue
                kill -9 -- "-$pid" # what it has started, too, when it leads a group
                kill -9 "$pid"
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
                guard = new ProcessBuilder("setsid", "sh", "-c", SCRIPT, "sh", VARIABLE)
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

    /** As it stands in the variable: not the beginning of another one. */
    static String text(Path folder) {
        return folder.toAbsolutePath() + "/";
    }
}
