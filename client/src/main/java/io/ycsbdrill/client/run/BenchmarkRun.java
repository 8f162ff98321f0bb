package io.ycsbdrill.client.run;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.audit.Audit;
import io.ycsbdrill.client.audit.AuditCheck;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.measure.RoutedMeasurements;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One run of a workload, from the initialisation of its threads to the closed run directory. Any number in a JVM, also at the same
 * time, but runs at the same time share its processors, its heap and the pauses of its garbage collector.
 */
public final class BenchmarkRun {
    private final RunSpec spec;
    private final List<RunCompanion> companions;
    private final RunBounds bounds;
    private final RunState state = new RunState();
    private final AtomicBoolean executed = new AtomicBoolean();
    private volatile String text = "";
    private Optional<Consumer<String>> audited = Optional.empty();
    private Optional<StartGate> gate = Optional.empty();

    /**
     * @param spec what to run
     * @param companions called along the way, in this order; ended in reverse order
     */
    public BenchmarkRun(RunSpec spec, List<RunCompanion> companions) {
        this(spec, companions, RunBounds.STANDARD);
    }

    BenchmarkRun(RunSpec spec, List<RunCompanion> companions, RunBounds bounds) {
        this.spec = Objects.requireNonNull(spec, "spec");
        this.companions = List.copyOf(companions);
        this.bounds = bounds;
    }

    /**
     * Finds what is wrong with the workload and the result asked for, whatever the binding is; to be called before a database is
     * started for the run. {@link #execute} checks the same again, and the binding.
     *
     * @throws ConfigException with what is wrong
     */
    public static void checkWorkload(RunSpec spec) {
        SpecCheck.checkWorkload(spec);
    }

    /**
     * Lets every write be recorded and, when the load is over and the companions have ended, every written key be read back and judged;
     * the result is {@code audit.json}. To be called before {@link #execute}, if at all.
     *
     * @param say notified of how far the read-back is
     * @return this
     */
    public BenchmarkRun audited(Consumer<String> say) {
        audited = Optional.of(say);
        return this;
    }

    /**
     * Lets it start when this client and the others have agreed on a time, in place of the specification's. To be called before
     * {@link #execute}, if at all.
     *
     * @return this
     */
    public BenchmarkRun startingWith(StartGate others) {
        gate = Optional.of(others);
        return this;
    }

    /**
     * Runs it on the calling thread and returns when the run directory is complete. To be called once.
     *
     * @throws ConfigException when the specification cannot be run; nothing was started and no directory was made
     * @throws IllegalStateException when called again
     */
    public RunResult execute() {
        if (!executed.compareAndSet(false, true)) {
            throw new IllegalStateException("a run is executed once; make a new BenchmarkRun");
        }
        SpecCheck.check(spec);
        RunSpec marked = audited.isPresent() && spec.auditRun() == 0
                ? spec.toBuilder().auditRun(Audit.newRun()).build()
                : spec;
        if (marked.auditRun() != 0) {
            List<String> problems = AuditCheck.problems(
                    spec.properties(), spec.threads(), spec.part().of());
            if (!problems.isEmpty()) {
                throw new ConfigException(problems);
            }
        }
        RoutedMeasurements.install();
        try {
            RunExecution execution = new RunExecution(
                    marked,
                    WorkloadSetup.of(spec),
                    companions,
                    bounds,
                    state,
                    RunDirectory.create(spec.out()),
                    audited,
                    gate);
            RunResult result = execution.execute();
            text = execution.text();
            return result;
        } finally {
            RoutedMeasurements.uninstall();
        }
    }

    /**
     * Ends the run early as incomplete, with this reason. Safe from any thread, at any time, any number of times; also before
     * {@link #execute}, which then ends at once. {@link #execute} returns after the calls under way have ended, within a bound.
     */
    public void interrupt(String reason) {
        state.interrupt(Objects.requireNonNull(reason, "reason"));
    }

    /**
     * What the command line prints last: the stock result, as in {@code ycsb.txt}. Empty before {@link #execute()} has returned,
     * when nothing was measured, and when the property {@code exportfile} sends it to a file.
     */
    public String text() {
        return text;
    }
}
