package io.ycsbdrill.binding.ndb.jtie;

import com.mysql.ndbjtie.ndbapi.Ndb;
import com.mysql.ndbjtie.ndbapi.NdbErrorConst;
import com.mysql.ndbjtie.ndbapi.NdbIndexScanOperation;
import com.mysql.ndbjtie.ndbapi.NdbOperationConst;
import com.mysql.ndbjtie.ndbapi.NdbScanOperation;
import com.mysql.ndbjtie.ndbapi.NdbTransaction;
import io.ycsbdrill.binding.ndb.client.ColumnSet;
import io.ycsbdrill.binding.ndb.client.ColumnShape;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import io.ycsbdrill.binding.ndb.client.NdbRows;
import io.ycsbdrill.binding.ndb.client.NdbTableShape;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Operations on one table in one session, on NDB's record interface: the row buffer is filled here and sent as it is, and
 * answers are received into it. Every transaction begins at the node that holds the key's primary replica.
 *
 * <p>Long, as all operations use the same native objects and buffers, which are freed and reused in one place.
 */
final class JtieRows implements NdbRows {
    private static final int EXCLUSIVE = NdbOperationConst.LockMode.LM_Exclusive;
    private static final int COMMITTED = NdbOperationConst.LockMode.LM_CommittedRead;
    private static final int SIMPLE = NdbOperationConst.LockMode.LM_SimpleRead;
    private static final int ABORT = NdbOperationConst.AbortOption.AbortOnError;
    private static final int IGNORE = NdbOperationConst.AbortOption.AO_IgnoreError;
    /** A read of a missing row leaves the transaction as it is, a write that fails aborts it. */
    private static final int EACH_ITS_OWN = NdbOperationConst.AbortOption.DefaultAbortOption;

    private static final int FORCE_SEND = 1;
    private static final int SCRATCH_BYTES = 16 * 1024;

    private static final int NO_SUCH_ROW = 626;

    private static final byte[] ANY_KEY = {'0'};

    private final Ndb ndb;
    private final JtieTable table;
    private final ColumnShape key;
    private final ColumnShape[] columns;
    private final int[] offsets;
    private final byte[] mask;

    // Direct buffers whose addresses native code keeps: they must live as long as this object.
    private final ByteBuffer keyRow;
    private final ByteBuffer row;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
    private final Ndb.Key_part_ptrArray hint = Ndb.Key_part_ptrArray.create(2);
    private final Ndb.Key_part_ptr hintPart;
    private final int[] hash = new int[1];
    private final NdbIndexScanOperation.IndexBound bound = NdbIndexScanOperation.IndexBound.create();
    private final NdbScanOperation.ScanOptions scanOptions = NdbScanOperation.ScanOptions.create();
    private final int scanOptionsSize = NdbScanOperation.ScanOptions.size();
    /** The transaction of several operations; null when none is open. */
    private NdbTransaction open;
    /** Keys of its writes that have not been sent yet. */
    private final Set<ByteBuffer> unsent = new HashSet<>();

    JtieRows(Ndb ndb, JtieTable table) {
        this.ndb = ndb;
        this.table = table;
        this.key = table.shape().key().orElseThrow();
        this.columns = table.shape().columns().toArray(ColumnShape[]::new);
        this.offsets = table.offsets();
        this.mask = new byte[(columns.length + 7) / 8];
        this.keyRow = ByteBuffer.allocateDirect(key.kind().lengthBytes() + key.capacity());
        this.row = ByteBuffer.allocateDirect(table.rowBytes());
        this.hintPart = hint.at(0);
        hintPart.ptr(keyRow);
        Ndb.Key_part_ptr last = hint.at(1);
        last.ptr(null);
        last.len(0);
        bound.low_key(keyRow);
        bound.low_key_count(1);
        bound.low_inclusive(true);
        bound.high_key(null);
        bound.high_key_count(0);
        bound.high_inclusive(false);
        bound.range_no(0);
    }

    JtieTable table() {
        return table;
    }

    @Override
    public NdbTableShape shape() {
        return table.shape();
    }

