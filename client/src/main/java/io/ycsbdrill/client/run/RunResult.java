package io.ycsbdrill.client.run;

import java.nio.file.Path;
import java.util.List;

/**
 * How a run ended.
 *
 * @param directory the run directory, complete on disk
 * @param state as in {@code run.json}
 * @param reasons why it is not {@code COMPLETE}; empty when it is
 */
public record RunResult(Path directory, State state, List<String> reasons) {

    /** State of a run; anything but COMPLETE is exit code 1. */
    public enum State {
        COMPLETE,
        /** Ended early: signal, failing thread, hung driver. */
        INCOMPLETE,
        /** Ran to its end, but its figures do not count: a fault could not be injected, a node did not come back. */
        INVALID
    }
}
