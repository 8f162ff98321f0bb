package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.InitialiseNode;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.RestartNode;
import io.ycsbdrill.fault.ResumeNode;
import io.ycsbdrill.fault.RunCommand;
import io.ycsbdrill.fault.StartNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.StopNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads the fault of a step: its name and the keys that belong to it. */
final class FaultParser {
    static final Duration DAY = Duration.ofHours(24);
    private static final Duration DEFAULT_DOWN = Duration.ZERO;
    private static final Duration DEFAULT_COMMAND_BOUND = Duration.ofSeconds(60);

    /** Every fault by its name in drill files. */
    static final Map<String, Function<Section, Optional<Fault>>> FAULTS = faults();

    private FaultParser() {}

    private static Map<String, Function<Section, Optional<Fault>>> faults() {
        Map<String, Function<Section, Optional<Fault>>> faults = new LinkedHashMap<>();
        faults.put("kill", s -> Optional.of(new KillNode()));
        faults.put("stop", s -> Optional.of(new StopNode(mode(s, StopMode.GRACEFUL, StopMode.ABORT))));
        faults.put("start", s -> Optional.of(new StartNode()));
        faults.put(
                "restart",
                s -> Optional.of(new RestartNode(mode(s, StopMode.GRACEFUL, StopMode.ABORT, StopMode.KILL), down(s))));
        faults.put(
                "initialise",
                s -> Optional.of(
                        new InitialiseNode(mode(s, StopMode.GRACEFUL, StopMode.ABORT, StopMode.KILL), down(s))));
        faults.put("pause", FaultParser::pause);
        faults.put("resume", s -> Optional.of(new ResumeNode()));
        faults.putAll(NetworkFaultParser.FAULTS);
        faults.put("run", FaultParser::run);
        return faults;
    }

    static Optional<Fault> parse(Section step) {
        if (!step.has("fault")) {
            step.missing("fault", "allowed: " + String.join(", ", FAULTS.keySet()));
            return Optional.empty();
        }
        return step.word("fault", List.copyOf(FAULTS.keySet()))
                .flatMap(name -> FAULTS.get(name).apply(step));
    }

    private static StopMode mode(Section step, StopMode... allowed) {
        return step.choice("mode", List.of(allowed), StopMode::label).orElse(StopMode.GRACEFUL);
    }

    private static Duration down(Section step) {
        return step.duration("down", Duration.ZERO, DAY).orElse(DEFAULT_DOWN);
    }

    private static Optional<Fault> pause(Section step) {
        Optional<Duration> duration = step.duration("duration", Duration.ofMillis(1), DAY);
        boolean start = step.flag("start_if_ejected").orElse(true);
        step.require("duration", "how long the node is paused: " + Durations.EXPECTED);
        return duration.map(d -> new PauseNode(d, start));
    }

    private static Optional<Fault> run(Section step) {
        boolean shell = step.flag("shell").orElse(false);
        List<String> command = command(step, "command", shell);
        List<String> heal = command(step, "heal", shell);
        Optional<Duration> duration = step.duration("duration", Duration.ZERO, DAY);
        Duration bound = step.duration("timeout", Duration.ofMillis(1), DAY).orElse(DEFAULT_COMMAND_BOUND);
        step.require("command", "a list of program and arguments");
        if (step.has("duration") && !step.has("heal")) {
            step.problem("duration", "has no effect without a heal command");
            return Optional.empty();
        }
        return command.isEmpty() ? Optional.empty() : Optional.of(new RunCommand(command, heal, duration, bound));
    }

    private static List<String> command(Section step, String name, boolean shell) {
        if (!shell) {
            return step.texts(name);
        }
        return step.text(name, "one line for the shell")
                .map(line -> List.of("/bin/sh", "-c", line))
                .orElse(List.of());
    }
}
