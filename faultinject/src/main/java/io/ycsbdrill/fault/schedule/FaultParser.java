package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.TableSchema;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.fault.AddNode;
import io.ycsbdrill.fault.AlterTable;
import io.ycsbdrill.fault.BackUp;
import io.ycsbdrill.fault.ClockFault;
import io.ycsbdrill.fault.CommandFault;
import io.ycsbdrill.fault.DamageFiles;
import io.ycsbdrill.fault.DiskFault;
import io.ycsbdrill.fault.Failover;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.InitialiseNode;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.NoFault;
import io.ycsbdrill.fault.PauseNode;
import io.ycsbdrill.fault.PowerLoss;
import io.ycsbdrill.fault.ProcessFault;
import io.ycsbdrill.fault.Rebalance;
import io.ycsbdrill.fault.Reconfigure;
import io.ycsbdrill.fault.RemoveNode;
import io.ycsbdrill.fault.RestartNode;
import io.ycsbdrill.fault.ResumeNode;
import io.ycsbdrill.fault.SqueezeNode;
import io.ycsbdrill.fault.StartNode;
import io.ycsbdrill.fault.StarveNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.StopNode;
import io.ycsbdrill.fault.Switchover;
import io.ycsbdrill.fault.UpgradeNode;
import io.ycsbdrill.fault.node.UserCommand;
import io.ycsbdrill.fault.node.UserCommands;
import io.ycsbdrill.fault.node.trouble.Damageable.Damage;
import io.ycsbdrill.fault.node.trouble.Deceivable.Clock;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Function;

/** Reads the fault of a step, or the operation, which does no harm: its name and the keys that belong to it. */
final class FaultParser {
    static final Duration DAY = Duration.ofHours(24);
    static final String LASTS = "how long it lasts";
    private static final Duration DEFAULT_DOWN = Duration.ZERO;
    private static final long MOST_CHANGES = 10_000;
    /** A year. */
    private static final Duration LONGEST_JUMP = Duration.ofDays(365);
    /** Each second; a clock that loses more hardly moves. */
    private static final Duration MOST_SKEW = Duration.ofMillis(900);

    private static final Duration LONGEST_DISK_DELAY = Duration.ofMinutes(1);

    /** Every fault by its name in drill files. */
    static final Map<String, Function<Section, Optional<Fault>>> FAULTS = faults();

