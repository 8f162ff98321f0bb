package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Statuses;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailuresTest {

    private static Throwable caused(String message) {
        return new IllegalStateException("client", new IllegalStateException(message));
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
        assertThat(Failures.status(caused(message), true)).isSameAs(Statuses.UNKNOWN);
        assertThat(Failures.status(caused(message), false)).isSameAs(Statuses.UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Can not perform the operation because the cluster is inactive.",
                "Failed to perform cache operation (cluster is not activated): usertable",
                "the cluster is in a read-only mode"
            })
    void aWriteThatWasRefusedBeforeItBeganWasNotApplied(String message) {
        assertThat(Failures.status(caused(message), true)).isSameAs(Statuses.UNAVAILABLE);
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
        assertThat(Failures.ofTransaction(caused(message), true).getName()).isEqualTo(status);
        assertThat(Failures.ofTransaction(caused(message), false).getName()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"something new", "the transaction is in unknown state", "partition data has been lost"})
    void aCommitThatFailsForAnythingElseMayHaveBeenApplied(String message) {
        assertThat(Failures.ofTransaction(caused(message), true)).isSameAs(Statuses.UNKNOWN);
    }
}
