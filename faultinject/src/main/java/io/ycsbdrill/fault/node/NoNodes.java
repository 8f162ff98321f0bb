package io.ycsbdrill.fault.node;

import java.util.List;

/** The controller of servers whose nodes can be neither controlled nor watched: it has no nodes. Immutable. */
public record NoNodes(String engine) implements UnwatchedNodes {

    @Override
    public List<NodeInfo> nodes() {
        return List.of();
    }

    @Override
    public List<NodeStatus> status() {
        return List.of();
    }
}
