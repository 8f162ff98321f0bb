package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.Transactions;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * The steps of a two-phase commit that concern one row each, every one a transaction of the engine on that row alone: a compare-and-set. A
 * row has a value and, while a transaction is being committed, an <i>intent</i>: the transaction's name and the value to be. The record
 * {@code t:NAME} decides whether it takes effect; there is only one, as only one insert of it can succeed. Owned by one thread.
 */
final class Intents {
    static final String COMMITTED = "committed";
    static final String ABORTED = "aborted";

    private static final String DELETE = "-";
    private static final String PUT = "+";

    private final DB db;
    private final Transactions transactions;
    private final String table;
    private final long patienceNanos;

    /**
     * @param db also a {@link Transactions}
     * @param patienceNanos how long a step is tried again whose result is unknown
     */
    Intents(DB db, String table, long patienceNanos) {
        this.db = db;
        this.transactions = (Transactions) db;
        this.table = table;
        this.patienceNanos = patienceNanos;
    }

    /**
     * A row as it is stored.
     *
     * @param value empty when there is no such row for other transactions
     * @param intent empty when there is none
     */
    record Stored(boolean exists, String value, String intent) {
        /** The transaction that intends to change it; empty when none does. */
        String owner() {
            int end = intent.indexOf(' ');
            return end < 0 ? "" : intent.substring(0, end);
        }

        /** What it becomes when that transaction is committed; empty when it is deleted. */
        String intended() {
            String what = intent.substring(intent.indexOf(' ') + 1);
            return what.startsWith(PUT) ? what.substring(PUT.length()) : "";
        }

        private static Stored of(Status status, Map<String, ByteIterator> values) {
            return new Stored(status.isOk(), Values.text(values, Values.ROW), Values.text(values, Values.INTENT));
        }
    }

    /** @throws Ended never with an unknown outcome, as a read leaves nothing behind */
    Stored read(String key) throws Ended {
        Map<String, ByteIterator> values = new HashMap<>();
        Status status = db.read(table, key, Values.BOTH, values);
        if (Outcome.of(status, true) == Outcome.UNKNOWN) {
            throw new Ended(Statuses.TEMPORARY);
        }
        if (!status.isOk() && !status.equals(Status.NOT_FOUND)) {
            throw new Ended(status);
        }
        return Stored.of(status, values);
    }

    /**
     * Intends a change, if the row still has the expected value and nobody else's intent.
     *
     * @param value to be; empty deletes the row
     * @return OK; {@link Statuses#CONFLICT} when it has changed; else what went wrong
     */
    Status intend(String name, String key, String expected, String value) {
        String intent = name + " " + (value.isEmpty() ? DELETE : PUT + value);
        return settled(key, row -> {
            if (row.owner().equals(name)) {
                return Status.OK; // by an attempt whose answer was lost
            }
            if (!row.owner().isEmpty() || !row.value().equals(expected)) {
                return Statuses.CONFLICT;
            }
            return row.exists()
                    ? db.update(table, key, Values.of(Values.INTENT, intent))
                    : db.insert(table, key, Values.of("", Values.INTENT, intent));
        });
    }

    /** Makes the intent of this transaction take effect, or takes it away; harmless when it has none on the row. */
    Status resolve(String name, String key, boolean commit) {
        return settled(key, row -> {
            if (!row.owner().equals(name)) {
                return Status.OK;
            }
            String value = commit ? row.intended() : row.value();
            return value.isEmpty() ? db.delete(table, key) : db.update(table, key, Values.of(value, Values.INTENT, ""));
        });
    }

    /** What was decided about a transaction: {@link #COMMITTED}, {@link #ABORTED}, or empty when nothing was. */
    String decision(String name) throws Ended {
        return read(record(name)).value();
    }

    /**
     * Decides about a transaction, unless that was done already.
     *
     * @return what was decided, by whomever
     * @throws Ended with {@link Statuses#UNKNOWN} when that cannot be found out in time
     */
    String decide(String name, String decision) throws Ended {
        long end = System.nanoTime() + patienceNanos;
        String wish = decision;
        boolean doubtful = false;
        while (true) {
            Status status = db.insert(table, record(name), Values.of(wish, Values.INTENT, ""));
            if (status != null && status.isOk()) {
                return wish;
            }
            if (Statuses.DUPLICATE_KEY.equals(status)) {
                try {
                    String known = decision(name);
                    if (!known.isEmpty()) {
                        return known;
                    }
                } catch (Ended unreadable) {
                    doubtful = true;
                }
            } else if (Outcome.of(status, true) == Outcome.UNKNOWN) {
                // Whether it is there or still on its way: the next insert finds out, and only one of the two can
                // succeed.
                doubtful = true;
                wish = ABORTED;
            } else if (!doubtful) {
                return "";
            }
            if (System.nanoTime() - end > 0) {
                throw new Ended(Statuses.UNKNOWN);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }

    /** Forgets a decision that no row needs any more. */
    void forget(String name) {
        db.delete(table, record(name));
    }

    private static String record(String name) {
        return "t:" + name;
    }

    /** What becomes of a row, read for update. */
    private interface Step {
        Status on(Stored row);
    }

    /** Does a step again while its result is unknown; it must see for itself whether it was done before. */
    private Status settled(String key, Step step) {
        long end = System.nanoTime() + patienceNanos;
        while (true) {
            Status status = once(key, step);
            boolean again = Outcome.of(status, true) == Outcome.UNKNOWN || Retries.mayHelp(status, true);
            if (!again || System.nanoTime() - end > 0) {
                return status;
            }
            LockSupport.parkNanos(2_000_000);
        }
    }

    private Status once(String key, Step step) {
        Status begun = transactions.begin(table, key);
        if (begun == null || !begun.isOk()) {
            return begun == null ? Statuses.FAILED : begun;
        }
        Map<String, ByteIterator> values = new HashMap<>();
        Status read = transactions.readForUpdate(table, key, Values.BOTH, values);
        if (read == null || !read.isOk() && !read.equals(Status.NOT_FOUND)) {
            transactions.abort();
            return read == null ? Statuses.FAILED : read;
        }
        Status written = step.on(Stored.of(read, values));
        if (written == null || !written.isOk()) {
            transactions.abort();
            // Somebody else made the row after it was found missing.
            return Statuses.DUPLICATE_KEY.equals(written)
                    ? Statuses.CONFLICT
                    : written == null ? Statuses.FAILED : written;
        }
        return transactions.commit();
    }
}
