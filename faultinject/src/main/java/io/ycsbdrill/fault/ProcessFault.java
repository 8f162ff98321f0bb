package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.Composed;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * One process of a node of several is killed or paused while the others run: a supervisor over the server that it looks after, or that
 * server under its supervisor. What becomes of the node only the engine can say.
 *
 * @param kind what is done
 * @param process its name among those of {@link Composed#processes}
 * @param duration how long it is paused; after which time a killed one is started, unless another process has done so; positive
 */
// A look before it is confirmed would find one that was killed earlier.
@Traits(
        needs = {Composed.class, Startable.class},
        dataNodesOnly = true,
        showsWhenInjected = true,
        claims = Interplay.Part.PROCESSOR_TIME)
public record ProcessFault(Kind kind, String process, Duration duration) implements GreyFault {

    public ProcessFault {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(process, "process");
        Hold.requirePositive(duration);
    }

    /** What is done to the process. */
    public enum Kind {
        /** SIGKILL. */
        KILL("kill-process", "kill"),
        /** SIGSTOP, and SIGCONT in the end. */
        PAUSE("pause-process", "pause");

        private final String fault;
        private final String verb;

        Kind(String fault, String verb) {
            this.fault = fault;
            this.verb = verb;
        }

        /** Its name in drill files. */
        public String fault() {
            return fault;
        }
    }

    @Override
    public String name() {
        return kind.fault();
    }

    /** Markers and reports say which process it was. */
    @Override
    public String label() {
        return kind.verb + " " + process;
    }

    @Override
    public List<String> refusals(NodeController controller) {
        List<String> known = processes(controller).processes();
        return known.contains(process)
                ? List.of()
                : List.of("process " + process + ": the processes of a node of " + controller.engine() + " are "
                        + String.join(", ", known));
    }

    @Override
    public Lasts lasts() {
        return kind == Kind.KILL ? Lasts.WHILE_PARTLY_DOWN : Lasts.WHILE_PAUSED;
    }

    private static Composed processes(NodeController controller) {
        return Capabilities.require(controller, Composed.class);
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        if (kind == Kind.KILL) {
            processes(controller).kill(node.id(), process);
        } else {
            processes(controller).pause(node.id(), process);
        }
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return kind == Kind.KILL
                ? processes(controller).lookForEnd(node.id(), process)
                : processes(controller).lookForPause(node.id(), process);
    }

    @Override
    public void end(NodeController controller, NodeInfo node, FaultContext context) {
        if (kind == Kind.KILL) {
            Capabilities.require(controller, Startable.class).start(node.id());
        } else {
            processes(controller).resume(node.id(), process);
        }
    }
}
