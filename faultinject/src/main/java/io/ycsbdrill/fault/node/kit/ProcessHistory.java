package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.HistoryWatch;
import java.util.Optional;

/** What a {@link HistoryWatch} knows of nodes that are one process each. Asked under the watch's lock. */
public interface ProcessHistory {

    /** Whether a process of the node is known, and its end is not. */
    boolean running(String node);

    /** Whether the node is recovered: it serves requests and holds all of its data. */
    boolean recovered(String node);

    /** Whether the other nodes have declared the node dead although its process exists. */
    default boolean dropped(String node) {
        return false;
    }

    /** Whether other nodes are still handling the node's failure, or have not noticed it yet. */
    default boolean failureOpen(String node) {
        return false;
    }

    /** The node that coordinates the cluster; empty when the engine has no such node, or it is not known. */
    default Optional<String> coordinator() {
        return Optional.empty();
    }

    /** Version of the engine as its nodes report it; {@code unknown} before they have. */
    default String version() {
        return "unknown";
    }
}
