package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.StockWorkload;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Tables of all sorts, made by the binding or there before it, and whole workloads on them. */
@Tag("engine")
@ExtendWith(RealCluster.class)
class NdbTablesIT {
    private static RealCluster.Running running;

    @BeforeAll
    static void up(RealCluster.Running cluster) {
        running = cluster;
    }

    @ParameterizedTest
    @CsvSource({"10,100", "10,400", "10,1600", "1,4096", "1,16384"})
    void rowsOfOneFourAndSixteenKilobytesAreUnchanged(int count, int length) throws DBException {
        Properties properties = running.properties("rows_" + count + "_" + length);
        properties.setProperty("fieldcount", "" + count);
        properties.setProperty("fieldlength", "" + length);

        keepsRows(properties, count, length);
    }

    @ParameterizedTest
    @CsvSource({"10,400", "1,16384"})
    void tablesOnDiskKeepTheirRows(int count, int length) throws Exception {
        Properties properties = onDisk("disk_" + count, count, length);

        keepsRows(properties, count, length);

        assertThat(sql("SHOW CREATE TABLE ycsb.disk_" + count)).contains("STORAGE DISK");
    }

    @Test
    void rowsThatNdbCannotKeepOnDiskAreRefusedBeforeTheRun() {
        Properties properties = onDisk("disk_wide", 10, 1600);

        assertThatThrownBy(() -> opened(properties))
                .hasMessageContaining(
                        "fieldcount=10 fields of fieldlength=1600 bytes do not fit with ndb.storage=disk");
    }

    private static Properties onDisk(String table, int count, int length) {
        Properties properties = running.properties(table);
        properties.setProperty("ndb.storage", "disk");
        properties.setProperty("ndb.tablespace.megabytes", "32");
        properties.setProperty("ndb.undo.megabytes", "16");
        properties.setProperty("fieldcount", "" + count);
        properties.setProperty("fieldlength", "" + length);
        return properties;
    }

    @Test
    void tableMadeThroughAnSqlNodeIsSeenBySql() throws Exception {
        Properties properties = running.properties("seen");
        NdbBinding db = opened(properties);
        try {
            assertThat(db.insert("seen", "k", row(10, 100, 1))).isEqualTo(Status.OK);
        } finally {
            db.cleanup();
        }

        assertThat(sql("SELECT COUNT(*) FROM ycsb.seen WHERE YCSB_KEY='k'")).isEqualTo("1");
    }

    @Test
    void tableIsMadeThroughTheDictionaryWithoutAnSqlNode() throws DBException {
        Properties properties = running.properties("dictionary");
        properties.remove("ndb.sql");
        properties.remove("ndb.sql.user");

        keepsRows(properties, 10, 100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"latin1 COLLATE latin1_bin", "utf8mb4 COLLATE utf8mb4_bin", "utf8mb3 COLLATE utf8mb3_unicode_ci"
            })
    void bytesSurviveInTextColumns(String charset) throws Exception {
        String table = "text_" + charset.split(" ")[0];
        sql("CREATE TABLE ycsb." + table + " (id VARCHAR(60) PRIMARY KEY, extra INT, Field1 VARCHAR(300), FIELD0"
                + " VARCHAR(100)) CHARACTER SET " + charset + " ENGINE=NDBCLUSTER");
        Properties properties = running.properties(table);
        properties.setProperty("fieldcount", "2");
        Properties again = running.properties(table);
        again.setProperty("fieldcount", "2");

        keepsRows(properties, 2, 100);

        NdbBinding db = opened(again);
        try {
            String key = "größe";
            assertThat(db.insert(table, key, row(2, 50, 5))).isEqualTo(Status.OK);
            assertThat(db.read(table, key, null, new HashMap<>())).isEqualTo(Status.OK);
            assertThat(sql("SELECT HEX(CONVERT(id USING utf8mb4)) FROM ycsb." + table + " WHERE id LIKE 'gr%'"))
                    .isEqualTo("6772C3B6C39F65");
            Status japanese = db.insert(table, "日本", row(2, 50, 5));
            assertThat(japanese).isEqualTo(charset.startsWith("latin1") ? Status.BAD_REQUEST : Status.OK);
        } finally {
            db.cleanup();
        }
    }

