package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.NodeUse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a node of several processes has used: what those that run have, and what those had that ended before them, so that the sum never
 * falls although one is started again while another one goes on. Thread-safe.
 */
final class NodeTally {
    /** The most that each has had, in the order in which they were seen. */
    private final Map<String, Double> seconds = new LinkedHashMap<>();

    /**
     * Takes in what the node's processes, each with its children, have used by now; empty when there is none. The identity is that of the
     * first process seen, and stays.
     */
    synchronized Optional<NodeUse> add(List<NodeUse> now) {
        // A child that ends while it is read is missing for a moment from both its parent's figures and its own.
        now.forEach(use -> seconds.merge(use.process(), use.cpuSeconds(), Math::max));
        return now.isEmpty()
                ? Optional.empty()
                : Optional.of(new NodeUse(
                        seconds.keySet().iterator().next(),
                        now.stream().mapToDouble(NodeUse::ageSeconds).max().orElse(0),
                        seconds.values().stream().mapToDouble(each -> each).sum(),
                        now.stream().mapToLong(NodeUse::memoryBytes).sum()));
    }
}
