package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Reconfigurable;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Restarts a node with changed settings; effective when the node itself reports the new values.
 *
 * @param settings by the engine's own names; at least one
 */
@Traits(
        name = "rolling-config",
        label = "config",
        needs = {Reconfigurable.class, Stoppable.class, Startable.class},
        dataNodesOnly = true)
public record Reconfigure(Map<String, String> settings) implements RollingChange {

    public Reconfigure {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        if (settings.isEmpty()) {
            throw new IllegalArgumentException("no setting is given");
        }
    }

    @Override
    public List<String> refusals(NodeController controller) {
        return Capabilities.require(controller, Reconfigurable.class).refusals(settings);
    }

    @Override
    public Optional<String> onlyOnce() {
        return Optional.of("it leaves " + changed()
                + " behind, so a later cycle would not repeat the change of the first; repeat the run instead: an"
                + " experiment with repeats has a new cluster for each");
    }

    @Override
    public Runnable change(NodeController controller, NodeInfo node) {
        return Capabilities.require(controller, Reconfigurable.class).configure(node.id(), settings);
    }

    @Override
    public String changed() {
        return settings.toString();
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Reconfigurable.class).look(node.id(), settings);
    }
}
