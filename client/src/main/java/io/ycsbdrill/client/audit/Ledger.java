package io.ycsbdrill.client.audit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Every write of a run, as far as a read-back can show it; see {@link Stripe}. Thread-safe. */
final class Ledger {
    private static final int STRIPES = 64;
    private static final int MOST_FIELDS = 65_000;

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final Memory memory;
    private final List<String> rowFields;
    private final Map<String, Integer> fields = new ConcurrentHashMap<>();
    private final LongAdder dropped = new LongAdder();

    /**
     * @param rowFields all fields of a row, so that an update of all of them is known to be one
     * @param limitBytes how much it may take
     */
    Ledger(List<String> rowFields, long limitBytes) {
        this.rowFields = List.copyOf(rowFields);
        memory = new Memory(limitBytes);
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe(memory);
        }
        rowFields.forEach(this::field);
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

    List<String> rowFields() {
        return rowFields;
    }

    /** By name; a live view. */
    Map<String, Integer> fields() {
        return fields;
    }

    /** A write that was acknowledged, or whose outcome is unknown. */
    void add(String key, Write write) {
        if (!stripe(key).add(key, write)) {
            dropped.increment();
        }
    }

    /** A write that failed: the key is to be read back. */
    void touch(String key) {
        if (!stripe(key).touch(key)) {
            dropped.increment();
        }
    }

    /** Writes that were not kept, as the memory was used up. */
    long dropped() {
        return dropped.sum();
    }

    Memory memory() {
        return memory;
    }

    /** From now on nothing is added. */
    List<Stripe> close() {
        for (Stripe stripe : stripes) {
            stripe.close();
        }
        return List.of(stripes);
    }

    private Stripe stripe(String key) {
        int hash = key.hashCode() * 0x9E3779B9;
        return stripes[hash >>> 26];
    }
}
