package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import site.ycsb.Status;

class SharedNdbClusterTest {
    private static final long LONG_MILLIS = 60_000;

    private final FakeCluster fake = new FakeCluster();
    private SharedNdbCluster cluster;
    private NdbThread first;
    private NdbThread second;

    @BeforeEach
    void open() throws NdbException {
        cluster = new SharedNdbCluster(
                "mgm1:1186", timeout -> Connections.open(2, "ycsb", fake::connect), Duration.ofSeconds(1));
        first = new NdbThread(cluster, "field0", "field1");
        second = new NdbThread(cluster, "field0", "field1");
    }

    @AfterEach
    void everythingIsClosedAtTheEnd() {
        first.close();
        second.close();
        second.close();
        cluster.close();

        assertThat(fake.openSessions).hasValue(0);
        assertThat(fake.openConnections).hasValue(0);
    }

    @Test
    void lossOfTheClusterClosesTheSessionsOfAllThreadsAndConnectsAgain() {
        assertThat(read(first)).isEqualTo(Status.OK);
        assertThat(read(second)).isEqualTo(Status.OK);
        Connections before = cluster.current();
        fake.answer = FakeCluster.CLUSTER_FAILURE;

        assertThat(update(first)).isEqualTo(Statuses.UNKNOWN);
        fake.answer = null;

        assertThat(cluster.await(LONG_MILLIS)).isNotNull().isNotSameAs(before);
        assertThat(fake.openSessions).hasValue(0);
        assertThat(fake.openConnections).hasValue(2);
        assertThat(update(first)).isEqualTo(Status.OK);
        assertThat(read(second)).isEqualTo(Status.OK);
        for (NdbThread thread : List.of(first, second)) {
            assertThat(thread.reconnects()).hasSize(1).allSatisfy(server -> {
                assertThat(server.server()).isEqualTo("mgm1:1186");
                assertThat(server.lost()).isEqualTo(1);
                assertThat(server.regained()).isEqualTo(1);
                assertThat(server.nanos()).isPositive();
            });
        }
    }

    @Test
    void transactionThatTheReconnectEndedIsOverForItsOwnerAndNothingIsWrittenOutsideOfIt() {
        assertThat(second.begin("t", "k")).isEqualTo(Status.OK);
        loseTheClusterAndReconnect();

        assertThat(update(second)).isEqualTo(Statuses.UNAVAILABLE);
        assertThat(second.inTransaction()).isFalse();
        assertThat(second.commit()).isEqualTo(Statuses.FAILED);
        assertThat(second.begin("t", "k")).isEqualTo(Status.OK);
        assertThat(second.commit()).isEqualTo(Status.OK);
    }

    @Test
    void commitOfATransactionThatTheReconnectEndedWasNotApplied() {
        assertThat(second.begin("t", "k")).isEqualTo(Status.OK);
        assertThat(update(second)).isEqualTo(Status.OK);
        loseTheClusterAndReconnect();

        assertThat(second.commit()).isEqualTo(Statuses.UNAVAILABLE);
        assertThat(second.inTransaction()).isFalse();
    }

    @Test
    void commitWhoseAnswerIsLostWithTheClusterIsUnknown() {
        assertThat(first.begin("t", "k")).isEqualTo(Status.OK);
        assertThat(update(first)).isEqualTo(Status.OK);
        fake.answer = FakeCluster.CLUSTER_FAILURE;

        assertThat(first.commit()).isEqualTo(Statuses.UNKNOWN);
        fake.answer = null;

        assertThat(first.inTransaction()).isFalse();
        assertThat(first.reconnects()).singleElement().satisfies(server -> assertThat(server.lost())
                .isEqualTo(1));
        assertThat(cluster.await(LONG_MILLIS)).isNotNull();
        assertThat(first.begin("t", "k")).isEqualTo(Status.OK);
        assertThat(first.commit()).isEqualTo(Status.OK);
    }

    /** NDB's client calls the transaction aborted, and may not have heard what the node has done that took over. */
    @Test
    void commitDuringANodeFailureIsUnknownAndAStatementLeavesNothingUnknown() {
        NdbFailure withoutWord =
                new NdbFailure(4010, NdbFailure.TEMPORARY, 8, "Node failure caused abort of transaction", true);
        assertThat(first.begin("t", "k")).isEqualTo(Status.OK);
        assertThat(update(first)).isEqualTo(Status.OK);
        fake.answer = withoutWord;

        assertThat(first.commit()).isEqualTo(Statuses.UNKNOWN);
        assertThat(first.inTransaction()).isFalse();

        fake.answer = null;
        assertThat(first.begin("t", "k")).isEqualTo(Status.OK);
        fake.answer = withoutWord;
        assertThat(update(first)).isEqualTo(Statuses.TEMPORARY);
        assertThat(first.inTransaction()).isFalse();
        assertThat(first.commit()).isEqualTo(Statuses.FAILED);
        assertThat(first.reconnects()).isEmpty();
    }

