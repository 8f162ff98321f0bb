package io.ycsbdrill.report.metric;

import java.util.OptionalDouble;

/** What a drill measures of each fault and of the whole; docs/metrics.md has the formulas. */
public enum Metric {
    OUT("outSeconds", "Out of service", Unit.SECONDS, Worst.WHOLE),
    LONGEST_OUT("longestOutSeconds", "Out of service, longest", Unit.SECONDS, Worst.WHOLE),
    WRITE_OUTAGE("writeOutageSeconds", "Seconds without writes", Unit.SECONDS, Worst.WHOLE),
    READ_OUTAGE("readOutageSeconds", "Seconds without reads", Unit.SECONDS, Worst.WHOLE),
    DEGRADED("degradedSeconds", "Degraded", Unit.SECONDS, Worst.WHOLE),
    LONGEST_DEGRADED("longestDegradedSeconds", "Degraded, longest", Unit.SECONDS, Worst.WHOLE),
    LOST_SECONDS("lostSeconds", "Lost seconds of service", Unit.SECONDS, Worst.WHOLE),
    SERVICE_RESTORED("serviceRestoredSeconds", "Service restored", Unit.SECONDS, Worst.LARGEST),
    NOT_RESTORED("notRestored", "Operation types not served at the end of the data", Unit.TYPES, Worst.WHOLE),
    REDUNDANCY_RESTORED("redundancyRestoredSeconds", "Redundancy restored", Unit.SECONDS, Worst.LARGEST),
    LAST_THREAD("lastThreadBackSeconds", "Last client thread back", Unit.SECONDS, Worst.LARGEST),
    AFTER_DIP("afterDipPercent", "Dip after recovered (worst second of the first minute)", Unit.PERCENT, Worst.LARGEST),
    BASELINE("baselineOpsPerSecond", "Baseline throughput B", Unit.OPS_PER_SECOND, Worst.FIRST),
    BASELINE_WORST("baselineWorstSecondPercent", "Worst second of the baseline", Unit.PERCENT, Worst.FIRST),
    BASELINE_VARIATION("baselineVariationPercent", "Variation of the baseline", Unit.PERCENT, Worst.FIRST),
    BASELINE_SLOPE("baselineSlopePercent", "Slope of the baseline", Unit.PERCENT, Worst.FIRST),
    BASELINE_CONFIDENCE(
            "baselineConfidencePercent", "95 % confidence interval of the baseline, \u00b1", Unit.PERCENT, Worst.FIRST),
    SLO_P99("sloP99Millis", "SLO: p99", Unit.MILLIS, Worst.FIRST),
    SLO_P50("sloP50Millis", "SLO: p50", Unit.MILLIS, Worst.FIRST),
    DETECTED("detectSeconds", "Time to the first sign of the fault", Unit.SECONDS, Worst.LARGEST),
    DETECT_CLIENT("detectClientSeconds", "Time to first failure seen by a client", Unit.SECONDS, Worst.LARGEST),
    DETECT_ENGINE("detectEngineSeconds", "Time until the engine declares the node down", Unit.SECONDS, Worst.LARGEST),
    LONGEST_GAP("longestGapSeconds", "Longest gap without a success", Unit.SECONDS, Worst.WHOLE),
    ZERO_SECONDS("zeroSeconds", "Time with no success at all", Unit.SECONDS, Worst.WHOLE),
    TARGET_KEYS_OUT("targetKeysOutSeconds", "Out of service: keys of the target", Unit.SECONDS, Worst.LARGEST),
    TARGET_KEYS_LOST("targetKeysLostSeconds", "Lost seconds: keys of the target", Unit.SECONDS, Worst.LARGEST),
    OTHER_KEYS_LOST("otherKeysLostSeconds", "Lost seconds: other keys", Unit.SECONDS, Worst.LARGEST),
    DIP_DEPTH("dipDepthPercent", "Dip depth (worst second)", Unit.PERCENT, Worst.WHOLE),
    FIRST_MINUTE("firstMinutePercent", "Service in the first 60 s", Unit.PERCENT, Worst.SMALLEST),
    THROUGHPUT("throughputPercent", "Throughput from fault to recovery", Unit.PERCENT, Worst.SMALLEST),
    TIME_TO_90("timeTo90PercentSeconds", "Time to 90 % of B", Unit.SECONDS, Worst.LARGEST),
    TIME_TO_95("timeTo95PercentSeconds", "Time to 95 % of B", Unit.SECONDS, Worst.LARGEST),
    TIME_TO_99("timeTo99PercentSeconds", "Time to 99 % of B", Unit.SECONDS, Worst.LARGEST),
    LATENCY_BACK("timeToSloSeconds", "Time until latency is within the SLO", Unit.SECONDS, Worst.LARGEST),
    OPERATIONS_LOST("operationsLost", "Operations lost", Unit.OPERATIONS, Worst.SUM),
    FAILED("failed", "Failed operations", Unit.OPERATIONS, Worst.WHOLE),
    FAILED_SHARE("failedPercent", "Failed operations, share in the worst minute", Unit.PERCENT, Worst.WHOLE),
    UNKNOWN("unknown", "Operations with unknown outcome", Unit.OPERATIONS, Worst.WHOLE);

    /** What a value counts. */
    public enum Unit {
        SECONDS("s"),
        MILLIS("ms"),
        PERCENT("%"),
        OPERATIONS("ops"),
        TYPES("types"),
        OPS_PER_SECOND("ops/s");

        private final String symbol;

        Unit(String symbol) {
            this.symbol = symbol;
        }

        /** The symbol after a number. */
        public String symbol() {
            return symbol;
        }
    }

    /** How the figures of several faults become that of the drill. */
    enum Worst {
        /** The first fault's. */
        FIRST,
        /** The largest; absent as soon as one fault that needs it has none, because "never" is worse than any number. */
        LARGEST,
        /** The smallest; absent as soon as one is. */
        SMALLEST,
        /** Added up; absent as soon as one is. */
        SUM,
        /** Measured again over everything from the first fault to the end of the data. */
        WHOLE
    }

    private final String key;
    private final String title;
    private final Unit unit;
    private final Worst worst;

    Metric(String key, String title, Unit unit, Worst worst) {
        this.key = key;
        this.title = title;
        this.unit = unit;
        this.worst = worst;
    }

    /** The field name in JSON. */
    public String key() {
        return key;
    }

    /** The title in tables. */
    public String title() {
        return title;
    }

    public Unit unit() {
        return unit;
    }

    /** Whether a larger value is better; of most, which measure damage, a smaller one is. */
    public boolean moreIsBetter() {
        return this == BASELINE || this == FIRST_MINUTE || this == THROUGHPUT;
    }

    /**
     * What a value is at least that the data do not show to its end; empty when it is known, or nothing is known of it: a share of the
     * throughput, and operations lost, which a burst may make up for, may be anything later.
     */
    public OptionalDouble least(Measure measure) {
        if (worst == Worst.SMALLEST || worst == Worst.SUM) {
            return OptionalDouble.empty();
        }
        if (measure.value().isPresent()) {
            return measure.censored() ? measure.value() : OptionalDouble.empty();
        }
        return measure.least() > 0 ? OptionalDouble.of(measure.least()) : OptionalDouble.empty();
    }

    Worst worst() {
        return worst;
    }
}