    /** By the library's own function, which differs between versions and is that of the data nodes. */
    @Override
    public int partition(byte[] keyBytes) {
        hintPart.len(put(keyRow, 0, key, keyBytes));
        return Ndb.computeHash(hash, table.table(), hint, scratch, SCRATCH_BYTES) == 0
                ? table.table().getPartitionId(hash[0])
                : -1;
    }

    @Override
    public NdbFailure read(byte[] keyBytes, ColumnSet wanted, byte[][] values) {
        return read(keyBytes, COMMITTED, wanted, values);
    }

    @Override
    public NdbFailure readForUpdate(byte[] keyBytes, ColumnSet wanted, byte[][] values) {
        return read(keyBytes, EXCLUSIVE, wanted, values);
    }

    private NdbFailure read(byte[] keyBytes, int lock, ColumnSet wanted, byte[][] values) {
        // Requests that are sent together do not see each other's writes.
        NdbFailure unwritten = !unsent.isEmpty() && unsent.contains(ByteBuffer.wrap(keyBytes)) ? send() : null;
        if (unwritten != null) {
            return unwritten;
        }
        return inTransaction(keyBytes, transaction -> {
            expect(wanted);
            NdbOperationConst read = transaction.readTuple(
                    table.keyRecord(), keyRow, table.rowRecord(), row, lock, wanted.mask(), null, 0);
            NdbFailure failure = open == null ? commit(transaction, read) : send(read);
            return failure == null ? copyOut(wanted, values) : failure;
        });
    }

    /**
     * {@inheritDoc}
     *
     * <p>Without a key to begin at, a transaction begins at the nearest data node, and a <i>simple</i> read is answered by that node if it has
     * a copy, primary or not. (A committed read is, too, but only of a table with {@code READ_BACKUP}.)
     */
    @Override
    public NdbFailure readNearest(byte[] keyBytes, ColumnSet wanted, byte[][] values) {
        put(keyRow, 0, key, keyBytes);
        NdbTransaction transaction = ndb.startTransaction(null, null, 0);
        if (transaction == null) {
            return Failures.of(ndb.getNdbError(), false);
        }
        try {
            expect(wanted);
            NdbOperationConst read = transaction.readTuple(
                    table.keyRecord(), keyRow, table.rowRecord(), row, SIMPLE, wanted.mask(), null, 0);
            NdbFailure failure = commit(transaction, read);
            return failure == null ? copyOut(wanted, values) : failure;
        } finally {
            ndb.closeTransaction(transaction);
        }
    }

    @Override
    public NdbFailure begin(byte[] keyBytes) {
        open = started(keyBytes);
        return open == null ? Failures.of(ndb.getNdbError(), false) : null;
    }

    @Override
    public NdbFailure commit() {
        if (open.execute(NdbTransaction.ExecType.Commit, EACH_ITS_OWN, FORCE_SEND) == 0) {
            return null;
        }
        NdbFailure failure = ofSent(open);
        return failure.nodeFailure() ? afterNodeFailure(failure) : failure;
    }

    /** Why a request of the open transaction failed. A read of a missing row does not fail the request, a write of one does. */
    private static NdbFailure ofSent(NdbTransaction transaction) {
        NdbFailure failure = Failures.of(transaction.getNdbError(), true);
        return failure.code() == NO_SUCH_ROW ? NdbFailure.missedWrite() : failure;
    }

    @Override
    public void abort() {
        unsent.clear();
        if (open != null) {
            // What was sent of it and not committed is rolled back.
            ndb.closeTransaction(open);
            open = null;
        }
    }

    /** Sends what is defined of the open transaction. */
    private NdbFailure send() {
        unsent.clear();
        return open.execute(NdbTransaction.ExecType.NoCommit, EACH_ITS_OWN, FORCE_SEND) == 0 ? null : ofSent(open);
    }

