package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.os.ClockShim;
import io.ycsbdrill.fault.node.trouble.Deceivable;
import io.ycsbdrill.fault.node.trouble.Deceivable.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A wrong clock of one node: its processes are told another time of day than the machine's, whose own clock is never touched. A node
 * that ends itself over it is started when its clock is right again.
 *
 * @param clock what is wrong with it
 * @param duration how long; positive
 */
@Traits(
        needs = {Deceivable.class, Startable.class},
        dataNodesOnly = true,
        effectBound = 30,
        claims = Interplay.Part.CLOCK)
public record ClockFault(Clock clock, Duration duration) implements GreyFault {

    public ClockFault {
        Objects.requireNonNull(clock, "clock");
        Hold.requirePositive(duration);
    }

    @Override
    public String name() {
        return clock.kind().fault();
    }

    @Override
    public Optional<String> clusterSwitch() {
        return Optional.of(ClockShim.OPTION.name());
    }

    @Override
    public List<String> refusals(NodeController controller) {
        return controller.capability(Deceivable.class).flatMap(Deceivable::deaf).stream()
                .toList();
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Deceivable.class).deceive(node.id(), clock);
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Deceivable.class).look(node.id(), clock);
    }

    @Override
    public void end(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Deceivable.class).correct(node.id());
    }
}
