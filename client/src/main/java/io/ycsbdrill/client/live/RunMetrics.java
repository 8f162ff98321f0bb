package io.ycsbdrill.client.live;

import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.StateSetSnapshot;
import io.prometheus.metrics.model.snapshots.StateSetSnapshot.StateSetDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Unit;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.report.live.LiveFeed;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** A run's metrics in Prometheus' text format; the names are listed in docs/live.md. */
final class RunMetrics {
    static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

    private static final String PREFIX = "ycsb_drill_";

    private final RunCounts counts;
    private final LiveFeed feed;
    private final MetricSnapshots.Builder all = MetricSnapshots.builder();

    private RunMetrics(RunCounts counts, LiveFeed feed) {
        this.counts = counts;
        this.feed = feed;
    }

    /**
     * As of now.
     *
     * @param state one of {@link LiveState#NAMES}
     * @param info what is run, by label
     */
    static byte[] text(RunCounts counts, LiveFeed feed, String state, Map<String, String> info) throws IOException {
        RunMetrics metrics = new RunMetrics(counts, feed);
        metrics.state(state, info);
        synchronized (counts) {
            metrics.operations();
        }
        metrics.faults();
        metrics.connections();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create().write(text, metrics.all.build(), EscapingScheme.DEFAULT);
        return text.toByteArray();
    }

    private void state(String state, Map<String, String> info) {
        StateSetDataPointSnapshot.Builder states = StateSetDataPointSnapshot.builder();
        LiveState.NAMES.forEach(name -> states.state(name, name.equals(state)));
        all.metricSnapshot(StateSetSnapshot.builder()
                .name(PREFIX + "state")
                .help("What the client is doing.")
                .dataPoint(states.build())
                .build());
        if (!info.isEmpty()) {
            all.metricSnapshot(InfoSnapshot.builder()
                    .name(PREFIX + "run")
                    .help("What is run.")
                    .dataPoint(InfoDataPointSnapshot.builder()
                            .labels(Labels.of(
                                    info.keySet().toArray(String[]::new),
                                    info.values().toArray(String[]::new)))
                            .build())
                    .build());
        }
        gauge("run_start_time_seconds", "When the run started, since the epoch.", counts.startSeconds());
    }

    private void gauge(String name, String help, OptionalDouble value) {
        value.ifPresent(present -> all.metricSnapshot(GaugeSnapshot.builder()
                .name(PREFIX + name)
                .help(help)
                .dataPoint(GaugeDataPointSnapshot.builder().value(present).build())
                .build()));
    }

    private void operations() {
        CounterSnapshot.Builder completed = counter(
                "operations",
                "Completed operations; READ-MODIFY-WRITE contains its READ and UPDATE, so do not add it to them.");
        counts.operations().forEach((operation, sums) -> {
            for (Outcome outcome : Outcome.values()) {
                completed.dataPoint(point(labels(operation, outcome), sums.counts[outcome.ordinal()]));
            }
        });
        all.metricSnapshot(completed.build());
        histogram("service_time", "Time from the start of a call to its end.", operation -> operation.service);
        histogram(
                "response_time",
                "Time from the intended start of a call to its end; only with a rate.",
                operation -> operation.response);
        all.metricSnapshot(counter("skipped_arrivals", "Arrivals of the rate's schedule that were dropped.")
                .dataPoint(point(Labels.EMPTY, counts.skipped()))
                .build());
        gauge(
                "window_operations_per_second",
                "Successful operations per second of the current window as far as it is known.",
                counts.windowThroughput());
    }

    private static CounterSnapshot.Builder counter(String name, String help) {
        return CounterSnapshot.builder().name(PREFIX + name).help(help);
    }

    private static CounterDataPointSnapshot point(Labels labels, double value) {
        return CounterDataPointSnapshot.builder().labels(labels).value(value).build();
    }

    /** A counter with a point for each of these; none when there are none. */
    private <T> void counter(
            String name, String help, Collection<T> each, Function<T, Labels> labels, ToDoubleFunction<T> value) {
        if (!each.isEmpty()) {
            CounterSnapshot.Builder counter = counter(name, help);
            each.forEach(one -> counter.dataPoint(point(labels.apply(one), value.applyAsDouble(one))));
            all.metricSnapshot(counter.build());
        }
    }

    private static Labels labels(String operation, Outcome outcome) {
        return Labels.of("operation", operation, "outcome", outcome.name().toLowerCase(Locale.ROOT));
    }

    private void histogram(String name, String help, Function<RunCounts.Operation, Buckets[]> which) {
        HistogramSnapshot.Builder histogram = HistogramSnapshot.builder()
                .name(PREFIX + name + "_seconds")
                .unit(Unit.SECONDS)
                .help(help + " Recorded to three significant digits.");
        boolean any = false;
        for (Map.Entry<String, RunCounts.Operation> operation :
                counts.operations().entrySet()) {
            for (Outcome outcome : Outcome.values()) {
                Buckets buckets = which.apply(operation.getValue())[outcome.ordinal()];
                if (!buckets.isEmpty()) {
                    any = true;
                    histogram.dataPoint(HistogramDataPointSnapshot.builder()
                            .labels(labels(operation.getKey(), outcome))
                            .classicHistogramBuckets(buckets.snapshot())
                            .sum(buckets.sumSeconds())
                            .build());
                }
            }
        }
        if (any) {
            all.metricSnapshot(histogram.build());
        }
    }

    private void faults() {
        StateSetSnapshot.Builder phases = StateSetSnapshot.builder()
                .name(PREFIX + "node_phase")
                .help("The phase of each node that had a fault; the names are those of the report.");
        Map<String, String> now = feed.phases();
        now.forEach((node, phase) -> {
            StateSetDataPointSnapshot.Builder states =
                    StateSetDataPointSnapshot.builder().labels(Labels.of("node", node));
            LiveFeed.phaseNames().forEach(name -> states.state(name, name.equals(phase)));
            phases.dataPoint(states.build());
        });
        if (!now.isEmpty()) {
            all.metricSnapshot(phases.build());
        }
        var faults = feed.faults().entrySet();
        faults("faults_started", "Faults whose injection began.", faults, LiveFeed.Faults::started);
        faults("faults_ended", "Faults that were healed, or whose last step is done.", faults, LiveFeed.Faults::ended);
        faults("faults_failed", "Faults that could not be injected or healed.", faults, LiveFeed.Faults::failed);
    }

    private void faults(
            String name,
            String help,
            Set<Map.Entry<LiveFeed.FaultOf, LiveFeed.Faults>> faults,
            ToDoubleFunction<LiveFeed.Faults> value) {
        counter(
                name,
                help,
                faults,
                of -> Labels.of(
                        "fault", of.getKey().fault(), "node", of.getKey().node()),
                of -> value.applyAsDouble(of.getValue()));
    }

    private void connections() {
        List<Reconnects.Server> servers = counts.reconnects();
        String asOf = ", as of each client thread's last operation.";
        Function<Reconnects.Server, Labels> label = server -> Labels.of("server", server.server());
        counter("connections_lost", "Connections that broke" + asOf, servers, label, Reconnects.Server::lost);
        counter(
                "connections_regained",
                "Lost connections that were followed by a new one to any server" + asOf,
                servers,
                label,
                Reconnects.Server::regained);
        counter(
                "without_connection_seconds",
                "Time without a connection, all client threads together" + asOf,
                servers,
                label,
                server -> server.nanos() / 1e9);
    }
}
