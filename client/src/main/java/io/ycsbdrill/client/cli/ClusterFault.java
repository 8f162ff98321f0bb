package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.RemoteOptions;
import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.InitialiseNode;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.NodeSelector.Named;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.RestartNode;
import io.ycsbdrill.fault.ResumeNode;
import io.ycsbdrill.fault.StartNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.StopNode;
import io.ycsbdrill.fault.inject.DrillOutcome;
import io.ycsbdrill.fault.inject.FaultInjector;
import io.ycsbdrill.fault.inject.ScheduleCheck;
import io.ycsbdrill.fault.marker.EngineObserved;
import io.ycsbdrill.fault.marker.FaultFailed;
import io.ycsbdrill.fault.marker.FaultStarted;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.marker.PhaseEntered;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** One fault by hand: {@code cluster kill node2}. Shows the phases as they come, and leaves the nodes as the fault does. */
@Command(mixinStandardHelpOptions = true, versionProvider = Version.class, sortOptions = false)
abstract class ClusterFault implements Callable<Integer> {
    @ParentCommand
    private ClusterCommand cluster;

    @Parameters(arity = "1..*", paramLabel = "NODE", description = "Ids of nodes, as in: ycsb cluster status.")
    private List<String> nodes = new ArrayList<>();

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            completionCandidates = BindingNames.Local.class,
            description = "Engine of the cluster; needed only when several are up.")
    private String engine;

    @Mixin
    private RemoteOptions remote;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            description = "Maximum time for a node to finish recovering (default: ${DEFAULT-VALUE}).")
    private String timeout;

    /** All commands of this kind. */
    static List<ClusterFault> all() {
        return List.of(
                new Kill(), new StopIt(), new Start(), new Restart(), new Initialise(), new Pause(), new Resume());
    }

    /** What to inject; throws {@link ConfigException} when the options are wrong. */
    abstract Fault fault();

    @Override
    public Integer call() {
        Fault fault = fault();
        Duration bound = bound();
        if (new LinkedHashSet<>(nodes).size() != nodes.size()) {
            throw new ConfigException("a node is named twice in " + String.join(" ", nodes));
        }
        try (ControlledCluster controlled = remote.attach(world(), Optional.ofNullable(engine))) {
            return controlled.during(() -> inject(controlled.nodes(), fault, bound));
        }
    }

    private int inject(NodeController controller, Fault fault, Duration bound) {
        FaultSchedule schedule = FaultSchedule.named("by-hand")
                .step(ScheduledFault.step(fault.name(), fault).on(new Named(nodes)))
                .cooldown(Duration.ZERO)
                .recoveryBound(bound)
                .build();
        List<String> problems = ScheduleCheck.problems(schedule, controller);
        if (!problems.isEmpty()) {
            throw new ConfigException(problems.stream()
                    .map(p -> p.replaceFirst("^step \\S+: ", ""))
                    .toList());
        }
        return inject(controller, schedule);
    }

    int inject(NodeController controller, FaultSchedule schedule) {
        FaultInjector injector =
                FaultInjector.builder(controller, schedule).onMarker(this::show).build();
        try {
            injector.start();
            DrillOutcome outcome = injector.await();
            return outcome.valid() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CommandLine.ExitCode.SOFTWARE;
        } finally {
            injector.leave();
        }
    }

    private void show(Marker marker) {
        String text = "";
        if (marker instanceof FaultStarted m) {
            text = m.of().fault() + " " + m.node();
        } else if (marker instanceof PhaseEntered m) {
            text = m.node() + " " + m.phase().label()
                    + (m.phase().stage().isEmpty() ? "" : " (" + m.phase().stage() + ")");
        } else if (marker instanceof FaultFailed m) {
            text = "error: " + m.text();
        } else if (marker instanceof EngineObserved m && started(m)) {
            text = m.node() + " " + m.label();
        }
        if (!text.isEmpty()) {
            world().say(Formatted.of("%7.2f s  %s", marker.atNanos() / 1e9, text));
        }
    }

    /** A node that was down before this command began has no phases in it, only events. */
    private boolean started(EngineObserved event) {
        return fault().expects() == NodeStatus.State.DOWN
                && !event.label().equals("step")
                && !event.label().equals("note");
    }

    CommandContext world() {
        return cluster.world;
    }

    List<String> nodes() {
        return nodes;
    }

    Duration bound() {
        return time("--timeout", timeout);
    }

    static Duration time(String option, String text) {
        Duration value = ConfigException.from(option + ": ", () -> Durations.parse(text));
        if (value.isZero()) {
            throw new ConfigException(option + " " + text + " must be longer than 0");
        }
        return value;
    }

    private static StopMode mode(String text, StopMode... allowed) {
        List<String> labels = Arrays.stream(allowed).map(StopMode::label).toList();
        if (!labels.contains(text)) {
            throw new ConfigException("--mode " + text + " is not one of " + String.join(", ", labels));
        }
        return allowed[labels.indexOf(text)];
    }

    @Command(name = "kill", description = "Ends the nodes' processes with SIGKILL; they stay down.")
    private static final class Kill extends ClusterFault {
        @Override
        Fault fault() {
            return new KillNode();
        }
    }

    @Command(name = "stop", description = "Stops nodes through the engine's management; they stay down.")
    private static final class StopIt extends ClusterFault {
        @Option(
                names = "--mode",
                paramLabel = "MODE",
                defaultValue = "graceful",
                description = "graceful or abort (default: ${DEFAULT-VALUE}).")
        private String mode;

        @Override
        Fault fault() {
            return new StopNode(mode(mode, StopMode.GRACEFUL, StopMode.ABORT));
        }
    }

    @Command(name = "start", description = "Starts nodes that are down and waits until they have recovered.")
    private static final class Start extends ClusterFault {
        @Override
        Fault fault() {
            return new StartNode();
        }

        @Override
        int inject(NodeController controller, FaultSchedule schedule) {
            int exitCode = super.inject(controller, schedule);
            if (exitCode == CommandLine.ExitCode.OK) {
                nodes().forEach(node ->
                        controller.capability(Startable.class).orElseThrow().awaitStarted(node, bound()));
                world().say(String.join(", ", nodes()) + ": recovered");
            }
            return exitCode;
        }
    }

    /** Brings down and starts again. */
    @Command
    private abstract static class DownAndUp extends ClusterFault {
        @Option(
                names = "--mode",
                paramLabel = "MODE",
                defaultValue = "graceful",
                description = "How they go down: graceful, abort or kill (default: ${DEFAULT-VALUE}).")
        private String mode;

        @Option(
                names = "--down",
                paramLabel = "TIME",
                defaultValue = "0s",
                description = "Minimum time for which they stay down (default: ${DEFAULT-VALUE}).")
        private String down;

        StopMode stopMode() {
            return ClusterFault.mode(mode, StopMode.values());
        }

        Duration down() {
            return down.equals("0s") ? Duration.ZERO : time("--down", down);
        }
    }

    @Command(name = "restart", description = "Brings nodes down and starts them again with the files they have.")
    private static final class Restart extends DownAndUp {
        @Override
        Fault fault() {
            return new RestartNode(stopMode(), down());
        }
    }

    @Command(name = "initialise", description = "Brings nodes down, wipes their files and starts them empty.")
    private static final class Initialise extends DownAndUp {
        @Override
        Fault fault() {
            return new InitialiseNode(stopMode(), down());
        }
    }

    @Command(name = "pause", description = "Pauses nodes (SIGSTOP) until \"cluster resume\" or for a time.")
    private static final class Pause extends ClusterFault {
        @Option(names = "--for", paramLabel = "TIME", description = "Resume them after this time.")
        private String length;

        @Override
        Fault fault() {
            return new PauseNode(length == null ? Duration.ofNanos(1) : time("--for", length), true);
        }

        @Override
        int inject(NodeController controller, FaultSchedule schedule) {
            if (length != null) {
                return super.inject(controller, schedule);
            }
            Pausable pausable = controller.capability(Pausable.class).orElseThrow();
            nodes().forEach(pausable::pause);
            world().say(String.join(", ", nodes()) + ": paused; resume with: ycsb cluster resume "
                    + String.join(" ", nodes()));
            return CommandLine.ExitCode.OK;
        }
    }

    @Command(name = "resume", description = "Resumes paused nodes (SIGCONT).")
    private static final class Resume extends ClusterFault {
        @Override
        Fault fault() {
            return new ResumeNode();
        }

        @Override
        int inject(NodeController controller, FaultSchedule schedule) {
            controller.status().stream()
                    .filter(node -> node.state() == NodeStatus.State.DOWN && nodes().contains(node.id()))
                    .forEach(node -> world().say(node.id() + ": is down, so there is nothing to resume; start it with:"
                            + " ycsb cluster start " + node.id()));
            return super.inject(controller, schedule);
        }
    }
}
