package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Statuses;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** What becomes of a transaction whose statements or commit fail, in every way that a server can tell. */
class JdbcTransactionsTest {
    private static final AtomicInteger RUNS = new AtomicInteger();

    private final String name = "transactions" + RUNS.incrementAndGet();
    private final JdbcBinding db = new JdbcBinding();

    @BeforeEach
    void open() throws DBException {
        Properties properties = new Properties();
        properties.setProperty("db.driver", FakeDriver.class.getName());
        properties.setProperty("db.url", "jdbc:mysql://x/ycsb");
        properties.setProperty("db.hosts", name);
        properties.setProperty("fieldcount", "1");
        db.setProperties(properties);
        db.init();
    }

    @AfterEach
    void close() {
        db.cleanup();
    }

    @ParameterizedTest
    @CsvSource({
        "08S01, 0, UNKNOWN",
        "HY000, 2013, UNKNOWN",
        "HY000, 99999, UNKNOWN",
        "40003, 0, UNKNOWN",
        "HY000, 1296, UNKNOWN",
        "40001, 1213, CONFLICT",
        "40001, 0, CONFLICT",
        "23000, 1062, DUPLICATE_KEY",
        "08S01, 1047, UNAVAILABLE",
    })
    void aCommitIsUnknownUnlessTheServerSaysWhatBecameOfIt(String state, int code, String expected)
            throws InterruptedException {
        assertThat(db.begin("usertable", "k")).isEqualTo(Status.OK);
        assertThat(update()).isEqualTo(Status.OK);
        FakeDriver.host(name).commitFailures.add(new SQLException("failed", state, code));

        assertThat(db.commit().getName()).isEqualTo(expected);
        assertNextWorks();
    }

    @ParameterizedTest
    @CsvSource({
        "08S01, 0, UNAVAILABLE",
        "HY000, 99999, FAILED",
        "40001, 1213, DEADLOCK",
        "40P01, 0, DEADLOCK",
        "HY000, 1205, LOCK_TIMEOUT",
        "55P03, 0, LOCK_TIMEOUT",
        "40001, 0, CONFLICT",
        "HY000, 1020, CONFLICT",
        "23000, 1062, DUPLICATE_KEY",
    })
    void aStatementThatFailsEndsTheTransactionAndLeavesNothingUnknown(String state, int code, String expected)
            throws InterruptedException {
        assertThat(db.begin("usertable", "k")).isEqualTo(Status.OK);
        FakeDriver.host(name).executeFailures.add(new SQLException("failed", state, code));

        assertThat(update().getName()).isEqualTo(expected);
        assertThat(db.commit()).isEqualTo(Statuses.FAILED);
        assertNextWorks();
    }

    @Test
    void anNdbNodeFailureLeavesACommitUnknownAndOfAStatementNothing() throws InterruptedException {
        SQLException aborted = new SQLException("Got temporary error 4010 'Node failure' from NDB", "HY000", 1297);
        assertThat(db.begin("usertable", "k")).isEqualTo(Status.OK);
        assertThat(update()).isEqualTo(Status.OK);
        FakeDriver.host(name).commitFailures.add(aborted);
        assertThat(db.commit()).isEqualTo(Statuses.UNKNOWN);

        assertThat(db.begin("usertable", "k")).isEqualTo(Status.OK);
        FakeDriver.host(name).executeFailures.add(aborted);
        assertThat(update()).isEqualTo(Statuses.UNAVAILABLE);
        assertThat(db.commit()).isEqualTo(Statuses.FAILED);
        assertNextWorks();
    }

    @Test
    void aStatementThatMakesNoSenseEndsTheTransaction() throws InterruptedException {
        assertThat(db.begin("usertable", "k")).isEqualTo(Status.OK);
        assertThat(update()).isEqualTo(Status.OK);
        Map<String, ByteIterator> wrong = new HashMap<>(Map.of("nosuchfield", new StringByteIterator("v")));

        assertThat(db.update("usertable", "k", wrong)).isEqualTo(Status.BAD_REQUEST);

        assertThat(db.commit()).isEqualTo(Statuses.FAILED);
        assertNextWorks();
    }

    /** The commit may go to another server than the statements. */
    @Test
    void noTransactionBeginsWhereTheDriverBalances() throws DBException {
        JdbcBinding balanced = new JdbcBinding();
        Properties properties = new Properties();
        properties.setProperty("db.driver", FakeDriver.class.getName());
        properties.setProperty("db.url", "jdbc:mysql:loadbalance://" + name + ",y/ycsb");
        properties.setProperty("fieldcount", "1");
        balanced.setProperties(properties);
        balanced.init();
        try {
            Status begun = balanced.begin("usertable", "k");

            assertThat(begun.getName()).isEqualTo(Status.NOT_IMPLEMENTED.getName());
            assertThat(begun.getDescription()).contains("to different servers of this db.url; use db.hosts");
            assertThat(balanced.commit()).isEqualTo(Statuses.FAILED);
        } finally {
            balanced.cleanup();
        }
    }

    @Test
    void aBeginWithoutAnAnswerIsTemporaryAsNothingWasApplied() throws InterruptedException {
        SQLException late = new SQLException("Communications link failure", "08S01", 0, new SocketTimeoutException());
        FakeDriver.host(name).autoCommitFailures.add(late);

        assertThat(db.begin("usertable", "k")).isEqualTo(Statuses.TEMPORARY);
        assertNextWorks();
    }

    @Test
    void aRollbackThatCannotBeSentCostsTheConnection() throws InterruptedException {
        assertThat(db.begin("usertable", "k")).isEqualTo(Status.OK);
        assertThat(update()).isEqualTo(Status.OK);
        var before = FakeDriver.host(name).open.get(0);
        FakeDriver.host(name).rollbackFailures.add(new SQLException("Communications link failure", "08S01"));

        db.abort();

        assertThat(FakeDriver.host(name).open).doesNotContain(before);
        assertNextWorks();
    }

    private void assertNextWorks() throws InterruptedException {
        int executed = FakeDriver.host(name).executed.size();
        assertThat(db.begin("usertable", "k")).isEqualTo(Status.OK);
        assertThat(update()).isEqualTo(Status.OK);
        assertThat(db.commit()).isEqualTo(Status.OK);
        assertThat(FakeDriver.host(name).executed).hasSize(executed + 1);
        // The probe of a server whose connection broke has one of its own for a moment.
        JdbcThreadTest.await(() -> FakeDriver.host(name).open.size() == 1);
    }

    private Status update() {
        Map<String, ByteIterator> values = new HashMap<>(Map.of("field0", new StringByteIterator("v")));
        return db.update("usertable", "k", values);
    }
}
