package io.ycsbdrill.client.run;

import io.ycsbdrill.client.ConfigException;
import java.util.List;
import java.util.Objects;

/** One run of a workload, from the initialisation of its threads to the closed run directory. */
public final class BenchmarkRun {
    private final RunSpec spec;
    private final List<RunCompanion> companions;

    /**
     * @param spec what to run
     * @param companions called along the way, in this order; ended in reverse order
     */
    public BenchmarkRun(RunSpec spec, List<RunCompanion> companions) {
        this.spec = Objects.requireNonNull(spec, "spec");
        this.companions = List.copyOf(companions);
    }

    /**
     * Runs it and returns when the run directory is complete. To be called once.
     *
     * @throws ConfigException when the specification cannot be run; nothing was started and no directory was made
     */
    public RunResult execute() {
        throw new ConfigException("the client loop is not there yet: " + spec.workloadName() + companions);
    }

    /** Ends the run early as incomplete, with this reason. Safe from any thread, at any time, any number of times. */
    public void interrupt(String reason) {
        Objects.requireNonNull(reason, "reason");
    }

    /** The stock text result ({@code ycsb.txt}); empty before {@link #execute()} has returned. */
    public String text() {
        return "";
    }
}
