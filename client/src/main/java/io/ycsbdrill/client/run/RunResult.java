package io.ycsbdrill.client.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How a run ended.
 *
 * @param directory the run directory, complete on disk
 * @param state as in {@code run.json}
 * @param reasons why it is not {@code COMPLETE}; empty when it is
 * @param figures empty when nothing was measured, so that there is no {@code summary.json}
 */
public record RunResult(Path directory, State state, List<String> reasons, Optional<RunFigures> figures) {

    /** State of a run; anything but COMPLETE is exit code 1. */
    public enum State {
        COMPLETE,
        /** Ended early: signal, failing thread, hung driver. */
        INCOMPLETE,
        /** Ran to its end, but its figures are invalid: a fault could not be injected, a node did not recover. */
        INVALID;

        /** As in {@code run.json}: {@code complete}. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
