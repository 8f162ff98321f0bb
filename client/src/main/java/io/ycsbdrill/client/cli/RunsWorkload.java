package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.run.RunSpec.Mode;

/** A command that runs a workload and writes a run directory, and so can be a cell of an experiment. */
interface RunsWorkload {

    /** What it runs; of a drill its file is read. */
    RunSession session();

    /** Which operations it measures. */
    Mode mode();
}
