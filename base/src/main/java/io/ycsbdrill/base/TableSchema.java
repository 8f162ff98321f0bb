package io.ycsbdrill.base;

import java.io.IOException;
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
     * Whether this database can do it.
     *
     * @throws IOException when no server answers
     */
    boolean supports(Change change) throws IOException;

    /**
     * Whether the table has what the change adds or drops, whoever has added it.
     *
     * @throws IOException when no server answers
     */
    boolean has(Change change) throws IOException;

    /**
     * Does it; returns when the server has confirmed all of it.
     *
     * @throws IOException with the server's message when it refuses, with what is known when it does not answer, or when this thread is
     *     interrupted: then the server was asked to give up. What was begun may be there afterwards
     */
    void make(Change change) throws IOException;
}
