package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.report.data.ConsistencyData;
import io.ycsbdrill.rundir.RunFile;
import java.nio.file.Path;

/** Prints whether the data of a run are consistent. */
final class ConsistencyLines {
    private static final int INCONSISTENT = 3;

    private final CommandContext world;

    ConsistencyLines(CommandContext world) {
        this.world = world;
    }

    /**
     * Prints it.
     *
     * @param exitCode of the run without the check
     * @return the same, or 3 when that was 0 and the data are inconsistent, or not known not to be, though it was promised that they are
     */
    int print(ConsistencyData consistency, Path directory, int exitCode) {
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
        return exitCode == 0 && consistency.isBroken() ? INCONSISTENT : exitCode;
    }
}
