package io.ycsbdrill.fault.node.harperdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.harperdb.HarperDbState.Link;
import io.ycsbdrill.fault.node.harperdb.HarperDbState.Peers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HarperDbHistoryTest {
    private static final Link UP = new Link(true, false, true);
    private static final Link GONE = new Link(false, false, true);

    private final List<String> seen = new ArrayList<>();
    private final HarperDbHistory history = new HarperDbHistory(List.of("n1", "n2"));

    /** What n1 says of n2, when it answers at that second. */
    private void told(int second, boolean answers, Link link) {
        Map<String, Peers> nodes = new TreeMap<>(Map.of("n1", new Peers("n1", Map.of("n2", link), true)));
        if (answers) {
            nodes.put("n2", new Peers("n2", Map.of("n1", UP), true));
        }
        history.take(
                new HarperDbState(nodes),
                second,
                Instant.ofEpochSecond(second),
                event -> seen.add(event.atNanos() + " " + event.node() + " " + event.signal() + ": " + event.text()));
    }

    @Test
    void oneLostQuestionIsNoWordOfTheClusterThatANodeIsDown() {
        told(1, false, UP);
        told(2, true, UP);
        told(3, false, UP);
        told(4, false, UP);
        told(5, true, UP);

        assertThat(seen)
                .containsExactly(
                        "1 n2 NOTE: n2 cannot be reached from this client",
                        "3 n2 NOTE: n2 cannot be reached from this client");
    }

    @Test
    void aSilentNodeIsDownWhenAPeerHasLostIt() {
        told(1, false, UP);
        told(2, false, GONE);

        assertThat(seen)
                .contains(
                        "2 n2 NODE_DOWN: n2 does not answer, and a peer is not connected to it",
                        "2 n2 FAILURE_HANDLED: no peer is connected to n2");
    }

    @Test
    void aNodeThatStaysSilentIsDownSinceTheFirstQuestionThatItMissed() {
        told(1, true, UP);
        told(2, false, UP);
        told(3, false, UP);
        told(4, false, UP);
        told(5, false, UP);

        assertThat(seen)
                .filteredOn(event -> event.contains("NODE_DOWN"))
                .containsExactly("2 n2 NODE_DOWN: n2 has not answered 3 times in a row");
    }

    @Test
    void whenNobodyAnswersForLongEveryNodeIsDownAndComesBack() {
        history.takeNothing(7, Instant.EPOCH, event -> seen.add(event.node() + " " + event.signal()));
        told(9, true, UP);

        assertThat(seen)
                .contains("n1 NODE_DOWN", "n2 NODE_DOWN", "9 n1 PROCESS_STARTED: n1 answers again")
                .hasSize(4);
    }
}
