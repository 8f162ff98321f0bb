package io.ycsbdrill.client.session;

import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunFigures;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import java.util.List;

/** Follows a session. Called on the session's thread unless a method says otherwise. */
public interface SessionObserver {
    /** Follows nothing. */
    SessionObserver NONE = new SessionObserver() {};

    /** A line about what happens before and after the run. From several threads. */
    default void said(String line) {}

    /** A line for each fault and phase during the run. From several threads. */
    default void drilled(String line) {}

    /**
     * The records are loaded now, before the run.
     *
     * @return called along with the load
     */
    default List<RunCompanion> loading(RunSpec load) {
        return List.of();
    }

    /** All records are loaded. */
    default void loaded(RunFigures load) {}

    /**
     * The run starts now.
     *
     * @param run of all clients
     * @param first of this process: the same, or the first client's share
     * @return called along with the run, after the drill; with several clients they get the windows and intervals of all together
     */
    default List<RunCompanion> running(RunSpec run, RunSpec first) {
        return List.of();
    }

    /**
     * The run has ended, of all clients, and its directory is complete but for what is derived from it.
     *
     * @param text the stock result; empty when nothing was measured
     */
    default void ended(RunSpec run, RunResult result, String text) {}
}
