package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.UserCommand;
import io.ycsbdrill.fault.node.UserCommands;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the user's own commands for a node.
 *
 * @param commands what brings it about, undoes it and proves it; not empty
 * @param duration time between command and heal; empty: healed at the end of the drill only
 */
@Traits(name = "run", reaches = Course.Reach.ALL, ended = Effect.RELEASED)
public record CommandFault(UserCommands commands, Optional<Duration> duration) implements Fault {
    private static final Set<NodeStatus.State> NOT_UP = Set.of(
            NodeStatus.State.DOWN, NodeStatus.State.EXPELLED, NodeStatus.State.STOPPING, NodeStatus.State.PAUSED);

    public CommandFault {
        if (commands.isEmpty()) {
            throw new IllegalArgumentException("command is empty");
        }
        if (commands.heal().isEmpty() && duration.isPresent()) {
            throw new IllegalArgumentException("a duration without a heal command has no effect");
        }
    }

    /** Without questions: the engine's own word proves the effect. */
    public CommandFault(List<String> command, List<String> heal, Optional<Duration> duration, Duration bound) {
        this(
                new UserCommands(
                        UserCommand.of(command), UserCommand.of(heal), UserCommand.NONE, UserCommand.NONE, bound),
                duration);
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        context.run(commands.inject().words(node), commands.bound());
    }

    @Override
    public Effect injected() {
        return commands.heal().isEmpty() ? Effect.RELEASED : Effect.NONE;
    }

    @Override
    public Settles settles() {
        return duration.isPresent() || commands.heal().isEmpty() ? Settles.RECOVERED : Settles.UNTIL_HEALED;
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
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {
        if (!commands.heal().isEmpty()) {
            context.run(commands.heal().words(node), commands.bound());
        }
        if (!commands.healed().isEmpty()) {
            context.await(commands.healed().words(node), commands.bound());
        }
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        if (commands.verify().isEmpty()) {
            Sight sight = Sight.of(controller, node, now -> NOT_UP.contains(now.state()));
            return sight.effect()
                    ? sight
                    : new Sight(false, sight.text() + "; a command that is not to take its node down needs verify");
        }
        int code = context.ask(commands.verify().words(node), commands.bound());
        return new Sight(code == 0, "verify exited with code " + code);
    }

    @Override
    public boolean provenByNodeDown() {
        return commands.verify().isEmpty();
    }

    @Override
    public Duration effectBound() {
        return commands.bound();
    }
}
