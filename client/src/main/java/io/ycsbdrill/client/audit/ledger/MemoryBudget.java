package io.ycsbdrill.client.audit.ledger;

import java.util.concurrent.atomic.AtomicLong;

/** What the ledger takes and may take. Once the bound was met no further key is admitted. Thread-safe. */
public final class MemoryBudget {
    private final long limitBytes;
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean full;

    public MemoryBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** Whether a key that was never seen may be added: after the first refusal never, as its history would have a hole. */
    boolean admits() {
        return !full;
    }

    /** @return false when it would go beyond the bound */
    boolean take(long more) {
        if (bytes.addAndGet(more) <= limitBytes) {
            return true;
        }
        bytes.addAndGet(-more);
        refuse();
        return false;
    }

    /** There is no room, whatever the bound. */
    void refuse() {
        full = true;
    }

    /** Counts what is needed for keys that were admitted. */
    void force(long more) {
        if (bytes.addAndGet(more) > limitBytes) {
            full = true;
        }
    }

    public long bytes() {
        return bytes.get();
    }

    public long limitBytes() {
        return limitBytes;
    }
}
