package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.binding.Statuses;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

@Timeout(60)
class JdbcThreadTest {
    private static final AtomicInteger RUNS = new AtomicInteger();

    private final String run = "run" + RUNS.incrementAndGet();
    private final List<JdbcBinding> bindings = new ArrayList<>();

    @AfterEach
    void closeAll() {
        bindings.forEach(JdbcBinding::cleanup);
    }

    @Test
    void threadsAreSpreadEvenlyOverTheServers() throws DBException {
        open(9, 3);

        assertThat(IntStream.range(0, 3).map(i -> host(i).open.size())).containsExactly(3, 3, 3);
    }

    @Test
    void threadsOfALostServerFailOnceSpreadOverTheOthersAndComeBack() throws Exception {
        List<JdbcBinding> threads = open(12, 3);
        host(0).up = false;

        List<Status> first = threads.stream().map(this::update).toList();
        List<Status> second = threads.stream().map(this::update).toList();

        assertThat(first.stream().filter(Statuses.UNKNOWN::equals)).hasSize(4);
        assertThat(first.stream().filter(Status.OK::equals)).hasSize(8);
        assertThat(second).containsOnly(Status.OK);
        assertThat(host(1).open).hasSize(6);
        assertThat(host(2).open).hasSize(6);

        host(0).up = true;

        await(() -> {
            assertThat(threads.stream().map(this::update)).containsOnly(Status.OK);
            return sizeIs(0, 4) && sizeIs(1, 4) && sizeIs(2, 4);
        });
    }

    @Test
    void threadsThatWriteAreAtServersThatTakeWritesWhicheverTheirOwnIs() throws Exception {
        host(1).readOnly = true;
        host(2).readOnly = true;

        List<JdbcBinding> threads = open(9, 3);

        assertThat(threads.stream().map(this::update)).containsOnly(Status.OK);
        assertThat(threads.stream().map(this::read)).containsOnly(Status.NOT_FOUND);
        assertThat(host(0).open).hasSize(9);
    }

    @Test
    void aDemotedPrimaryIsLeftAtTheFirstRefusalAndNotReturnedTo() throws Exception {
        host(1).readOnly = true;
        List<JdbcBinding> threads = open(4, 2);
        assertThat(threads.stream().map(this::update)).containsOnly(Status.OK);

        host(0).readOnly = true;
        assertThat(update(threads.get(0))).as("refused, and not done").isEqualTo(Statuses.UNAVAILABLE);
        assertThat(threads.stream().map(this::update))
                .as("nobody takes writes, and nobody asks the demoted one again")
                .containsOnly(Statuses.UNAVAILABLE);
        assertThat(threads.stream().map(this::read))
                .as("what it has may be out of date")
                .containsOnly(Statuses.UNAVAILABLE);

        host(1).readOnly = false;
        await(() -> threads.stream().map(this::update).allMatch(Status::isOk));
        assertThat(threads.stream().map(this::update)).containsOnly(Status.OK);
        await(() -> host(0).open.isEmpty());
        assertThat(threads.get(0).reconnects())
                .extracting(Reconnects.Server::lost, Reconnects.Server::regained)
                .containsExactly(tuple(1L, 1L));
    }

    @Test
    void aThreadThatOnlyReadsIsServedByAStandbyWhereThereIsNoPrimary() throws Exception {
        host(0).readOnly = true;
        JdbcBinding db = open(1, 1).get(0);

        assertThat(read(db)).isEqualTo(Status.NOT_FOUND);
        assertThat(update(db)).isEqualTo(Statuses.UNAVAILABLE);
        assertThat(read(db)).as("from its first write on").isEqualTo(Statuses.UNAVAILABLE);

        host(0).readOnly = false;
        await(() -> update(db).isOk());
    }

    /** What it reads there may be older than what another thread of the same client has written. */
    @Test
    void noThreadReadsFromAStandbyOnceAnotherOneHasWritten() throws Exception {
        host(0).readOnly = true;
        List<JdbcBinding> threads = open(2, 1);
        assertThat(read(threads.get(0))).isEqualTo(Status.NOT_FOUND);

        assertThat(update(threads.get(1))).isEqualTo(Statuses.UNAVAILABLE);

        assertThat(read(threads.get(0))).isEqualTo(Statuses.UNAVAILABLE);
    }

    @Test
    void readsStayOnReplicasWhenThatIsAskedFor() throws Exception {
        host(1).readOnly = true;
        JdbcBinding db = open(2, 2, "db.reads", "any").get(1);

        assertThat(update(db)).isEqualTo(Status.OK);
        assertThat(read(db)).isEqualTo(Status.NOT_FOUND);

        assertThat(host(0).executed).hasSize(1).first().asString().startsWith("UPDATE");
        assertThat(host(1).executed).hasSize(1).first().asString().startsWith("SELECT");
        assertThat(db.guarantee().strong()).isFalse();
        assertThat(db.guarantee().settle()).isPositive();

        host(0).up = false;
        assertThat(update(db)).isEqualTo(Statuses.UNKNOWN);
        assertThat(update(db)).isEqualTo(Statuses.UNAVAILABLE);
        assertThat(read(db)).isEqualTo(Status.NOT_FOUND);
    }

