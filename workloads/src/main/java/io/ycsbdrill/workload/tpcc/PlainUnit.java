package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.Statuses;
import java.util.HashMap;
import java.util.Map;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Without transactions: each call takes effect by itself, and what two clients read and write at the same time is lost for one of them. An
 * insert replaces a row that is there, as a put does. Owned by one thread.
 */
final class PlainUnit implements Unit {
    /** Some of the writes were made, so it is not the definite failure that its status may be. */
    static final Status PARTLY_APPLIED =
            new Status("PARTLY_APPLIED", "A call failed after others had been applied; nothing takes those back.");

    private final DB db;
    private final String table;
    private boolean written;

    PlainUnit(DB db, String table) {
        this.db = db;
        this.table = table;
    }

    @Override
    public Row read(String key) throws Ended {
        Map<String, ByteIterator> values = new HashMap<>();
        Status status = db.read(table, key, Values.ROW_ONLY, values);
        if (Status.NOT_FOUND.equals(status)) {
            return null;
        }
        Outcome outcome = Outcome.of(status, true);
        if (outcome != Outcome.OK) {
            Status nothing = outcome == Outcome.FAILED ? status : Statuses.FAILED;
            throw new Ended(written ? PARTLY_APPLIED : nothing);
        }
        return Row.parse(Values.text(values, Values.ROW));
    }

    @Override
    public Row readForUpdate(String key) throws Ended {
        return read(key);
    }

    @Override
    public void insert(String key, Row row) throws Ended {
        Status status = db.insert(table, key, Values.of(row));
        if (Statuses.DUPLICATE_KEY.equals(status)) {
            status = db.update(table, key, Values.of(row));
        }
        written(status);
    }

    @Override
    public void update(String key, Row row) throws Ended {
        written(db.update(table, key, Values.of(row)));
    }

    @Override
    public void delete(String key) throws Ended {
        Status status = db.delete(table, key);
        // Another client was faster: that is no failure where nothing keeps it from being so.
        written(Status.NOT_FOUND.equals(status) ? Status.OK : status);
    }

    private void written(Status status) throws Ended {
        Outcome outcome = Outcome.of(status, true);
        if (outcome != Outcome.OK) {
            boolean nothing = !written && outcome == Outcome.FAILED;
            throw new Ended(nothing ? status : PARTLY_APPLIED);
        }
        written = true;
    }

    @Override
    public Row present(Row row) throws Ended {
        if (row == null) {
            throw new Ended(written ? PARTLY_APPLIED : Statuses.FAILED);
        }
        return row;
    }

    @Override
    public Status commit() {
        return Status.OK;
    }

    @Override
    public void abort() {}
}
