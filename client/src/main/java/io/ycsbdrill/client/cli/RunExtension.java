package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpecBuilder;
import java.util.List;

/**
 * What a command adds to a plain run; a drill is one. Called on the command's own thread in the order of the methods here.
 */
public interface RunExtension extends AutoCloseable {
    /** Adds nothing. */
    RunExtension NONE = new RunExtension() {};

    /**
     * The database is known, and up; nothing has been loaded or run. May change the specification, for example add sections
     * of {@code run.json}.
     *
     * @throws io.ycsbdrill.client.ConfigException when the run cannot be done on it: exit code 2
     */
    default void prepare(Access access, RunSpecBuilder spec) {}

    /** Whether it ends the run, so that no number of operations and no duration is needed. */
    default boolean endsRun() {
        return false;
    }

    /** Whether it needs the run to be audited, whatever the options say. */
    default boolean audits() {
        return false;
    }

    /** What goes along with the measured run (not with an automatic load); started before the live status. */
    default List<RunCompanion> companions() {
        return List.of();
    }

    /** What the live status says beside throughput, for example {@code node2 synchronise}; often empty. From any thread. */
    default String status() {
        return "";
    }

    /**
     * The run has ended and its directory is complete; the cluster is still up.
     *
     * @param exitCode what a plain run would return: 0 or 1
     * @return the exit code of the command, for example 3 when a drill missed its limits
     */
    default int finished(RunResult result, int exitCode) {
        return exitCode;
    }

    /** The command is over, however it ended: lets go of what {@link #prepare} has taken. */
    @Override
    default void close() {}
}
