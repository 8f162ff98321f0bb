package io.ycsbdrill.report.summary;

import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/** The limits that a drill file may set, by their name in {@code run.json}. */
public enum Limit {
    MAX_OUT("maxOutSeconds", Metric.OUT),
    MAX_WRITE_OUTAGE("maxWriteOutageSeconds", Metric.WRITE_OUTAGE),
    MAX_READ_OUTAGE("maxReadOutageSeconds", Metric.READ_OUTAGE),
    MAX_DEGRADED("maxDegradedSeconds", Metric.DEGRADED),
    MAX_LOST_SECONDS("maxLostSeconds", Metric.LOST_SECONDS),
    MAX_UNAVAILABLE("maxUnavailableSeconds", Metric.LONGEST_GAP),
    MIN_THROUGHPUT("minThroughputPercent", Metric.FIRST_MINUTE),
    MAX_RECOVERY("maxRecoverySeconds", Metric.REDUNDANCY_RESTORED),
    MAX_SERVICE_RESTORE("maxServiceRestoreSeconds", Metric.SERVICE_RESTORED),
    MAX_DETECT("maxDetectSeconds", Metric.DETECTED),
    MAX_AFTER_DIP("maxAfterDipPercent", Metric.AFTER_DIP),
    MAX_LAST_THREAD_BACK("maxLastThreadBackSeconds", Metric.LAST_THREAD),
    MAX_FAILED("maxFailed", Metric.FAILED),
    MAX_FAILED_SHARE("maxFailedPercent", Metric.FAILED_SHARE),
    MAX_UNKNOWN("maxUnknown", Metric.UNKNOWN),
    /** Lost writes of the run, not of its faults, so not a metric; nor is their age. */
    ACKED_LOST("ackedLost", "Acknowledged writes lost", "writes", false, DrillMetrics::ackedLost),
    MAX_RPO("maxRpoSeconds", "RPO", "s", false, DrillMetrics::rpo),
    /** The workload's data were found inconsistent after the run. */
    INCONSISTENT("inconsistent", "Inconsistent data", "violations", false, DrillMetrics::inconsistent);

    private final String key;
    private final String title;
    private final String unit;
    private final boolean ofEachCycle;
    private final Function<DrillMetrics, Measure> measured;

    Limit(String key, Metric metric) {
        this(key, metric.title(), metric.unit().symbol(), true, metrics -> metrics.get(metric));
    }

    Limit(String key, String title, String unit, boolean ofEachCycle, Function<DrillMetrics, Measure> measured) {
        this.key = key;
        this.title = title;
        this.unit = unit;
        this.ofEachCycle = ofEachCycle;
        this.measured = measured;
    }

    public static Optional<Limit> of(String key) {
        return Arrays.stream(values()).filter(limit -> limit.key.equals(key)).findFirst();
    }

    public String key() {
        return key;
    }

    String title() {
        return title;
    }

    /** Symbol of the unit of both numbers. */
    String unit() {
        return unit;
    }

    /** Both as files have them: twelve slices of 0.1 s are a little more than 1.2 s in binary. */
    boolean keptBy(double measured, double allowed) {
        double over = allowed == 0 ? measured : DrillJson.rounded(measured) - DrillJson.rounded(allowed);
        return this == MIN_THROUGHPUT ? over >= 0 : over <= 0;
    }

    /** Whether nobody can say that it was missed, though the measure is above it: the RPO of a restore is measured as a bound. */
    boolean mayBeKept(DrillMetrics metrics, double allowed) {
        return this == MAX_RPO
                && metrics.audit()
                        .flatMap(AuditData::restore)
                        .filter(restore -> restore.mayHaveKept(allowed))
                        .isPresent();
    }

    String relation() {
        return this == MIN_THROUGHPUT ? "at least" : "at most";
    }

    /** Whether it is judged for each cycle of a repeated drill; lost writes are those of the run, whose audit is one. */
    boolean ofEachCycle() {
        return ofEachCycle;
    }

    /** Before a measured value that is a bound; of a share of the throughput that is cut short nothing is known. */
    String bound(Measure measure) {
        return this == MIN_THROUGHPUT ? "" : NumberText.bound(measure);
    }

    /** What is compared. */
    Measure measured(DrillMetrics metrics) {
        return measured.apply(metrics);
    }
}
