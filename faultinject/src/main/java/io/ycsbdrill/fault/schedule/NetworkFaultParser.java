package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.NetworkFault;
import io.ycsbdrill.fault.net.Direction;
import io.ycsbdrill.fault.net.Disturbance;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the network faults and the keys that belong to them. */
final class NetworkFaultParser {
    private static final Duration LONGEST_DELAY = Duration.ofHours(1);
    private static final String RATE = "bytes per second with a unit: 500B/s, 64KB/s or 1MB/s";
    private static final Pattern RATE_FORM = Pattern.compile("(\\d{1,9})(B|KB|MB)/s");
    private static final Map<String, Long> BYTES = Map.of("B", 1L, "KB", 1_000L, "MB", 1_000_000L);

    /** By name in drill files. */
    static final Map<String, Function<Section, Optional<Fault>>> FAULTS = faults();

    private static Map<String, Function<Section, Optional<Fault>>> faults() {
        Map<String, Function<Section, Optional<Fault>>> faults = new LinkedHashMap<>();
        faults.put("cut", s -> lasting(s, Optional.of(new Disturbance.Cut())));
        faults.put("reset", s -> Optional.of(new NetworkFault(new Disturbance.Reset(), Optional.empty())));
        faults.put("blackhole", s -> lasting(s, Optional.of(new Disturbance.Blackhole(direction(s)))));
        faults.put("delay", s -> lasting(s, delay(s)));
        faults.put("throttle", s -> lasting(s, throttle(s)));
        return faults;
    }

    private static Optional<Fault> lasting(Section step, Optional<Disturbance> disturbance) {
        return FaultParser.<Disturbance>lasting(
                step, FaultParser.LASTS, disturbance, (d, duration) -> new NetworkFault(d, Optional.of(duration)));
    }

    private static Direction direction(Section step) {
        return step.choice("direction", List.of(Direction.values()), Direction::label)
                .orElse(Direction.BOTH);
    }

    private static Optional<Disturbance> delay(Section step) {
        Optional<Duration> latency = step.duration("latency", Duration.ZERO, LONGEST_DELAY);
        Duration jitter = step.duration("jitter", Duration.ZERO, LONGEST_DELAY).orElse(Duration.ZERO);
        Direction direction = direction(step);
        step.require("latency", "delay added in each direction: " + Durations.EXPECTED);
        if (latency.isPresent() && latency.get().plus(jitter).isZero()) {
            step.problem("latency", "0 without jitter adds no delay");
            return Optional.empty();
        }
        return latency.map(l -> new Disturbance.Delay(l, jitter, direction));
    }

    private static Optional<Disturbance> throttle(Section step) {
        Direction direction = direction(step);
        return rate(step).map(rate -> new Disturbance.Throttle(rate, direction));
    }

    /** Bytes per second; required. */
    static Optional<Long> rate(Section step) {
        Optional<String> text = step.text("rate", RATE);
        step.require("rate", RATE);
        return text.flatMap(t -> {
            Matcher form = RATE_FORM.matcher(t);
            if (!form.matches() || Long.parseLong(form.group(1)) == 0) {
                step.problem("rate", "\"" + t + "\"; expected " + RATE);
                return Optional.empty();
            }
            return Optional.of(Long.parseLong(form.group(1)) * BYTES.get(form.group(2)));
        });
    }
}
