package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import java.nio.file.Path;

/** Ends the processes of a local cluster when this process ends. Stateless. */
public final class Watchdog {
    /**
     * Kills every process that has a pid file when its standard input ends, which is when the owner ends; not another one that
     * has its pid now, and one of another user only when that user has written the file. Arguments: the directory, and what becomes a server in place.
     */
    private static final String SCRIPT = OsProcess.PROOF + """
            owner() { stat -c %u "$1" 2>/dev/null; }
            writer() { [ ! -h "$1" ] && [ -f "$1" ] && owner "$1"; }
            cat >/dev/null
            us=$(id -u)
            for f in "$1"/run/*.pid; do
              [ ! -h "$f" ] || [ "$(owner "$f")" != "$us" ] || f=$(readlink "$f")
              writer=$(writer "$f") && line=$(timeout 5 head -c 4096 "$f" 2>/dev/null) && [ "$writer" = "$(writer "$f")" ] || continue
              read -r pid start names <<END
            $line
            END
              case $writer in "$us") of=${f%/*} ;; *) of=/proc/$pid ;; esac
              [ "$writer" = "$(owner "$of")" ] || continue
              ours "$pid" "$start" "$names,$2" && { kill -9 "-$pid" 2>/dev/null || kill -9 "$pid"; }
            done
            """;

    private Watchdog() {}

    /**
     * Starts a watchdog for the processes that are recorded in {@code run/*.pid} of the directory, and for the groups of those that lead one.
     *
     * @param output receives what it prints
     * @return keeps them alive while it lives and its standard input is open
     * @throws NodeControlException when it cannot be started
     */
    public static Process start(Path directory, Path output) {
        return NodeIo.get("the watchdog of " + directory + " cannot be started", () -> new ProcessBuilder(
                        "setsid", "sh", "-c", SCRIPT, "sh", directory.toString(), OsProcess.starters())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start());
    }
}