    @Test
    void beginThatFailsForAReasonThatNobodyKnowsIsTemporary() {
        fake.answer = new NdbFailure(0, NdbFailure.UNKNOWN_RESULT, 12, "Internal error", true);

        assertThat(first.begin("t", "k")).isEqualTo(Statuses.TEMPORARY);
        assertThat(first.inTransaction()).isFalse();
    }

    @Test
    void transactionThatTheReconnectEndedMayBeAborted() {
        assertThat(second.begin("t", "k")).isEqualTo(Status.OK);
        loseTheClusterAndReconnect();

        second.abort();

        assertThat(update(second)).isEqualTo(Status.OK);
    }

    /** As the first thread notices it, while the second does nothing. */
    private void loseTheClusterAndReconnect() {
        fake.answer = FakeCluster.CLUSTER_FAILURE;
        assertThat(update(first)).isEqualTo(Statuses.UNKNOWN);
        fake.answer = null;
        assertThat(cluster.await(LONG_MILLIS)).isNotNull();
    }

    @Test
    void threadThatNeverWorkedHasLostNothing() {
        read(first);
        fake.answer = FakeCluster.CLUSTER_FAILURE;
        read(first);
        fake.answer = null;

        assertThat(cluster.await(LONG_MILLIS)).isNotNull();
        assertThat(read(second)).isEqualTo(Status.OK);
        assertThat(second.reconnects()).isEmpty();
    }

    @Test
    void operationsAreUnavailableAndSlowedDownWhileTheClusterIsAway() {
        fake.reachable = false;
        fake.answer = FakeCluster.CLUSTER_FAILURE;
        assertThat(read(first)).isEqualTo(Statuses.UNAVAILABLE);

        long start = System.nanoTime();
        for (int i = 0; i < 6; i++) {
            assertThat(update(first)).isEqualTo(Statuses.UNAVAILABLE);
        }

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1 + 2 + 4 + 8 + 16));
        assertThat(fake.openSessions).hasValue(0);
        assertThat(first.reconnects()).hasSize(1).allSatisfy(server -> {
            assertThat(server.lost()).isEqualTo(1);
            assertThat(server.regained()).isZero();
            assertThat(server.nanos()).isGreaterThan(31_000_000);
        });
    }

    @Test
    void closingWhileTheClusterIsAwayEnds() {
        fake.reachable = false;
        fake.answer = FakeCluster.CLUSTER_FAILURE;

        assertThat(read(first)).isEqualTo(Statuses.UNAVAILABLE);

        cluster.close();
        assertThat(cluster.current()).isNull();
    }

    @Test
    void tableIsLookedUpAgainAfterItWasAltered() {
        read(first);
        fake.answer = new NdbFailure(241, 2, 4, "Invalid schema object version", true);

        assertThat(update(first)).isEqualTo(Statuses.TEMPORARY);
        fake.answer = null;

        assertThat(update(first)).isEqualTo(Status.OK);
        assertThat(fake.lookups).hasValue(2);
    }

    @Test
    void defectIsAnUnknownWriteAndAFailedReadButNeverAnException() {
        NdbThread.Work broken = (rows, format) -> {
            throw new IllegalStateException("broken");
        };

        assertThat(first.run("t", "update", true, broken)).isEqualTo(Statuses.UNKNOWN);
        assertThat(first.run("t", "read", false, broken)).isEqualTo(Statuses.TIMEOUT);
    }

    @Test
    void interruptedThreadStaysInterruptedAndFails() {
        fake.reachable = false;
        fake.answer = FakeCluster.CLUSTER_FAILURE;
        read(first);
        Thread.currentThread().interrupt();

        assertThat(read(first)).isEqualTo(Statuses.UNAVAILABLE);
        assertThat(Thread.interrupted()).isTrue();
    }

    private static Status read(NdbThread thread) {
        return thread.run("t", "read", false, (rows, format) -> rows.read(format.key("k"), format.columns(null), null));
    }

    private static Status update(NdbThread thread) {
        return thread.run("t", "update", true, (rows, format) -> rows.update(format.key("k"), null));
    }
}
