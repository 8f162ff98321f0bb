package io.ycsbdrill.fault;

import java.util.Set;

/**
 * How long a fault is in force, when something else is done to its node. With {@link NodeChange} this is all that decides which fault
 * ends which. Of several in force on a node they end in the order of the constants.
 */
public enum Lasts {
    /** For its own time, or until it is healed, whatever becomes of the node's process. */
    ITS_TIME,
    /** As long as the process that it is done to. Once that has ended, it is in no later fault's way. */
    WITH_ITS_PROCESS(NodeChange.PROCESS_STARTED, NodeChange.PROCESS_REPLACED, NodeChange.REMOVED),
    /** Until the node is started. */
    UNTIL_STARTED(NodeChange.PROCESS_STARTED),
    /** For its own time, in which a part of the node is down, or until anything else ends or starts the node as a whole. */
    WHILE_PARTLY_DOWN(
            NodeChange.PROCESS_ENDED, NodeChange.PROCESS_STARTED, NodeChange.PROCESS_REPLACED, NodeChange.REMOVED),
    /** As long as the process is stopped. */
    WHILE_PAUSED(NodeChange.RESUMED, NodeChange.PROCESS_STARTED);

    private final Set<NodeChange> ends;

    Lasts(NodeChange... ends) {
        this.ends = Set.of(ends);
    }

    /** Whether it is over with this change of its node. */
    public boolean endedBy(NodeChange change) {
        return ends.contains(change);
    }

    /** Whether the process that it is done to is gone with this change of its node. */
    public boolean outlived(NodeChange change) {
        return this == WITH_ITS_PROCESS && (change == NodeChange.PROCESS_ENDED || endedBy(change));
    }

    /**
     * Whether a step with this change may end it. One that ends the process makes way for a start; a start by itself does nothing to a
     * node that is up as a whole.
     */
    boolean mayEndBy(NodeChange change) {
        return switch (change) {
            case PROCESS_ENDED -> endedBy(NodeChange.PROCESS_STARTED);
            case PROCESS_STARTED -> this == WHILE_PARTLY_DOWN;
            default -> endedBy(change);
        };
    }
}
