package io.ycsbdrill.fault.schedule;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;

/**
 * The latency that users accept; what it does not say the report derives from the steady state. Immutable.
 *
 * @param p99 of each window; positive
 * @param p50 of each window; positive, and not above p99
 */
public record Slo(Optional<Duration> p99, Optional<Duration> p50) {

    /** Nothing is said. */
    public static final Slo NONE = new Slo(Optional.empty(), Optional.empty());

    /** The shortest that makes sense. */
    static final Duration LEAST = Duration.ofNanos(10_000);

    /** The longest that makes sense. */
    static final Duration MOST = Duration.ofMinutes(10);

    public Slo {
        if (p99.isPresent() && p50.isPresent() && p50.get().compareTo(p99.get()) > 0) {
            throw new IllegalArgumentException("p50 " + p50.get() + " is above p99 " + p99.get());
        }
    }

    /** As in {@code drill.slo} of {@code run.json}: units in the names, absent ones absent. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        p99.ifPresent(time -> json.put("p99Seconds", time.toNanos() / 1e9));
        p50.ifPresent(time -> json.put("p50Seconds", time.toNanos() / 1e9));
        return json;
    }
}
