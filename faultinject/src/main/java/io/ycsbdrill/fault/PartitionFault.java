package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import io.ycsbdrill.fault.node.trouble.Partition;
import io.ycsbdrill.fault.node.trouble.Partitionable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Troubles links of a node, silently: a grey failure, as its process runs. A node that ends itself over it, or because the others have
 * ejected it, is started when the links are mended.
 *
 * @param partition which links
 * @param duration how long; positive
 */
// Before it is in force, packets of its links may be lost by what troubles other nodes.
@Traits(
        needs = {Partitionable.class, Startable.class},
        showsWhenInjected = true,
        claims = Interplay.Part.LINKS)
public record PartitionFault(Partition partition, Duration duration) implements GreyFault {

    public PartitionFault {
        Objects.requireNonNull(partition, "partition");
        Hold.requirePositive(duration);
    }

    @Override
    public String name() {
        return partition.name();
    }

    @Override
    public Optional<String> clusterSwitch() {
        return Optional.of(IsolatedNetwork.SWITCH);
    }

    @Override
    public List<String> refusals(NodeController controller) {
        List<String> ids = ids(controller);
        Optional<? extends LinkTrouble> first =
                ids.stream().flatMap(id -> partition.of(id, ids).stream()).findFirst();
        Optional<String> lacking =
                controller.capability(Partitionable.class).flatMap(links -> first.flatMap(links::lacking));
        return partition.problem(ids).or(() -> lacking).stream().toList();
    }

    /** Other servers are where the clients are, unless they have a network of their own. */
    @Override
    public List<NodeInfo> namedTargets(NodeController controller) {
        Set<String> linked = controller
                .capability(Partitionable.class)
                .map(Partitionable::linked)
                .orElse(Set.of());
        return partition.amongHelpers()
                ? controller.frontEnds().stream()
                        .filter(helper -> linked.contains(helper.id()))
                        .toList()
                : List.of();
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Partitionable.class).trouble(node.id(), trouble(controller, node));
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Partitionable.class).look(node.id(), trouble(controller, node));
    }

    @Override
    public void end(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Partitionable.class).mend(node.id());
    }

    private LinkTrouble trouble(NodeController controller, NodeInfo node) {
        return partition
                .of(node.id(), ends(controller, node))
                .orElseThrow(() -> new NodeControlException(
                        name() + " concerns no link of " + node.id() + "; name other nodes by the key node"));
    }

    /** The node and all others to which its links may be cut. */
    private List<String> ends(NodeController controller, NodeInfo node) {
        Map<String, String> zones = partition.outsideZone() ? controller.zones() : Map.of();
        return ids(controller).stream()
                .filter(id -> id.equals(node.id())
                        || !zones.containsKey(id)
                        || !zones.get(id).equals(zones.get(node.id())))
                .toList();
    }

    private List<String> ids(NodeController controller) {
        return Stream.concat(controller.nodes().stream(), namedTargets(controller).stream())
                .map(NodeInfo::id)
                .toList();
    }
}