    /** Sends a read of the open transaction, and the writes before it. */
    private NdbFailure send(NdbOperationConst read) {
        if (read == null) {
            return Failures.of(open.getNdbError(), false);
        }
        NdbFailure failure = send();
        if (failure != null) {
            return failure;
        }
        return read.getNdbError().code() == 0 ? null : Failures.of(read.getNdbError(), true);
    }

    @Override
    public NdbFailure insert(byte[] keyBytes, byte[][] values) {
        return inTransaction(
                keyBytes, transaction -> write(transaction, keyBytes, insertion(transaction, keyBytes, values)));
    }

    @Override
    public NdbFailure insertAll(List<byte[]> keys, List<byte[][]> values, NdbFailure... failures) {
        return inTransaction(keys.get(0), transaction -> {
            NdbOperationConst[] insertions = new NdbOperationConst[keys.size()];
            for (int i = 0; i < insertions.length; i++) {
                insertions[i] = insertion(transaction, keys.get(i), values.get(i));
                if (insertions[i] == null) {
                    return Failures.of(transaction.getNdbError(), false);
                }
            }
            if (transaction.execute(NdbTransaction.ExecType.Commit, IGNORE, FORCE_SEND) != 0) {
                NdbFailure failure = Failures.of(transaction.getNdbError(), true);
                return failure.nodeFailure() ? afterNodeFailure(failure) : failure;
            }
            for (int i = 0; i < insertions.length; i++) {
                NdbErrorConst error = insertions[i].getNdbError();
                failures[i] = error.code() == 0 ? null : Failures.of(error, true);
            }
            return null;
        });
    }

    /** NDB copies the row at once, so that the buffer is free for the next one. */
    private NdbOperationConst insertion(NdbTransaction transaction, byte[] keyBytes, byte[][] values) {
        copyIn(values);
        // An insert needs the key among the columns: given separately, NDB takes it for NULL (error 839).
        mask[key.number() >> 3] |= (byte) (1 << (key.number() & 7));
        put(row, offsets[key.number()], key, keyBytes);
        return transaction.insertTuple(table.rowRecord(), row, mask, null, 0);
    }

    @Override
    public NdbFailure update(byte[] keyBytes, byte[][] values) {
        return inTransaction(keyBytes, transaction -> {
            copyIn(values);
            return write(
                    transaction,
                    keyBytes,
                    transaction.updateTuple(table.keyRecord(), keyRow, table.rowRecord(), row, mask, null, 0));
        });
    }

    @Override
    public NdbFailure delete(byte[] keyBytes) {
        return inTransaction(
                keyBytes,
                transaction -> write(
                        transaction,
                        keyBytes,
                        transaction.deleteTuple(table.keyRecord(), keyRow, table.rowRecord(), null, null, null, 0)));
    }

    @Override
    public NdbFailure scan(byte[] lowest, int limit, int batch, ColumnSet wanted, List<byte[][]> rows) {
        if (table.indexRecord() == null) {
            return NdbFailure.badRequest(
                    "table " + table.name() + " has no ordered index on its primary key (created with"
                            + " USING HASH?); it cannot be scanned in key order");
        }
        return inTransaction(lowest, transaction -> {
            NdbIndexScanOperation scan = scan(
                    transaction,
                    wanted.mask(),
                    batch > 0 ? batch : batch(limit, table.shape().partitions()));
            if (scan == null) {
                return Failures.of(transaction.getNdbError(), false);
            }
            if (transaction.execute(NdbTransaction.ExecType.NoCommit, ABORT, FORCE_SEND) != 0) {
                return Failures.of(transaction.getNdbError(), true);
            }
            try {
                return fetch(transaction, scan, limit, wanted, rows);
            } finally {
                scan.close(true, true);
            }
        });
    }

