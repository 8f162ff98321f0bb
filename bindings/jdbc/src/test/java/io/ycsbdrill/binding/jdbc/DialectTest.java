package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Statuses;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** On a scripted driver, which counts the rows of a batch as CrateDB 6.4.3 was seen to; no test runs on a real one. */
class DialectTest {
    private final FakeDriver.Host host = new FakeDriver.Host();
    private final JdbcBinding db = new JdbcBinding();

    @BeforeEach
    void start() {
        FakeDriver.HOSTS.put("dialect", host);
        host.product = "PostgreSQL";
        host.version = "CrateDB 6.4.3 (built 0a1b2c3/2026-10-01, Linux, OpenJDK)";
    }

    @AfterEach
    void close() {
        db.cleanup();
        FakeDriver.HOSTS.remove("dialect");
    }

    @ParameterizedTest
    @CsvSource({
        "MySQL, 9.7.0, STANDARD",
        "MariaDB, 10.11.19-MariaDB, STANDARD",
        "PostgreSQL, 'PostgreSQL 17.6 on x86_64-pc-linux-gnu', POSTGRESQL",
        "PostgreSQL, 'CrateDB 6.4.3 (built 0a1b2c3)', CRATEDB",
        "Crate, 6.4.3, CRATEDB",
        "H2, 2.3, STANDARD"
    })
    void theServerSaysWhichItIs(String product, String version, Dialect dialect) throws SQLException {
        host.product = product;
        host.version = version;

        assertThat(Dialect.of(new FakeDriver().connect("jdbc:mysql://dialect/ycsb", new Properties())))
                .isEqualTo(dialect);
    }

    @Test
    void aRowThatCrateDbDoesNotConfirmIsUnknown() throws DBException {
        open("true");
        host.batchCounts = new int[] {1, 0, 1};

        assertThat(db.insertAll("usertable", rows(3))).containsExactly(Status.OK, Statuses.UNKNOWN, Status.OK);
    }

    @Test
    void countsThatAreNotThereConfirmNothing() throws DBException {
        open("true");
        host.batchCounts = new int[] {1};

        assertThat(db.insertAll("usertable", rows(2))).containsExactly(Status.OK, Statuses.UNKNOWN);
    }

    @Test
    void ofABatchThatCrateDbRefusesNoRowIsKnown() throws DBException {
        open("true");
        host.executeFailures.add(new BatchUpdateException("duplicate key", "23505", 0, new int[] {-3, -3}));

        assertThat(db.insertAll("usertable", rows(2)))
                .containsOnly(Statuses.UNKNOWN)
                .hasSize(2);
        assertThat(db.reconnects()).isEmpty();
    }

    @Test
    void aBatchWhoseLinkDiesIsUnknownAndTheConnectionClosed() throws DBException {
        open("true");
        host.executeFailures.add(new BatchUpdateException("I/O error", "08006", 0, new int[0]));

        assertThat(db.insertAll("usertable", rows(2)))
                .containsOnly(Statuses.UNKNOWN)
                .hasSize(2);
        assertThat(db.reconnects()).hasSize(1);
    }

    @Test
    void noTransactionBeginsOnCrateDb() throws DBException {
        open("true");

        Status begun = db.begin("usertable", "k0");

        assertThat(begun.getName()).isEqualTo(Status.NOT_IMPLEMENTED.getName());
        assertThat(begun.getDescription()).isEqualTo("CrateDB has no transactions");
        assertThat(db.commit()).isEqualTo(Statuses.FAILED);
    }

    @Test
    void crateDbWithTransactionsIsRefused() {
        assertThatThrownBy(() -> open("false"))
                .isInstanceOf(DBException.class)
                .hasMessageContaining("jdbc.autocommit=false: CrateDB has no transactions");
    }

    private void open(String autoCommit) throws DBException {
        Properties properties = new Properties();
        properties.setProperty("db.url", "jdbc:mysql://dialect/ycsb");
        properties.setProperty("db.driver", FakeDriver.class.getName());
        properties.setProperty("jdbc.autocommit", autoCommit);
        properties.setProperty("fieldcount", "1");
        db.setProperties(properties);
        db.init();
    }

    private static List<BulkInserts.Row> rows(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new BulkInserts.Row(
                        "k" + i, Map.of("field0", new ByteArrayByteIterator(new byte[] {(byte) ('a' + i)}))))
                .toList();
    }
}
