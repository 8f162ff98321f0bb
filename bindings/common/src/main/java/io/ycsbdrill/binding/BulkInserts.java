package io.ycsbdrill.binding;

import java.util.List;
import java.util.Map;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * A binding ({@link site.ycsb.DB}) that can insert several rows by one request. Loads use it when
 * {@code db.batchsize} is above 1. Like the binding itself it is used by one thread at a time.
 */
public interface BulkInserts {

    /**
     * A row to insert.
     *
     * @param key not null
     * @param values by field name, not null; each iterator is read once, to its end
     */
    record Row(String key, Map<String, ByteIterator> values) {}

    /**
     * Inserts rows that do not exist. Rows do not depend on each other: one that exists already fails as it would in
     * {@link site.ycsb.DB#insert}, and the others are inserted.
     *
     * @param rows one or more, with different keys
     * @return what became of each row, in the same order, as {@code insert} would say it; never null, nor is any of them
     */
    List<Status> insertAll(String table, List<Row> rows);

    /**
     * How many rows of one request suit a load that measures nothing, when {@code db.batchsize} is not set. May be called before the
     * binding is set up.
     *
     * @return from 1, which stands for row by row
     */
    default int rowsOfALoad() {
        return 1;
    }
}