    /**
     * Defines one operation of each kind in a transaction that is discarded: nothing of it reaches the cluster's data.
     *
     * @return whether that was all there is: not without an ordered index, as there is no scan then
     * @see Rehearsal
     */
    boolean rehearse() throws NdbException {
        NdbTransaction transaction = started(ANY_KEY);
        if (transaction == null) {
            throw Failures.exception("cannot begin a transaction on table " + table.name(), ndb.getNdbError());
        }
        try {
            transaction.getNdbError();
            partition(ANY_KEY);
            NdbOperationConst read =
                    transaction.readTuple(table.keyRecord(), keyRow, table.rowRecord(), row, COMMITTED, mask, null, 0);
            if (read == null) {
                throw Failures.exception("cannot read table " + table.name(), transaction.getNdbError());
            }
            read.getNdbError();
            insertion(transaction, ANY_KEY, new byte[columns.length][]);
            transaction.updateTuple(table.keyRecord(), keyRow, table.rowRecord(), row, mask, null, 0);
            transaction.deleteTuple(table.keyRecord(), keyRow, table.rowRecord(), null, null, null, 0);
            if (table.indexRecord() == null) {
                return false;
            }
            NdbIndexScanOperation scan = scan(transaction, new byte[mask.length], 1);
            if (scan == null) {
                throw Failures.exception("cannot scan table " + table.name(), transaction.getNdbError());
            }
            scan.getNdbError();
            return true;
        } finally {
            ndb.closeTransaction(transaction);
        }
    }

    void close() {
        abort();
        Ndb.Key_part_ptrArray.delete(hint);
        NdbIndexScanOperation.IndexBound.delete(bound);
        NdbScanOperation.ScanOptions.delete(scanOptions);
    }

    /**
     * Rows to ask of each partition at a time. Keys are spread by hash, so a partition has about limit / partitions of the
     * rows wanted; two standard deviations more make a second round trip rare.
     */
    static int batch(int limit, int partitions) {
        double share = (double) limit / Math.max(1, partitions);
        return (int) Math.min(limit, Math.ceil(share + 2 * Math.sqrt(share)));
    }

    private NdbIndexScanOperation scan(NdbTransaction transaction, byte[] wanted, int batch) {
        scanOptions.optionsPresent(
                NdbScanOperation.ScanOptionsConst.Type.SO_SCANFLAGS | NdbScanOperation.ScanOptionsConst.Type.SO_BATCH);
        scanOptions.scan_flags(NdbScanOperation.ScanFlag.SF_OrderBy);
        // To merge the partitions in order, NDB must have the key of each row (else error 4341).
        System.arraycopy(wanted, 0, mask, 0, mask.length);
        mask[key.number() >> 3] |= (byte) (1 << (key.number() & 7));
        scanOptions.batch(batch);
        return transaction.scanIndex(
                table.indexRecord(), table.rowRecord(), COMMITTED, mask, bound, scanOptions, scanOptionsSize);
    }

    private NdbFailure fetch(
            NdbTransaction transaction, NdbIndexScanOperation scan, int limit, ColumnSet wanted, List<byte[][]> rows) {
        for (int i = 0; i < limit; i++) {
            int result = scan.nextResultCopyOut(row, true, true);
            if (result < 0) {
                NdbFailure failure = Failures.of(scan.getNdbError(), true);
                return failure.code() != 0 ? failure : Failures.of(transaction.getNdbError(), true);
            }
            if (result > 0) {
                return null;
            }
            byte[][] values = new byte[columns.length][];
            NdbFailure failure = copyOut(wanted, values);
            if (failure != null) {
                return failure;
            }
            rows.add(values);
        }
        return null;
    }

    /** Does the work in a transaction that begins at the node of the key. */
    private NdbFailure inTransaction(byte[] keyBytes, Function<NdbTransaction, NdbFailure> work) {
        if (open != null) {
            put(keyRow, 0, key, keyBytes);
            return work.apply(open);
        }
        NdbTransaction transaction = started(keyBytes);
        if (transaction == null) {
            return Failures.of(ndb.getNdbError(), false);
        }
        try {
            return work.apply(transaction);
        } finally {
            ndb.closeTransaction(transaction);
        }
    }

    private NdbTransaction started(byte[] keyBytes) {
        int length = put(keyRow, 0, key, keyBytes);
        hintPart.len(length);
        return ndb.startTransaction(table.table(), hint, scratch, SCRATCH_BYTES);
    }

