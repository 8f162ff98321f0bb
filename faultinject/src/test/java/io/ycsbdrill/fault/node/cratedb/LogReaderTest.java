package io.ycsbdrill.fault.node.cratedb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.cratedb.LogEvent.Kind;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lines as CrateDB 6.4.3 wrote them. */
class LogReaderTest {
    private static final String NODE2 = "{node2}{e_-TBiW-SUeT5SRKYl7i2w}{44PhXOXgTXOZmrFbKSY86A}{127.0.0.1}"
            + "{127.0.0.1:28132}{dm}{http_address=127.0.0.1:28112}";
    private static final String NODE3 = "{node3}{OXtHyEA2RMWSaqqvm9QI-w}{z8gEGFMdR7Kx7HVV9ws31Q}{127.0.0.1}"
            + "{127.0.0.1:28133}{dm}{http_address=127.0.0.1:28113}";

    private final LogReader reader = new LogReader();

    private List<LogEvent> read(String... lines) {
        return Stream.of(lines).flatMap(line -> reader.accept(line).stream()).toList();
    }

    private static String line(String logger, String text) {
        return "[2026-11-22T18:07:31.358Z][INFO ][" + logger + "] " + text;
    }

    @Test
    void nodesThatAreRemovedAndAddedAreNamedWithTheirTime() {
        List<LogEvent> events = read(
                line(
                        "ClusterApplierService",
                        "removed {" + NODE2 + ",}, term: 1, version: 12, reason: ApplyCommitRequest{term=1, version=12,"
                                + " sourceNode=" + NODE3 + "}"),
                line(
                        "ClusterApplierService",
                        "added {" + NODE2 + "," + NODE3 + ",}, term: 1, version: 18, reason: Publication{term=1}"));

        assertThat(events).extracting(LogEvent::kind).containsExactly(Kind.REMOVED, Kind.ADDED);
        assertThat(events).extracting(LogEvent::nodes).containsExactly(List.of("node2"), List.of("node2", "node3"));
        assertThat(events.get(0).at()).isEqualTo(Instant.parse("2026-11-22T18:07:31.358Z"));
    }

    @Test
    void aMasterThatIsFoundOrLostIsSaidBesideTheNodes() {
        assertThat(read(line(
                        "ClusterApplierService",
                        "master node changed {previous [], current [" + NODE3 + "]}, added {" + NODE2 + "," + NODE3
                                + ",}, term: 1, version: 1, reason: x")))
                .extracting(LogEvent::kind)
                .containsExactly(Kind.JOINED, Kind.ADDED);
        assertThat(read(line(
                        "ClusterApplierService",
                        "master node changed {previous [" + NODE3 + "], current []}, term: 1, version: 9, reason: x")))
                .extracting(LogEvent::kind)
                .containsExactly(Kind.ALONE);
    }

    @Test
    void aCopyIsToldAtItsBeginAndWithWhatWasCopiedAtItsEnd() {
        List<LogEvent> events = read(
                line(
                        "PeerRecoveryTargetService",
                        "[t/z6W_n_KwTVuuKWeG5kV0JQ][1] started recovery from " + NODE2 + ", id [1]"),
                line(
                        "PeerRecoveryTargetService",
                        "[t/z6W_n_KwTVuuKWeG5kV0JQ][2] restarted recovery from " + NODE2 + ", id [3], previous id [2]"),
                line("PeerRecoveryTargetService", "[t][1] recovery completed from " + NODE2 + ", took[2.8s]"),
                "   phase1: recovered_files [1] with total_size of [208b], took [0s], throttling_wait [0s]",
                "         : reusing_files   [0] with total_size of [0b]",
                "   phase2: start took [365ms]",
                "         : recovered [7] transaction log operations, took [322ms]",
                "");

        assertThat(events).extracting(LogEvent::kind).containsExactly(Kind.COPY_STARTED, Kind.COPY_DONE);
        assertThat(events.get(1).text())
                .isEqualTo(
                        "copy [t][1] from node2 completed, took[2.8s]; recovered_files [1] with total_size of [208b],"
                                + " took [0s], throttling_wait [0s]; reusing_files [0] with total_size of [0b]; recovered [7]"
                                + " transaction log operations, took [322ms]");
    }

    @Test
    void onlyTheChangeToGreenSaysThatAllCopiesAreThere() {
        assertThat(read(
                        line(
                                "AllocationService",
                                "Cluster health status changed from [YELLOW] to [GREEN] (reason: [x])."),
                        line(
                                "AllocationService",
                                "Cluster health status changed from [GREEN] to [YELLOW] (reason: [x]).")))
                .extracting(LogEvent::kind)
                .containsExactly(Kind.GREEN, Kind.STEP);
    }

    @Test
    void otherAndDamagedLinesAreNothing() {
        assertThat(read(
                        line("psql", "PSQL SSL support is disabled."),
                        "\tat java.lang.Thread.run(Thread.java:1474)",
                        "[2026-13-99T99:07:31.358Z][INFO ][Node] started",
                        "   phase2: start took [365ms]",
                        ""))
                .isEmpty();
        assertThat(read(line("Node", "started"))).extracting(LogEvent::kind).containsExactly(Kind.STEP);
    }
}