    @Test
    void columnsOfOtherTypesOrTooShortAreNamedBeforeTheRun() throws Exception {
        sql("CREATE TABLE ycsb.misfit (YCSB_KEY VARBINARY(50) PRIMARY KEY, FIELD0 VARBINARY(20), FIELD1 INT)"
                + " ENGINE=NDBCLUSTER");
        Properties properties = running.properties("misfit");
        properties.setProperty("fieldcount", "3");

        assertThatThrownBy(() -> opened(properties))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("table ycsb.misfit does not fit the workload")
                .hasMessageContaining("no column field2")
                .hasMessageContaining("FIELD1 are neither VARCHAR nor VARBINARY")
                .hasMessageContaining("fieldlength=100, but columns hold fewer bytes: FIELD0 (20)");
    }

    @Test
    void keyOfTwoColumnsIsRefused() throws Exception {
        sql("CREATE TABLE ycsb.two_keys (a VARBINARY(50), b VARBINARY(50), FIELD0 VARBINARY(100), PRIMARY KEY (a, b))"
                + " ENGINE=NDBCLUSTER");
        Properties properties = running.properties("two_keys");
        properties.setProperty("fieldcount", "1");

        assertThatThrownBy(() -> opened(properties)).hasMessageContaining("primary key of one VARCHAR or VARBINARY");
    }

    @Test
    void rowsLargerThanNdbStoresAreRefusedBeforeTheRun() {
        Properties properties = running.properties("huge");
        properties.setProperty("fieldlength", "4000");

        assertThatThrownBy(() -> opened(properties)).hasMessageContaining("NDB stores at most 30000 in one row");
    }

    @Test
    void tableWithoutAnOrderedIndexRefusesToScan() throws Exception {
        sql(
                "CREATE TABLE ycsb.hashed (YCSB_KEY VARBINARY(50), FIELD0 VARBINARY(100), PRIMARY KEY (YCSB_KEY) USING HASH)"
                        + " ENGINE=NDBCLUSTER");
        Properties properties = running.properties("hashed");
        properties.setProperty("fieldcount", "1");
        NdbBinding db = opened(properties);
        try {
            assertThat(db.insert("hashed", "k", row(1, 100, 1))).isEqualTo(Status.OK);
            assertThat(db.scan("hashed", "a", 5, null, new Vector<>())).isEqualTo(Status.BAD_REQUEST);
        } finally {
            db.cleanup();
        }
    }

    @Test
    void tableMadeAnewDuringTheRunIsLookedUpAgain() throws Exception {
        Properties properties = running.properties("anew");
        NdbBinding db = opened(properties);
        try {
            assertThat(db.insert("anew", "k", row(10, 100, 1))).isEqualTo(Status.OK);
            sql("DROP TABLE ycsb.anew");
            sql(
                    "CREATE TABLE ycsb.anew (f9 INT, FIELD1 VARBINARY(100), FIELD0 VARBINARY(100), k VARBINARY(40) PRIMARY KEY)"
                            + " ENGINE=NDBCLUSTER");

            Status first = db.read("anew", "k", Set.of("field0"), new HashMap<>());
            Status second = db.insert("anew", "k", row(2, 90, 2));
            Map<String, ByteIterator> result = new HashMap<>();
            Status third = db.read("anew", "k", null, result);

            assertThat(first.isOk()).isFalse();
            assertThat(second).isEqualTo(Status.OK);
            assertThat(third).isEqualTo(Status.OK);
            assertThat(result.get("field1").toArray()).isEqualTo(value(90, 2, 1));
        } finally {
            db.cleanup();
        }
    }

    @Test
    void connectionsAreSharedAmongThreads() throws Exception {
        Properties properties = running.properties("usertable");
        properties.setProperty("ndb.connections", "2");
        NdbBinding first = opened(properties);
        NdbBinding second = opened(properties);
        try {
            assertThat(first.insert("usertable", "shared", row(10, 100, 1))).isEqualTo(Status.OK);
            assertThat(second.read("usertable", "shared", null, new HashMap<>()))
                    .isEqualTo(Status.OK);
            assertThat(second.delete("usertable", "shared")).isEqualTo(Status.OK);
        } finally {
            first.cleanup();
            second.cleanup();
        }
    }

