package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.base.yaml.YamlReader;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a drill may limit, in the order of {@code run.json}. The names in drill files and in {@code run.json} follow from the
 * constant and its unit: {@code max_recovery} and {@code maxRecoverySeconds}.
 */
public enum Limit {
    /** Time with less than 1 % of the offered load served, of all operations together or of the type that has it worst. */
    MAX_OUT(Unit.SECONDS),
    /** Time with less than 1 % of the offered writes served. */
    MAX_WRITE_OUTAGE(Unit.SECONDS),
    /** Time with less than 1 % of the offered reads served. */
    MAX_READ_OUTAGE(Unit.SECONDS),
    /** Time with less than 90 % of the offered load served, or with latency above the SLO. */
    MAX_DEGRADED(Unit.SECONDS),
    /** Service lost, in seconds of all of it. */
    MAX_LOST_SECONDS(Unit.SECONDS),
    /** Longest time without a successful operation, of any type or of the one that has it worst. */
    MAX_UNAVAILABLE(Unit.SECONDS),
    /** Least share of the offered load that is served in the first 60 s after the fault. */
    MIN_THROUGHPUT(Unit.PERCENT),
    /** From the fault to redundancy restored. */
    MAX_RECOVERY(Unit.SECONDS),
    /** From the fault to service restored. */
    MAX_SERVICE_RESTORE(Unit.SECONDS),
    /** That the service is restored at the end of the data is judged in every drill; {@link #ANY} is its only value, and switches it off. */
    SERVICE_RESTORED(Unit.SWITCH),
    /** Dip of the worst second in the first minute after redundancy is restored. */
    MAX_AFTER_DIP(Unit.PERCENT),
    /** From the fault until the last client thread that it stopped is served again. */
    MAX_LAST_THREAD_BACK(Unit.SECONDS),
    /** Failed operations from the first fault on. */
    MAX_FAILED(Unit.COUNT),
    /** The same as a share of the operations, in the worst minute; {@code max_failed} with a percent sign. */
    MAX_FAILED_SHARE(Unit.PERCENT),
    /** Writes with unknown outcome from the first fault on. */
    MAX_UNKNOWN(Unit.COUNT),
    /** From the fault to the first sign of it. */
    MAX_DETECT(Unit.SECONDS),
    /** Acknowledged writes of the whole run that the database has lost in the end, or {@link #ANY}; needs an audit. */
    ACKED_LOST(Unit.COUNT),
    /** Age at the fault of the oldest acknowledged write that it cost; needs an audit. */
    MAX_RPO(Unit.SECONDS),
    /** Violated conditions of the workload's data after the run; needs a workload that checks them. */
    INCONSISTENT(Unit.COUNT);

    /** As a limit: not judged. Written {@code any}. */
    public static final Number ANY = Double.POSITIVE_INFINITY;

    private final Unit unit;

    Limit(Unit unit) {
        this.unit = unit;
    }

    /** What its value counts. */
    public enum Unit {
        SECONDS("Seconds"),
        PERCENT("Percent"),
        /** A whole number. */
        COUNT(""),
        /** Only {@code any}: it is judged without being named. */
        SWITCH("");

        private final String suffix;

        Unit(String suffix) {
            this.suffix = suffix;
        }
    }

    /** The unit of its value. */
    public Unit unit() {
        return unit;
    }

    /** The name in drill files: {@code max_recovery}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace("_share", "");
    }

    /** The name in {@code run.json}: {@code maxRecoverySeconds}. */
    public String jsonKey() {
        return Pattern.compile("_(.)").matcher(key()).replaceAll(next -> next.group(1)
                        .toUpperCase(Locale.ROOT))
                + (this == MAX_LOST_SECONDS ? "" : unit.suffix);
    }

    /** What a drill file says; empty when it says nothing, or something wrong, which is then among the problems. */
    Optional<? extends Number> read(Section limits) {
        if ((this == ACKED_LOST || unit == Unit.SWITCH) && limits.is(key(), "any")) {
            return Optional.of(ANY);
        }
        if (key().equals(MAX_FAILED.key()) && isShare(limits) != (unit == Unit.PERCENT)) {
            return Optional.empty();
        }
        return switch (unit) {
            case SECONDS ->
                limits.duration(key(), Duration.ZERO, FaultParser.DAY).map(d -> d.toNanos() / 1e9);
            case PERCENT -> limits.percent(key(), 0, 100).stream().boxed().findFirst();
            case COUNT ->
                limits.count(key(), 0, Long.MAX_VALUE).stream().boxed().findFirst();
            case SWITCH -> {
                if (limits.has(key())) {
                    limits.problem(key(), "is judged in every drill; expected any, which switches it off");
                }
                yield Optional.empty();
            }
        };
    }

    /** Whether what may be a count or a share is a share. */
    private boolean isShare(Section limits) {
        return limits.node(key())
                .flatMap(YamlReader::text)
                .filter(text -> text.endsWith("%"))
                .isPresent();
    }
}
