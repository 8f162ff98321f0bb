package io.ycsbdrill.report.summary;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.data.ClientSeries;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.FaultMetrics;
import io.ycsbdrill.report.metric.Gap;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a reader must know about the load and the client of a run before the figures are believed. They are not changed by it. */
final class RunCautions {
    private static final double MOST_FAILED_SHARE = 0.01;
    /** A stall of this share of a gap makes it doubtful. */
    private static final double STALLED_SHARE = 0.2;

    /** What is shorter is within the resolution of the figures. */
    private static final double LEAST_DOUBTFUL_SECONDS = 0.5;

    /** Each a sentence; empty when there are none. */
    static List<String> of(RunData run, DrillMetrics metrics) {
        List<String> cautions = new ArrayList<>();
        unsent(run, cautions);
        calibration(run.run().path("load"), cautions);
        timeouts(run.run().path("opTimeout"), cautions);
        partlyJudged(run, cautions);
        run.markers().stream()
                .filter(marker -> marker.kind().equals("not-reconnected"))
                .forEach(marker -> cautions.add(capital(marker.field("text")) + "."));
        List<ClientSeries> clients = run.clients();
        for (FaultMetrics fault : metrics.faults()) {
            // What makes the longest gap doubtful makes the other figures so, too.
            ofGap(fault, clients).or(() -> ofSums(fault, clients)).ifPresent(cautions::add);
            stuck(fault).ifPresent(cautions::add);
        }
        return cautions;
    }

    private static Optional<String> ofGap(FaultMetrics fault, List<ClientSeries> clients) {
        Gap gap = fault.gaps().get(Slices.TOTAL);
        return gap == null
                ? Optional.empty()
                : clients.stream()
                        .max(Comparator.comparingDouble(client ->
                                client.stalledSeconds(gap.startSeconds(), gap.startSeconds() + gap.seconds())))
                        .flatMap(worst -> doubt(fault, gap, worst));
    }

    private static Optional<String> ofSums(FaultMetrics fault, List<ClientSeries> clients) {
        return clients.stream()
                .max(Comparator.comparingDouble(client -> stalled(fault, client)))
                .flatMap(worst -> doubt(fault, worst));
    }

    private static String capital(String text) {
        return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }

    private static void unsent(RunData run, List<String> cautions) {
        if (run.unsent() > 0) {
            cautions.add(Formatted.of(
                    "%,d {arrival was|arrivals were} due when the load was stopped and had not been sent, the oldest for %.1f s. This counts as"
                            + " failed, and is in no latency.",
                    run.unsent(),
                    run.run().path("load").path("oldestUnsentSeconds").asDouble()));
        }
    }

    private static void calibration(JsonNode load, List<String> cautions) {
        if (load.has("doubt")) {
            cautions.add("The maximum that the load is a share of is uncertain: "
                    + load.path("doubt").asText() + "; give the run a longer calibration, or a fixed rate.");
        }
        double failed = load.path("failedShare").asDouble();
        if (failed > MOST_FAILED_SHARE) {
            cautions.add(Formatted.of(
                    "%.1f %% of the operations failed while the maximum was measured, so it is not that of a healthy database.",
                    100 * failed));
        }
    }

    private static void timeouts(JsonNode timeout, List<String> cautions) {
        if (timeout.path("abandoned").asLong() > 0) {
            cautions.add(Formatted.of(
                    "%,d {call was|calls were} abandoned after op.timeout = %s s; the outcome of an abandoned write is unknown.",
                    timeout.path("abandoned").asLong(),
                    NumberText.plain(timeout.path("seconds").asDouble())));
        }
    }

    /** The audit tries all orders of the calls of a row that was not always there, as far as calls and orders are few. */
    private static void partlyJudged(RunData run, List<String> cautions) {
        long rows = run.audit().map(AuditData::partlyJudgedRows).orElse(0L);
        if (rows > 0) {
            cautions.add(Formatted.of(
                    "%,d {row was|rows were} deleted or not found, and had more than 50 calls or too many orders of them to try:"
                            + " there the audit may miss what only several calls together make impossible.",
                    rows));
        }
    }

    /** A thread that is not served again has a user without service, however well the others are served. */
    private static Optional<String> stuck(FaultMetrics fault) {
        Measure last = fault.measures().get(Metric.LAST_THREAD);
        return last != null && last.censored()
                ? Optional.of(Formatted.of(
                        "Fault %d (%s): not every client thread was served again: %s, to the end of the data.",
                        fault.number(), fault.title(), last.note()))
                : Optional.empty();
    }

    /** How long a client stalled between the fault and the return of the service. */
    private static double stalled(FaultMetrics fault, ClientSeries client) {
        return client.stalledSeconds(fault.startSeconds(), restored(fault));
    }

    private static double restored(FaultMetrics fault) {
        Measure restored = fault.measures().get(Metric.SERVICE_RESTORED);
        return restored != null && restored.value().isPresent() && !restored.censored()
                ? fault.startSeconds() + restored.value().getAsDouble()
                : fault.endSeconds();
    }

    /** Why the figures that add up time are in doubt: where they are largely the client's own. */
    private static Optional<String> doubt(FaultMetrics fault, ClientSeries client) {
        double stalled = stalled(fault, client);
        List<String> doubtful = new ArrayList<>();
        for (Metric metric : List.of(Metric.OUT, Metric.DEGRADED, Metric.LOST_SECONDS)) {
            double seconds = Optional.ofNullable(fault.measures().get(metric))
                    .flatMap(measure -> measure.value().isPresent()
                            ? Optional.of(measure.value().getAsDouble())
                            : Optional.empty())
                    .orElse(0.0);
            if (seconds >= LEAST_DOUBTFUL_SECONDS && stalled >= STALLED_SHARE * seconds) {
                doubtful.add(Formatted.of("%s %.1f s", metric.title().toLowerCase(Locale.ROOT), seconds));
            }
        }
        return doubtful.isEmpty()
                ? Optional.empty()
                : Optional.of(Formatted.of(
                        "Fault %d (%s): %s: doubtful, as %s itself stalled for at least %.2f s until service was restored.",
                        fault.number(), fault.title(), String.join(", ", doubtful), client.name(), stalled));
    }

    private static Optional<String> doubt(FaultMetrics fault, Gap gap, ClientSeries client) {
        double end = gap.startSeconds() + gap.seconds();
        double stalled = client.stalledSeconds(gap.startSeconds(), end);
        if (gap.seconds() <= 0 || stalled < STALLED_SHARE * gap.seconds()) {
            return Optional.empty();
        }
        double gc = client.gcSeconds(gap.startSeconds(), end);
        return Optional.of(Formatted.of(
                "Fault %d (%s): its longest gap without a success, %.1f s from %.1f s on, is doubtful: %s itself stalled"
                        + " for at least %.2f s of it%s.",
                fault.number(),
                fault.title(),
                gap.seconds(),
                gap.startSeconds(),
                client.name(),
                stalled,
                gc > 0 ? Formatted.of(", %.2f s in garbage collection", gc) : ""));
    }
}
