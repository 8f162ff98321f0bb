package io.ycsbdrill.client.run;

import io.ycsbdrill.binding.BindingProperties;
import java.time.Duration;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import site.ycsb.DBException;
import site.ycsb.generator.HotspotIntegerGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.workloads.CoreWorkload;

/**
 * {@code requestdistribution=moving-hotspot}: YCSB's {@code hotspot}, whose hot records are others after each {@code hotspot.period}: the
 * next ones, as many, and the first ones again after the last. The first period begins with the first choice, so that each run has the
 * same hot records at the same time of it. Thread-safe.
 */
public final class MovingHotspot extends NumberGenerator {
    /** The value of {@code requestdistribution}. */
    public static final String NAME = "moving-hotspot";

    private static final String PREFIX = "hotspot.";
    private static final long NOT_BEGUN = Long.MIN_VALUE;

    private final long first;
    private final long records;
    private final long hot;
    private final double hotShare;
    private final long periodNanos;
    private final LongSupplier clock;
    private final AtomicLong begin = new AtomicLong(NOT_BEGUN);

    /** @param clock in nanoseconds */
    MovingHotspot(HotspotIntegerGenerator still, Duration period, LongSupplier clock) {
        first = still.getLowerBound();
        records = still.getUpperBound() - first + 1;
        hot = Math.max(1, (long) (records * still.getHotsetFraction()));
        hotShare = still.getHotOpnFraction();
        periodNanos = period.toNanos();
        this.clock = clock;
    }

    /**
     * The period, when the workload is to choose its records so. CoreWorkload does not know it: the distribution in the properties is
     * then {@code hotspot} afterwards.
     *
     * @throws DBException when the period is wrong
     */
    static Optional<Duration> takeFrom(Properties properties) throws DBException {
        Duration period = period(properties);
        return properties.replace(CoreWorkload.REQUEST_DISTRIBUTION_PROPERTY, NAME, "hotspot")
                ? Optional.of(period)
                : Optional.empty();
    }

    private static Duration period(Properties properties) throws DBException {
        BindingProperties read = new BindingProperties(properties);
        Duration period =
                read.duration(PREFIX + "period", Duration.ofSeconds(10), Duration.ofMillis(100), Duration.ofDays(1));
        String given = properties.getProperty(PREFIX + "period");
        if (given != null && !NAME.equals(properties.getProperty(CoreWorkload.REQUEST_DISTRIBUTION_PROPERTY))) {
            read.problem(PREFIX + "period", given, "requestdistribution=" + NAME + " with it, as nothing else uses it");
        }
        read.check(PREFIX);
        return period;
    }

    /** What is wrong with the period; empty when nothing is. */
    public static Optional<String> problem(Properties properties) {
        return PropertyProblem.of(MovingHotspot::period, properties);
    }

    @Override
    public Long nextValue() {
        long now = clock.getAsLong();
        if (begin.get() == NOT_BEGUN) {
            begin.compareAndSet(NOT_BEGUN, now);
        }
        long moves = Math.max(0, now - begin.get()) / periodNanos;
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long fromHottest = hot == records || random.nextDouble() < hotShare
                ? random.nextLong(hot)
                : hot + random.nextLong(records - hot);
        return first + (moves % records * hot + fromHottest) % records;
    }

    @Override
    public double mean() {
        throw new UnsupportedOperationException("the mean of a distribution that moves is not known");
    }
}
