package io.ycsbdrill.client.cli.status;

import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.data.ConsistencyData;
import io.ycsbdrill.rundir.RunFile;
import java.nio.file.Path;
import java.util.Optional;

/** Prints what the audit of a run, and the check of its data, found. */
public final class CheckLines {
    private static final int NOT_CLEAN = 3;

    private final CommandContext world;

    public CheckLines(CommandContext world) {
        this.world = world;
    }

    /**
     * Prints what the audit found.
     *
     * @param audit empty when nothing could be read back
     * @param exitCode of the run without the audit
     * @param allowed whether the drill allows what was found
     * @return the same, or 3 when that was 0 and writes were lost, phantoms were found, or not every write could be judged
     */
    public int print(Optional<AuditData> audit, Path directory, int exitCode, boolean allowed) {
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

    /**
     * Prints whether the data of a run are consistent.
     *
     * @param exitCode of the run without the check
     * @return the same, or 3 when that was 0 and the data are inconsistent, or not known not to be, though it was promised that they are
     */
    public int print(ConsistencyData consistency, Path directory, int exitCode) {
        String prefix = consistency.isBroken() ? "error: consistency: " : "consistency: ";
        for (String line : consistency.lines()) {
            world.say(prefix + line);
            prefix = "consistency: ";
        }
        consistency.conditions().stream()
                .filter(condition -> !condition.get(2).equals("0"))
                .forEach(condition -> world.say("consistency: violated " + condition.get(2) + " of " + condition.get(1)
                        + ": " + condition.get(0) + "; for example, " + condition.get(3)));
        if (!consistency.holds()) {
            world.say("consistency: details are in " + directory.resolve(RunFile.CONSISTENCY));
        }
        return exitCode == 0 && consistency.isBroken() ? NOT_CLEAN : exitCode;
    }
}
