package io.ycsbdrill.base;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The schema of a workload's table on SQL servers, for changes while clients use it. Nothing but this table is touched, and what is added
 * to it has names of ours. Thread-safe; each call connects anew.
 */
public interface TableSchema {

    /** What can be done to it. */
    enum Change {
        ADD_COLUMN("add-column", "column"),
        DROP_COLUMN("drop-column", "column"),
        CREATE_INDEX("create-index", "index"),
        DROP_INDEX("drop-index", "index"),
        /** The table is written anew, with all that it has. */
        REORGANISE("reorganise", "");

        private final String label;
        private final String thing;

        Change(String label, String thing) {
            this.label = label;
            this.thing = thing;
        }

        /** The name in drill files. */
        public String label() {
            return label;
        }

        /** What it adds or drops, in messages. */
        public String thing() {
            return thing;
        }

        /** The change that drops again what this one adds; empty when it adds nothing. */
        public Optional<Change> undo() {
            return this == ADD_COLUMN
                    ? Optional.of(DROP_COLUMN)
                    : this == CREATE_INDEX ? Optional.of(DROP_INDEX) : Optional.empty();
        }

        /** The change that adds what this one drops; empty when it drops nothing. */
        public Optional<Change> undoes() {
            return this == DROP_COLUMN
                    ? Optional.of(ADD_COLUMN)
                    : this == DROP_INDEX ? Optional.of(CREATE_INDEX) : Optional.empty();
        }
    }

    /** The table and what this change adds to it, in messages: {@code column ycsb_drill_column of table usertable}. */
    String describe(Change change);

    /**
     * Why this database cannot do it to the table; empty when it can. What it could not drop again it cannot add.
     *
     * @throws IOException when no server answers
     */
    Optional<String> lacks(Change change) throws IOException;

    /**
     * Whether the table has what the change adds or drops, whoever has added it.
     *
     * @throws IOException when no server answers
     */
    boolean has(Change change) throws IOException;

    /**
     * Does it; returns when the server has confirmed all of it.
     *
     * @param bound for all of it; what has not ended shortly before is given up
     * @return how long the statements took, without connecting
     * @throws AlreadyThereException when the server says that somebody else has added it
     * @throws IOException naming server and statement, with the server's message when it refuses, or when this thread is interrupted: then
     *     the server was asked to give up. What was begun may be there afterwards
     */
    Duration make(Change change, Duration bound) throws IOException;

    /**
     * Waits until no server is at work on a statement that adds or drops what is ours: one goes on when the process that asked for it is
     * killed.
     *
     * @throws IOException when one still is after the bound, or a server cannot be asked
     */
    void awaitIdle(Duration bound) throws IOException;

    /** What is to be added is there, and not ours. */
    final class AlreadyThereException extends IOException {
        private static final long serialVersionUID = 1;

        public AlreadyThereException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
