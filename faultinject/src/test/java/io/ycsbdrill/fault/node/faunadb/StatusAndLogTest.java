package io.ycsbdrill.fault.node.faunadb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.faunadb.ClusterStatus.Member;
import io.ycsbdrill.fault.node.faunadb.LogEvent.Kind;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Lines and answers as version 25.02 wrote them. */
class StatusAndLogTest {
    private static final String ID = "3047dbf2-722f-443d-8bf5-5f31fa755e16";

    private static Kind kind(String text) {
        return LogEvent.of("2026-11-22T21:57:07,882 " + text)
                .map(LogEvent::kind)
                .orElse(null);
    }

    @Test
    void linesOfTheLogAreEvents() {
        LogEvent event = LogEvent.of("2026-11-22T21:57:07,882 [cluster.FailureDetector] WARN " + ID
                        + " is unreachable (20.025247635361588).")
                .orElseThrow();

        assertThat(event.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(event.host()).isEqualTo(ID);
        assertThat(event.at()).isEqualTo(Instant.parse("2026-11-22T21:57:07.882Z"));
        assertThat(kind("[transaction.TxnPipeline] INFO Initializing DataNode. (cause: state update)"))
                .isEqualTo(Kind.CATCHING_UP);
        assertThat(kind("[transaction.TxnPipeline] WARN DataNode: entering recovery mode (segment=SegmentID(0))"))
                .isEqualTo(Kind.BEHIND);
        assertThat(kind("[transaction.TxnPipeline] INFO DataNode: leaving recovery mode (segment=SegmentID(0))"))
                .isEqualTo(Kind.CAUGHT_UP);
        assertThat(kind("[commitlog.CommitLog] INFO Log replay complete, 320 replayed mutations"))
                .isEqualTo(Kind.STEP);
    }

    @Test
    void otherAndDamagedLinesAreNone() {
        assertThat(kind("[cluster.FailureDetector] INFO Not marking nodes down due to recent pause 1003ms ago."))
                .isNull();
        assertThat(LogEvent.of("\tat fauna.core.Service.main(Service.scala)")).isEmpty();
        assertThat(LogEvent.of("2026-99-22T21:57:07,882 [commitlog.CommitLog] INFO Log replay complete"))
                .isEmpty();
        assertThat(LogEvent.of("")).isEmpty();
    }

    private static String member(String address, String status, String state, double owned, boolean leader) {
        return """
                {"status":"%s","state":"%s","ownership":%s,"ownership_goal":1.0,"host_id":"%s","address":"%s",\
                "replica":"replica_1","log_segment":"0","log_segment_leader":%s,"persisted_timestamp":"1970-01-01T00:00:00Z"}""".formatted(status, state, owned, ID, address, leader);
    }

    @Test
    void theStatusSaysOfEachNodeWhetherItIsReachedAndHasItsData() {
        ClusterStatus status = ClusterStatus.of("{\"nodes\":["
                        + String.join(
                                ",",
                                member("127.0.0.1", "up", "live", 1.0, true),
                                member("127.0.0.2", "up", "live", 0.38, false),
                                member("127.0.0.3", "down", "live", 1.0, false),
                                member("127.0.0.4", "up", "leaving", 1.0, false))
                        + "]}")
                .orElseThrow();

        assertThat(status.members())
                .containsEntry("node1", new Member(ID, true, true, true))
                .containsEntry("node2", new Member(ID, true, false, false))
                .containsEntry("node3", new Member(ID, false, true, false))
                .containsEntry("node4", new Member(ID, true, false, false));
    }

    @Test
    void aNodeInNoClusterSaysNothing() {
        assertThat(ClusterStatus.of("{\"nodes\":[]}")).isEmpty();
        assertThat(ClusterStatus.of("<html>")).isEmpty();
        assertThat(ClusterStatus.of("")).isEmpty();
    }
}
