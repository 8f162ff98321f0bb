package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Statuses;
import java.lang.reflect.Constructor;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.ignite.client.ClientConnectionException;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.client.ClientReconnectedException;
import org.apache.ignite.internal.IgniteFutureTimeoutCheckedException;
import org.apache.ignite.internal.client.thin.ClientServerError;
import org.apache.ignite.internal.processors.platform.client.ClientStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientFailuresTest {

    private static Throwable caused(String message) {
        return new IllegalStateException("client", new IllegalStateException(message));
    }

    static Stream<Throwable> lostLinks() {
        return Stream.of(
                new ClientConnectionException("Channel is closed"),
                new ClientReconnectedException("The channel is another one"),
                new ClientException("client", new ClientConnectionException("Channel is closed")));
    }

    static Stream<Throwable> noAnswers() {
        return Stream.of(
                new ClientException("TimeoutException", new TimeoutException()),
                new ClientException("timeout", new IgniteFutureTimeoutCheckedException("Timeout was reached")));
    }

    @ParameterizedTest
    @MethodSource("lostLinks")
    void aWriteWhoseConnectionBreaksMayHaveBeenApplied(Throwable lost) {
        assertThat(ClientFailures.linkLost(lost)).isTrue();
        assertThat(ClientFailures.status(lost, true)).isSameAs(Statuses.UNKNOWN);
        assertThat(ClientFailures.status(lost, false)).isSameAs(Statuses.UNAVAILABLE);
        assertThat(ClientFailures.ofTransaction(lost, true)).isSameAs(Statuses.UNKNOWN);
        assertThat(ClientFailures.ofTransaction(lost, false)).isSameAs(Statuses.UNAVAILABLE);
    }

    @ParameterizedTest
    @MethodSource("noAnswers")
    void aWriteWithoutAnAnswerMayHaveBeenApplied(Throwable timeout) {
        assertThat(ClientFailures.linkLost(timeout)).isFalse();
        assertThat(ClientFailures.status(timeout, true)).isSameAs(Statuses.UNKNOWN);
        assertThat(ClientFailures.status(timeout, false)).isSameAs(Statuses.TIMEOUT);
        assertThat(ClientFailures.ofTransaction(timeout, true)).isSameAs(Statuses.UNKNOWN);
        assertThat(ClientFailures.ofTransaction(timeout, false)).isSameAs(Statuses.TEMPORARY);
    }

    @Test
    void nothingIsAppliedToATableThatDoesNotExist() throws ReflectiveOperationException {
        Constructor<ClientServerError> said =
                ClientServerError.class.getDeclaredConstructor(String.class, int.class, long.class);
        said.setAccessible(true);
        Throwable absent = new ClientException("client", said.newInstance("?", ClientStatus.CACHE_DOES_NOT_EXIST, 1L));
        Throwable other = new ClientException("client", said.newInstance("?", ClientStatus.FAILED, 1L));

        assertThat(ClientFailures.status(absent, true)).isSameAs(Statuses.FAILED);
        assertThat(ClientFailures.status(absent, false)).isSameAs(Statuses.FAILED);
        assertThat(ClientFailures.status(other, true)).isSameAs(Statuses.UNKNOWN);
    }

    @Test
    void whatIsNotKnownIsNeverTakenForDefinite() {
        assertThat(ClientFailures.status(caused("something new"), true)).isSameAs(Statuses.UNKNOWN);
        assertThat(ClientFailures.status(caused("something new"), false)).isSameAs(Statuses.FAILED);
    }

    /** The first attempt of the server's own may be in the log of a node that has died since, and come back with it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "class CacheInvalidStateException: ...",
                "Failed to execute the cache operation (all partition owners have left the grid, partition data has been lost)",
                "partition data has been lost [cache=usertable]"
            })
    void aWriteThatNobodyCouldFinishMayHaveBeenApplied(String message) {
        assertThat(ClientFailures.status(caused(message), true)).isSameAs(Statuses.UNKNOWN);
        assertThat(ClientFailures.status(caused(message), false)).isSameAs(Statuses.UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Can not perform the operation because the cluster is inactive.",
                "Failed to perform cache operation (cluster is not activated): usertable",
                "the cluster is in a read-only mode"
            })
    void aWriteThatWasRefusedBeforeItBeganWasNotApplied(String message) {
        assertThat(ClientFailures.status(caused(message), true)).isSameAs(Statuses.UNAVAILABLE);
    }

    /** As the server says it: without the names of its exceptions. */
    @ParameterizedTest
    @CsvSource({
        "CONFLICT, 'Failed to prepare transaction, read/write conflict [key=c, cache=tpcc]'",
        "CONFLICT, 'Failed to prepare transaction (lock conflict): GridNearTxLocal [concurrency=OPTIMISTIC]'",
        "LOCK_TIMEOUT, 'Cache transaction timed out: GridNearTxLocal[concurrency=OPTIMISTIC, state=MARKED_ROLLBACK]'",
        "LOCK_TIMEOUT, 'Failed to acquire lock within provided timeout for transaction [timeout=50]'"
    })
    void aCommitThatTheServerHasRolledBackWasNotApplied(String status, String message) {
        assertThat(ClientFailures.ofTransaction(caused(message), true).getName())
                .isEqualTo(status);
        assertThat(ClientFailures.ofTransaction(caused(message), false).getName())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "DEADLOCK, 'Deadlock detected: T1 waits for T2'",
        "DEADLOCK, 'class TransactionDeadlockException: ...'",
        "TEMPORARY, 'Transaction has been rolled back: 1-2-3'",
        "TEMPORARY, 'the transaction was rolled back'"
    })
    void theServerSaysWhyItHasRolledBack(String status, String message) {
        assertThat(ClientFailures.ofTransaction(caused(message), true).getName())
                .isEqualTo(status);
        assertThat(ClientFailures.ofTransaction(caused(message), false).getName())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({
        "TEMPORARY, something new",
        "TEMPORARY, the transaction is in unknown state",
        "UNAVAILABLE, partition data has been lost"
    })
    void aStatementLeavesNothingUnknown(String status, String message) {
        assertThat(ClientFailures.ofTransaction(caused(message), false).getName())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"something new", "the transaction is in unknown state", "partition data has been lost"})
    void aCommitThatFailsForAnythingElseMayHaveBeenApplied(String message) {
        assertThat(ClientFailures.ofTransaction(caused(message), true)).isSameAs(Statuses.UNKNOWN);
    }

    @Test
    void aClusterThatDoesNotAnswerIsNotSaidToLackTheBinding() {
        assertThat(ClientFailures.advice(new IllegalStateException(new TimeoutException())))
                .contains("may hang", "cluster status");
        assertThat(ClientFailures.advice(new IllegalStateException("no such class")))
                .contains("class path");
    }
}
