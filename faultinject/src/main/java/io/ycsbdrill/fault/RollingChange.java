package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Startable;
import java.time.Duration;
import java.util.List;

/**
 * Restarts a node, in an orderly way, as something else than it was: an operation and no failure. It is injected when the node
 * has recovered; what was changed stays. A node that cannot be restarted so is started as it was.
 */
public sealed interface RollingChange extends Fault permits Reconfigure, UpgradeNode {

    /**
     * Changes how the node is started next.
     *
     * @return takes it back
     */
    Runnable change(NodeController controller, NodeInfo node);

    /** What is changed, for messages. */
    String changed();

    @Override
    default void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Startable startable = Capabilities.require(controller, Startable.class);
        Runnable undo = change(controller, node);
        try {
            StopMode.GRACEFUL.bringDown(controller, node.id(), context);
            startable.start(node.id());
            // However long it takes: the step that it belongs to has a bound of its own.
            startable.awaitStarted(node.id(), Duration.ofHours(24));
        } catch (NodeControlException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e; // the drill is being stopped: healing starts the node
            }
            undo.run();
            startable.start(node.id());
            throw new NodeControlException(
                    "it could not be restarted with " + changed() + " and is as before again: " + e.getMessage(), e);
        }
    }

    @Override
    default NodeChange changes() {
        return NodeChange.PROCESS_REPLACED;
    }

    /** Where the node is asked may itself have to find it again. */
    @Override
    default Duration effectBound() {
        return Duration.ofSeconds(30);
    }

    @Override
    default void heal(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Startable.class).start(node.id());
    }

    @Override
    default List<Phase> reaches() {
        return Course.Reach.ALL.phases();
    }
}
