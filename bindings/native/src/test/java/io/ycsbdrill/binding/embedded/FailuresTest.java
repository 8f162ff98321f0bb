package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Statuses;
import org.junit.jupiter.params.ParameterizedTest;
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
}
