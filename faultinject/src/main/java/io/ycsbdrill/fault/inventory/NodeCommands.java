package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** What can be done to the nodes of a cluster that somebody else runs, by commands: nothing, unless there are some. Immutable. */
public interface NodeCommands {
    /** The two minutes that a node has at least to stop, and the time to log in on its host. */
    Duration LEAST_FOR_STOP = Duration.ofSeconds(125);

    /** None: what the cluster's own management can do is all. */
    NodeCommands NONE = new NodeCommands() {};

    /** The longest time for a command, and for its effect to be seen; a stop has its own least one. */
    default Duration timeout() {
        return Duration.ofSeconds(60);
    }

    /** The longest time for what does it, and for its effect to be seen. */
    default Duration bound(NodeAction action) {
        return action == NodeAction.STOP && timeout().compareTo(LEAST_FOR_STOP) < 0 ? LEAST_FOR_STOP : timeout();
    }

    /** The longest time for a stop: the one asked for, or its own where that is longer. */
    default Duration stopBound(Duration asked) {
        Duration own = bound(NodeAction.STOP);
        return own.compareTo(asked) > 0 ? own : asked;
    }

    /** The node's host, where it is given; else the cluster's own answer counts. */
    default Optional<String> hostOf(String node) {
        return Optional.empty();
    }

    /** Whether there is a command for it on every node. */
    default boolean has(NodeAction action) {
        return false;
    }

    /** Whether what does it looks for the node's process, and does nothing where there surely is none. */
    default boolean looksFirst(NodeAction action, String node) {
        return false;
    }

    /**
     * What does it, one after the other.
     *
     * @throws IllegalArgumentException when it needs a name that is not known, or that is none
     */
    default List<HostCall> calls(NodeAction action, NodeInfo node) {
        throw new IllegalArgumentException("there is no command to " + action.word() + " node " + node.id());
    }

    /** Where a missing command is given, for messages. */
    default String where() {
        return "in an inventory (docs/inventory.md)";
    }

    /** Where faults that have to be undone are recorded, on the nodes' hosts. */
    default HealJournal journal() {
        return HealJournal.NONE;
    }

    /** As {@link io.ycsbdrill.fault.node.Startable#ended} does. */
    default Optional<String> ended(String node) {
        return Optional.empty();
    }

    /** What else can be done to the nodes' hosts; the capability of a {@code NodeController} to what has it. */
    default Map<Class<?>, Object> faultsOfHosts() {
        return Map.of();
    }

    /**
     * Does it to a node: before a fault begins the node's host has a record of it, and when the node is back it has none.
     *
     * @param steps notified of each command, secrets masked
     * @throws NodeControlException when one of them fails, with what it printed
     */
    default void act(NodeAction action, NodeInfo node, Consumer<String> steps) {
        if (action.isFault()) {
            journal().opened(node.id(), action.word());
        }
        for (HostCall call : calls(action, node)) {
            steps.accept(action.word() + ": " + call);
            run(action, node, call);
        }
        if (action.bringsBack()) {
            journal().closed(node.id(), NodeAction.UNDONE);
        }
    }

    private void run(NodeAction action, NodeInfo node, HostCall call) {
        try {
            ProgramOutput output = call.run(bound(action));
            if (output.exit() != 0) {
                throw new NodeControlException("the " + action.word() + " command for node " + node.id()
                        + " ended with " + output.exit() + ": " + call + "; it printed: \""
                        + Secrets.inText(output.text().strip()) + "\"");
            }
        } catch (IOException e) {
            String why = Secrets.inText(String.valueOf(e.getMessage()));
            throw new NodeControlException(
                    "the " + action.word() + " command for node " + node.id() + " failed: " + call + ": " + why
                            + (why.contains("did not end within")
                                    ? "; where it needs longer, give timeout: " + where()
                                    : ""),
                    e);
        }
    }

    /**
     * Whether the node is paused, by its own command.
     *
     * @throws NodeControlException when that cannot be found out
     */
    default boolean isPaused(NodeInfo node) {
        return NodeIo.get("it is not known whether node " + node.id() + " is paused", () -> {
            for (HostCall call : calls(NodeAction.PAUSED, node)) {
                ProgramOutput output = call.run(timeout());
                if (output.exit() == HostCall.NO_CONNECTION) {
                    throw new IOException(Secrets.inText(output.text().strip()));
                }
                if (output.exit() != 0) {
                    return false;
                }
            }
            return true;
        });
    }
}
