package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.rundir.RunFile;
import java.nio.file.Path;
import java.util.Optional;

/** Prints what the audit of a run found. */
final class AuditLines {
    private static final int NOT_CLEAN = 3;

    private final CommandContext world;

    AuditLines(CommandContext world) {
        this.world = world;
    }

    /**
     * Prints it.
     *
     * @param audit empty when nothing could be read back
     * @param exitCode of the run without the audit
     * @param allowed whether the drill allows what was found
     * @return the same, or 3 when that was 0 and writes were lost, phantoms were found, or not every write could be judged
     */
    int print(Optional<AuditData> audit, Path directory, int exitCode, boolean allowed) {
        if (audit.isEmpty()) {
            world.say("error: audit: the run ended before anything could be read back");
            return Math.max(exitCode, 1);
        }
        String prefix = audit.get().isClean() || allowed ? "audit: " : "error: audit: ";
        audit.get()
                .lines()
                .forEach(line -> world.say((line.equals(audit.get().lines().get(0)) ? prefix : "audit: ") + line));
        if (!audit.get().isClean()) {
            world.say("audit: the findings are listed in " + directory.resolve(RunFile.AUDIT));
        }
        return exitCode == 0 && !audit.get().isClean() ? NOT_CLEAN : exitCode;
    }
}
