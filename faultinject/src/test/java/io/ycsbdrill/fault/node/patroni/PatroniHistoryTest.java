package io.ycsbdrill.fault.node.patroni;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.kit.Moment;
import io.ycsbdrill.fault.node.patroni.PatroniHistory.Life;
import io.ycsbdrill.fault.node.patroni.PatroniHistory.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Lines that three nodes of Patroni 3.0.2 with PostgreSQL 15.20 wrote (ttl 10 s, loop_wait 1 s) while, at the times in the tests, their
 * processes were killed, paused and started again. When processes began and ended, and what Patroni answered, is said here.
 */
class PatroniHistoryTest {
    private static final List<String> NODES = List.of("node1", "node2", "node3", PatroniFiles.ETCD);

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    private final List<EngineEvent> events = new ArrayList<>();
    private final PatroniHistory history = new PatroniHistory(NODES, events::add);
    private List<String> lines;
    private int next;

    @BeforeEach
    void read() throws IOException {
        try (InputStream log = getClass().getResourceAsStream("patroni-3.0.2.log")) {
            lines = new String(log.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    private static Moment at(String time) {
        Instant wall = Instant.parse("2026-11-27T" + time + "Z");
        return new Moment(wall.toEpochMilli() * 1_000_000, wall);
    }

    /** The lines up to a time; those before {@link #begin} are left out. */
    private void until(String time) {
        for (; next < lines.size(); next++) {
            String[] parts = lines.get(next).split(" ", 2);
            var event = PatroniLogReader.event(parts[1]);
            if (event.isPresent() && event.get().at().isAfter(at(time).wall())) {
                return;
            }
            event.ifPresent(e -> history.reported(parts[0], e, new Moment(e.at().toEpochMilli() * 1_000_000, e.at())));
        }
    }

    /** Everything runs, and the primary is this one. */
    private void begin(String time, String primary) {
        while (!lines.get(next).contains(time)) {
            next++;
        }
        for (String node : NODES) {
            boolean etcd = node.equals(PatroniFiles.ETCD);
            history.processSeen(node, Part.SERVER, at(time));
            if (!etcd) {
                history.processSeen(node, Part.PATRONI, at(time));
                history.reported(node, node.equals(primary) ? ready(time) : streaming(time), at(time));
            }
        }
        NODES.forEach(node -> history.found(node, !node.equals(PatroniFiles.ETCD), true));
        assertThat(history.coordinator()).contains(primary);
        assertThat(NODES).allMatch(history::recovered);
        events.clear();
    }

    private static PatroniLogEvent ready(String time) {
        return new PatroniLogEvent(PatroniLogEvent.Kind.READY, at(time).wall(), "ready", "");
    }

    private static PatroniLogEvent streaming(String time) {
        return new PatroniLogEvent(PatroniLogEvent.Kind.STREAMING, at(time).wall(), "streaming", "1");
    }

    private void end(String node, Part part, String time) {
        history.processEnded(node, part, 1, at(time));
    }

    private void start(String node, Part part, String time) {
        history.processSeen(node, part, at(time));
    }

    private void answer(String node, boolean primary, long timeline, long position, String time, String... replicas) {
        Map<String, String> streaming = new HashMap<>();
        for (String replica : replicas) {
            streaming.put(replica, "async");
        }
        PatroniAnswer answer = new PatroniAnswer(primary, timeline, position, streaming);
        history.answered(node, answer, at(time).nanos() - 40_000_000, at(time));
    }

    private List<String> phases(String node) {
        return events.stream()
                .filter(e -> e.node().equals(node))
                .filter(e -> e.signal() != Signal.STEP && e.signal() != Signal.NOTE)
                .map(e -> TIME.format(e.wall()) + " " + e.signal())
                .toList();
    }

    private List<String> texts(String node, Predicate<EngineEvent> which) {
        return events.stream()
                .filter(e -> e.node().equals(node))
                .filter(which)
                .map(EngineEvent::text)
                .toList();
    }

    @Test
    void aKilledPrimaryIsHandledWhenAnotherServerTakesWritesAndComesBackByRewind() {
        begin("12:09:01", "node1");

        end("node1", Part.PATRONI, "12:09:01.810");
        end("node1", Part.SERVER, "12:09:01.815");
        until("12:09:20.000");
        assertThat(history.life("node1")).isEqualTo(Life.DOWN);
        assertThat(history.coordinator()).contains("node3");
        start("node1", Part.PATRONI, "12:09:20.100");
        until("12:09:24.300");
        start("node1", Part.SERVER, "12:09:24.300");
        until("12:09:25.000");
        assertThat(history.recovered("node1"))
                .as("nothing is known of its position")
                .isFalse();
        answer("node3", true, 2, 1000, "12:09:25.100", "node1", "node2");
        answer("node1", false, 2, 999, "12:09:25.200");
        assertThat(history.recovered("node1")).as("it has not applied enough").isFalse();
        answer("node3", true, 2, 5000, "12:09:25.300", "node1", "node2");
        answer("node1", false, 2, 1000, "12:09:25.400");

        assertThat(phases("node1"))
                .containsExactly(
                        "12:09:01.815 NODE_DOWN",
                        "12:09:12.448 FAILURE_HANDLED",
                        "12:09:20.100 PROCESS_STARTED",
                        "12:09:22.622 SYNCHRONISE_STARTED",
                        "12:09:25.400 RECOVERED");
        assertThat(texts("node1", e -> e.signal() == Signal.NOTE)).anyMatch(text -> text.endsWith("by pg_rewind"));
        assertThat(texts("node1", e -> e.signal() == Signal.STEP))
                .as("what was written behind it is lost")
                .anyMatch(text -> text.endsWith("servers diverged at WAL location 0/51BDFE0 on timeline 1"));
        assertThat(phases("node3")).isEmpty();
    }

    @Test
    void aSwitchoverIsAnEndAndAReturnOfTheFormerPrimary() {
        begin("12:09:33", "node3");

        until("12:09:33.339");
        end("node3", Part.SERVER, "12:09:33.345");
        until("12:09:37.530");
        start("node3", Part.SERVER, "12:09:37.530");
        until("12:09:38.000");
        answer("node1", true, 3, 10, "12:09:38.100", "node2", "node3");
        answer("node3", false, 3, 10, "12:09:38.200");

        assertThat(history.coordinator()).contains("node1");
        assertThat(phases("node3"))
                .containsExactly(
                        "12:09:33.345 NODE_DOWN",
                        "12:09:34.617 FAILURE_HANDLED",
                        "12:09:37.522 PROCESS_STARTED",
                        "12:09:37.551 SYNCHRONISE_STARTED",
                        "12:09:38.200 RECOVERED");
        assertThat(texts("node3", e -> true)).contains("Leader key released", "Demoting self (graceful)");
    }

    @Test
    void aPostgresqlKilledUnderPatroniComesBackAsPrimaryWithoutAFailover() {
        begin("12:09:47", "node1");

        end("node1", Part.SERVER, "12:09:47.170");
        until("12:09:50.210");
        start("node1", Part.SERVER, "12:09:50.210");
        until("12:09:51.000");

        assertThat(phases("node1"))
                .containsExactly("12:09:47.170 NODE_DOWN", "12:09:49.087 PROCESS_STARTED", "12:09:50.572 RECOVERED");
        assertThat(history.coordinator()).contains("node1");
    }

    @Test
    void aPrimaryWhosePatroniWasKilledIsOutWhenAnotherTakesTheKeyAndStreamingOnTheOldTimelineIsNoRecovery() {
        begin("12:09:50.890", "node1");

        end("node1", Part.PATRONI, "12:09:59.230");
        until("12:10:17.000");
        assertThat(history.running("node1")).isTrue();
        assertThat(history.dropped("node1")).isTrue();
        assertThat(history.coordinator()).contains("node3");
        start("node1", Part.PATRONI, "12:10:18.000");
        until("12:10:19.043");
        end("node1", Part.SERVER, "12:10:19.050");
        until("12:10:21.400");
        start("node1", Part.SERVER, "12:10:21.400");
        until("12:10:21.543");
        answer("node3", true, 5, 100, "12:10:21.560", "node1", "node2");
        answer("node1", false, 4, 900, "12:10:21.570"); // it has more than the primary, which is why it must rewind
        assertThat(history.recovered("node1")).isFalse();
        until("12:10:22.627");
        end("node1", Part.SERVER, "12:10:22.630");
        until("12:10:25.060");
        start("node1", Part.SERVER, "12:10:25.060");
        until("12:10:26.500");
        answer("node3", true, 5, 100, "12:10:26.600", "node1", "node2");
        answer("node1", false, 5, 100, "12:10:26.700");

        assertThat(phases("node1"))
                .containsExactly(
                        "12:10:08.874 NODE_DOWN",
                        "12:10:09.049 FAILURE_HANDLED",
                        "12:10:21.368 PROCESS_STARTED",
                        "12:10:21.543 SYNCHRONISE_STARTED",
                        "12:10:26.700 RECOVERED");
        assertThat(texts("node1", e -> e.signal() == Signal.NOTE))
                .anyMatch(text -> text.contains("PostgreSQL goes on without it"));
    }

    @Test
    void aWipedReplicaIsHandledAtOnceAndCopiesEverything() {
        begin("12:11:03", "node3");

        end("node1", Part.PATRONI, "12:10:58.160");
        end("node1", Part.SERVER, "12:10:58.165");
        start("node1", Part.PATRONI, "12:11:01.500");
        until("12:11:04.640");
        start("node1", Part.SERVER, "12:11:04.640");
        until("12:11:05.000");
        answer("node3", true, 5, 100, "12:11:05.100", "node1", "node2");
        answer("node1", false, 5, 100, "12:11:05.200");

        assertThat(phases("node1"))
                .containsExactly(
                        "12:10:58.165 NODE_DOWN",
                        "12:10:58.165 FAILURE_HANDLED",
                        "12:11:01.500 PROCESS_STARTED",
                        "12:11:03.516 SYNCHRONISE_STARTED",
                        "12:11:05.200 RECOVERED");
        assertThat(texts("node1", e -> e.signal() == Signal.NOTE)).anyMatch(text -> text.endsWith("by basebackup"));
    }

    @Test
    void aPausedPrimaryIsOutWhenAnotherTakesTheKeyAndIsDemotedWhenItGoesOn() {
        begin("12:11:24", "node3");

        until("12:11:30.897");
        assertThat(history.dropped("node3")).isTrue();
        end("node3", Part.SERVER, "12:11:30.900");
        until("12:11:33.930");
        start("node3", Part.SERVER, "12:11:33.930");
        until("12:11:35.408");
        end("node3", Part.SERVER, "12:11:35.410");
        until("12:11:40.940");
        start("node3", Part.SERVER, "12:11:40.940");
        until("12:11:43.300");
        answer("node2", true, 6, 100, "12:11:43.400", "node1", "node3");
        answer("node3", false, 6, 100, "12:11:43.500");

        assertThat(phases("node3"))
                .containsExactly(
                        "12:11:24.433 NODE_DOWN",
                        "12:11:24.617 FAILURE_HANDLED",
                        "12:11:33.920 PROCESS_STARTED",
                        "12:11:34.572 SYNCHRONISE_STARTED",
                        "12:11:43.500 RECOVERED");
    }

    @Test
    void withoutAnyNodeNobodyHandlesTheFailures() {
        begin("12:11:44", "node2");

        for (String node : List.of("node1", "node2", "node3")) {
            end(node, Part.PATRONI, "12:11:44.740");
            end(node, Part.SERVER, "12:11:44.750");
        }
        for (String node : List.of("node1", "node2", "node3")) {
            start(node, Part.PATRONI, "12:11:48.000");
        }
        until("12:11:54.300");
        start("node2", Part.SERVER, "12:11:54.300");
        until("12:11:56.000");

        assertThat(phases("node2"))
                .containsExactly(
                        "12:11:44.750 NODE_DOWN",
                        "12:11:44.750 UNHANDLED",
                        "12:11:48.000 PROCESS_STARTED",
                        "12:11:55.580 RECOVERED");
        assertThat(phases("node3")).contains("12:11:44.750 UNHANDLED");
        assertThat(history.coordinator()).contains("node2");
    }

    @Test
    void aLostEtcdIsHandledWhenThePrimaryHasGivenUpAndBackWhenThereIsAPrimaryAgain() {
        begin("12:11:44", "node2");

        end(PatroniFiles.ETCD, Part.SERVER, "12:12:00.000");
        says("node2", "2026-11-27 12:12:02,500 INFO: demoting self because DCS is not accessible and I was a leader");
        end("node2", Part.SERVER, "12:12:02.600");
        says("node2", "2026-11-27 12:12:03.000 UTC [7:] LOG:  starting PostgreSQL 15.20 on x86_64");
        start("node2", Part.SERVER, "12:12:03.000");
        start(PatroniFiles.ETCD, Part.SERVER, "12:12:12.000");
        says("node2", "2026-11-27 12:12:14,500 INFO: promoted self to leader because I had the session lock");
        says("node2", "2026-11-27 12:12:14.600 UTC [7:] LOG:  database system is ready to accept connections");

        assertThat(phases(PatroniFiles.ETCD))
                .containsExactly(
                        "12:12:00.000 NODE_DOWN",
                        "12:12:02.500 FAILURE_HANDLED",
                        "12:12:12.000 PROCESS_STARTED",
                        "12:12:14.600 RECOVERED");
        assertThat(phases("node2"))
                .containsExactly("12:12:02.600 NODE_DOWN", "12:12:03.000 PROCESS_STARTED", "12:12:14.600 RECOVERED");
    }

    /** Patroni 3.0.2 with etcd3 lets a leader that was paused overwrite the key of the new one. */
    @Test
    void aPrimaryThatTakesTheKeyBackIsPrimaryAgain() {
        begin("12:11:24", "node3");

        until("12:11:26.200");
        says("node2", "2026-11-27 12:11:30,900 INFO: Demoting self (immediate-nolock)");
        end("node2", Part.SERVER, "12:11:30.950");
        says("node3", "2026-11-27 12:11:31,000 INFO: no action. I am (node3), the leader with the lock");

        assertThat(phases("node3"))
                .containsExactly("12:11:24.433 NODE_DOWN", "12:11:24.617 FAILURE_HANDLED", "12:11:31.000 RECOVERED");
        assertThat(history.coordinator()).contains("node3");
        assertThat(phases("node2")).containsExactly("12:11:30.950 NODE_DOWN", "12:11:31.000 FAILURE_HANDLED");
    }

    @Test
    void aReplicaForWhichCommitsWaitIsHandledWhenTheyWaitForAnotherOne() {
        begin("12:11:44", "node2");
        says("node2", "2026-11-27 12:12:00,000 INFO: Synchronous standby status assigned to ['node1']");
        assertThat(history.synchronous()).containsExactly("node1");

        end("node1", Part.PATRONI, "12:12:01.000");
        end("node1", Part.SERVER, "12:12:01.000");
        says("node2", "2026-11-27 12:12:01,500 INFO: Synchronous standby status assigned to ['node3']");

        assertThat(phases("node1")).containsExactly("12:12:01.000 NODE_DOWN", "12:12:01.500 FAILURE_HANDLED");
        assertThat(history.synchronous()).containsExactly("node3");
    }

    @Test
    void aReplicaThatThePrimaryHasGivenUpIsOut() {
        begin("12:11:44", "node2");

        says(
                "node2",
                "2026-11-27 12:12:01.000 UTC [9:node3] LOG:  terminating walsender process due to replication timeout");

        assertThat(history.dropped("node3")).isTrue();
        assertThat(phases("node3")).containsExactly("12:12:01.000 NODE_DOWN", "12:12:01.000 FAILURE_HANDLED");
    }

    /** A former primary that is cut off misses replicas that stream from the new one. */
    @Test
    void whatAFormerPrimarySaysOfReplicasIsNotBelieved() {
        begin("12:11:44", "node2");
        says("node1", "2026-11-27 12:12:30,000 INFO: promoted self to leader by acquiring session lock");

        says(
                "node2",
                "2026-11-27 12:13:00.000 UTC [9:node3] LOG:  terminating walsender process due to replication timeout");

        assertThat(history.recovered("node3")).isTrue();
        assertThat(phases("node3")).isEmpty();
    }

    @Test
    void aNodeIsRecoveredWhenTheAnswerComesAndOnlyByOneThatWasAskedForAfterItStreams() {
        begin("12:11:44", "node2");
        end("node1", Part.SERVER, "12:12:00.000");
        says("node1", "2026-11-27 12:12:01.000 UTC [7:] LOG:  starting PostgreSQL 15.20 on x86_64");
        start("node1", Part.SERVER, "12:12:01.000");
        says(
                "node1",
                "2026-11-27 12:12:02.000 UTC [8:] LOG:  started streaming WAL from primary at 0/3000000 on timeline 1");
        PatroniAnswer primary = new PatroniAnswer(true, 1, 10, Map.of("node1", "async"));
        PatroniAnswer replica = new PatroniAnswer(false, 1, 10, Map.of());

        history.answered("node2", primary, at("12:12:01.900").nanos(), at("12:12:03.000"));
        history.answered(
                "node1",
                new PatroniAnswer(false, 1, 9, Map.of()),
                at("12:12:02.100").nanos(),
                at("12:12:03.100"));
        assertThat(history.recovered("node1")).isFalse();
        history.answered("node2", primary, at("12:12:03.100").nanos(), at("12:12:03.200"));
        history.answered("node1", replica, at("12:12:03.200").nanos(), at("12:12:08.100"));

        assertThat(phases("node1")).last().isEqualTo("12:12:08.100 RECOVERED");
    }

    @Test
    void aServerThatEndsRightAfterItTookWritesIsNoPrimary() {
        begin("12:11:44", "node2");
        end("node2", Part.SERVER, "12:12:00.000");
        says("node1", "2026-11-27 12:12:01,000 INFO: promoted self to leader by acquiring session lock");
        end("node1", Part.PATRONI, "12:12:01.200");
        end("node1", Part.SERVER, "12:12:01.200");
        says("node1", "2026-11-27 12:12:01.100 UTC [7:] LOG:  database system is ready to accept connections");

        assertThat(history.running("node1")).isFalse();
        assertThat(history.coordinator()).isEmpty();
        assertThat(phases("node2")).containsExactly("12:12:00.000 NODE_DOWN");
    }

    @Test
    void whoeverStreamsOnAnOldTimelineWhenTheWatchBeginsIsNotRecovered() {
        List.of("node1", "node2", "node3").forEach(node -> start(node, Part.SERVER, "12:12:00.000"));
        says("node1", "2026-11-27 12:11:01.000 UTC [7:] LOG:  starting PostgreSQL 15.20 on x86_64");
        says(
                "node1",
                "2026-11-27 12:11:02.000 UTC [8:] LOG:  started streaming WAL from primary at 0/3000000 on timeline 1");
        says("node2", "2026-11-27 12:11:03.000 UTC [7:] LOG:  selected new timeline ID: 2");
        says("node2", "2026-11-27 12:11:03.100 UTC [7:] LOG:  database system is ready to accept connections");
        says("node3", "2026-11-27 12:11:04.000 UTC [8:] LOG:  restarted WAL streaming at 0/3000000 on timeline 2");

        List.of("node1", "node2", "node3").forEach(node -> history.found(node, true, true));

        assertThat(history.recovered("node1")).isFalse();
        assertThat(history.recovered("node2")).isTrue();
        assertThat(history.recovered("node3")).isTrue();
        assertThat(history.anyComing()).as("it is asked for its position").isTrue();
    }

    private void says(String node, String line) {
        PatroniLogEvent event = PatroniLogReader.event(line).orElseThrow();
        history.reported(node, event, new Moment(event.at().toEpochMilli() * 1_000_000, event.at()));
    }

    @Test
    void aStartOverAPostgresqlThatWentOnIsSeenOnlyWithItsPatroni() {
        history.processSeen("node1", Part.SERVER, at("00:00:00"));
        history.processSeen(PatroniFiles.ETCD, Part.SERVER, at("00:00:00"));
        assertThat(history.running("node1")).isTrue();
        assertThat(history.launched("node1")).isFalse();
        assertThat(history.launched(PatroniFiles.ETCD)).isTrue();

        history.processSeen("node1", Part.PATRONI, at("00:00:01"));

        assertThat(history.launched("node1")).isTrue();
    }
}
