package io.ycsbdrill.client.run.key;

import java.lang.reflect.Field;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import site.ycsb.Workload;
import site.ycsb.generator.AcknowledgedCounterGenerator;
import site.ycsb.generator.ExponentialGenerator;
import site.ycsb.generator.NumberGenerator;
import site.ycsb.generator.SkewedLatestGenerator;
import site.ycsb.workloads.CoreWorkload;

/**
 * Which records a run has inserted, in place of CoreWorkload's own account, which takes every insert that returned for one that succeeded, so
 * that later reads choose records that are not there, and which ends the run when one insert hangs while a million others
 * return. One bit for each record inserted. Thread-safe, without locks.
 *
 * <p>Of several clients, client <i>i</i> of <i>n</i> inserts every <i>n</i>-th record. Here they are counted without the gaps: what a
 * client does not insert itself is not there for it, and its choice among what is there is that of a client which is alone.
 */
public final class InsertedKeys extends AcknowledgedCounterGenerator {
    private static final int PAGE_BITS = 1 << 16;

    private final long first;
    private final ClientShare part;
    private final AtomicLong newest;
    private final ConcurrentHashMap<Long, AtomicLongArray> pages = new ConcurrentHashMap<>();

    public InsertedKeys(long first) {
        this(first, ClientShare.WHOLE);
    }

    public InsertedKeys(long first, ClientShare part) {
        super(first);
        this.first = first;
        this.part = part;
        newest = new AtomicLong(first - 1);
    }

    /** Puts one into a CoreWorkload after its init, and lets its key chooser skip records that are not there; others are left alone. */
    public static void replace(Workload workload, ClientShare part, long seed) {
        if (!(workload instanceof CoreWorkload)) {
            return;
        }
        try {
            Field counter = CoreWorkload.class.getDeclaredField("transactioninsertkeysequence");
            Field chooser = CoreWorkload.class.getDeclaredField("keychooser");
            counter.setAccessible(true);
            chooser.setAccessible(true);
            Object stock = counter.get(workload);
            if (stock == null || stock.getClass() != AcknowledgedCounterGenerator.class) {
                return;
            }
            InsertedKeys keys = new InsertedKeys(((AcknowledgedCounterGenerator) stock).lastValue() + 1, part);
            counter.set(workload, keys);
            chooser.set(workload, new PresentKeys(keys.chosenBy((NumberGenerator) chooser.get(workload), seed), keys));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this is not the ycsb-core 0.17.0 that the client loop knows", e);
        }
    }

    private NumberGenerator chosenBy(NumberGenerator stock, long seed) throws ReflectiveOperationException {
        if (stock instanceof SkewedLatestGenerator latest) {
            return LatestKeys.like(latest, this, seed);
        }
        // CoreWorkload asks for this very class, and takes its numbers, and no other's, as distances from the newest
        // record.
        return stock instanceof ExponentialGenerator ? new BeforeNewest(stock, this) : stock;
    }

    /** The next record for this client to insert. */
    @Override
    public Long nextValue() {
        return record(super.nextValue());
    }

    /** The newest record that is known to be there. */
    @Override
    public Long lastValue() {
        return record(newest.get());
    }

    /** {@link #lastValue} without the gaps. */
    public long newest() {
        return newest.get();
    }

    /** Which record has this number when those of other clients are left out. */
    private long record(long own) {
        return own < first ? own : first + (own - first) * part.of() + part.number() - 1;
    }

    /** The other way round, for a record of this client. */
    private long own(long record) {
        return record < first ? record : first + (record - first) / part.of();
    }

    /** The insert of this record has returned, on the thread that called it. */
    @Override
    public void acknowledge(long record) {
        if (!(Thread.currentThread() instanceof InsertingThread client) || client.lastCallSucceeded()) {
            inserted(own(record));
        }
    }

    /** Notes a key as inserted, by its number without the gaps. */
    public void inserted(long own) {
        long bit = own - first;
        AtomicLongArray page =
                pages.computeIfAbsent(bit / PAGE_BITS, any -> new AtomicLongArray(PAGE_BITS / Long.SIZE));
        page.accumulateAndGet((int) (bit % PAGE_BITS) / Long.SIZE, 1L << bit % Long.SIZE, (old, set) -> old | set);
        newest.accumulateAndGet(own, Math::max);
    }

    /** Whether a record, by its number without the gaps, is there, as far as the run knows; those from before it are. */
    public boolean contains(long own) {
        long bit = own - first;
        if (bit < 0) {
            return true;
        }
        AtomicLongArray page = pages.get(bit / PAGE_BITS);
        return page != null && (page.get((int) (bit % PAGE_BITS) / Long.SIZE) >>> bit % Long.SIZE & 1) != 0;
    }

    /** Records by their distance from the newest one, before which there is none as far away as some distances. Thread-safe if what it asks is. */
    private static final class BeforeNewest extends NumberGenerator {
        private final NumberGenerator distances;
        private final InsertedKeys keys;

        BeforeNewest(NumberGenerator distances, InsertedKeys keys) {
            this.distances = distances;
            this.keys = keys;
        }

        @Override
        public Long nextValue() {
            long newest = keys.newest();
            long distance = distances.nextValue().longValue();
            while (distance > newest) {
                distance = distances.nextValue().longValue();
            }
            return newest - distance;
        }

        @Override
        public double mean() {
            throw new UnsupportedOperationException("the mean of a distribution that moves is not known");
        }
    }

    /** A key chooser that leaves out what is not there. Thread-safe if what it asks is. */
    private static final class PresentKeys extends NumberGenerator {
        /** A distribution may know only records that are not there. */
        private static final int MOST_TRIES = 10_000;

        private final NumberGenerator all;
        private final InsertedKeys keys;

        PresentKeys(NumberGenerator all, InsertedKeys keys) {
            this.all = all;
            this.keys = keys;
        }

        @Override
        public Number nextValue() {
            Number next = all.nextValue();
            for (int i = 0; i < MOST_TRIES && !keys.contains(next.longValue()); i++) {
                next = all.nextValue();
            }
            return keys.record(next.longValue());
        }

        @Override
        public double mean() {
            return all.mean();
        }
    }
}
