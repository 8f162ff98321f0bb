package io.ycsbdrill.fault.node;

import io.ycsbdrill.fault.node.NodeStatus.State;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Starts a node without data: its files are removed and it copies everything from the others. */
public interface Initialisable {

    /**
     * Checks that another node has what this one is to copy: before it is brought down, and again before its files are removed. Where one
     * node is all, and its data may be lost, nothing is checked.
     *
     * @throws NodeControlException when none has, so that the files would be the last copy
     */
    default void checkInitial(String node) {}

    /**
     * Removes the files of a node that is down and starts it empty. Returns when the process runs.
     *
     * @throws NodeControlException when the node is not down, {@link #checkInitial} fails, or it does not come up
     */
    void startInitial(String node);

    /** Refuses to remove what may be the last copy: unless another node serves, as the cluster says within seconds. */
    static void requireCopy(NodeController cluster, String node) {
        requireCopy(node, () -> cluster.status().stream()
                .anyMatch(other -> !other.id().equals(node) && other.state() == State.STARTED));
    }

    /** The same for a cluster that says itself who has a copy. */
    static void requireCopy(String node, BooleanSupplier another) {
        requireCopy(
                node,
                NodeLocks.holds(
                        Duration.ofSeconds(2), // one answer may be lost
                        () -> {
                            try {
                                return another.getAsBoolean();
                            } catch (NodeControlException e) {
                                return false;
                            }
                        }));
    }

    /** The same for a cluster that knows whether another node serves. */
    static void requireCopy(String node, boolean another) {
        if (!another) {
            throw new NodeControlException("no other node serves from which " + node
                    + " could copy the data; its files are kept. Start the others first");
        }
    }
}