    @Test
    void withoutAnyServerOperationsAreUnavailableAndTheServerIsLeftInPeace() throws Exception {
        JdbcBinding db = open(1, 1).get(0);
        host(0).up = false;
        assertThat(update(db)).isEqualTo(Statuses.UNKNOWN);
        int connects = host(0).connects;
        long start = System.nanoTime();

        for (int i = 0; i < 10; i++) {
            assertThat(update(db)).isEqualTo(Statuses.UNAVAILABLE);
        }
        // One attempt of the thread, one of the probe each 200 ms.
        long probes = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) / 200;
        assertThat((long) host(0).connects - connects).isBetween(1L, probes + 3);

        host(0).up = true;
        await(() -> update(db).isOk());
    }

    @Test
    void aBrokenConnectionIsClosedWithItsStatementsAndOpenedAgainAtOnce() throws DBException {
        JdbcBinding db = open(1, 1).get(0);
        assertThat(update(db)).isEqualTo(Status.OK);
        Connection first = host(0).open.get(0);
        host(0).executeFailures.add(new SQLException("Communications link failure", "08S01"));

        assertThat(update(db)).isEqualTo(Statuses.UNKNOWN);
        assertThat(host(0).open).doesNotContain(first);
        assertThat(update(db)).isEqualTo(Status.OK);

        assertThat(host(0).prepared).hasSize(2);
    }

    @Test
    void lostConnectionsAreCountedAndTimedWhereTheyWereLost() throws Exception {
        List<JdbcBinding> threads = open(2, 2);
        JdbcBinding loser = threads.get(0);
        assertThat(loser.reconnects()).isEmpty();
        host(0).up = false;
        assertThat(update(loser)).isEqualTo(Statuses.UNKNOWN);

        Reconnects.Server without = loser.reconnects().get(0);
        assertThat(without.server()).contains(name(0));
        assertThat(without.lost()).isEqualTo(1);
        assertThat(without.regained()).isZero();
        assertThat(loser.reconnects().get(0).nanos()).isGreaterThan(without.nanos());

        assertThat(update(loser)).isEqualTo(Status.OK);
        Reconnects.Server regained = loser.reconnects().get(0);
        assertThat(loser.reconnects()).containsExactly(regained);
        assertThat(regained.regained()).isEqualTo(1);
        assertThat(regained.longestNanos()).isEqualTo(regained.nanos()).isGreaterThan(without.nanos());

        host(0).up = true;
        await(() -> update(loser).isOk() && host(0).open.size() == 1);
        assertThat(loser.reconnects()).as("a return is no loss").containsExactly(regained);
        assertThat(threads.get(1).reconnects()).isEmpty();
    }

    @Test
    void aBatchThatIsRefusedIsInsertedRowByRowAndOneThatIsNotAnsweredIsNot() throws DBException {
        JdbcBinding db = open(1, 1).get(0);
        host(0).updated = 3;
        assertThat(db.insertAll("usertable", rows(3))).containsOnly(Status.OK);
        assertThat(host(0).executed).hasSize(1);

        host(0).updated = 1;
        host(0).executeFailures.add(new SQLException("Duplicate entry", "23000", 1062));
        host(0).executeFailures.add(new SQLException("Duplicate entry", "23000", 1062));
        assertThat(db.insertAll("usertable", rows(3))).containsExactly(Statuses.DUPLICATE_KEY, Status.OK, Status.OK);
        assertThat(host(0).executed).hasSize(3);

        host(0).executeFailures.add(new SQLException("Communications link failure", "08S01"));
        assertThat(db.insertAll("usertable", rows(3)))
                .containsOnly(Statuses.UNKNOWN)
                .hasSize(3);
        assertThat(host(0).executed).hasSize(3);
    }

    @Test
    void aBatchOfWhichTheServerMadeSomeRowsOnlyIsUnknown() throws DBException {
        JdbcBinding db = open(1, 1).get(0);
        host(0).updated = 2;

        assertThat(db.insertAll("usertable", rows(3)))
                .containsOnly(Statuses.UNKNOWN)
                .hasSize(3);
    }

    private static List<BulkInserts.Row> rows(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new BulkInserts.Row("k" + i, Map.of("field0", new StringByteIterator("v"))))
                .toList();
    }

    @Test
    void aStatementIsPreparedOncePerOperationAndFields() throws DBException {
        JdbcBinding db = open(1, 1).get(0);

        for (int i = 0; i < 5; i++) {
            update(db);
            db.read("usertable", "k", null, new HashMap<>());
            db.read("usertable", "k", Set.of("field0"), new HashMap<>());
            db.delete("usertable", "k");
        }

        assertThat(host(0).prepared)
                .containsExactly(
                        "UPDATE `usertable` SET `FIELD0` = ? WHERE `YCSB_KEY` = ?",
                        "SELECT `FIELD0` FROM `usertable` WHERE `YCSB_KEY` = ?",
                        "SELECT `FIELD0` FROM `usertable` WHERE `YCSB_KEY` = ?",
                        "DELETE FROM `usertable` WHERE `YCSB_KEY` = ?");
        assertThat(host(0).executed).hasSize(20);
    }

    @Test
    void aFailureThatLeavesTheConnectionWellKeepsIt() throws DBException {
        JdbcBinding db = open(1, 1).get(0);
        host(0).executeFailures.add(new SQLException("Deadlock found", "40001", 1213));

        assertThat(update(db)).isEqualTo(Statuses.TEMPORARY);
        assertThat(update(db)).isEqualTo(Status.OK);

        assertThat(host(0).prepared).hasSize(1);
    }

    @Test
    void aDriversDefectIsAnUnknownWriteAndEndsTheConnection() throws DBException {
        JdbcBinding db = open(1, 1).get(0);
        Connection first = host(0).open.get(0);
        host(0).executeFailures.add(new NullPointerException("this.conn is null"));

        assertThat(update(db)).isEqualTo(Statuses.UNKNOWN);
        assertThat(host(0).open).doesNotContain(first);
        assertThat(update(db)).isEqualTo(Status.OK);
    }

    @Test
    void withoutAutocommitOnlyALostCommitIsUnknown() throws DBException {
        JdbcBinding db = open(1, 1, "jdbc.autocommit", "false").get(0);
        host(0).executeFailures.add(new SQLException("Communications link failure", "08S01"));
        assertThat(update(db)).isEqualTo(Statuses.UNAVAILABLE);
        assertThat(update(db)).isEqualTo(Status.OK);

        host(0).commitFailures.add(new SQLException("Communications link failure", "08S01"));
        assertThat(update(db)).isEqualTo(Statuses.UNKNOWN);
        assertThat(update(db)).isEqualTo(Status.OK);
    }

    @Test
    void aWriteOfNoRowIsNotFoundAndAnUnknownFieldABadRequest() throws DBException {
        JdbcBinding db = open(1, 1).get(0);
        host(0).updated = 0;

        assertThat(update(db)).isEqualTo(Status.NOT_FOUND);
        assertThat(db.delete("usertable", "k")).isEqualTo(Status.NOT_FOUND);
        assertThat(db.read("usertable", "k", Set.of("other"), new HashMap<>())).isEqualTo(Status.BAD_REQUEST);
    }

    @Test
    void noServerAtTheStartIsAnErrorThatNamesEach() {
        host(0).up = false;
        host(1).up = false;

        assertThatThrownBy(() -> open(1, 2))
                .isInstanceOf(DBException.class)
                .hasMessageContaining(name(0))
                .hasMessageContaining(name(1));
    }

    @Test
    void closedTwiceAndOpenedAgain() throws DBException {
        JdbcBinding first = open(1, 1).get(0);
        first.cleanup();
        first.cleanup();
        assertThat(host(0).open).isEmpty();

        assertThat(update(open(1, 1).get(0))).isEqualTo(Status.OK);
        assertThat(host(0).lastProperties)
                .containsEntry("connectTimeout", "5000")
                .containsEntry("socketTimeout", "30000");
    }

    private List<JdbcBinding> open(int threads, int servers, String... more) throws DBException {
        Properties properties = new Properties();
        properties.setProperty("db.driver", FakeDriver.class.getName());
        properties.setProperty("db.url", "jdbc:mysql://x/ycsb");
        properties.setProperty(
                "db.hosts",
                String.join(
                        ",", IntStream.range(0, servers).mapToObj(this::name).toList()));
        properties.setProperty("fieldcount", "1");
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        List<JdbcBinding> opened = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            JdbcBinding db = new JdbcBinding();
            db.setProperties(properties);
            db.init();
            opened.add(db);
            bindings.add(db);
        }
        return opened;
    }

    private Status update(JdbcBinding db) {
        Map<String, ByteIterator> values = new HashMap<>();
        values.put("field0", new ByteArrayByteIterator("v".getBytes(StandardCharsets.UTF_8)));
        return db.update("usertable", "k", values);
    }

    private Status read(JdbcBinding db) {
        return db.read("usertable", "k", null, new HashMap<>());
    }

    private boolean sizeIs(int server, int size) {
        return host(server).open.size() == size;
    }

    private FakeDriver.Host host(int number) {
        return FakeDriver.host(name(number));
    }

    private String name(int number) {
        return run + "-" + number;
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(5);
        }
    }
}
