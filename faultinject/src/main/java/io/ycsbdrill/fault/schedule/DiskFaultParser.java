package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.fault.DiskFault;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.node.DiskTrouble;
import io.ycsbdrill.fault.node.DiskTrouble.Kind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads the faults of disks and the keys that belong to them. */
final class DiskFaultParser {
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(1);

    /** By name in drill files. */
    static final Map<String, Function<Section, Optional<Fault>>> FAULTS = faults();

    private DiskFaultParser() {}

    private static Map<String, Function<Section, Optional<Fault>>> faults() {
        Map<String, Function<Section, Optional<Fault>>> faults = new LinkedHashMap<>();
        for (Kind kind : Kind.values()) {
            faults.put(
                    kind.fault(),
                    step -> lasting(step, kind == Kind.SLOW ? slow(step) : Optional.of(DiskTrouble.of(kind))));
        }
        return faults;
    }

    private static Optional<Fault> lasting(Section step, Optional<DiskTrouble> trouble) {
        Optional<Duration> duration = step.duration("duration", Duration.ofMillis(1), FaultParser.DAY);
        step.require("duration", "how long it lasts: " + Durations.EXPECTED);
        return duration.isEmpty() ? Optional.empty() : trouble.map(t -> new DiskFault(t, duration.get()));
    }

    private static Optional<DiskTrouble> slow(Section step) {
        Optional<Duration> latency = step.duration("latency", Duration.ZERO, LONGEST_DELAY);
        Duration jitter = step.duration("jitter", Duration.ZERO, LONGEST_DELAY).orElse(Duration.ZERO);
        step.require("latency", "delay of each write and sync: " + Durations.EXPECTED);
        if (latency.isPresent() && latency.get().plus(jitter).isZero()) {
            step.problem("latency", "0 without jitter adds no delay");
            return Optional.empty();
        }
        return latency.map(l -> new DiskTrouble(Kind.SLOW, l, jitter));
    }
}
