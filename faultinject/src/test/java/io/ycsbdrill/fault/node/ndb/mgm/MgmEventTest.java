package io.ycsbdrill.fault.node.ndb.mgm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MgmEventTest {

    /** The words of a real event. */
    @Test
    void textIsReadFromLittleEndianWords() {
        MgmEvent event = new MgmEvent(
                MgmEvent.INFO_EVENT,
                2,
                Map.of("data", "1634563411 1634213946 1987011694 1663070821 1819307375 6648933 "));

        assertThat(event.text()).isEqualTo("Suma: handover complete");
    }

    @Test
    void textEndsAtTheFirstZeroByteAndAtDamage() {
        assertThat(new MgmEvent(49, 2, Map.of("data", "676152396 65 66")).text())
                .isEqualTo("LDM(A");
        assertThat(new MgmEvent(49, 2, Map.of("data", "676152396 x 66")).text()).isEqualTo("LDM(");
        assertThat(new MgmEvent(49, 2, Map.of()).text()).isEmpty();
    }

    @Test
    void wordsAboveTheSignedRangeAreRead() {
        assertThat(new MgmEvent(46, 2, Map.of("data", "4294967295 0")).text()).hasSize(4);
    }

    @Test
    void eventWithFieldsNamesThem() {
        MgmEvent event = new MgmEvent(MgmEvent.NODE_FAIL_REPORT, 1, Map.of("failed_node", "2"));

        assertThat(event.text()).isEqualTo("NODE_FAILREP failed_node=2");
        assertThat(event.number("failed_node")).isEqualTo(2);
        assertThat(event.number("absent")).isEqualTo(-1);
    }

    @Test
    void readerSkipsPingsAndKeepsBlocksApart() {
        MgmEventReader reader = new MgmEventReader();
        List<MgmEvent> events = List.of(
                        "<PING>",
                        "log event reply",
                        "type=28",
                        "time=0",
                        "source_nodeid=1",
                        "failed_node=2",
                        "failure_state=0",
                        "",
                        "<PING>",
                        "log event reply",
                        "type=1",
                        "source_nodeid=65",
                        "node=2",
                        "")
                .stream()
                .map(reader::line)
                .flatMap(Optional::stream)
                .toList();

        assertThat(events)
                .containsExactly(
                        new MgmEvent(28, 1, Map.of("failed_node", "2", "failure_state", "0")),
                        new MgmEvent(1, 65, Map.of("node", "2")));
    }

    @Test
    void damagedBlockIsDroppedAndTheNextOneRead() {
        MgmEventReader reader = new MgmEventReader();
        List<MgmEvent> events = List.of(
                        "log event reply",
                        "type=28",
                        "log event reply",
                        "type=x",
                        "source_nodeid=1",
                        "",
                        "log event reply",
                        "source_nodeid=1",
                        "",
                        "node=3",
                        "",
                        "log event reply",
                        "type=1",
                        "source_nodeid=65",
                        "node=3",
                        "")
                .stream()
                .map(reader::line)
                .flatMap(Optional::stream)
                .toList();

        assertThat(events).containsExactly(new MgmEvent(1, 65, Map.of("node", "3")));
    }
}
