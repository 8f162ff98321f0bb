package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the user's own command for a node: ssh, docker, kubectl, systemctl. {@code {node}} and {@code {host}} in an argument
 * are replaced by the node's id and host.
 *
 * @param command program and arguments; not empty
 * @param heal program and arguments that undo it, safe to run at any time; empty when nothing is to be undone
 * @param duration time between command and heal; empty: healed at the end of the drill only
 * @param bound the longest time that either may run; positive
 */
public record RunCommand(List<String> command, List<String> heal, Optional<Duration> duration, Duration bound)
        implements Fault {

    public RunCommand {
        command = List.copyOf(command);
        heal = List.copyOf(heal);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("command is empty");
        }
        if (bound.isNegative() || bound.isZero()) {
            throw new IllegalArgumentException("bound " + bound + " is not positive");
        }
        if (duration.isPresent() && heal.isEmpty()) {
            throw new IllegalArgumentException("a duration without a heal command has no effect");
        }
    }

    @Override
    public String name() {
        return "run";
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of();
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        context.run(fill(command, node), bound);
    }

    @Override
    public Effect injected() {
        return heal.isEmpty() ? Effect.RELEASED : Effect.NONE;
    }

    @Override
    public boolean staysUntilTheEnd() {
        return duration.isEmpty() && !heal.isEmpty();
    }

    @Override
    public Optional<Hold> hold() {
        return duration.map(d -> new Hold(d, false));
    }

    @Override
    public void end(NodeController controller, NodeInfo node, FaultContext context) {
        heal(controller, node, context);
    }

    @Override
    public Effect ended() {
        return Effect.RELEASED;
    }

    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {
        if (!heal.isEmpty()) {
            context.run(healCommand(node), bound);
        }
    }

    @Override
    public List<String> healCommand(NodeInfo node) {
        return fill(heal, node);
    }

    @Override
    public List<Phase> reaches() {
        return Reach.ALL;
    }

    private static List<String> fill(List<String> arguments, NodeInfo node) {
        return arguments.stream()
                .map(a -> a.replace("{node}", node.id()).replace("{host}", node.host()))
                .toList();
    }
}
