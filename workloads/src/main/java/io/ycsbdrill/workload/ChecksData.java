package io.ycsbdrill.workload;

import java.util.Optional;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import site.ycsb.DB;

/**
 * A workload that can tell after a run whether its data are consistent. The client calls {@link #refusal} on an object of its own before
 * anything is loaded, then {@link #before} and {@link #after} on the object that runs, when no client thread is at work.
 */
public interface ChecksData {

    /** Connects to the run's database. */
    interface Databases {
        /** A new, connected binding; the caller cleans it up. */
        DB connect() throws Exception;
    }

    /**
     * Why the workload cannot run on this database, for the user; empty when it can. Changes nothing there.
     *
     * @param properties of the run
     * @param binding connected
     */
    Optional<String> refusal(Properties properties, DB binding);

    /** Whether the properties ask for a check, which needs all clients of a run in one process. */
    boolean isChecked(Properties properties);

    /**
     * Takes down how the data are before the run.
     *
     * @throws Exception when they cannot be read
     */
    void before(Databases databases) throws Exception;

    /**
     * Compares the data with what the run has done.
     *
     * @param cancelled ends it early; what was not read is then unreadable
     */
    Consistency after(Databases databases, BooleanSupplier cancelled) throws InterruptedException;
}
