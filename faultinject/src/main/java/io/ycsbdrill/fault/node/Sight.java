package io.ycsbdrill.fault.node;

import java.util.function.Predicate;

/**
 * What a look for the effect of a fault found.
 *
 * @param effect whether the effect is there
 * @param text what was seen, for markers and messages
 */
public record Sight(boolean effect, String text) {

    /**
     * Looks at a node's state: that of its process on this machine, else what the engine says of it.
     *
     * @param wanted whether a status shows the effect
     * @throws NodeControlException when the cluster's state cannot be found out
     */
    public static Sight of(NodeController controller, NodeInfo node, Predicate<NodeStatus> wanted) {
        NodeStatus now = controller.status().stream()
                .filter(status -> status.id().equals(node.id()))
                .findFirst()
                .orElseThrow(() -> new NodeControlException("the state of " + node.id() + " is not known"));
        String pid = now.pid().isPresent() ? "pid " + now.pid().getAsLong() : "";
        String details = now.detail() + (now.detail().isEmpty() || pid.isEmpty() ? "" : ", ") + pid;
        return new Sight(
                wanted.test(now), node.id() + " is " + now.state() + (details.isEmpty() ? "" : " (" + details + ")"));
    }
}
