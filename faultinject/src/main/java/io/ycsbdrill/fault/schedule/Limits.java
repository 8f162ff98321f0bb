package io.ycsbdrill.fault.schedule;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a drill must not exceed; each may be absent. Judged by the report, from the run directory.
 *
 * @param maxUnavailable longest time without a successful operation
 * @param minThroughputPercent least throughput from fault to recovered, as a percentage of the baseline
 * @param maxRecovery from the fault to redundancy restored
 * @param maxServiceRestore from the fault to service restored
 * @param maxFailed failed operations from the first fault on
 * @param maxUnknown writes with unknown outcome from the first fault on
 * @param maxDetect from the fault to the first sign of it
 * @param ackedLost acknowledged writes of the whole run that the database has lost in the end; needs an audit
 */
public record Limits(
        Optional<Duration> maxUnavailable,
        OptionalDouble minThroughputPercent,
        Optional<Duration> maxRecovery,
        Optional<Duration> maxServiceRestore,
        OptionalLong maxFailed,
        OptionalLong maxUnknown,
        Optional<Duration> maxDetect,
        OptionalLong ackedLost) {

    /** No limit at all. */
    public static final Limits NONE = new Limits(
            Optional.empty(),
            OptionalDouble.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            Optional.empty(),
            OptionalLong.empty());

    /** As in {@code drill.limits} of {@code run.json}: units in the names, absent limits absent. */
    public ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        maxUnavailable.ifPresent(d -> json.put("maxUnavailableSeconds", seconds(d)));
        minThroughputPercent.ifPresent(p -> json.put("minThroughputPercent", p));
        maxRecovery.ifPresent(d -> json.put("maxRecoverySeconds", seconds(d)));
        maxServiceRestore.ifPresent(d -> json.put("maxServiceRestoreSeconds", seconds(d)));
        maxFailed.ifPresent(n -> json.put("maxFailed", n));
        maxUnknown.ifPresent(n -> json.put("maxUnknown", n));
        maxDetect.ifPresent(d -> json.put("maxDetectSeconds", seconds(d)));
        ackedLost.ifPresent(n -> json.put("ackedLost", n));
        return json;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
