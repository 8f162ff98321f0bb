package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Unpluggable;
import io.ycsbdrill.fault.node.os.DiskShim;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Ends a node's process as a power cut would: what it has written and not synced is gone. The node stays down until it is started. */
public record PowerLoss() implements BringsDown {

    @Override
    public String name() {
        return "power-loss";
    }

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

    /** Data nodes only: a server without data writes nothing that matters. */
    @Override
    public List<NodeInfo> namedTargets(NodeController controller) {
        return List.of();
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Unpluggable.class).unplug(node.id());
    }

    /** Its files are as a power cut leaves them, and its process is gone. */
    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        Sight loss = Capabilities.require(controller, Unpluggable.class).lookForLoss(node.id());
        Sight down = Sight.of(controller, node, state -> state == NodeStatus.State.DOWN);
        return new Sight(loss.effect() && down.effect(), down.text() + "; " + loss.text());
    }

    @Override
    public boolean showsWhenInjected() {
        return true;
    }

    /** That the node is down proves nothing about its files. */
    @Override
    public boolean provenByNodeDown() {
        return false;
    }
}
