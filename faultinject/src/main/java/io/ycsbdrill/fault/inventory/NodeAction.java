package io.ycsbdrill.fault.inventory;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What is done to a node by a command. */
public enum NodeAction {
    /** Ends the node's process without warning. */
    KILL,
    /** Ends it in an orderly way. */
    STOP,
    /** Starts the node with its files. */
    START,
    /** Starts the node without its files. */
    INITIALISE,
    /** Pauses the node: SIGSTOP. */
    PAUSE,
    /** Resumes it: SIGCONT. */
    RESUME,
    /** Ends with exit code 0 while the node is paused. */
    PAUSED;

    /** Those that need each other. */
    static final List<NodeAction> PAUSING = List.of(PAUSE, RESUME, PAUSED);

    /** What is over when the node is back, as the words of a journal. */
    public static final Set<String> UNDONE = Set.of(KILL.word(), STOP.word(), PAUSE.word());

    /** Whether somebody has to undo it. */
    boolean isFault() {
        return this == KILL || this == STOP || this == PAUSE;
    }

    /** Whether it undoes one. */
    boolean bringsBack() {
        return this == START || this == INITIALISE || this == RESUME;
    }

    /** As in files: {@code kill}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
