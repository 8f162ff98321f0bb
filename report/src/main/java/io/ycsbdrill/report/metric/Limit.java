package io.ycsbdrill.report.metric;

import java.util.Arrays;
import java.util.Optional;

/** The limits that a drill file may set, by their name in {@code run.json}. */
public enum Limit {
    MAX_OUT("maxOutSeconds", Metric.OUT),
    MAX_DEGRADED("maxDegradedSeconds", Metric.DEGRADED),
    MAX_LOST_SECONDS("maxLostSeconds", Metric.LOST_SECONDS),
    MAX_UNAVAILABLE("maxUnavailableSeconds", Metric.LONGEST_GAP),
    MIN_THROUGHPUT("minThroughputPercent", Metric.FIRST_MINUTE),
    MAX_RECOVERY("maxRecoverySeconds", Metric.REDUNDANCY_RESTORED),
    MAX_SERVICE_RESTORE("maxServiceRestoreSeconds", Metric.SERVICE_RESTORED),
    MAX_DETECT("maxDetectSeconds", Metric.DETECTED),
    MAX_FAILED("maxFailed", Metric.FAILED),
    MAX_UNKNOWN("maxUnknown", Metric.UNKNOWN),
    /** Lost writes of the run, not of its faults, so not a metric; nor is their age. */
    ACKED_LOST("ackedLost", null),
    MAX_RPO("maxRpoSeconds", null);

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
        return this == ACKED_LOST ? "Acknowledged writes lost" : this == MAX_RPO ? "RPO" : metric.title();
    }

    /** Symbol of the unit of both numbers. */
    String unit() {
        return this == ACKED_LOST
                ? "writes"
                : this == MAX_RPO ? "s" : metric.unit().symbol();
    }

    boolean keptBy(double measured, double allowed) {
        return this == MIN_THROUGHPUT ? measured >= allowed : measured <= allowed;
    }

    String relation() {
        return this == MIN_THROUGHPUT ? "at least" : "at most";
    }

    /** What is compared. */
    Measure measured(DrillMetrics metrics) {
        return this == ACKED_LOST ? metrics.ackedLost() : this == MAX_RPO ? metrics.rpo() : metrics.get(metric);
    }
}
