package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.binding.Statuses;
import site.ycsb.Status;

/**
 * One attempt of one transaction, in one of the {@link Mode}s. After an {@link Ended} nothing but {@link #abort} may follow. Owned by one
 * thread.
 */
interface Unit {
    /** The row; null when there is none. */
    Row read(String key) throws Ended;

    /** The row, which is going to be written; null when there is none. */
    Row readForUpdate(String key) throws Ended;

    void insert(String key, Row row) throws Ended;

    /** Replaces a row. */
    void update(String key, Row row) throws Ended;

    void delete(String key) throws Ended;

    /** Makes it take effect; OK, or what became of it. */
    Status commit();

    /** Takes it back, as far as the mode can. */
    void abort();

    /** A row that must be there. */
    default Row present(Row row) throws Ended {
        if (row == null) {
            throw new Ended(Statuses.FAILED);
        }
        return row;
    }
}
