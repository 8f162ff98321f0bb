package io.ycsbdrill.client.run.call;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/** What every repeated call needs: the same values again, as iterators are used up by the first attempt, and a pause. */
public final class Attempt {
    private static final long LONGEST_PARK_NANOS = 50_000_000;

    private Attempt() {}

    public static Map<String, byte[]> bytes(Map<String, ByteIterator> values) {
        Map<String, byte[]> bytes = new HashMap<>();
        values.forEach((field, value) -> bytes.put(field, value.toArray()));
        return bytes;
    }

    public static Map<String, ByteIterator> iterators(Map<String, byte[]> bytes) {
        Map<String, ByteIterator> values = new HashMap<>();
        bytes.forEach((field, value) -> values.put(field, new ByteArrayByteIterator(value)));
        return values;
    }

    /** Waits; false when the run was stopped meanwhile. */
    public static boolean pause(long nanos, BooleanSupplier stopped) {
        long until = System.nanoTime() + nanos;
        while (!stopped.getAsBoolean()) {
            long left = until - System.nanoTime();
            if (left <= 0) {
                return true;
            }
            LockSupport.parkNanos(Math.min(left, LONGEST_PARK_NANOS));
        }
        return false;
    }
}
