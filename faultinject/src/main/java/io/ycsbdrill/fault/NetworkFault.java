package io.ycsbdrill.fault;

import io.ycsbdrill.fault.net.Disturbance;
import io.ycsbdrill.fault.net.Networked;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Disturbs the link between the clients and a server; the server itself is left alone.
 *
 * @param disturbance what is done
 * @param duration how long it lasts; positive, or empty for a momentary one
 */
// Until this one is in force, the proxy may have the traces of an equal one of before.
@Traits(
        needs = Networked.class,
        subject = Demands.Subject.CLIENT_LINKS,
        dataNodesOnly = true,
        reaches = Course.Reach.ENDS,
        ended = Effect.RELEASED,
        showsWhenInjected = true)
public record NetworkFault(Disturbance disturbance, Optional<Duration> duration) implements Fault {

    public NetworkFault {
        Objects.requireNonNull(disturbance, "disturbance");
        if (disturbance.momentary() == duration.isPresent()) {
            throw new IllegalArgumentException(
                    disturbance.name() + (duration.isPresent() ? " has no duration" : " needs a duration"));
        }
        duration.ifPresent(Hold::requirePositive);
    }

    @Override
    public String name() {
        return disturbance.name();
    }

    @Override
    public List<NodeInfo> targets(NodeController controller) {
        return controller.capability(Networked.class).map(Networked::servers).orElse(List.of());
    }

    @Override
    public void inject(NodeController controller, NodeInfo server, FaultContext context) {
        Capabilities.require(controller, Networked.class).disturb(server.id(), disturbance);
    }

    @Override
    public Effect injected() {
        return disturbance.momentary() ? Effect.RELEASED : Effect.NONE;
    }

    @Override
    public Sight look(NodeController controller, NodeInfo server, FaultContext context) {
        return Capabilities.require(controller, Networked.class).look(server.id(), disturbance);
    }

    @Override
    public Optional<Hold> hold() {
        return duration.map(d -> new Hold(d, false));
    }

    @Override
    public void end(NodeController controller, NodeInfo server, FaultContext context) {
        Capabilities.require(controller, Networked.class).restore(server.id(), disturbance);
    }

    @Override
    public void heal(NodeController controller, NodeInfo server, FaultContext context) {
        end(controller, server, context);
    }
}
