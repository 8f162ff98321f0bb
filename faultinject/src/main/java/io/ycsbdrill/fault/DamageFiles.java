package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.trouble.Damageable;
import io.ycsbdrill.fault.node.trouble.Damageable.Damage;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Ends a node's process, damages files of it, and starts it with them. Whether the engine notices is its own: a node that does not come
 * up with them, while all others are up with whole files, is started empty, so that it copies everything from the others.
 *
 * @param damage what is done to its files
 * @param down the least time between its process's end and its start; not negative
 */
// Only data nodes can get their files back from the others.
@Traits(dataNodesOnly = true, showsWhenInjected = true)
public record DamageFiles(Damage damage, Duration down) implements DownAndUp {

    public DamageFiles {
        Objects.requireNonNull(damage, "damage");
        if (down.isNegative()) {
            throw new IllegalArgumentException("down " + down + " is negative");
        }
    }

    @Override
    public String name() {
        return damage.kind().fault();
    }

    /** Without time to write anything that is not there yet. */
    @Override
    public StopMode mode() {
        return StopMode.KILL;
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(Killable.class, Startable.class, Initialisable.class, Damageable.class);
    }

    @Override
    public boolean takesCopy() {
        return true;
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Damageable files = Capabilities.require(controller, Damageable.class);
        files.check(node.id(), damage);
        mode().bringDown(controller, node.id(), context);
        files.damage(node.id(), damage);
    }

    /** Its files are changed, and its process is gone. */
    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        Sight changed = Capabilities.require(controller, Damageable.class).lookForDamage(node.id());
        Sight down = Sight.of(controller, node, now -> now.wholly(NodeStatus.State.DOWN));
        return new Sight(changed.effect() && down.effect(), down.text() + "; " + changed.text());
    }

    /** That the node is down proves nothing about its files. */
    @Override
    public boolean provenByNodeDown() {
        return false;
    }

    @Override
    public void end(NodeController controller, NodeInfo node, FaultContext context) {
        try {
            Capabilities.require(controller, Startable.class).start(node.id());
        } catch (NodeControlException refused) {
            // One that has a process may come up yet.
            if (states(controller).get(node.id()) != NodeStatus.State.DOWN) {
                throw refused;
            }
            startEmpty(controller, node, refused.getMessage());
        }
    }

    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Startable.class).start(node.id());
    }

    @Override
    public boolean startsEjectedNode() {
        return true;
    }

    /** A node that has ended over its files gets others. */
    @Override
    public void startAgain(NodeController controller, NodeInfo node) {
        startEmpty(
                controller,
                node,
                Capabilities.require(controller, Startable.class)
                        .ended(node.id())
                        .orElse("it is down"));
    }

    /** Only when every other node has the data, whole. */
    private static void startEmpty(NodeController controller, NodeInfo node, String why) {
        Map<String, NodeStatus.State> states = states(controller);
        controller.nodes().stream()
                .map(NodeInfo::id)
                .filter(other -> !other.equals(node.id()))
                .flatMap(other -> states.get(other) == NodeStatus.State.STARTED
                        ? Capabilities.damage(controller, other).stream()
                        : Stream.of(other + " is " + states.get(other)))
                .findFirst()
                .ifPresent(other -> {
                    throw new NodeControlException(node.id() + " does not come up with its damaged files: " + why
                            + "; it is not started empty, as nobody may have its data then: " + other
                            + "; its files are kept");
                });
        Capabilities.require(controller, Damageable.class).givenUp(node.id(), why);
        Capabilities.require(controller, Initialisable.class).startInitial(node.id());
    }

    private static Map<String, NodeStatus.State> states(NodeController controller) {
        return controller.status().stream().collect(Collectors.toMap(NodeStatus::id, NodeStatus::state));
    }
}
