package io.ycsbdrill.client.audit.journal;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.function.Supplier;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Stamps what a binding writes, and reports each outcome to the {@link JournalWriter}. It stands directly before the binding, so each attempt
 * of a repeated operation is a write of its own. Owned by one client thread.
 */
public final class AuditDb extends DB implements BulkInserts {
    private final DB db;
    private final JournalWriter journal;
    private final Stamp stamp;
    private final String table;
    private int reads;
    private final Map<String, byte[]> fieldNames = new HashMap<>();

    /** @param table the only one that is audited */
    public AuditDb(DB db, JournalWriter journal, Stamp stamp, String table) {
        this.db = db;
        this.journal = journal;
        this.stamp = stamp;
        this.table = table;
        setProperties(db.getProperties());
    }

    @Override
    public Status read(String from, String key, Set<String> fields, Map<String, ByteIterator> result) {
        long start = System.nanoTime();
        Status status = db.read(from, key, fields, result);
        if (from.equals(table)) {
            if (Status.NOT_FOUND.equals(status)) {
                journal.read(key, start, null, Stamp.OTHER);
            } else if (status != null && status.isOk() && !result.isEmpty()) {
                note(key, start, result);
            }
        }
        return status;
    }

    /** One of the fields, another one each time: to look at all would cost more than the audit may. */
    private void note(String key, long start, Map<String, ByteIterator> result) {
        var fields = result.entrySet().iterator();
        Map.Entry<String, ByteIterator> field = fields.next();
        for (int skip = Math.floorMod(reads++, result.size()); skip > 0; skip--) {
            field = fields.next();
        }
        if (field.getValue() != null) {
            byte[] value = field.getValue().toArray();
            field.setValue(new ByteArrayByteIterator(value));
            byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
            journal.read(key, start, field.getKey(), stamp.read(value, keyBytes, name(field.getKey())));
        }
    }

    @Override
    public Status scan(
            String from,
            String startKey,
            int recordCount,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        return db.scan(from, startKey, recordCount, fields, result);
    }

    @Override
    public Status update(String to, String key, Map<String, ByteIterator> values) {
        long id = begin(to, key, Write.Kind.UPDATE, values);
        return ended(() -> db.update(to, key, stamped(key, values, id)));
    }

    @Override
    public Status insert(String to, String key, Map<String, ByteIterator> values) {
        long id = begin(to, key, Write.Kind.INSERT, values);
        return ended(() -> db.insert(to, key, stamped(key, values, id)));
    }

    @Override
    public Status delete(String from, String key) {
        begin(from, key, Write.Kind.DELETE, Map.of());
        return ended(() -> db.delete(from, key));
    }

    @Override
    public List<Status> insertAll(String to, List<Row> rows) {
        List<Row> stamped = new ArrayList<>(rows.size());
        int begun = 0;
        List<Outcome> outcomes = List.of();
        try {
            for (Row row : rows) {
                long id = begin(to, row.key(), Write.Kind.INSERT, row.values());
                begun++;
                stamped.add(new Row(row.key(), stamped(row.key(), row.values(), id)));
            }
            List<Status> statuses = ((BulkInserts) db).insertAll(to, stamped);
            if (statuses != null && statuses.size() == rows.size()) {
                outcomes = statuses.stream().map(AuditDb::outcome).toList();
            }
            return statuses;
        } finally {
            for (int i = 0; i < begun; i++) {
                journal.end(i < outcomes.size() ? outcomes.get(i) : Outcome.UNKNOWN);
            }
        }
    }

    /** Makes room in the journal when there is little; called between two operations, so that it is in no operation's latency. */
    public void between() {
        journal.makeRoom();
    }

    /** Ends the journal, so that nothing more can be written; a call that has not ended stays unknown. */
    public void close() {
        journal.close();
    }

    private long begin(String to, String key, Write.Kind kind, Map<String, ByteIterator> values) {
        if (!to.equals(table)) {
            throw new IllegalStateException("--audit: the workload writes to table " + to + " beside " + table
                    + "; only the table of the property \"table\" can be audited");
        }
        return journal.begin(key, kind, values.keySet());
    }

    private Status ended(Supplier<Status> call) {
        Outcome outcome = Outcome.UNKNOWN;
        try {
            Status status = call.get();
            outcome = outcome(status);
            return status;
        } finally {
            journal.end(outcome);
        }
    }

    /** What a binding keeps back to send it later was not acknowledged. */
    private static Outcome outcome(Status status) {
        return status == Status.BATCHED_OK ? Outcome.UNKNOWN : Outcome.of(status, true);
    }

    private Map<String, ByteIterator> stamped(String key, Map<String, ByteIterator> values, long id) {
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        Map<String, ByteIterator> stamped = new HashMap<>(values.size() * 2);
        for (Map.Entry<String, ByteIterator> value : values.entrySet()) {
            byte[] bytes = value.getValue().toArray();
            stamp.put(bytes, keyBytes, name(value.getKey()), id);
            stamped.put(value.getKey(), new ByteArrayByteIterator(bytes));
        }
        return stamped;
    }

    private byte[] name(String field) {
        return fieldNames.computeIfAbsent(field, name -> name.getBytes(StandardCharsets.UTF_8));
    }
}