    private NdbFailure write(NdbTransaction transaction, byte[] keyBytes, NdbOperationConst operation) {
        if (open != null) {
            unsent.add(ByteBuffer.wrap(keyBytes));
            return operation == null ? Failures.of(transaction.getNdbError(), false) : null;
        }
        NdbFailure failure = commit(transaction, operation);
        return failure == null || !failure.nodeFailure() || !failure.sent() ? failure : afterNodeFailure(failure);
    }

    /**
     * A write that was aborted by a node failure was not applied: the surviving nodes say so. When no node survived, NDB's
     * client gives the same error on its own account, and the write may have been committed and be there after the
     * restart. The two are distinguished by asking whether the cluster is still there, without a key: the buffer has that of
     * the transaction's last call, and the hint the length of its first.
     */
    private NdbFailure afterNodeFailure(NdbFailure failure) {
        NdbTransaction probe = ndb.startTransaction(null, null, 0);
        if (probe != null) {
            ndb.closeTransaction(probe);
            return failure;
        }
        NdbFailure now = Failures.of(ndb.getNdbError(), false);
        return now.status() != NdbFailure.UNKNOWN_RESULT
                ? failure
                : new NdbFailure(
                        now.code(), now.status(), now.classification(), now.message() + " after " + failure, true);
    }

    private static NdbFailure commit(NdbTransaction transaction, NdbOperationConst operation) {
        if (operation == null) {
            return Failures.of(transaction.getNdbError(), false);
        }
        if (transaction.execute(NdbTransaction.ExecType.Commit, ABORT, FORCE_SEND) != 0) {
            return Failures.of(transaction.getNdbError(), true);
        }
        // A read of a missing row commits; only the operation knows.
        return operation.getNdbError().code() == 0 ? null : Failures.of(operation.getNdbError(), true);
    }

    private void copyIn(byte[][] values) {
        Arrays.fill(mask, (byte) 0);
        clearNulls();
        for (int i = 0; i < values.length; i++) {
            if (values[i] != null) {
                mask[i >> 3] |= (byte) (1 << (i & 7));
                put(row, offsets[i], columns[i], values[i]);
            }
        }
    }

    /**
     * Makes sure that what is in the row after a read has come with it: no value is so long, but in a column of 255 or 65,535 bytes, the
     * most that its length can say.
     */
    private void expect(ColumnSet wanted) {
        clearNulls();
        for (int i : wanted.numbers()) {
            row.put(offsets[i], (byte) 0xFF);
            if (columns[i].kind() == ColumnShape.Kind.LONG_VARIABLE) {
                row.put(offsets[i] + 1, (byte) 0xFF);
            }
        }
    }

    private void clearNulls() {
        for (int i = 0; i < mask.length; i++) {
            row.put(i, (byte) 0);
        }
    }

    /** Takes the values from the row, if they have come. */
    private NdbFailure copyOut(ColumnSet wanted, byte[][] values) {
        for (int i : wanted.numbers()) {
            if ((row.get(i >> 3) & (1 << (i & 7))) != 0) {
                values[i] = null;
                continue;
            }
            int offset = offsets[i];
            int length = row.get(offset) & 0xFF;
            if (columns[i].kind() == ColumnShape.Kind.LONG_VARIABLE) {
                length |= (row.get(offset + 1) & 0xFF) << 8;
            }
            if (length > columns[i].capacity()) {
                return NdbFailure.noRow();
            }
            byte[] value = new byte[length];
            row.get(offset + columns[i].kind().lengthBytes(), value, 0, length);
            values[i] = value;
        }
        return null;
    }

    /** Writes length, little-endian, and value; returns how many bytes that took. */
    private static int put(ByteBuffer buffer, int offset, ColumnShape column, byte[] value) {
        int lengthBytes = column.kind().lengthBytes();
        buffer.put(offset, (byte) value.length);
        if (lengthBytes == 2) {
            buffer.put(offset + 1, (byte) (value.length >> 8));
        }
        buffer.put(offset + lengthBytes, value, 0, value.length);
        return lengthBytes + value.length;
    }
}
