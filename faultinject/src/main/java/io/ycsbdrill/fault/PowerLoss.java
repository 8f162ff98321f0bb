package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.os.DiskShim;
import io.ycsbdrill.fault.node.trouble.Unpluggable;
import java.util.Optional;
import java.util.Set;

/** Ends a node's process as a power cut would: what it has written and not synced is gone. The node stays down until it is started. */
// Data nodes only: a server without data writes nothing that matters.
@Traits(name = "power-loss", dataNodesOnly = true, showsWhenInjected = true)
public record PowerLoss() implements BringsDown {

    @Override
    public StopMode mode() {
        return StopMode.KILL;
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(Unpluggable.class, Startable.class);
    }

    @Override
    public Optional<String> clusterSwitch() {
        return Optional.of(DiskShim.POWER_LOSS.name());
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Unpluggable.class).unplug(node.id());
    }

    /** Its files are as a power cut leaves them, and its process is gone. */
    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        Sight loss = Capabilities.require(controller, Unpluggable.class).lookForLoss(node.id());
        Sight down = Sight.of(controller, node, now -> now.wholly(NodeStatus.State.DOWN));
        return new Sight(loss.effect() && down.effect(), down.text() + "; " + loss.text());
    }

    /** That the node is down proves nothing about its files. */
    @Override
    public boolean provenByNodeDown() {
        return false;
    }
}
