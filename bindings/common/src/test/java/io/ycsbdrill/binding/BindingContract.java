package io.ycsbdrill.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * What every binding must do, run by each of them against a real server. Rows have the fields {@code field0} to
 * {@code field9}, all of them inserted, as YCSB's core workload does. Each test removes the rows that it has made.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class BindingContract {

    /** What an engine may lack; the tests that need it are then skipped with that reason. */
    protected enum Feature {
        /** Scans, in key order. */
        SCAN,
        /** Values of any bytes, not only text. */
        BINARY_VALUES,
        /** Empty values that are told from absent ones. */
        EMPTY_VALUES,
        /** An insert of a present key is refused. */
        DUPLICATE_CHECK,
        /** Of several inserts of one key at the same time one wins; needs the check of duplicates. */
        ATOMIC_INSERT,
        /** An update or delete of an absent key is noticed. */
        MISSING_KEY_CHECK,
        /** Updates of different fields of one row do not undo each other. */
        ATOMIC_PARTIAL_UPDATE,
        /** A field that the table does not have is refused. */
        FIELD_CHECK
    }

    private static final int FIELDS = 10;

    private final Set<String> made = new TreeSet<>();
    private final List<DB> open = new ArrayList<>();
    private DB db;

    /** A fresh instance of the binding, without properties and not yet initialised. */
    protected abstract DB newDb();

    /** The properties that reach the server; called once per instance. */
    protected abstract Properties properties();

    /** What the engine lacks; nothing by default. */
    protected Set<Feature> missingFeatures() {
        return Set.of();
    }

    /** Whether rows expire with {@link BindingProperties#TIME_TO_LIVE}; a binding with which they do not refuses it. */
    protected boolean expires() {
        return false;
    }

    /** The properties with which they do, after 3 s. */
    protected Properties expiring() {
        Properties properties = properties();
        properties.setProperty(BindingProperties.TIME_TO_LIVE, "3s");
        return properties;
    }

    /** The table to use. */
    protected String table() {
        return "usertable";
    }

    /** What an insert may end with when another one of the same key, made at the same time, wins. */
    protected Set<Status> statusesOfLosers() {
        return Set.of(Statuses.DUPLICATE_KEY);
    }

    /** What a row of a batch ends with when its key is there already. */
    protected Status statusOfDuplicateInBatch() {
        return Statuses.DUPLICATE_KEY;
    }

    /** The largest value of one field that the engine takes, in bytes; up to 1 MB are tried. */
    protected int maxValueBytes() {
        return 1 << 20;
    }

    /** Keys with characters that a careless binding would not pass on unchanged. */
    protected List<String> oddKeys() {
        return List.of(
                "with space",
                "a/b",
                "a%2Fb",
                "q?x=1&y=2#z",
                "quote'\"`",
                "back\\slash",
                "per%cent_",
                "größe-日本",
                "a;--",
                "a:b+c");
    }

    @BeforeEach
    final void openDatabase() throws DBException {
        db = opened();
    }

    @AfterEach
    final void removeRowsAndClose() throws DBException {
        try {
            made.forEach(key -> db.delete(table(), key));
        } finally {
            for (DB each : open) {
                each.cleanup();
            }
        }
    }

    @Test
    void readWithNullFieldsReturnsEveryField() {
        insert("contract-all", row("v"));

        Map<String, ByteIterator> result = read("contract-all", null);

        assertThat(texts(result)).isEqualTo(row("v"));
    }

    @Test
    void rowsExpireAfterTheirLastWriteOrTheTimeToLiveIsRefused() throws Exception {
        DB expiring = newDb();
        expiring.setProperties(expiring());
        if (!expires()) {
            if (expiring instanceof ChecksProperties) {
                assertThatThrownBy(expiring::init)
                        .isInstanceOf(DBException.class)
                        .hasMessageContaining("record.ttl=3s");
            }
            return;
        }
        expiring.init();
        open.add(expiring);
        made.addAll(List.of("contract-idle", "contract-idle-of-many", "contract-busy"));
        long start = System.nanoTime();
        assertThat(expiring.insert(table(), "contract-busy", values(row("v")))).isEqualTo(Status.OK);
        assertThat(expiring.insert(table(), "contract-idle", values(row("v")))).isEqualTo(Status.OK);
        String other = "contract-idle";
        if (expiring instanceof BulkInserts bulk && bulk.rowsOfALoad() > 1) {
            other = "contract-idle-of-many";
            assertThat(bulk.insertAll(table(), List.of(new BulkInserts.Row(other, values(row("v"))))))
                    .containsExactly(Status.OK);
        }

        do {
            assertThat(expiring.update(table(), "contract-busy", values(Map.of("field1", "new"))))
                    .isEqualTo(Status.OK);
            Thread.sleep(100);
        } while (isThere(expiring, "contract-idle") || isThere(expiring, other));

        assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(2900));
        assertThat(isThere(expiring, "contract-busy")).isTrue();
        assertThat(expiring.insert(table(), "contract-idle", values(row("w")))).isEqualTo(Status.OK);
    }

    private boolean isThere(DB database, String key) {
        Status status = database.read(table(), key, null, new HashMap<>());
        assertThat(status).isIn(Status.OK, Status.NOT_FOUND);
        return status.isOk();
    }

    @Test
    void readWithFieldsReturnsJustThose() {
        insert("contract-some", row("v"));

        Map<String, ByteIterator> result = read("contract-some", Set.of("field2", "field7"));

        assertThat(texts(result)).isEqualTo(Map.of("field2", "v2", "field7", "v7"));
    }

    @Test
    void readOfAMissingKeyIsNotFoundAndFillsNothing() {
        Map<String, ByteIterator> result = new HashMap<>();

        assertThat(db.read(table(), "contract-none", null, result)).isEqualTo(Status.NOT_FOUND);
        assertThat(result).isEmpty();
    }

    @Test
    void updateOfAMissingKeyIsNotFoundAndMakesNoRow() {
        assumeHas(Feature.MISSING_KEY_CHECK);
        made.add("contract-none");

        assertThat(db.update(table(), "contract-none", values(row("v")))).isEqualTo(Status.NOT_FOUND);
        assertThat(db.read(table(), "contract-none", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    }

    @Test
    void deleteOfAMissingKeyIsNotFound() {
        assumeHas(Feature.MISSING_KEY_CHECK);

        assertThat(db.delete(table(), "contract-none")).isEqualTo(Status.NOT_FOUND);
    }

    @Test
    void deletedRowIsGoneAndCanBeInsertedAgain() {
        insert("contract-delete", row("v"));

        assertThat(db.delete(table(), "contract-delete")).isEqualTo(Status.OK);
        assertThat(db.read(table(), "contract-delete", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);

        insert("contract-delete", row("w"));
        assertThat(texts(read("contract-delete", null))).isEqualTo(row("w"));
    }

    @Test
    void insertOfAPresentKeyIsRefusedAndKeepsTheOldRow() {
        assumeHas(Feature.DUPLICATE_CHECK);
        insert("contract-duplicate", row("old"));

        assertThat(db.insert(table(), "contract-duplicate", values(row("new")))).isEqualTo(Statuses.DUPLICATE_KEY);
        assertThat(texts(read("contract-duplicate", null))).isEqualTo(row("old"));
    }

    @Test
    void rowsInsertedTogetherAreEachOnItsOwn() {
        assumeTrue(db instanceof BulkInserts, "the binding inserts row by row");
        insert("contract-bulk7", row("old"));
        List<BulkInserts.Row> rows = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            made.add("contract-bulk" + i);
            rows.add(new BulkInserts.Row("contract-bulk" + i, values(row("v" + i + "-"))));
        }

        List<Status> statuses = ((BulkInserts) db).insertAll(table(), rows);

        assertThat(statuses).hasSize(100);
        for (int i = 0; i < 100; i++) {
            assertThat(statuses.get(i)).as("row %d", i).isEqualTo(i == 7 ? statusOfDuplicateInBatch() : Status.OK);
            assertThat(texts(read("contract-bulk" + i, null))).isEqualTo(row(i == 7 ? "old" : "v" + i + "-"));
        }
    }

    @Test
    void oneRowOfABatchThatMakesNoSenseLeavesTheOthersAlone() {
        assumeTrue(db instanceof BulkInserts, "the binding inserts row by row");
        assumeHas(Feature.FIELD_CHECK);
        Map<String, String> wrong = new HashMap<>(row("w"));
        wrong.put("nosuchfield", "x");
        List<BulkInserts.Row> rows = new ArrayList<>();
        for (String key : List.of("contract-sense1", "contract-sense2", "contract-sense3")) {
            made.add(key);
            rows.add(new BulkInserts.Row(key, values(key.endsWith("2") ? wrong : row("v"))));
        }

        List<Status> statuses = ((BulkInserts) db).insertAll(table(), rows);

        assertThat(statuses).containsExactly(Status.OK, Status.BAD_REQUEST, Status.OK);
        assertThat(db.read(table(), "contract-sense2", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
        assertThat(texts(read("contract-sense3", null))).isEqualTo(row("v"));
    }

    @Test
    void updateOfSomeFieldsKeepsTheOthers() {
        insert("contract-update", row("old"));

        assertThat(db.update(table(), "contract-update", values(Map.of("field3", "new"))))
                .isEqualTo(Status.OK);

        Map<String, String> expected = new HashMap<>(row("old"));
        expected.put("field3", "new");
        assertThat(texts(read("contract-update", null))).isEqualTo(expected);
    }

    @Test
    void updateWithTheSameValuesIsOk() {
        insert("contract-same", row("v"));

        assertThat(db.update(table(), "contract-same", values(row("v")))).isEqualTo(Status.OK);
    }

    @Test
    void emptyValueStaysEmpty() {
        assumeHas(Feature.EMPTY_VALUES);
        Map<String, String> row = new HashMap<>(row("v"));
        row.put("field0", "");
        insert("contract-empty", row);

        assertThat(texts(read("contract-empty", null))).isEqualTo(row);
    }

    @Test
    void largeValueIsUnchanged() {
        String large = "0123456789abcdef".repeat(Math.min(maxValueBytes(), 1 << 20) / 16);
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < FIELDS; i++) {
            row.put("field" + i, i == 0 ? large : "s" + i);
        }
        insert("contract-large", row);

        assertThat(texts(read("contract-large", null))).isEqualTo(row);
    }

    @Test
    void everyByteValueIsUnchanged() {
        assumeHas(Feature.BINARY_VALUES);
        byte[] everyByte = new byte[256];
        for (int i = 0; i < everyByte.length; i++) {
            everyByte[i] = (byte) i;
        }
        Map<String, ByteIterator> row = values(row("v"));
        row.put("field0", new ByteArrayByteIterator(everyByte));
        made.add("contract-bytes");
        assertThat(db.insert(table(), "contract-bytes", row)).isEqualTo(Status.OK);
        assertThat(read("contract-bytes", Set.of("field0")).get("field0").toArray())
                .isEqualTo(everyByte);

        byte[] reversed = new byte[256];
        for (int i = 0; i < reversed.length; i++) {
            reversed[i] = (byte) (255 - i);
        }
        Map<String, ByteIterator> change = new HashMap<>(Map.of("field0", new ByteArrayByteIterator(reversed)));
        assertThat(db.update(table(), "contract-bytes", change)).isEqualTo(Status.OK);
        assertThat(read("contract-bytes", Set.of("field0")).get("field0").toArray())
                .isEqualTo(reversed);
    }

    @Test
    void oddKeysAreDistinctRows() {
        List<String> keys = oddKeys();
        for (String key : keys) {
            insert(key, row(key));
        }
        for (String key : keys) {
            assertThat(texts(read(key, null))).as("row of key <%s>", key).isEqualTo(row(key));
        }
        for (String key : keys) {
            assertThat(db.delete(table(), key)).as("delete of key <%s>", key).isEqualTo(Status.OK);
        }
    }

    @Test
    void unknownTableIsADefiniteFailure() {
        String absent = "no_such_table";
        Map<String, String> row = row("v");

        Status read = db.read(absent, "contract-k", null, new HashMap<>());
        Status insert = db.insert(absent, "contract-k", values(row));
        Status update = db.update(absent, "contract-k", values(row));
        Status delete = db.delete(absent, "contract-k");

        assertThat(Outcome.of(read, false)).isEqualTo(Outcome.FAILED);
        assertThat(List.of(insert, update, delete))
                .allSatisfy(status -> assertThat(Outcome.of(status, true)).isEqualTo(Outcome.FAILED));
        assertThat(List.of(read, insert, update, delete)).doesNotContain(Status.NOT_FOUND, Status.OK);
    }

    @Test
    void closingTwiceIsHarmlessAndLeavesOthersOpen() throws DBException {
        DB other = opened();
        other.cleanup();

        assertThatCode(other::cleanup).doesNotThrowAnyException();

        insert("contract-close", row("v"));
    }

    @Test
    void bindingCanBeOpenedAgainAfterAllInstancesWereClosed() throws DBException {
        insert("contract-again", row("v"));
        db.cleanup();

        db = opened();

        assertThat(texts(read("contract-again", null))).isEqualTo(row("v"));
    }

    @Test
    void oneOfManyInsertsOfTheSameKeyWins() throws Exception {
        assumeHas(Feature.DUPLICATE_CHECK);
        assumeHas(Feature.ATOMIC_INSERT);
        made.add("contract-race");

        List<Status> statuses = together(
                6, (thread, own) -> own.insert(table(), "contract-race", values(row("thread" + thread + "-"))));

        assertThat(statuses).containsOnlyOnce(Status.OK);
        assertThat(statuses.stream().filter(statusesOfLosers()::contains)).hasSize(5);
        int winner = statuses.indexOf(Status.OK);
        assertThat(texts(read("contract-race", null))).isEqualTo(row("thread" + winner + "-"));
    }

    @Test
    void updatesOfDifferentFieldsOfOneRowAreNotLost() throws Exception {
        assumeHas(Feature.ATOMIC_PARTIAL_UPDATE);
        insert("contract-partial", row("start"));

        List<String> lastAcknowledged = together(8, (thread, own) -> {
            String last = "start" + thread;
            for (int i = 0; i < 40; i++) {
                String next = "t" + thread + "-" + i;
                if (own.update(table(), "contract-partial", values(Map.of("field" + thread, next)))
                        .isOk()) {
                    last = next;
                }
            }
            return last;
        });

        Map<String, String> row = texts(read("contract-partial", null));
        for (int thread = 0; thread < lastAcknowledged.size(); thread++) {
            assertThat(lastAcknowledged.get(thread)).isNotEqualTo("start" + thread);
            assertThat(row).containsEntry("field" + thread, lastAcknowledged.get(thread));
        }
    }

    @Test
    void threadsWithTheirOwnInstancesSeeEachOthersRows() throws Exception {
        List<List<String>> keys = together(6, (thread, own) -> {
            List<String> mine = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String key = "contract-t" + thread + "-" + i;
                assertThat(own.insert(table(), key, values(row(key)))).isEqualTo(Status.OK);
                mine.add(key);
            }
            return mine;
        });
        keys.forEach(made::addAll);

        for (String key : made) {
            assertThat(texts(read(key, null))).isEqualTo(row(key));
        }
    }

    @Test
    void scanReturnsRowsInKeyOrderFromTheStartKeyOn() {
        assumeHas(Feature.SCAN);
        insertScanRows();

        assertThat(scan("zzscan03", 4, null)).containsExactly("zzscan03-", "zzscan04-", "zzscan05-", "zzscan06-");
    }

    @Test
    void scanFromAnAbsentKeyBeginsWithTheNextOne() {
        assumeHas(Feature.SCAN);
        insertScanRows();

        assertThat(scan("zzscan03x", 2, null)).containsExactly("zzscan04-", "zzscan05-");
    }

    @Test
    void scanBeyondTheLastRowReturnsWhatThereIs() {
        assumeHas(Feature.SCAN);
        insertScanRows();

        assertThat(scan("zzscan18", 10, null)).containsExactly("zzscan18-", "zzscan19-");
        assertThat(scan("zzscan99", 10, null)).isEmpty();
    }

    @Test
    void scanWithFieldsReturnsJustThose() {
        assumeHas(Feature.SCAN);
        insertScanRows();
        Vector<HashMap<String, ByteIterator>> rows = new Vector<>();

        assertThat(db.scan(table(), "zzscan07", 2, Set.of("field1", "field4"), rows))
                .isEqualTo(Status.OK);

        assertThat(rows.stream().map(BindingContract::texts))
                .containsExactly(
                        Map.of("field1", "zzscan07-1", "field4", "zzscan07-4"),
                        Map.of("field1", "zzscan08-1", "field4", "zzscan08-4"));
    }

    @Test
    void scanDoesNotSeeDeletedRowsAndSeesUpdatedOnes() {
        assumeHas(Feature.SCAN);
        insertScanRows();
        assertThat(db.delete(table(), "zzscan05")).isEqualTo(Status.OK);
        assertThat(db.update(table(), "zzscan06", values(row("changed")))).isEqualTo(Status.OK);

        assertThat(scan("zzscan04", 3, null)).containsExactly("zzscan04-", "changed", "zzscan07-");
    }

    private void insertScanRows() {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            order.add((i * 7) % 20);
        }
        for (int i : order) {
            String key = String.format("zzscan%02d", i);
            insert(key, row(key + "-"));
        }
    }

    /** The rows' field0 without its final digit. */
    private List<String> scan(String start, int limit, Set<String> fields) {
        Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
        assertThat(db.scan(table(), start, limit, fields, rows)).isEqualTo(Status.OK);
        return rows.stream()
                .map(BindingContract::texts)
                .peek(row -> assertThat(row).hasSize(FIELDS))
                .map(row -> row.get("field0"))
                .map(text -> text.substring(0, text.length() - 1))
                .toList();
    }

    private void insert(String key, Map<String, String> row) {
        made.add(key);
        assertThat(db.insert(table(), key, values(row)))
                .as("insert of key <%s>", key)
                .isEqualTo(Status.OK);
    }

    private Map<String, ByteIterator> read(String key, Set<String> fields) {
        Map<String, ByteIterator> result = new HashMap<>();
        assertThat(db.read(table(), key, fields, result))
                .as("read of key <%s>", key)
                .isEqualTo(Status.OK);
        return result;
    }

    private void assumeHas(Feature feature) {
        assumeTrue(!missingFeatures().contains(feature), "the engine does not have " + feature);
    }

    private DB opened() throws DBException {
        DB opened = newDb();
        opened.setProperties(properties());
        opened.init();
        open.add(opened);
        return opened;
    }

    private interface Work<T> {
        T run(int thread, DB own) throws Exception;
    }

    /** Runs the work on that many threads at the same time, each with an instance of its own, opened on that thread. */
    private <T> List<T> together(int threads, Work<T> work) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CyclicBarrier start = new CyclicBarrier(threads);
            List<Callable<T>> tasks = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                tasks.add(() -> {
                    DB own = newDb();
                    own.setProperties(properties());
                    own.init();
                    try {
                        start.await(60, TimeUnit.SECONDS);
                        return work.run(thread, own);
                    } finally {
                        own.cleanup();
                    }
                });
            }
            List<T> results = new ArrayList<>();
            for (Future<T> result : executor.invokeAll(tasks)) {
                results.add(result.get());
            }
            return results;
        } finally {
            executor.shutdownNow();
        }
    }

    private static Map<String, String> row(String prefix) {
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < FIELDS; i++) {
            row.put("field" + i, prefix + i);
        }
        return row;
    }

    private static Map<String, ByteIterator> values(Map<String, String> row) {
        Map<String, ByteIterator> values = new HashMap<>();
        row.forEach((name, text) -> values.put(name, new ByteArrayByteIterator(text.getBytes(StandardCharsets.UTF_8))));
        return values;
    }

    private static Map<String, String> texts(Map<String, ByteIterator> values) {
        Map<String, String> texts = new HashMap<>();
        values.forEach((name, value) -> texts.put(name, new String(value.toArray(), StandardCharsets.UTF_8)));
        return texts;
    }
}
