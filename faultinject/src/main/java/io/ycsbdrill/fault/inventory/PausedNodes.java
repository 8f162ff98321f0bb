package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Which nodes are paused: their engine does not know it, so their hosts are asked, of nodes for which there is a reason to. Thread-safe. */
public final class PausedNodes {
    private final NodeCommands commands;
    private final Set<String> here = ConcurrentHashMap.newKeySet();
    /** Nodes that somebody else has paused, as far as the journals tell; null before they were asked. */
    private Set<String> left;

    public PausedNodes(NodeCommands commands) {
        this.commands = commands;
    }

    /** This process is about to pause it. A command that fails may have done it all the same. */
    public void paused(String node) {
        here.add(node);
    }

    /** It has been resumed. */
    public void resumed(String node) {
        here.remove(node);
        left(problem -> {}).remove(node);
    }

    /**
     * The state of a node of which the engine says this; unknown, and why, when its host does not say whether it is still
     * paused.
     *
     * @param problems notified of hosts that cannot be asked
     */
    public NodeStatus of(NodeInfo node, NodeStatus asked, Consumer<String> problems) {
        boolean reason = here.contains(node.id()) || left(problems).contains(node.id());
        try {
            return reason && commands.isPaused(node)
                    ? new NodeStatus(node.id(), State.PAUSED, asked.detail(), asked.pid())
                    : asked;
        } catch (NodeControlException e) {
            return new NodeStatus(node.id(), State.UNKNOWN, e.getMessage(), asked.pid());
        }
    }

    private synchronized Set<String> left(Consumer<String> problems) {
        if (left == null) {
            left = ConcurrentHashMap.newKeySet();
            commands.journal().open(problems).forEach((node, faults) -> {
                if (faults.stream().anyMatch(fault -> fault.startsWith(NodeAction.PAUSE.word() + " "))) {
                    left.add(node);
                }
            });
        }
        return left;
    }
}