    /** Every operation by its name in drill files. */
    static final Map<String, Function<Section, Optional<Fault>>> OPERATIONS = operations();

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
        for (ProcessFault.Kind kind : ProcessFault.Kind.values()) {
            faults.put(kind.fault(), s -> process(s, kind));
        }
        faults.put("resume", s -> Optional.of(new ResumeNode()));
        faults.put("starve", FaultParser::starve);
        faults.put("memory", FaultParser::memory);
        faults.putAll(NetworkFaultParser.FAULTS);
        faults.putAll(PartitionFaultParser.FAULTS);
        for (DiskTrouble.Kind kind : DiskTrouble.Kind.values()) {
            faults.put(
                    kind.fault(),
                    s -> lasting(
                            s,
                            LASTS,
                            kind == DiskTrouble.Kind.SLOW ? slowDisk(s) : Optional.of(DiskTrouble.of(kind)),
                            DiskFault::new));
        }
        for (Clock.Kind kind : Clock.Kind.values()) {
            faults.put(kind.fault(), s -> lasting(s, LASTS, clock(s, kind), ClockFault::new));
        }
        faults.put("power-loss", s -> Optional.of(new PowerLoss()));
        for (Damage.Kind kind : Damage.Kind.values()) {
            faults.put(kind.fault(), s -> damage(s, kind));
        }
        faults.put("run", FaultParser::run);
        faults.put("none", s -> lasting(s, "how long nothing is done", Optional.of(s), (step, d) -> new NoFault(d)));
        return faults;
    }

    private static Map<String, Function<Section, Optional<Fault>>> operations() {
        Map<String, Function<Section, Optional<Fault>>> operations = new LinkedHashMap<>();
        operations.put("backup", s -> Optional.of(new BackUp()));
        operations.put("restore", s -> Optional.of(new BackUp.Restore(down(s))));
        for (TableSchema.Change change : TableSchema.Change.values()) {
            operations.put(change.label(), s -> Optional.of(new AlterTable(change)));
        }
        operations.put("rolling-config", FaultParser::reconfigure);
        operations.put("upgrade", FaultParser::upgrade);
        operations.put("add-node", s -> Optional.of(new AddNode()));
        operations.put("remove-node", s -> Optional.of(new RemoveNode()));
        operations.put("rebalance", s -> Optional.of(new Rebalance()));
        operations.put("switchover", s -> Optional.of(new Switchover()));
        operations.put("failover", s -> Optional.of(new Failover()));
        return operations;
    }

    static Optional<Fault> parse(Section step) {
        if (step.has("operation")) {
            return named(step, "operation", OPERATIONS);
        }
        if (!step.has("fault")) {
            step.missing(
                    "fault",
                    "allowed: " + String.join(", ", FAULTS.keySet()) + "; or operation, allowed: "
                            + String.join(", ", OPERATIONS.keySet()));
            return Optional.empty();
        }
        return named(step, "fault", FAULTS);
    }

    private static Optional<Fault> named(
            Section step, String key, Map<String, Function<Section, Optional<Fault>>> known) {
        return step.word(key, List.copyOf(known.keySet()))
                .flatMap(name -> known.get(name).apply(step));
    }

    private static StopMode mode(Section step, StopMode... allowed) {
        return step.choice("mode", List.of(allowed), StopMode::label).orElse(StopMode.GRACEFUL);
    }

    private static Duration down(Section step) {
        return step.duration("down", Duration.ZERO, DAY).orElse(DEFAULT_DOWN);
    }

    private static Optional<Fault> pause(Section step) {
        return lasting(
                step,
                "how long the node is paused",
                Optional.of(step.flag("start_if_ejected").orElse(true)),
                (start, duration) -> new PauseNode(duration, start));
    }

    private static Optional<Fault> process(Section step, ProcessFault.Kind kind) {
        String expected = "which of the node's processes, such as patroni";
        Optional<String> process = step.text("process", expected);
        step.require("process", expected);
        return lasting(step, "how long", process, (name, duration) -> new ProcessFault(kind, name, duration));
    }

    private static Optional<Fault> starve(Section step) {
        return lasting(
                step, "how long", share(step, "how much of its time the node is stopped: 1% to 99%"), StarveNode::new);
    }

    private static Optional<Fault> memory(Section step) {
        Optional<Double> share = share(step, "how much of the memory that it has in use the node keeps: 1% to 99%");
        return lasting(step, "how long", share, SqueezeNode::new);
    }

    private static Optional<Double> share(Section step, String what) {
        OptionalDouble percent = step.percent("share", 1, 99);
        step.require("share", what);
        return percent.isPresent() ? Optional.of(percent.getAsDouble() / 100) : Optional.empty();
    }

    /**
     * A fault with a duration, which must be given.
     *
     * @param what the duration is, for messages
     * @param value what else it is made of; empty when that is missing or wrong
     */
    static <T> Optional<Fault> lasting(
            Section step, String what, Optional<? extends T> value, BiFunction<T, Duration, Fault> fault) {
        Optional<Duration> duration = step.duration("duration", Duration.ofMillis(1), DAY);
        step.require("duration", what + ": " + Durations.EXPECTED);
        return duration.flatMap(length -> value.map(given -> fault.apply(given, length)));
    }

    private static Optional<DiskTrouble> slowDisk(Section step) {
        Optional<Duration> latency = step.duration("latency", Duration.ZERO, LONGEST_DISK_DELAY);
        Duration jitter =
                step.duration("jitter", Duration.ZERO, LONGEST_DISK_DELAY).orElse(Duration.ZERO);
        step.require("latency", "delay of each write and sync: " + Durations.EXPECTED);
        if (latency.isPresent() && latency.get().plus(jitter).isZero()) {
            step.problem("latency", "0 without jitter adds no delay");
            return Optional.empty();
        }
        return latency.map(l -> new DiskTrouble(DiskTrouble.Kind.SLOW, l, jitter));
    }

    private static Optional<Fault> damage(Section step, Damage.Kind kind) {
        OptionalLong changes = step.count("changes", 1, MOST_CHANGES);
        Optional<String> files = step.text("files", "a pattern for paths below the node's data directory: \"**.ibd\"");
        OptionalLong seed = step.count("seed", 0, Integer.MAX_VALUE);
        Duration down = down(step);
        if (files.filter(pattern -> !isBelow(pattern)).isPresent()) {
            step.problem(
                    "files",
                    "\"" + files.get()
                            + "\" is no pattern for paths below the node's data directory; expected one such as"
                            + " \"**.ibd\", without a leading / and without ..");
            return Optional.empty();
        }
        return Optional.of(
                new DamageFiles(new Damage(kind, (int) changes.orElse(1), files.orElse("**"), seed.orElse(1)), down));
    }

    private static boolean isBelow(String glob) {
        try {
            FileSystems.getDefault().getPathMatcher("glob:" + glob);
            return !glob.isBlank() && !glob.startsWith("/") && !glob.matches("(.*/)?\\.\\.(/.*)?");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Exactly one of ahead and behind. */
    private static Optional<Clock> clock(Section step, Clock.Kind kind) {
        Duration most = kind == Clock.Kind.SKEW ? MOST_SKEW : LONGEST_JUMP;
        Optional<Duration> ahead = step.duration("ahead", Duration.ofMillis(1), most);
        Optional<Duration> behind = step.duration("behind", Duration.ofMillis(1), most);
        Optional<Duration> period = kind == Clock.Kind.STROBE
                ? step.duration("period", Duration.ofMillis(1), DAY)
                : Optional.of(Duration.ZERO);
        if (kind == Clock.Kind.STROBE) {
            step.require("period", "how long the clock is wrong, and right, by turns: " + Durations.EXPECTED);
        }
        if (step.has("ahead") && step.has("behind")) {
            step.problem("behind", "contradicts ahead; give one of both");
            return Optional.empty();
        }
        if (!step.has("behind")) {
            step.require("ahead", "by how much the clock is ahead, or give behind: " + Durations.EXPECTED);
        }
        return ahead.or(() -> behind.map(Duration::negated))
                .flatMap(by -> period.map(turns -> new Clock(kind, by, turns)));
    }

    private static Optional<Fault> reconfigure(Section step) {
        Map<String, String> settings = step.entries("set");
        step.require("set", "the engine's settings and their new values: {name: value}");
        return settings.isEmpty() ? Optional.empty() : Optional.of(new Reconfigure(settings));
    }

    private static Optional<Fault> upgrade(Section step) {
        String expected = "the folder of the installation to move to";
        Optional<String> home = step.text("home", expected);
        step.require("home", expected);
        try {
            return home.map(
                    place -> new UpgradeNode(Path.of(place).toAbsolutePath().normalize()));
        } catch (InvalidPathException e) {
            step.problem("home", "\"" + home.orElseThrow() + "\"; expected " + expected);
            return Optional.empty();
        }
    }

    private static Optional<Fault> run(Section step) {
        boolean shell = step.flag("shell").orElse(false);
        UserCommand command = command(step, "command", shell);
        UserCommand heal = command(step, "heal", shell);
        UserCommand verify = command(step, "verify", shell);
        UserCommand healed = command(step, "healed", shell);
        Optional<Duration> duration = step.duration("duration", Duration.ZERO, DAY);
        Duration bound = step.duration("timeout", Duration.ofMillis(1), DAY).orElse(UserCommands.DEFAULT_BOUND);
        step.require("command", "a list of program and arguments");
        for (String key : List.of("duration", "healed")) {
            if (step.has(key) && !step.has("heal")) {
                step.problem(key, "has no effect without a heal command");
                return Optional.empty();
            }
        }
        return command.isEmpty() || step.has("heal") && heal.isEmpty()
                ? Optional.empty()
                : Optional.of(new CommandFault(new UserCommands(command, heal, verify, healed, bound), duration));
    }

    private static UserCommand command(Section step, String name, boolean shell) {
        if (!shell) {
            return UserCommand.of(step.texts(name));
        }
        try {
            return step.text(name, "one line for the shell")
                    .map(UserCommand::line)
                    .orElse(UserCommand.NONE);
        } catch (IllegalArgumentException e) {
            step.problem(name, e.getMessage());
            return UserCommand.NONE;
        }
    }
}
