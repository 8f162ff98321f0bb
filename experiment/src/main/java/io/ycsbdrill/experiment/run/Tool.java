package io.ycsbdrill.experiment.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** How commands of this tool are understood and run; the command line implements it. Used by one thread. */
public interface Tool {

    /**
     * What a command would do.
     *
     * @param problems because of which it would be refused, each a sentence
     * @param keepsRows whether the table is afterwards what it was before, apart from values of rows
     * @param drill whether it injects faults
     * @param table identifies the rows that it needs; commands with the same text can share a table
     * @param load the arguments that load this table, without a run directory; empty when the command does so itself
     * @param rowBytes of all rows that it needs, fields only; empty for another workload than YCSB's, and for another program
     * @param length how long it runs; empty when that is not known before
     * @param measured how much of that is after the warm-up and before the cool-down
     */
    record Inspection(
            List<String> problems,
            boolean keepsRows,
            boolean drill,
            String table,
            List<String> load,
            OptionalDouble rowBytes,
            Optional<Duration> length,
            Optional<Duration> measured) {
        public Inspection {
            problems = List.copyOf(problems);
            load = List.copyOf(load);
        }

        /** What is known of a command that has these problems, or is another program: nothing else. */
        public static Inspection unknown(List<String> problems) {
            return new Inspection(
                    problems, false, false, "", List.of(), OptionalDouble.empty(), Optional.empty(), Optional.empty());
        }
    }

    /** The whole command line of this tool in a process of its own, program first. */
    List<String> program(List<String> arguments);

    /** The arguments for a cluster of that engine, which is the only one that the command sees. */
    List<String> on(String engine, List<String> arguments);

    /** Why a cluster with those options could not be started; empty when nothing is wrong with them. */
    Optional<String> clusterProblem(String engine, Map<String, String> options);

    /**
     * Why a cluster with those options cannot hold the rows of a command, or this machine not the cluster; empty when nothing says so.
     *
     * @param arguments of a command of this tool
     * @param besides bytes of the rows of other tables on it
     */
    Optional<String> tooSmall(String engine, Map<String, String> options, List<String> arguments, double besides);

    /** Looks at a command without starting anything. */
    Inspection inspect(List<String> arguments);

    /**
     * Starts a program in a session of its own, so that a Ctrl-C in the terminal does not reach it.
     *
     * @param output receives what it prints, appended
     * @param pidFile says who it is, for {@link #endLeftover}
     * @param environment variables beside those of this process
     * @throws IOException when it cannot be started
     */
    Process start(List<String> command, Path directory, Path output, Path pidFile, Map<String, String> environment)
            throws IOException;

    /**
     * Ends the process that a pid file records, if it is still that process; in order, or by force when it takes too long.
     *
     * @return whether there was one
     */
    boolean endLeftover(Path pidFile);
}
