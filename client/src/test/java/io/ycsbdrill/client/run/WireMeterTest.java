package io.ycsbdrill.client.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.WireMeter.Bytes;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.IntervalTotals.Slices;
import io.ycsbdrill.client.run.measure.Operations;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WireMeterTest {
    private static final long SLICE = 100_000_000;

    private final Operations operations = new Operations();

    @Test
    void theKernelsCountersOfOwnConnectionsAreRead() {
        String text = """
                ESTAB 0 0 127.0.0.1:26819 127.0.0.1:45321 timer:(keepalive,119min,0) ino:11 sk:28 cgroup:/ <-> ts bytes_sent:143 \
                bytes_retrans:29 bytes_acked:114 bytes_received:246944 segs_out:113
                ESTAB 0 0 127.0.0.1:26820 127.0.0.1:45321 ino:12 sk:29 cgroup:/ <-> ts bytes_acked:1 segs_out:1
                ESTAB 0 0 127.0.0.1:26821 127.0.0.1:45321 ino:111 sk:2a cgroup:/ <-> bytes_sent:9 bytes_received:9
                """;

        assertThat(WireMeter.parse(text, Set.of("11", "12", "13")))
                .containsOnly(Map.entry("11", new Bytes(143, 246944)), Map.entry("12", Bytes.NONE));
    }

    @Test
    void whatWasSentBetweenBothReadingsIsAddedUpAndSoAreTheOperationsUntilThen() {
        WireMeter meter = meter(List.of(
                Map.of("1", new Bytes(100, 10), "2", new Bytes(5, 5)),
                Map.of("1", new Bytes(1100, 20), "2", new Bytes(5, 9), "3", new Bytes(50, 500)),
                Map.of()));

        meter.begin();
        meter.interval(completed(3, 4), operations);
        meter.end(3 * SLICE);
        meter.end(4 * SLICE); // the second thread: its connections may be gone already
        meter.interval(later(5, 6), operations);

        JsonNode wire = meter.json();
        assertThat(wire.path("sentBytes").asLong()).isEqualTo(1050);
        assertThat(wire.path("receivedBytes").asLong()).isEqualTo(514);
        assertThat(wire.path("operations").asLong()).isEqualTo(7);
        assertThat(wire.path("seconds").asDouble()).isEqualTo(0.3);
        assertThat(wire.path("closedConnections").asInt()).isZero();
    }

    @Test
    void aConnectionThatIsGoneIsSaidToBe() {
        WireMeter meter =
                meter(List.of(Map.of("1", new Bytes(1, 1), "2", new Bytes(1, 1)), Map.of("2", new Bytes(3, 3))));

        meter.begin();
        meter.end(SLICE);

        assertThat(meter.json().path("closedConnections").asInt()).isEqualTo(1);
        assertThat(meter.json().path("sentBytes").asLong()).isEqualTo(2);
    }

    @Test
    void withoutCountersNothingIsKnown() {
        WireMeter meter = new WireMeter(SLICE, Optional::empty);

        meter.begin();
        meter.end(SLICE);

        assertThat(meter.json().isNull()).isTrue();
    }

    private static WireMeter meter(List<Map<String, Bytes>> readings) {
        Queue<Map<String, Bytes>> left = new ArrayDeque<>(readings);
        return new WireMeter(SLICE, () -> Optional.of(left.remove()));
    }

    /** Successes and failures of the first two slices. */
    private IntervalTotals completed(long ok, long failed) {
        long[][] counts = new long[Outcome.values().length][2];
        counts[Outcome.OK.ordinal()][0] = ok;
        counts[Outcome.FAILED.ordinal()][1] = failed;
        return IntervalTotals.ofSlices(2, SLICE, Map.of(operations.id("READ"), new Slices(counts, new long[2])));
    }

    /** The same in slices of which the last two are after the end. */
    private IntervalTotals later(long ok, long failed) {
        long[][] counts = new long[Outcome.values().length][5];
        counts[Outcome.OK.ordinal()][3] = ok;
        counts[Outcome.FAILED.ordinal()][4] = failed;
        return IntervalTotals.ofSlices(5, SLICE, Map.of(operations.id("READ"), new Slices(counts, new long[5])));
    }
}
