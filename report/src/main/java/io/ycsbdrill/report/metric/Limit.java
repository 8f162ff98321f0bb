package io.ycsbdrill.report.metric;

import java.util.Arrays;
import java.util.Optional;

/** The limits that a drill file may set, by their name in {@code run.json}. */
public enum Limit {
    MAX_UNAVAILABLE("maxUnavailableSeconds", Metric.LONGEST_GAP),
    MIN_THROUGHPUT("minThroughputPercent", Metric.THROUGHPUT),
    MAX_RECOVERY("maxRecoverySeconds", Metric.REDUNDANCY_RESTORED),
    MAX_SERVICE_RESTORE("maxServiceRestoreSeconds", Metric.SERVICE_RESTORED),
    MAX_DETECT("maxDetectSeconds", Metric.DETECT_ENGINE),
    MAX_FAILED("maxFailed", Metric.FAILED),
    MAX_UNKNOWN("maxUnknown", Metric.UNKNOWN),
    /** Lost writes of the run, not of its faults, so not a metric. */
    ACKED_LOST("ackedLost", null);

    private final String key;
    private final Metric metric;

    Limit(String key, Metric metric) {
        this.key = key;
        this.metric = metric;
    }

    static Optional<Limit> of(String key) {
        return Arrays.stream(values()).filter(limit -> limit.key.equals(key)).findFirst();
    }

    String key() {
        return key;
    }

    String title() {
        return metric == null ? "Acknowledged writes lost" : metric.title();
    }

    /** Symbol of the unit of both numbers. */
    String unit() {
        return metric == null ? "writes" : metric.unit().symbol();
    }

    boolean keptBy(double measured, double allowed) {
        return this == MIN_THROUGHPUT ? measured >= allowed : measured <= allowed;
    }

    String relation() {
        return this == MIN_THROUGHPUT ? "at least" : "at most";
    }

    /** What is compared; of the two views of detection the earlier one, because that is the first sign of the fault. */
    Measure measured(DrillMetrics metrics) {
        if (this == ACKED_LOST) {
            return metrics.ackedLost();
        }
        Measure measure = metrics.get(metric);
        if (this != MAX_DETECT) {
            return measure;
        }
        Measure client = metrics.get(Metric.DETECT_CLIENT);
        boolean sooner = client.value().isPresent()
                && client.value().getAsDouble() < measure.value().orElse(Double.MAX_VALUE);
        return sooner ? Measure.of(client.value().getAsDouble(), "seen by a client") : measure;
    }
}
