package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.UserCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Runs the user's own commands for a node: ssh, docker, kubectl, systemctl.
 *
 * @param command what brings the fault about; not empty
 * @param heal undoes it, safe to run at any time; empty when nothing is to be undone
 * @param verify ends with 0 when the effect is there, asked again until then; empty: the engine's word that the node is not up
 * @param healed ends with 0 when the node is healed, asked again until then; empty when that is not asked
 * @param duration time between command and heal; empty: healed at the end of the drill only
 * @param bound the longest time that each may run, and in which the effect must be seen; positive
 */
public record RunCommand(
        UserCommand command,
        UserCommand heal,
        UserCommand verify,
        UserCommand healed,
        Optional<Duration> duration,
        Duration bound)
        implements Fault {
    /** Used when a drill does not say how long its commands may run. */
    public static final Duration DEFAULT_BOUND = Duration.ofSeconds(60);

    private static final Set<NodeStatus.State> NOT_UP = Set.of(
            NodeStatus.State.DOWN, NodeStatus.State.EXPELLED, NodeStatus.State.STOPPING, NodeStatus.State.PAUSED);

    public RunCommand {
        if (command.isEmpty()) {
            throw new IllegalArgumentException("command is empty");
        }
        if (bound.isNegative() || bound.isZero()) {
            throw new IllegalArgumentException("bound " + bound + " is not positive");
        }
        if (heal.isEmpty() && (duration.isPresent() || !healed.isEmpty())) {
            throw new IllegalArgumentException(
                    (duration.isPresent() ? "a duration" : "healed") + " without a heal command has no effect");
        }
    }

    /** Without questions: the engine's own word proves the effect. */
    public RunCommand(List<String> command, List<String> heal, Optional<Duration> duration, Duration bound) {
        this(UserCommand.of(command), UserCommand.of(heal), UserCommand.NONE, UserCommand.NONE, duration, bound);
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
        context.run(command.words(node), bound);
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
        if (!healed.isEmpty()) {
            context.await(healedCommand(node), bound);
        }
    }

    @Override
    public List<String> healCommand(NodeInfo node) {
        return heal.words(node);
    }

    @Override
    public List<Phase> reaches() {
        return Reach.ALL;
    }

    @Override
    public List<String> healedCommand(NodeInfo node) {
        return healed.words(node);
    }

    @Override
    public List<UserCommand> commands() {
        return List.of(command, heal, verify, healed);
    }

    @Override
    public Duration commandBound() {
        return bound;
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        if (verify.isEmpty()) {
            Sight sight = Sight.of(controller, node, NOT_UP::contains);
            return sight.effect()
                    ? sight
                    : new Sight(false, sight.text() + "; a command that is not to take its node down needs verify");
        }
        int code = context.ask(verify.words(node), bound);
        return new Sight(code == 0, "verify exited with code " + code);
    }

    @Override
    public boolean provenByNodeDown() {
        return verify.isEmpty();
    }

    @Override
    public Duration effectBound() {
        return bound;
    }
}
