package io.ycsbdrill.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * What every binding with {@link Transactions} must do, run by each of them against a real server. Rows have the fields {@code field0} to
 * {@code field9}. Each instance is used by one thread. Each test removes the rows that it has made. What becomes of a commit whose answer is lost depends on how answers get
 * lost, and is for each binding to test.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class TransactionsContract {
    /** Why a transaction may have lost against another one. */
    private static final Set<Status> LOST =
            Set.of(Statuses.DEADLOCK, Statuses.LOCK_TIMEOUT, Statuses.CONFLICT, Statuses.TEMPORARY);

    private static final List<String> KEYS = List.of("tx-a", "tx-b", "tx-c", "tx-d");
    private static final String A = KEYS.get(0);
    private static final String B = KEYS.get(1);
    private static final String C = KEYS.get(2);
    private static final String NEW = KEYS.get(3);
    /** For another transaction to get as far as it can before this one ends. */
    private static final long HEAD_START_MILLIS = 300;

    private final Set<String> made = new TreeSet<>(KEYS);
    private final List<DB> open = new ArrayList<>();
    private final ExecutorService others = Executors.newCachedThreadPool();
    private DB db;
    private Transactions transactions;
    /** Outside of the transaction under test; used on a thread of its own, as each instance is. */
    private DB outside;

    private final ExecutorService outsideThread = Executors.newSingleThreadExecutor();

    /** A fresh instance of the binding, without properties and not yet initialised; it is a {@link Transactions}. */
    protected abstract DB newDb();

    /** The properties that reach the server; called once per instance, so that instances may be on different nodes. */
    protected abstract Properties properties();

    /** The table to use. */
    protected String table() {
        return "usertable";
    }

    /** Whether a field that the table does not have is refused. */
    protected boolean checksFields() {
        return true;
    }

    @BeforeEach
    final void openAndFill() throws DBException {
        db = opened();
        transactions = (Transactions) db;
        outside = opened();
        for (String key : made) {
            elsewhere(() -> outside.delete(table(), key));
        }
        for (String key : List.of(A, B, C)) {
            assertThat(elsewhere(() -> outside.insert(table(), key, row("0")))).isEqualTo(Status.OK);
        }
    }

    @AfterEach
    final void removeRowsAndClose() throws DBException {
        others.shutdownNow();
        transactions.abort();
        try {
            for (String key : made) {
                elsewhere(() -> outside.delete(table(), key));
            }
        } finally {
            outsideThread.shutdownNow();
            for (DB each : open) {
                each.cleanup();
            }
        }
    }

    @Test
    void nothingIsThereBeforeTheCommitAndAllAfterIt() {
        begin(A);
        assertThat(readForUpdate(A)).isEqualTo("0");
        assertThat(update(A, "1")).isEqualTo(Status.OK);
        assertThat(insert(NEW, "1")).isEqualTo(Status.OK);
        assertThat(db.delete(table(), C)).isEqualTo(Status.OK);
        assertThat(outsideRows()).isEqualTo(Map.of(A, "0", B, "0", C, "0"));

        assertThat(transactions.commit()).isEqualTo(Status.OK);

        assertThat(outsideRows()).isEqualTo(Map.of(A, "1", B, "0", NEW, "1"));
    }

    @Test
    void aTransactionOfManyRowsIsWhole() {
        List<String> keys = new ArrayList<>();
        begin(A);
        for (int i = 0; i < 40; i++) {
            String key = "tx-many" + i;
            keys.add(key);
            assertThat(insert(key, "n" + i)).isEqualTo(Status.OK);
        }
        made.addAll(keys);
        assertThat(transactions.commit()).isEqualTo(Status.OK);

        for (int i = 0; i < keys.size(); i++) {
            assertThat(outsideRow(keys.get(i))).isEqualTo("n" + i);
        }
    }

    @Test
    void aTransactionSeesWhatItHasWritten() {
        begin(A);
        assertThat(update(A, "1")).isEqualTo(Status.OK);
        assertThat(insert(NEW, "1")).isEqualTo(Status.OK);
        assertThat(db.delete(table(), C)).isEqualTo(Status.OK);

        assertThat(read(A)).isEqualTo("1");
        assertThat(readForUpdate(A)).isEqualTo("1");
        assertThat(read(NEW)).isEqualTo("1");
        assertThat(read(C)).isNull();
        assertThat(readForUpdate(C)).isNull();
        assertThat(transactions.commit()).isEqualTo(Status.OK);
    }

    @Test
    void callsOnOneRowFollowEachOther() {
        begin(A);
        assertThat(readForUpdate(A)).isEqualTo("0");
        assertThat(db.delete(table(), A)).isEqualTo(Status.OK);
        assertThat(readForUpdate(B)).isEqualTo("0");
        assertThat(update(B, "1")).isEqualTo(Status.OK);
        assertThat(read(B)).isEqualTo("1");
        assertThat(update(B, "2")).isEqualTo(Status.OK);
        assertThat(readForUpdate(C)).isEqualTo("0");
        assertThat(update(C, "1")).isEqualTo(Status.OK);
        assertThat(readForUpdate(C)).isEqualTo("1");
        assertThat(db.delete(table(), C)).isEqualTo(Status.OK);
        assertThat(readForUpdate(NEW)).isNull();
        assertThat(insert(NEW, "1")).isEqualTo(Status.OK);
        assertThat(update(NEW, "2")).isEqualTo(Status.OK);
        assertThat(read(A)).isNull();
        assertThat(read(C)).isNull();

        assertThat(transactions.commit()).isEqualTo(Status.OK);

        assertThat(outsideRows()).isEqualTo(Map.of(B, "2", NEW, "2"));
    }

    @Test
    void anAbortLeavesNothingAndTheNextTransactionWorks() {
        begin(A);
        assertThat(readForUpdate(A)).isEqualTo("0");
        assertThat(update(A, "1")).isEqualTo(Status.OK);
        assertThat(insert(NEW, "1")).isEqualTo(Status.OK);
        assertThat(db.delete(table(), C)).isEqualTo(Status.OK);
        transactions.abort();

        assertThat(outsideRows()).isEqualTo(Map.of(A, "0", B, "0", C, "0"));
        assertThat(updateOutside(A, "free")).as("no lock is left").isEqualTo(Status.OK);
        assertUsable();
    }

    @Test
    void operationsBetweenTransactionsTakeEffectByThemselves() {
        begin(A);
        assertThat(update(A, "1")).isEqualTo(Status.OK);
        transactions.abort();

        assertThat(update(B, "alone")).isEqualTo(Status.OK);
        assertThat(outsideRow(B)).isEqualTo("alone");
        assertThat(insert(NEW, "alone")).isEqualTo(Status.OK);
        assertThat(outsideRow(NEW)).isEqualTo("alone");
        assertThat(db.delete(table(), C)).isEqualTo(Status.OK);
        assertThat(outsideRow(C)).isNull();
    }

    @Test
    void aMissingRowDoesNotEndTheTransaction() {
        begin(NEW);
        assertThat(read(NEW)).isNull();
        assertThat(readForUpdate(NEW)).isNull();
        assertThat(insert(NEW, "1")).isEqualTo(Status.OK);
        assertThat(update(A, "1")).isEqualTo(Status.OK);

        assertThat(transactions.commit()).isEqualTo(Status.OK);

        assertThat(outsideRows()).isEqualTo(Map.of(A, "1", B, "0", C, "0", NEW, "1"));
    }

    /** Reported at once, the transaction goes on; reported later, it is over. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWriteToAMissingRowIsReportedAtOnceOrEndsTheTransaction(boolean delete) {
        begin(A);
        assertThat(update(A, "1")).isEqualTo(Status.OK);
        Status missing = delete ? db.delete(table(), NEW) : update(NEW, "1");
        assertThat(missing).isIn(Status.NOT_FOUND, Status.OK);
        Map<String, ByteIterator> values = new HashMap<>();
        Status next = db.read(table(), B, null, values);
        if (missing.equals(Status.NOT_FOUND)) {
            assertThat(next).isEqualTo(Status.OK);
            assertThat(transactions.commit()).isEqualTo(Status.OK);
            assertThat(outsideRow(A)).isEqualTo("1");
        } else {
            assertThat(next).as("not that of the row that is read").isNotEqualTo(Status.NOT_FOUND);
            transactions.abort();
            assertThat(outsideRow(A)).isEqualTo("0");
        }
        assertThat(outsideRow(NEW)).isNull();
        assertUsable();
    }

    @Test
    void aWriteThatFailsEndsTheTransactionAndNothingIsApplied() {
        begin(A);
        assertThat(update(A, "1")).isEqualTo(Status.OK);
        Status status = insert(B, "1");
        if (status.isOk()) {
            status = transactions.commit();
        }

        assertThat(status).isEqualTo(Statuses.DUPLICATE_KEY);
        transactions.abort();
        assertThat(outsideRows()).isEqualTo(Map.of(A, "0", B, "0", C, "0"));
        assertUsable();
    }

    @Test
    void afterAFailureThereIsNothingToCommit() {
        begin(A);
        assertThat(update(A, "1")).isEqualTo(Status.OK);
        Status failed = db.read("no_such_table", A, null, new HashMap<>());
        assertThat(Outcome.of(failed, true)).as("%s", failed).isEqualTo(Outcome.FAILED);

        Status commit = transactions.commit();

        assertThat(Outcome.of(commit, true)).as("%s", commit).isEqualTo(Outcome.FAILED);
        assertThat(outsideRow(A)).isEqualTo("0");
        assertUsable();
    }

    @Test
    void aRequestThatMakesNoSenseEndsTheTransaction() {
        assumeTrue(checksFields(), "the engine takes any field");
        begin(A);
        assertThat(update(A, "1")).isEqualTo(Status.OK);
        Map<String, ByteIterator> wrong = new HashMap<>();
        wrong.put("nosuchfield", new ByteArrayByteIterator(new byte[] {'x'}));
        assertThat(db.update(table(), B, wrong)).isEqualTo(Status.BAD_REQUEST);

        Status commit = transactions.commit();

        assertThat(Outcome.of(commit, true)).as("%s", commit).isEqualTo(Outcome.FAILED);
        assertThat(outsideRow(A)).isEqualTo("0");
        assertUsable();
    }

    @Test
    void callsOutOfOrderAreRefused() {
        assertThat(Outcome.of(transactions.commit(), true)).isEqualTo(Outcome.FAILED);
        assertThat(transactions.readForUpdate(table(), A, null, new HashMap<>()))
                .as("nothing would hold the row")
                .isEqualTo(Statuses.FAILED);
        assertThatCode(transactions::abort).doesNotThrowAnyException();

        begin(A);
        assertThat(update(A, "1")).isEqualTo(Status.OK);
        assertThatThrownBy(() -> transactions.begin(table(), B)).isInstanceOf(IllegalStateException.class);
        assertThat(transactions.commit()).as("the open one is as it was").isEqualTo(Status.OK);

        assertThat(Outcome.of(transactions.commit(), true))
                .as("a second commit")
                .isEqualTo(Outcome.FAILED);
        transactions.abort();
        transactions.abort();
        assertThat(outsideRow(A)).isEqualTo("1");
        assertUsable();
    }

    @Test
    void anEmptyTransactionCanBeCommitted() {
        begin(A);
        assertThat(transactions.commit()).isEqualTo(Status.OK);
        begin(A);
        assertThat(read(A)).isEqualTo("0");
        assertThat(transactions.commit()).isEqualTo(Status.OK);
    }

    @Test
    void closingRollsBackWhatIsOpen() throws DBException {
        begin(A);
        assertThat(readForUpdate(A)).isEqualTo("0");
        assertThat(update(A, "1")).isEqualTo(Status.OK);
        db.cleanup();

        assertThat(updateOutside(B, "2")).isEqualTo(Status.OK);
        assertThat(updateOutside(A, "2")).as("no lock is left").isEqualTo(Status.OK);
        assertThat(outsideRows()).isEqualTo(Map.of(A, "2", B, "2", C, "0"));
    }

    @Test
    void aPlainReadHoldsOffNoOne() {
        begin(A);
        assertThat(read(A)).isEqualTo("0");

        assertThat(updateOutside(A, "other")).isEqualTo(Status.OK);

        transactions.abort();
        assertThat(outsideRow(A)).isEqualTo("other");
    }

    /** The second one waits, or one of the two is aborted; never is the value of one written over by the other's. */
    @Test
    void ofTwoTransactionsOnOneRowNeitherIsLost() throws Exception {
        begin(A);
        assertThat(readForUpdate(A)).isEqualTo("0");
        Future<Status> second = outsideThread.submit(() -> increment((Transactions) outside, outside, A));
        waitFor(second);

        Status first = update(A, "1");
        if (first.isOk()) {
            first = transactions.commit();
        }

        List<Status> both = List.of(first, second.get(60, TimeUnit.SECONDS));
        assertThat(both).allSatisfy(status -> assertThat(status).isIn(withOk()));
        long applied = both.stream().filter(Status::isOk).count();
        assertThat(applied).isPositive();
        assertThat(outsideRow(A)).isEqualTo(String.valueOf(applied));
        assertUsable();
    }

    @Test
    void countersAreRightWhateverMeetsAndNothingIsUnknown() throws Exception {
        int threads = 4;
        int wanted = 10;
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Future<Map<Status, Integer>>> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            DB own = opened();
            running.add(others.submit(() -> {
                Map<Status, Integer> counts = new HashMap<>();
                start.await(60, TimeUnit.SECONDS);
                while (counts.getOrDefault(Status.OK, 0) < wanted) {
                    counts.merge(increment((Transactions) own, own, A), 1, Integer::sum);
                }
                return counts;
            }));
        }

        Map<Status, Integer> all = new HashMap<>();
        for (Future<Map<Status, Integer>> counts : running) {
            counts.get(100, TimeUnit.SECONDS).forEach((status, count) -> all.merge(status, count, Integer::sum));
        }

        assertThat(all.keySet()).allSatisfy(status -> assertThat(status).isIn(withOk()));
        assertThat(outsideRow(A)).isEqualTo(String.valueOf(threads * wanted));
    }

    /** Each has a row and wants the other's. */
    @Test
    void ofTwoTransactionsThatWaitForEachOtherOneGivesWay() throws Exception {
        CompletableFuture<Void> held = new CompletableFuture<>();
        begin(A);
        assertThat(readForUpdate(A)).isEqualTo("0");
        assertThat(update(A, "first")).isEqualTo(Status.OK);
        Future<Status> second = outsideThread.submit(() -> {
            Transactions own = (Transactions) outside;
            assertThat(own.begin(table(), B)).isEqualTo(Status.OK);
            Status status = own.readForUpdate(table(), B, null, new HashMap<>());
            held.complete(null);
            for (String key : List.of(B, A)) {
                status = status.isOk() ? outside.update(table(), key, row("second")) : status;
            }
            return ended(own, status);
        });
        held.get(60, TimeUnit.SECONDS);
        waitFor(second);

        Status status = transactions.readForUpdate(table(), B, null, new HashMap<>());
        status = ended(transactions, status.isOk() ? update(B, "first") : status);
        Status other = second.get(60, TimeUnit.SECONDS);

        assertThat(List.of(status, other)).allSatisfy(each -> assertThat(each).isIn(withOk()));
        String expected = other.isOk() && !status.isOk() ? "second" : status.isOk() && !other.isOk() ? "first" : "";
        if (!expected.isEmpty()) {
            assertThat(outsideRows()).isEqualTo(Map.of(A, expected, B, expected, C, "0"));
        } else {
            assertThat(outsideRow(A)).as("all of one, or nothing").isEqualTo(outsideRow(B));
        }
        assertUsable();
    }

    private Status increment(Transactions own, DB binding, String key) {
        assertThat(own.begin(table(), key)).isEqualTo(Status.OK);
        Map<String, ByteIterator> values = new HashMap<>();
        Status status = own.readForUpdate(table(), key, null, values);
        if (status.isOk()) {
            int next = Integer.parseInt(text(values)) + 1;
            status = binding.update(table(), key, row(String.valueOf(next)));
        }
        return ended(own, status);
    }

    private static Status ended(Transactions own, Status soFar) {
        if (soFar.isOk()) {
            return own.commit();
        }
        own.abort();
        return soFar;
    }

    private static void waitFor(Future<?> other) throws Exception {
        try {
            other.get(HEAD_START_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // It waits for this transaction, as it may.
        }
    }

    private static Set<Status> withOk() {
        Set<Status> statuses = new HashSet<>(LOST);
        statuses.add(Status.OK);
        return statuses;
    }

    /** Whatever happened before: no transaction is open, and a new one can be made. */
    private void assertUsable() {
        begin(B);
        assertThat(readForUpdate(B)).isNotNull();
        assertThat(update(B, "usable")).isEqualTo(Status.OK);
        assertThat(transactions.commit()).isEqualTo(Status.OK);
        assertThat(outsideRow(B)).isEqualTo("usable");
    }

    private void begin(String key) {
        assertThat(transactions.begin(table(), key)).isEqualTo(Status.OK);
    }

    /** field0 of the row; null when there is none. */
    private String read(String key) {
        Map<String, ByteIterator> values = new HashMap<>();
        return found(db.read(table(), key, null, values), values);
    }

    private String readForUpdate(String key) {
        Map<String, ByteIterator> values = new HashMap<>();
        return found(transactions.readForUpdate(table(), key, Set.of("field0"), values), values);
    }

    private String outsideRow(String key) {
        Map<String, ByteIterator> values = new HashMap<>();
        return found(elsewhere(() -> outside.read(table(), key, null, values)), values);
    }

    private Status updateOutside(String key, String value) {
        return elsewhere(() -> outside.update(table(), key, row(value)));
    }

    private Status elsewhere(Callable<Status> operation) {
        try {
            return outsideThread.submit(operation).get(60, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private Map<String, String> outsideRows() {
        Map<String, String> rows = new HashMap<>();
        for (String key : KEYS) {
            String value = outsideRow(key);
            if (value != null) {
                rows.put(key, value);
            }
        }
        return rows;
    }

    private static String found(Status status, Map<String, ByteIterator> values) {
        assertThat(status).isIn(Status.OK, Status.NOT_FOUND);
        assertThat(values.isEmpty()).isEqualTo(!status.isOk());
        return status.isOk() ? text(values) : null;
    }

    private static String text(Map<String, ByteIterator> values) {
        return new String(values.get("field0").toArray(), StandardCharsets.UTF_8);
    }

    private Status update(String key, String value) {
        return db.update(table(), key, row(value));
    }

    private Status insert(String key, String value) {
        return db.insert(table(), key, row(value));
    }

    private static Map<String, ByteIterator> row(String value) {
        Map<String, ByteIterator> row = new HashMap<>();
        for (int i = 0; i < 10; i++) {
            row.put(
                    "field" + i,
                    new ByteArrayByteIterator((i == 0 ? value : "x" + i).getBytes(StandardCharsets.UTF_8)));
        }
        return row;
    }

    private DB opened() throws DBException {
        DB opened = newDb();
        opened.setProperties(properties());
        opened.init();
        open.add(opened);
        return opened;
    }
}
