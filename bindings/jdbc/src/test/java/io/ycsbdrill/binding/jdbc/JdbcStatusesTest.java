package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Statuses;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import site.ycsb.Status;

class JdbcStatusesTest {

    @ParameterizedTest
    @MethodSource("table")
    void eachErrorHasItsStatusForReadsAndWrites(
            String state, int code, String text, Status read, Status write, Status notSent, boolean broken) {
        SQLException e = new SQLException(text, state, code);
        Failure sent = Failure.of(e, true, true);

        assertThat(JdbcStatuses.of(sent, false)).isEqualTo(read);
        assertThat(JdbcStatuses.of(sent, true)).isEqualTo(write);
        assertThat(JdbcStatuses.of(Failure.of(e, false, true), true)).isEqualTo(notSent);
        assertThat(JdbcStatuses.brokenLink(sent)).isEqualTo(broken);
    }

    static Stream<Arguments> table() {
        Status lost = Statuses.UNAVAILABLE;
        Status unknown = Statuses.UNKNOWN;
        Status failed = Statuses.FAILED;
        Status temporary = Statuses.TEMPORARY;
        return Stream.of(
                row("08S01", 0, "Communications link failure", lost, unknown, lost, true),
                row("08003", 0, "closed", lost, unknown, lost, true),
                row("08S01", 1053, "Server shutdown in progress", lost, unknown, lost, true),
                row("70100", 1927, "Connection was killed", lost, unknown, lost, true),
                row("08S01", 1047, "WSREP has not yet prepared node", lost, lost, lost, true),
                row(
                        "HY000",
                        1180,
                        "Error while appending streaming replication fragment"
                                + "(provider status: Not connected to Primary Component)",
                        lost,
                        unknown,
                        lost,
                        true),
                row("HY000", 1180, "Got error 155 \"\" during COMMIT", failed, unknown, failed, false),
                row("HY000", 1243, "Unknown prepared statement handler", lost, lost, lost, true),
                row("S1009", 0, "No operations allowed after statement closed.", lost, lost, lost, true),
                row("S1000", 0, "?", lost, unknown, lost, true),
                row(
                        "23000",
                        1062,
                        "Duplicate entry",
                        Statuses.DUPLICATE_KEY,
                        Statuses.DUPLICATE_KEY,
                        Statuses.DUPLICATE_KEY,
                        false),
                row(
                        "23505",
                        0,
                        "unique",
                        Statuses.DUPLICATE_KEY,
                        Statuses.DUPLICATE_KEY,
                        Statuses.DUPLICATE_KEY,
                        false),
                row(
                        "23000",
                        1022,
                        "Can't write; duplicate key",
                        Statuses.DUPLICATE_KEY,
                        Statuses.DUPLICATE_KEY,
                        Statuses.DUPLICATE_KEY,
                        false),
                row(
                        "23000",
                        1586,
                        "Duplicate entry 'k' for key 'PRIMARY'",
                        Statuses.DUPLICATE_KEY,
                        Statuses.DUPLICATE_KEY,
                        Statuses.DUPLICATE_KEY,
                        false),
                row("40001", 1213, "Deadlock found", temporary, temporary, temporary, false),
                row("40P01", 0, "deadlock", temporary, temporary, temporary, false),
                row("55P03", 0, "lock timeout", temporary, temporary, temporary, false),
                row("57014", 0, "statement timeout", temporary, temporary, temporary, false),
                row("53200", 0, "out of memory", temporary, temporary, temporary, false),
                row("53100", 0, "disk full", failed, failed, failed, false),
                row("25006", 0, "read-only transaction", lost, lost, lost, true),
                row("54000", 0, "limit exceeded", failed, failed, failed, false),
                row("26000", 0, "prepared statement does not exist", lost, lost, lost, true),
                row("57P01", 0, "terminating connection", lost, unknown, lost, true),
                row("55006", 0, "object in use", failed, unknown, failed, false),
                row("XX000", 0, "primary shard is not active Timeout: [1m]", failed, unknown, failed, false),
                row("40003", 0, "completion unknown", failed, unknown, failed, false),
                row("HY000", 1205, "Lock wait timeout exceeded", temporary, temporary, temporary, false),
                row(
                        "HY000",
                        1297,
                        "Got temporary error 4028 'Node failure' from NDBCLUSTER",
                        temporary,
                        temporary,
                        temporary,
                        false),
                row(
                        "HY000",
                        1297,
                        "Got temporary error 4115 'committed' from NDBCLUSTER",
                        failed,
                        unknown,
                        failed,
                        false),
                row(
                        "HY000",
                        1297,
                        "Got temporary error 4010 'Node failure caused abort of transaction' from NDBCLUSTER",
                        lost,
                        unknown,
                        lost,
                        false),
                row("HY000", 1297, "Got temporary error 4002 'Send to NDB' from NDB", failed, unknown, failed, false),
                row("HY000", 1297, "Got temporary error 4007 'Send to ndb' from NDB", failed, unknown, failed, false),
                row("HY000", 1296, "Got error 4008 'Receive from NDB' from NDB", failed, unknown, failed, false),
                row("HY000", 1296, "Got error 4009 'Cluster Failure' from NDBCLUSTER", lost, unknown, lost, false),
                row("HY000", 1296, "Got error 157 'Connection' from NDBCLUSTER", lost, unknown, lost, false),
                row(
                        "HY000",
                        1296,
                        "Got error 4012 'Request timed out' from NDBCLUSTER",
                        failed,
                        unknown,
                        failed,
                        false),
                row("HY000", 157, "Could not connect to storage engine", lost, unknown, lost, false),
                row("HY000", 1020, "Record has changed since last read", failed, unknown, failed, false),
                row("25S03", 0, "Transaction was rolled back", lost, unknown, lost, true),
                row("42S02", 1146, "no such table", failed, failed, failed, false),
                row("42000", 1142, "denied", failed, failed, failed, false),
                row("HY000", 1114, "The table is full", failed, failed, failed, false),
                row("HY000", 1290, "running with the --read-only option", lost, lost, lost, true),
                row("HY000", 1290, "running with the --skip-grant-tables option", failed, failed, failed, false),
                row("25006", 1792, "in a READ ONLY transaction", lost, lost, lost, true),
                row("HY000", 1836, "Running in read-only mode", lost, lost, lost, true),
                row("HY000", 1874, "InnoDB is in read only mode.", lost, lost, lost, true),
                row("HY000", 3100, "running replication hook 'before_commit'.", lost, lost, lost, true),
                row("HY000", 3100, "running replication hook 'after_sync'.", failed, unknown, failed, false),
                row("08S01", 1153, "packet too large", failed, failed, failed, true),
                row("22001", 1406, "Data too long", Status.BAD_REQUEST, Status.BAD_REQUEST, Status.BAD_REQUEST, false),
                row("HY000", 4711, "never heard of", failed, unknown, failed, false));
    }

    @Test
    void noAnswerInTimeIsATimeoutForReadsAndUnknownForWrites() {
        SQLException link = new SQLException("Communications link failure", "08S01", new SocketTimeoutException());
        for (SQLException e : new SQLException[] {link, new SQLTimeoutException("cancelled")}) {
            Failure failure = Failure.of(e, true, true);

            assertThat(JdbcStatuses.of(failure, false)).isEqualTo(Statuses.TIMEOUT);
            assertThat(JdbcStatuses.of(failure, true)).isEqualTo(Statuses.UNKNOWN);
            assertThat(JdbcStatuses.brokenLink(failure)).isTrue();
        }
    }

    @Test
    void numbersOfOtherDatabasesMeanNothing() {
        Failure failure = Failure.of(new SQLException("?", "HY000", 1062), true, false);

        assertThat(JdbcStatuses.of(failure, true)).isEqualTo(Statuses.UNKNOWN);
    }

    private static Arguments row(
            String state, int code, String text, Status read, Status write, Status notSent, boolean broken) {
        return Arguments.of(state, code, text, read, write, notSent, broken);
    }
}
