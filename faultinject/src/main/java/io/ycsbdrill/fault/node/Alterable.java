package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.TableSchema.Change;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Changes the schema of the workload's table while clients use it. A capability of a {@code NodeController}; thread-safe. */
public interface Alterable {

    /** Why it cannot be done, and what is missing; empty when it can. Asks a server of a cluster that is healthy. */
    Optional<String> alterationLacks(Change change);

    /**
     * Does it; returns when the server has confirmed it. What is added is recorded before, so that it can be dropped whatever happens to
     * this process, and only what is recorded is dropped. One at a time.
     *
     * @param bound for all of it
     * @throws NodeControlException with the server's message when it refuses, and while another one is under way
     */
    void alter(Change change, Duration bound);

    /** Looks whether it was done since this controller was made, and its result is there. */
    Sight lookForAlteration(Change change);

    /**
     * Drops all that is recorded, which is what drills have added and not dropped. Doing it twice is harmless.
     *
     * @param bound for each
     * @return what was dropped
     * @throws NodeControlException when it is not known whether something is there still; what else is recorded is dropped nevertheless
     */
    List<String> undoAlterations(Duration bound);
}
