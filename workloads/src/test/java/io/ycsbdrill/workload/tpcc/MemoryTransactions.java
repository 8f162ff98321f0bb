package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.binding.MemoryDb;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.Transactions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * A database in memory with transactions: rows are locked, a lock that is taken ends the transaction at once, and an abort undoes what was
 * done. Faults can be built in. One object per thread; those with the same {@link Store} share its rows.
 */
class MemoryTransactions extends MemoryDb implements Transactions {
    /** The rows, who has locked them, and the fault that is built in. */
    static final class Store {
        final ConcurrentNavigableMap<String, byte[]> rows;
        final Map<String, Object> locks = new ConcurrentHashMap<>();
        final AtomicInteger commits = new AtomicInteger();
        /** So many customers that are read for update end their transaction. */
        final AtomicInteger busyCustomers = new AtomicInteger();
        /** So many plain reads get no answer in time. */
        final AtomicInteger lateReads = new AtomicInteger();

        volatile Fault fault = Fault.NONE;

        Store(ConcurrentNavigableMap<String, byte[]> rows) {
            this.rows = rows;
        }
    }

    enum Fault {
        NONE,
        /** The write to a warehouse takes effect outside of its transaction, as if on another connection. */
        WRITE_OUTSIDE,
        /** Every tenth commit is acknowledged, and rolled back. */
        COMMIT_IGNORED,
        /** Every tenth commit is done, and its answer lost. */
        ANSWER_LOST
    }

    private final Store store;
    private final Set<String> locked = new HashSet<>();
    private final Deque<Runnable> undo = new ArrayDeque<>();
    private boolean open;

    MemoryTransactions(Store store) {
        super(store.rows);
        this.store = store;
    }

    @Override
    public Status begin(String table, String key) {
        open = true;
        return Status.OK;
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return oneOf(store.lateReads) ? Statuses.TIMEOUT : super.read(table, key, fields, result);
    }

    @Override
    public Status readForUpdate(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        if (key.startsWith("c:") && oneOf(store.busyCustomers)) {
            return lost();
        }
        return lock(key) ? super.read(table, key, fields, result) : lost();
    }

    private static boolean oneOf(AtomicInteger left) {
        return left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return write(key, () -> super.insert(table, key, values));
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return write(key, () -> super.update(table, key, values));
    }

    @Override
    public Status delete(String table, String key) {
        return write(key, () -> super.delete(table, key));
    }

    private Status write(String key, Supplier<Status> work) {
        if (!open) {
            return work.get();
        }
        boolean outside = store.fault == Fault.WRITE_OUTSIDE && key.startsWith("w:");
        if (!outside && !lock(key)) {
            return lost();
        }
        byte[] old = store.rows.get(key);
        Status status = work.get();
        if (!status.isOk()) {
            abort();
            return status;
        }
        if (!outside) {
            undo.push(() -> {
                if (old == null) {
                    store.rows.remove(key);
                } else {
                    store.rows.put(key, old);
                }
            });
        }
        return status;
    }

    private boolean lock(String key) {
        Object owner = store.locks.putIfAbsent(key, this);
        if (owner == null) {
            locked.add(key);
        }
        return owner == null || owner == this;
    }

    private Status lost() {
        abort();
        return Statuses.LOCK_TIMEOUT;
    }

    @Override
    public Status commit() {
        boolean tenth = !undo.isEmpty() && store.commits.incrementAndGet() % 10 == 0;
        if (tenth && store.fault == Fault.COMMIT_IGNORED) {
            abort();
            return Status.OK;
        }
        undo.clear();
        abort();
        return tenth && store.fault == Fault.ANSWER_LOST ? Statuses.UNKNOWN : Status.OK;
    }

    @Override
    public void abort() {
        while (!undo.isEmpty()) {
            undo.pop().run();
        }
        locked.forEach(store.locks::remove);
        locked.clear();
        open = false;
    }
}
