package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.binding.Transactions;
import java.util.HashMap;
import java.util.Map;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** In a transaction of the engine, which begins with the first call. Owned by one thread. */
final class TransactionUnit implements Unit {
    private final DB db;
    private final Transactions transactions;
    private final String table;
    private boolean begun;

    /** @param db also a {@link Transactions} */
    TransactionUnit(DB db, String table) {
        this.db = db;
        this.transactions = (Transactions) db;
        this.table = table;
    }

    @Override
    public Row read(String key) throws Ended {
        begin(key);
        Map<String, ByteIterator> values = new HashMap<>();
        return row(db.read(table, key, Values.ROW_ONLY, values), values);
    }

    @Override
    public Row readForUpdate(String key) throws Ended {
        begin(key);
        Map<String, ByteIterator> values = new HashMap<>();
        return row(transactions.readForUpdate(table, key, Values.ROW_ONLY, values), values);
    }

    private static Row row(Status status, Map<String, ByteIterator> values) throws Ended {
        if (Status.NOT_FOUND.equals(status)) {
            return null;
        }
        done(status);
        return Row.parse(Values.text(values, Values.ROW));
    }

    @Override
    public void insert(String key, Row row) throws Ended {
        begin(key);
        done(db.insert(table, key, Values.of(row)));
    }

    @Override
    public void update(String key, Row row) throws Ended {
        begin(key);
        done(db.update(table, key, Values.of(row)));
    }

    @Override
    public void delete(String key) throws Ended {
        begin(key);
        done(db.delete(table, key));
    }

    private void begin(String key) throws Ended {
        if (!begun) {
            done(transactions.begin(table, key));
            begun = true;
        }
    }

    private static void done(Status status) throws Ended {
        if (status == null || !status.isOk()) {
            throw new Ended(status == null ? Status.ERROR : status);
        }
    }

    @Override
    public Status commit() {
        Status status = begun ? transactions.commit() : Status.OK;
        return status == null ? Status.ERROR : status;
    }

    @Override
    public void abort() {
        if (begun) {
            transactions.abort();
        }
    }
}
