package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.os.DiskShim;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.Impairable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A sick disk of one node: a grey failure, as its process and its connections are there. A node that ends itself over it is
 * started when the disk is well again.
 *
 * @param trouble what is wrong with it
 * @param duration how long; positive
 */
// Data nodes only: a server without data writes nothing that matters. The bound is long because engines write their
// pages in the background, some of them only at the next checkpoint.
@Traits(
        needs = {Impairable.class, Startable.class},
        dataNodesOnly = true,
        effectBound = 60,
        claims = Interplay.Part.DISK)
public record DiskFault(DiskTrouble trouble, Duration duration) implements GreyFault {

    public DiskFault {
        Objects.requireNonNull(trouble, "trouble");
        Hold.requirePositive(duration);
    }

    @Override
    public String name() {
        return trouble.kind().fault();
    }

    @Override
    public Optional<String> clusterSwitch() {
        return Optional.of(DiskShim.OPTION.name());
    }

    @Override
    public List<String> refusals(NodeController controller) {
        return controller.capability(Impairable.class).flatMap(disks -> disks.lacking(trouble)).stream()
                .toList();
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Impairable.class).impair(node.id(), trouble);
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Impairable.class).look(node.id(), trouble);
    }

    @Override
    public void end(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Impairable.class).restore(node.id(), trouble);
    }
}
