package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.fault.Demands.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A drill: its steps, and how to begin and end. Immutable. Read from a file by {@link DrillFile}, or built:
 *
 * <pre>{@code
 * FaultSchedule.named("kill-one")
 *     .step(ScheduledFault.step("kill", new KillNode()).at(Duration.ofSeconds(5)))
 *     .step(ScheduledFault.step("start", new StartNode())
 *         .on(new NodeSelector.SameAs("kill"))
 *         .after("kill", Phase.DOWN, Duration.ofSeconds(10)))
 *     .build();
 * }</pre>
 *
 * @param name short name, for files and titles
 * @param seed of everything random in it; empty: the run's
 * @param steady what must hold before the first step; empty: nothing, times count from run start
 * @param steps at least one
 * @param cooldown how long the run continues after the last node has recovered
 * @param recoveryBound maximum time for a node to recover after its fault; the drill fails when it takes longer
 * @param limits what is judged at the end
 * @param slo the latency that users accept
 * @param cycles how often all of it is repeated in one run; empty: not at all
 */
public record FaultSchedule(
        String name,
        OptionalLong seed,
        Optional<SteadyState> steady,
        List<ScheduledFault> steps,
        Duration cooldown,
        Duration recoveryBound,
        Limits limits,
        Slo slo,
        Optional<Cycles> cycles) {

    /** Used when a drill does not say. */
    public static final Duration DEFAULT_COOLDOWN = Duration.ofSeconds(20);

    /** Used when a drill does not say. */
    public static final Duration DEFAULT_RECOVERY_BOUND = Duration.ofMinutes(10);

    static final String NEEDS_STEADY = "begins when the throughput is steady, but the schedule does not define that";

    public FaultSchedule {
        Rules.stepName(name);
        Objects.requireNonNull(seed, "seed");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(slo, "slo");
        Objects.requireNonNull(cycles, "cycles");
        steps = List.copyOf(steps);
        if (steps.isEmpty()) {
            throw new IllegalArgumentException("a schedule without steps does nothing");
        }
        Rules.notNegative("cooldown", cooldown);
        if (recoveryBound.isNegative() || recoveryBound.isZero()) {
            throw new IllegalArgumentException("recovery bound " + recoveryBound + " is not positive");
        }
        List<Rules.Broken> broken = Rules.broken(steps);
        if (!broken.isEmpty()) {
            List<ScheduledFault> all = steps;
            throw new IllegalArgumentException(broken.stream()
                    .map(b -> "step " + all.get(b.step()).name() + ": " + b.key() + " " + b.text())
                    .collect(Collectors.joining("; ")));
        }
        if (steady.isEmpty() && steps.stream().anyMatch(ScheduledFault::steady)) {
            throw new IllegalArgumentException(
                    "a step waits for steady throughput, but the schedule does not define it");
        }
        if (steady.isEmpty() && cycles.isPresent()) {
            throw new IllegalArgumentException("each cycle " + NEEDS_STEADY);
        }
    }

    /**
     * The same drill, so often in one run; null cycles and pauses as it says, what it does not say as {@link Cycles#of}.
     *
     * @throws IllegalArgumentException when the number is out of range, or the drill does not wait for steady throughput
     */
    public FaultSchedule repeated(int faults) {
        Cycles wanted = cycles.map(own -> new Cycles(faults, own.wantedNulls(), own.pause()))
                .orElse(Cycles.of(faults));
        return new FaultSchedule(name, seed, steady, steps, cooldown, recoveryBound, limits, slo, Optional.of(wanted));
    }

    /** When the earliest step is due, from the steady state, or from the start when it waits for none. */
    public Duration firstStep() {
        return LimitRules.first(steps);
    }

    /** Why limits of it could never be kept where nobody but the drill starts nodes, each with its key; mostly empty. */
    public List<String> limitsWithoutEnd() {
        return LimitRules.withoutEnd(limits, steps, cooldown).entrySet().stream()
                .map(broken -> "limits." + broken.getKey().key() + " " + broken.getValue())
                .toList();
    }

    /** Whether a step disturbs the network, so that clients have to go through proxies. */
    public boolean disturbsNetwork() {
        return steps.stream().anyMatch(step -> step.fault().subject() == Subject.CLIENT_LINKS);
    }

    /** What its faults need of {@code cluster up}, each as typed after {@code --}; often nothing. */
    public Set<String> clusterSwitches() {
        return steps.stream()
                .flatMap(step -> step.fault().clusterSwitch().stream())
                .collect(Collectors.toSet());
    }

    /** Whether nothing is injected at all, so that nothing may be found. */
    public boolean isPlacebo() {
        return steps.stream().allMatch(step -> step.fault().subject() == Subject.NOTHING);
    }

    /** The names of the network faults, for messages: {@code cut, reset, ...}. */
    public static String networkFaults() {
        return String.join(", ", NetworkFaultParser.FAULTS.keySet());
    }

    /** A schedule without a steady-state gate, limits or steps yet. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Collects the parts of a schedule. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private final List<ScheduledFault> steps = new ArrayList<>();
        private OptionalLong seed = OptionalLong.empty();
        private Optional<SteadyState> steady = Optional.empty();
        private Duration cooldown = DEFAULT_COOLDOWN;
        private Duration recoveryBound = DEFAULT_RECOVERY_BOUND;
        private Limits limits = Limits.NONE;
        private Slo slo = Slo.NONE;
        private Optional<Cycles> cycles = Optional.empty();

        private Builder(String name) {
            this.name = name;
        }

        /** Adds a step. */
        public Builder step(ScheduledFault step) {
            steps.add(step);
            return this;
        }

        /** Seeds everything random. */
        public Builder seed(long value) {
            seed = OptionalLong.of(value);
            return this;
        }

        /** Waits for steady throughput first. */
        public Builder steady(SteadyState value) {
            steady = Optional.of(value);
            return this;
        }

        /** Continues for this long after the last node has recovered. */
        public Builder cooldown(Duration value) {
            cooldown = value;
            return this;
        }

        /** Maximum time for a node to recover; the drill fails when it takes longer. */
        public Builder recoveryBound(Duration value) {
            recoveryBound = value;
            return this;
        }

        /** What is judged at the end. */
        public Builder limits(Limits value) {
            limits = value;
            return this;
        }

        /** The latency that users accept. */
        public Builder slo(Slo value) {
            slo = value;
            return this;
        }

        /** Repeats all of it in one run. */
        public Builder cycles(Cycles value) {
            cycles = Optional.of(value);
            return this;
        }

        /**
         * The schedule.
         *
         * @throws IllegalArgumentException with all that is wrong between the steps
         */
        public FaultSchedule build() {
            return new FaultSchedule(name, seed, steady, steps, cooldown, recoveryBound, limits, slo, cycles);
        }
    }
}
