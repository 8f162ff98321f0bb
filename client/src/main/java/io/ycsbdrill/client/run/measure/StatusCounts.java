package io.ycsbdrill.client.run.measure;

import java.util.Arrays;
import java.util.Map;
import site.ycsb.Status;

/**
 * How often each status came back, found by identity first: bindings return constants. A binding that makes a new status per
 * call still costs no entry per call, as equal names share one. Owned by one thread at a time.
 */
final class StatusCounts {
    /** A binding that puts a message into the name must not fill the memory. */
    private static final int MOST_NAMES = 64;

    private static final Status OTHER = new Status("OTHER", "Further statuses, not listed one by one.");

    private Status[] statuses = new Status[4];
    private long[] counts = new long[4];
    private int size;

    void count(Status status) {
        for (int i = 0; i < size; i++) {
            if (statuses[i] == status) {
                counts[i]++;
                return;
            }
        }
        countByName(status);
    }

    private void countByName(Status status) {
        for (int i = 0; i < size; i++) {
            if (statuses[i].getName().equals(status.getName())) {
                counts[i]++;
                return;
            }
        }
        if (size >= MOST_NAMES && status != OTHER) {
            count(OTHER);
            return;
        }
        if (size == statuses.length) {
            statuses = Arrays.copyOf(statuses, size * 2);
            counts = Arrays.copyOf(counts, size * 2);
        }
        statuses[size] = status;
        counts[size++] = 1;
    }

    void addTo(Map<String, Long> returns) {
        for (int i = 0; i < size; i++) {
            if (counts[i] > 0) {
                returns.merge(statuses[i].getName(), counts[i], Long::sum);
            }
        }
    }

    void reset() {
        Arrays.fill(counts, 0);
    }
}
