package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Reconfigurable;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Restarts a node, in an orderly way, with changed settings: an operation and no failure. It is injected when the node has recovered,
 * and effective when the node itself reports the new values. The settings stay.
 *
 * @param settings by the engine's own names; at least one
 */
public record Reconfigure(Map<String, String> settings) implements Fault {
    /** However long it takes: the step that it belongs to has a bound of its own. */
    private static final Duration BOUND = Duration.ofHours(24);

    public Reconfigure {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        if (settings.isEmpty()) {
            throw new IllegalArgumentException("no setting is given");
        }
    }

    @Override
    public String name() {
        return "rolling-config";
    }

    @Override
    public String label() {
        return "config";
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(Reconfigurable.class, Stoppable.class, Startable.class);
    }

    @Override
    public List<NodeInfo> namedTargets(NodeController controller) {
        return List.of();
    }

    @Override
    public List<String> refusals(NodeController controller) {
        return Capabilities.require(controller, Reconfigurable.class).refusals(settings);
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Reconfigurable reconfigurable = Capabilities.require(controller, Reconfigurable.class);
        Startable startable = Capabilities.require(controller, Startable.class);
        Runnable undo = reconfigurable.configure(node.id(), settings);
        try {
            StopMode.GRACEFUL.bringDown(controller, node.id(), context);
            startable.start(node.id());
            startable.awaitStarted(node.id(), BOUND);
        } catch (NodeControlException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e; // the drill is being stopped: healing starts the node
            }
            undo.run();
            startable.start(node.id());
            throw new NodeControlException(
                    "it could not be restarted with " + settings + " and has its former settings again: "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public Effect injected() {
        return Effect.NONE;
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Reconfigurable.class).look(node.id(), settings);
    }

    /** Where the values are asked for may itself have to find the node again. */
    @Override
    public Duration effectBound() {
        return Duration.ofSeconds(30);
    }

    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Startable.class).start(node.id());
    }

    @Override
    public List<Phase> reaches() {
        return Reach.ALL;
    }
}
