package io.ycsbdrill.client.run.key;

import java.lang.reflect.Field;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.generator.SkewedLatestGenerator;
import site.ycsb.generator.ZipfianGenerator;

/**
 * Distances from the newest record, Zipfian, as {@link SkewedLatestGenerator}: but no thread waits for another. The constants of the
 * distribution grow with the records; one thread at a time makes them, and the others meanwhile use those of a moment ago.
 * The same seed gives each client thread the same sequence again. Thread-safe.
 */
public final class LatestKeys extends NumberGenerator {
    private static final double THETA = ZipfianGenerator.ZIPFIAN_CONSTANT;
    private static final double ALPHA = 1 / (1 - THETA);
    private static final double ZETA_2 = 1 + Math.pow(0.5, THETA);

    /** What the distribution over so many records needs. */
    private record Constants(long records, double zeta, double eta) {
        static Constants of(long records, double zeta) {
            return new Constants(records, zeta, (1 - Math.pow(2.0 / records, 1 - THETA)) / (1 - ZETA_2 / zeta));
        }

        Constants grown(long more) {
            double sum = zeta;
            for (long i = records; i < more; i++) {
                sum += 1 / Math.pow(i + 1, THETA);
            }
            return of(more, sum);
        }
    }

    private final InsertedKeys keys;
    private final ThreadLocal<SplittableRandom> random;
    /** Whether a thread makes new constants. */
    final AtomicBoolean growing = new AtomicBoolean();

    private volatile Constants constants;

    private LatestKeys(InsertedKeys keys, long seed, long records, double zeta) {
        this.keys = keys;
        random = ThreadLocal.withInitial(() -> randomOfThread(seed));
        constants = Constants.of(records, zeta);
    }

    /** With the constants that the stock generator has added up over all records already. */
    public static LatestKeys like(SkewedLatestGenerator stock, InsertedKeys keys, long seed)
            throws ReflectiveOperationException {
        Object zipfian = value(SkewedLatestGenerator.class, "zipfian", stock);
        long records = (Long) value(ZipfianGenerator.class, "countforzeta", zipfian);
        double zeta = (Double) value(ZipfianGenerator.class, "zetan", zipfian);
        return new LatestKeys(keys, seed, records, zeta);
    }

    /** Not seed + number: the clients of one run have neighbouring seeds. */
    private static SplittableRandom randomOfThread(long seed) {
        int number = Thread.currentThread() instanceof InsertingThread client ? client.number() : 0;
        return new SplittableRandom(new SplittableRandom(seed).nextLong() + number);
    }

    private static Object value(Class<?> type, String name, Object of) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }

    @Override
    public Long nextValue() {
        long newest = keys.newest();
        if (newest > constants.records && growing.compareAndSet(false, true)) {
            try {
                if (newest > constants.records) {
                    constants = constants.grown(newest);
                }
            } finally {
                growing.set(false);
            }
        }
        return newest - distance(constants);
    }

    private long distance(Constants of) {
        double u = random.get().nextDouble();
        double uz = u * of.zeta;
        if (uz < 1) {
            return 0;
        }
        return uz < ZETA_2 ? 1 : (long) (of.records * Math.pow(of.eta * u - of.eta + 1, ALPHA));
    }

    @Override
    public double mean() {
        throw new UnsupportedOperationException("the mean of a distribution that grows is not known");
    }
}
