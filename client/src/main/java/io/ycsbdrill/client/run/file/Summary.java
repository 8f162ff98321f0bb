package io.ycsbdrill.client.run.file;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.call.RetryPolicy;
import io.ycsbdrill.client.run.key.LoadLedger;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.rundir.Latency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Makes {@code summary.json}. */
public final class Summary {

    /** A call that had not returned when the run's data were closed. */
    public record Unfinished(String thread, String operation, Outcome outcome, long nanos) {}

    private Summary() {}

    public static ObjectNode of(
            RunTotals totals,
            Operations operations,
            long durationNanos,
            List<Unfinished> inFlight,
            Optional<LoadLedger> load,
            RetryPolicy retry) {
        ObjectNode summary = RunDirectory.JSON
                .createObjectNode()
                .put("schema", RunDirectory.SCHEMA)
                .put("durationSeconds", durationNanos / 1e9);
        summary.putObject("trimmed")
                .put("startSeconds", totals.startNanos() / 1e9)
                .put("endSeconds", totals.endNanos() / 1e9);
        long ok = 0;
        ObjectNode byName = RunDirectory.JSON.createObjectNode();
        for (Map.Entry<Integer, OperationTotals> operation : totals.operations().entrySet()) {
            ObjectNode node = operation(operation.getValue(), totals.lengthNanos());
            byName.set(operations.name(operation.getKey()), node);
            node.put("counted", Operations.isCall(operation.getKey()));
            if (Operations.isCall(operation.getKey())) {
                if (retry.isOn()) {
                    node.put("retries", operation.getValue().retries())
                            .put("retriedOperations", operation.getValue().retriedOperations());
                }
                ok += operation.getValue().count(Outcome.OK);
            }
        }
        putRate(summary, ok, totals.lengthNanos());
        summary.put("skipped", totals.skipped());
        totals.transactions().ifPresent(count -> summary.put("transactions", count));
        summary.set("operations", byName);
        ArrayNode calls = summary.putArray("inFlight");
        inFlight.forEach(call -> calls.addObject()
                .put("thread", call.thread())
                .put("operation", call.operation())
                .put("outcome", call.outcome().name().toLowerCase(Locale.ROOT))
                .put("seconds", call.nanos() / 1e9));
        load.ifPresent(ledger -> summary.set("load", load(ledger)));
        return summary;
    }

    private static void putRate(ObjectNode node, long ok, long nanos) {
        if (nanos > 0) {
            node.put("throughputOpsPerSecond", Format.rate(ok, nanos));
        } else {
            node.putNull("throughputOpsPerSecond");
        }
    }

    private static ObjectNode operation(OperationTotals totals, long nanos) {
        ObjectNode node = RunDirectory.JSON.createObjectNode();
        for (Outcome outcome : Outcome.values()) {
            node.put(outcome.name().toLowerCase(Locale.ROOT), totals.count(outcome));
        }
        putRate(node, totals.count(Outcome.OK), nanos);
        node.set("service", latencies(totals.service(Outcome.OK)));
        node.set("response", latencies(totals.response(Outcome.OK)));
        ObjectNode returns = node.putObject("returns");
        totals.returns().forEach(returns::put);
        return node;
    }

    private static ObjectNode latencies(Histogram histogram) {
        if (histogram == null) {
            return null;
        }
        ObjectNode latencies = RunDirectory.JSON
                .createObjectNode()
                .put(Latency.MEAN.key(), histogram.getMean() / 1000)
                .put("minMicros", histogram.getMinValue() / 1000.0)
                .put(Latency.MAX.key(), histogram.getMaxValue() / 1000.0);
        Stream.of(Latency.values())
                .filter(Latency::isPercentile)
                .forEach(each -> latencies.put(each.key(), each.of(histogram) / 1000));
        return latencies;
    }

    private static ObjectNode load(LoadLedger ledger) {
        ObjectNode load = RunDirectory.JSON
                .createObjectNode()
                .put("insertStart", ledger.start())
                .put("insertCount", ledger.count())
                .put("inserted", ledger.inserted());
        if (ledger.numbered()) {
            ranges(load.putArray("failedRanges"), ledger.ranges(Outcome.FAILED));
            ranges(load.putArray("unknownRanges"), ledger.ranges(Outcome.UNKNOWN));
            ranges(load.putArray("notStartedRanges"), ledger.notStarted());
        } else {
            ledger.names(Outcome.FAILED).forEach(load.putArray("failedKeys")::add);
            ledger.names(Outcome.UNKNOWN).forEach(load.putArray("unknownKeys")::add);
            load.put("unlistedKeys", ledger.unlisted());
            load.put(
                    "notStarted",
                    ledger.notStarted().stream()
                            .mapToLong(range -> range[1] - range[0] + 1)
                            .sum());
        }
        return load;
    }

    private static void ranges(ArrayNode array, List<long[]> ranges) {
        ranges.forEach(range -> array.addArray().add(range[0]).add(range[1]));
    }
}
