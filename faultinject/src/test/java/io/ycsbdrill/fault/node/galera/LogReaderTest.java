package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.galera.LogEvent.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On what MariaDB 10.11.19 with Galera 26.4.23 has logged. */
class LogReaderTest {

    @Test
    void survivorTellsWhoIsLeftAndWhetherTheyServe() throws IOException {
        List<LogEvent> views = of(Kind.VIEW, read("survivor.log"));

        assertThat(views).hasSize(3);
        assertThat(views.get(0).stamp()).isEqualTo(Instant.parse("2026-11-21T03:06:14Z"));
        assertThat(views.get(0).exact()).isFalse();
        assertThat(views.get(0).view().primary()).isTrue();
        assertThat(views.get(0).view().members().values()).containsExactly("node1", "node2");
        assertThat(views.get(0).view().own()).isEqualTo("645320cb-e558-11f1-a0ee-d21c841bd351");
        assertThat(views.get(0).text()).endsWith(":9: primary, members node1, node2");
        assertThat(views.get(1).view().primary()).isFalse();
        assertThat(views.get(1).view().members().values()).containsExactly("node1");
    }

    @Test
    void joinerTellsItsWayThroughACopyOfEverything() throws IOException {
        List<LogEvent> events = read("joiner-sst.log");

        assertThat(events)
                .extracting(LogEvent::kind)
                .filteredOn(kind -> kind != Kind.STEP)
                .containsExactly(Kind.STARTING, Kind.TRANSFER, Kind.VIEW, Kind.JOINED, Kind.SYNCED);
        assertThat(events.get(0).version()).isEqualTo("10.11.19-MariaDB-0+deb12u1");
        assertThat(of(Kind.TRANSFER, events).get(0).stamp()).isEqualTo(Instant.parse("2026-11-21T03:05:26Z"));
        assertThat(of(Kind.VIEW, events).get(0).view().members().values()).containsExactly("node1", "node2");
        assertThat(of(Kind.VIEW, events).get(0).view().own()).isEqualTo("661b0348-e558-11f1-a1d5-3edac825e824");
        assertThat(of(Kind.JOINED, events).get(0).text()).isEqualTo("WSREP: Shifting JOINER -> JOINED (TO: 2)");
        assertThat(of(Kind.STEP, events))
                .anySatisfy(step -> {
                    assertThat(step.text()).isEqualTo("WSREP_SST: rsync SST completed on joiner");
                    assertThat(step.exact()).isTrue();
                    assertThat(step.stamp()).isEqualTo(Instant.parse("2026-11-21T03:05:29.178Z"));
                })
                .anyMatch(step -> step.text().contains("Selected 0.0 (node1)(SYNCED) as donor."));
    }

    @Test
    void recoveryTellsItsPositionAndIsNoService() throws IOException {
        List<LogEvent> events = read("recover.log");

        assertThat(events.get(0).kind()).isEqualTo(Kind.STARTING);
        assertThat(events).extracting(LogEvent::kind).doesNotContain(Kind.SYNCED, Kind.JOINED, Kind.VIEW);
        assertThat(events)
                .extracting(LogEvent::text)
                .contains(
                        "InnoDB: Starting crash recovery from checkpoint LSN=54869",
                        "InnoDB: To recover: 12 pages",
                        "WSREP: Recovered position: 6453637f-e558-11f1-83f4-2b8dcb3e8fd7:9");
    }

    @Test
    void leavingIsToldAndADonorsReturnIsNoArrival() {
        LogReader reader = new LogReader(ZoneOffset.UTC);

        assertThat(reader.accept("2026-11-21  3:42:00 2 [Note] WSREP: Server status change synced -> disconnecting"))
                .map(LogEvent::kind)
                .contains(Kind.LEAVING);
        assertThat(reader.accept(
                        "2026-11-25  3:21:21 5 [ERROR] WSREP: Inconsistency detected: Inconsistent by consensus on"
                                + " 114bfbe8-e87f-11f1-ab8a-ee18ac979f8e:8988"))
                .map(LogEvent::kind)
                .contains(Kind.EXPELLED);
        assertThat(reader.accept("2026-11-21  3:42:00 0 [Note] WSREP: Shifting DONOR/DESYNCED -> JOINED (TO: 48)"))
                .map(LogEvent::kind)
                .contains(Kind.STEP);
        assertThat(reader.accept("2026-11-21 13:42:00 0 [Note] WSREP: Shifting PRIMARY -> JOINED (TO: 48)"))
                .map(LogEvent::stamp)
                .contains(Instant.parse("2026-11-21T13:42:00Z"));
        assertThat(reader.accept("2026-99-21  3:42:00 0 [Note] WSREP: Shifting PRIMARY -> JOINED (TO: 48)"))
                .isEmpty();
        assertThat(reader.accept("anything else")).isEmpty();
    }

    static List<LogEvent> read(String file) throws IOException {
        LogReader reader = new LogReader(ZoneOffset.UTC);
        try (InputStream in = LogReaderTest.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .flatMap(line -> reader.accept(line).stream())
                    .toList();
        }
    }

    private static List<LogEvent> of(Kind kind, List<LogEvent> events) {
        return events.stream().filter(e -> e.kind() == kind).toList();
    }
}