    @Test
    void partsAreReadAndUpdatedAlone() throws Exception {
        NdbBinding db = opened(running.properties("usertable"));
        try {
            db.delete("usertable", "parts");
            assertThat(db.insert("usertable", "parts", row(4, 10, 1))).isEqualTo(Status.OK);
            Map<String, ByteIterator> all = new HashMap<>();

            assertThat(db.update("usertable", "parts", Map.of("FIELD2", new ByteArrayByteIterator(value(7, 2, 2)))))
                    .isEqualTo(Status.OK);
            assertThat(db.read("usertable", "parts", null, all)).isEqualTo(Status.OK);

            assertThat(all).containsOnlyKeys("field0", "field1", "field2", "field3");
            assertThat(all.get("field2").toArray()).isEqualTo(value(7, 2, 2));
            assertThat(all.get("field3").toArray()).isEqualTo(value(10, 1, 3));
            assertThat(db.read("usertable", "parts", Set.of("nofield"), new HashMap<>()))
                    .isEqualTo(Status.BAD_REQUEST);
            assertThat(db.update("usertable", "parts", Map.of("field1", new ByteArrayByteIterator(new byte[101]))))
                    .isEqualTo(Status.BAD_REQUEST);
            assertThat(db.update("usertable", "parts", Map.of())).isIn(Status.OK, Status.BAD_REQUEST);
            assertThat(db.read("usertable", "k".repeat(300), null, new HashMap<>()))
                    .isEqualTo(Status.BAD_REQUEST);
            assertThat(db.delete("usertable", "parts")).isEqualTo(Status.OK);
        } finally {
            db.cleanup();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "d", "e", "f"})
    void workloadsReadBackWhatTheyWrote(String letter) throws Exception {
        Properties properties = running.properties("integrity_" + letter);
        StockWorkload.readsBackWhatItWrote(letter, 300, 1000, properties, NdbTablesIT::opened);
    }

    private static void keepsRows(Properties properties, int count, int length) throws DBException {
        String table = properties.getProperty("table");
        NdbBinding db = opened(properties);
        try {
            for (int i = 0; i < 20; i++) {
                assertThat(db.insert(table, "k" + (10 + i), row(count, length, i)))
                        .isEqualTo(Status.OK);
            }
            Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
            assertThat(db.scan(table, "k15", 10, null, rows)).isEqualTo(Status.OK);
            assertThat(rows).hasSize(10);
            for (int i = 0; i < 10; i++) {
                assertThat(bytes(rows.get(i))).isEqualTo(bytes(row(count, length, i + 5)));
            }
            assertThat(db.update(table, "k10", row(count, length, 99))).isEqualTo(Status.OK);
            Map<String, ByteIterator> result = new HashMap<>();
            assertThat(db.read(table, "k10", null, result)).isEqualTo(Status.OK);
            assertThat(bytes(result)).isEqualTo(bytes(row(count, length, 99)));
        } finally {
            db.cleanup();
        }
    }

    private static NdbBinding opened(Properties properties) throws DBException {
        NdbBinding db = new NdbBinding();
        db.setProperties(properties);
        db.init();
        return db;
    }

    private static Map<String, ByteIterator> row(int count, int length, int seed) {
        Map<String, ByteIterator> row = new HashMap<>();
        for (int i = 0; i < count; i++) {
            row.put("field" + i, new ByteArrayByteIterator(value(length, seed, i)));
        }
        return row;
    }

    /** Every byte value occurs, in an order that differs from value to value. */
    private static byte[] value(int length, int seed, int field) {
        byte[] value = new byte[length];
        for (int i = 0; i < length; i++) {
            value[i] = (byte) (i * 7 + seed * 31 + field * 57);
        }
        return value;
    }

    private static Map<String, String> bytes(Map<String, ByteIterator> row) {
        Map<String, String> bytes = new HashMap<>();
        row.forEach((name, value) -> bytes.put(name, new String(value.toArray(), StandardCharsets.ISO_8859_1)));
        return bytes;
    }

    private static String sql(String statement) throws Exception {
        NdbProperties settings = NdbProperties.of(running.properties("usertable"));
        Optional<SqlNode> node = SqlNode.of(settings, RealCluster.installation(), System.getenv("PATH"));
        return node.orElseThrow().execute(List.of(statement));
    }
}
