package io.ycsbdrill.client.audit.ledger;

import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** Every write of a run, as far as a read-back can show it; see {@link Stripe}. Thread-safe. */
public final class Ledger {
    private static final int STRIPE_BITS = 5;
    private static final int MOST_FIELDS = 65_000;
    private static final long OVERDUE_NANOS = 1_000_000_000;
    /** Fields whose writes can be settled by themselves: as many as CoreWorkload has by default. */
    private static final int SETTLED_FIELDS = 10;

    private final Stripe[] stripes = new Stripe[1 << STRIPE_BITS];
    private final MemoryBudget memory;
    private final WriteNumbers numbers;
    private final List<PendingWrites> pending = new CopyOnWriteArrayList<>();
    private volatile long checkedNanos = System.nanoTime();
    private final Map<Integer, WriteTimes> times = new ConcurrentHashMap<>();
    private final List<String> rowFields;
    private final Map<String, Integer> fields = new ConcurrentHashMap<>();
    private final LongAdder dropped = new LongAdder();

    /**
     * @param rowFields all fields of a row, so that an update of all of them is known to be one
     * @param limitBytes how much it may take
     */
    public Ledger(List<String> rowFields, long limitBytes) {
        this(rowFields, limitBytes, WriteNumbers.MOST);
    }

    /** @param mostNumbers writes that can be settled */
    public Ledger(List<String> rowFields, long limitBytes, long mostNumbers) {
        this.rowFields = List.copyOf(rowFields);
        memory = new MemoryBudget(limitBytes);
        numbers = new WriteNumbers(memory, mostNumbers);
        for (int i = 0; i < stripes.length; i++) {
            int stripe = i;
            stripes[i] = new Stripe(memory, numbers, settledFields(rowFields.size()), () -> horizon(stripe));
        }
        rowFields.forEach(this::field);
    }

    /** With more fields than fit, a key's would seldom all be settled, so that slots for some would only take memory. */
    private static int settledFields(int known) {
        return known == 0 ? SETTLED_FIELDS : known <= SETTLED_FIELDS ? known : 0;
    }

    /** A number for the field. */
    int field(String name) {
        Integer known = fields.get(name);
        if (known != null) {
            return known;
        }
        synchronized (fields) {
            if (fields.size() >= MOST_FIELDS) {
                throw new IllegalStateException(
                        "--audit: more than " + MOST_FIELDS + " names of fields; the newest is " + name);
            }
            return fields.computeIfAbsent(name, any -> fields.size());
        }
    }

    public List<String> rowFields() {
        return rowFields;
    }

    /** By name; a live view. */
    public Map<String, Integer> fields() {
        return fields;
    }

    WriteNumbers numbers() {
        return numbers;
    }

    /** Of one writer. */
    WriteTimes times(int writer) {
        return times.computeIfAbsent(writer, any -> new WriteTimes(memory));
    }

    /**
     * The write with times for a reader: its own, or bounds where they were not kept.
     *
     * @see SettledWrites
     */
    public Write timed(Write write) {
        if (write.startNanos() > SettledWrites.NEWEST_NANOS) {
            return write;
        }
        WriteTimes of = times(WriteId.writer(write.id()));
        long sequence = WriteId.sequence(write.id());
        return new Write(write.field(), write.kind(), true, write.id(), of.notBefore(sequence), of.notAfter(sequence));
    }

    /**
     * For the writes of a new writer.
     *
     * @param flush makes it pass on what has ended; called by other threads
     */
    PendingWrites pendingOf(Runnable flush) {
        PendingWrites one = new PendingWrites(System::nanoTime, flush);
        pending.add(one);
        return one;
    }

    /** Flushes the writers of threads that hang, or have not written for a second. To be called now and then, without any lock. */
    void flushOverdue(long nowNanos) {
        if (nowNanos - checkedNanos >= OVERDUE_NANOS) {
            checkedNanos = nowNanos;
            for (PendingWrites one : pending) {
                long since = one.sinceNanos();
                if (since < nowNanos - OVERDUE_NANOS) {
                    one.flush();
                }
            }
        }
    }

    private long horizon(int stripe) {
        long horizon = System.nanoTime();
        // Only then: a writer that has nothing pending now reads the clock later than this.
        VarHandle.fullFence();
        for (PendingWrites one : pending) {
            horizon = Math.min(horizon, one.sinceNanos(stripe));
        }
        return horizon;
    }

    /**
     * A write has ended. Until this call, and those for all that its writer began before it, the writer's {@link PendingWrites} must say so.
     *
     * @param number from {@link #numbers}
     * @param writes one for each field or one for the row, when it was acknowledged or is of unknown outcome; none when it failed: then
     *     the key is to be read back
     */
    void end(String key, int number, List<Write> writes) {
        if (!stripes[stripe(key)].end(key, number, writes)) {
            dropped.increment();
        }
    }

    /** Writes that were not kept, as the memory was used up. */
    public long dropped() {
        return dropped.sum();
    }

    public MemoryBudget memory() {
        return memory;
    }

    /** To be asked for when nothing is added any more. */
    public List<Stripe> stripes() {
        return List.of(stripes);
    }

    /** The number of the key's stripe, 0 to 31. */
    static int stripe(String key) {
        return key.hashCode() * 0x9E3779B9 >>> 32 - STRIPE_BITS;
    }
}
