package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.Upgradable;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Restarts a node from another installation of the engine; effective when its process is seen to be of that.
 *
 * @param home the installation
 */
@Traits(
        name = "upgrade",
        needs = {Upgradable.class, Stoppable.class, Startable.class})
public record UpgradeNode(Path home) implements RollingChange {

    public UpgradeNode {
        Objects.requireNonNull(home, "home");
    }

    @Override
    public List<String> refusals(NodeController controller) {
        return Capabilities.require(controller, Upgradable.class).refusals(home);
    }

    @Override
    public Optional<String> onlyOnce() {
        return Optional.of("after it the nodes run from " + home
                + ", and nothing is left to upgrade; to repeat it, run the drill" + " again with another installation");
    }

    @Override
    public Runnable change(NodeController controller, NodeInfo node) {
        return Capabilities.require(controller, Upgradable.class).install(node.id(), home);
    }

    @Override
    public String changed() {
        return "the installation in " + home;
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Upgradable.class).lookForInstallation(node.id(), home);
    }
}
