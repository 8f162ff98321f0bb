package io.ycsbdrill.client.session;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.BenchmarkRun;
import io.ycsbdrill.client.run.RunFigures;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.workload.ChecksData;
import java.util.Optional;
import java.util.function.Function;
import site.ycsb.DBException;

/** The table before a run: whether the run can be done on it, and its load. Not thread-safe. */
final class TableBefore {
    private final RunSpec run;
    private final FirstConnection connection;
    private final SessionObserver observer;

    TableBefore(RunSpec run, FirstConnection connection, SessionObserver observer) {
        this.run = run;
        this.connection = connection;
        this.observer = observer;
    }

    /**
     * Asks the workload itself about the database, and about several clients.
     *
     * @throws ConfigException when it cannot be run so
     */
    void refuse(boolean severalClients) {
        Optional<ChecksData> workload = TableProbe.checking(run.properties());
        if (workload.isEmpty() || run.mode() != RunSpec.Mode.RUN) {
            return;
        }
        if (severalClients || run.part().isShare()) {
            throw new ConfigException("workload=" + run.properties().getProperty("workload")
                    + " is for one client, whose threads know together what was acknowledged; leave out --clients and"
                    + " --client, and give more -threads");
        }
        Optional<String> refusal;
        try {
            refusal = connection.probe().refusal(workload.get());
        } catch (DBException e) {
            return; // The run will say so.
        }
        refusal.ifPresent(reason -> {
            throw new ConfigException(reason);
        });
    }

    /** Tells the observer, too, what is remarkable about the rows that are there. */
    boolean isToBeLoaded(Loading when) {
        if (when == Loading.NEVER || when == Loading.ALWAYS) {
            return when == Loading.ALWAYS;
        }
        Optional<TableContent> content = TableContent.of(run, connection);
        content.flatMap(TableContent::remark).ifPresent(observer::said);
        return content.map(TableContent::empty).orElse(when == Loading.WHEN_EMPTY_OR_UNKNOWN);
    }

    /**
     * Loads it.
     *
     * @param execute executes the loader
     * @throws LoadFailedException when not every record is known to be loaded, or this is one of several clients
     */
    RunResult load(Function<BenchmarkRun, RunResult> execute) {
        if (run.part().isShare()) {
            throw new LoadFailedException(
                    "the table is empty, and one of several clients does not load it: load it first (ycsb load ... --client "
                            + run.part() + "), or give --no-load");
        }
        RunSpec first = AutoLoad.of(run);
        RunResult result = execute.apply(new BenchmarkRun(first, observer.loading(first)));
        long missing = result.figures().map(RunFigures::notLoaded).orElse(first.operations());
        if (result.state() != RunResult.State.COMPLETE || missing > 0) {
            throw new LoadFailedException("the load before the run failed: "
                    + (result.reasons().isEmpty()
                            ? missing + " of " + first.operations() + " records are not known to be loaded"
                            : String.join("; ", result.reasons()))
                    + "; its data are in " + result.directory());
        }
        result.figures().ifPresent(observer::loaded);
        return result;
    }
}
