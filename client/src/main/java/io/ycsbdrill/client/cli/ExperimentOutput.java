package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.report.experiment.ExperimentReport;
import java.io.IOException;
import java.nio.file.Path;

/** Makes the pages of an experiment, prints its table, and derives the exit code. */
record ExperimentOutput(CommandContext world, Path directory) {

    /** @return the exit code: 0 when all cells were run, 1 when none counts or some are missing */
    int finish(boolean complete) {
        try {
            ExperimentReport.Written written = ExperimentReport.write(directory);
            world.out().print(written.text());
            world.out().flush();
            world.say("report: " + written.page());
            if (written.nothingJudged()) {
                world.say("caution: no claim could be judged, so nothing was reproduced; the tables have the reasons");
            }
            if (written.counting() == 0) {
                world.say("error: no cell counts; " + directory.resolve("cells.csv") + " has the reasons");
            }
            return complete && written.counting() > 0 ? 0 : 1;
        } catch (IOException e) {
            world.say("error: no report of " + directory + ": " + FileReason.of(e) + "; make it later: ycsb report "
                    + directory);
            return 1;
        }
    }
}
