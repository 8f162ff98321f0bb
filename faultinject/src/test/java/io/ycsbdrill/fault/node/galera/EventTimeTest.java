package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.galera.LogEvent.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EventTimeTest {
    private static final Instant SECOND = Instant.parse("2026-11-21T03:05:29Z");

    @Test
    void lineSeenInItsSecondIsDatedThen() {
        assertThat(dated(LogEvent.of(Kind.STEP, SECOND, "x"), SECOND.plusMillis(400)))
                .isEqualTo(SECOND.plusMillis(400));
    }

    @Test
    void lineSeenLateIsDatedAtTheEndOfItsSecond() {
        assertThat(dated(LogEvent.of(Kind.STEP, SECOND, "x"), SECOND.plusSeconds(30)))
                .isEqualTo(SECOND.plusNanos(999_999_999));
    }

    @Test
    void statusFileOfThatSecondKnowsBetter() {
        StatusFile synced = status("SYNCED", SECOND.plusMillis(123));

        assertThat(dated(LogEvent.of(Kind.SYNCED, SECOND, "x"), SECOND.plusSeconds(30), synced))
                .isEqualTo(SECOND.plusMillis(123));
        assertThat(dated(LogEvent.of(Kind.JOINED, SECOND, "x"), SECOND.plusMillis(500), synced))
                .isEqualTo(SECOND.plusMillis(500));
        assertThat(dated(LogEvent.of(Kind.SYNCED, SECOND.plusSeconds(1), "x"), SECOND.plusMillis(1_600), synced))
                .isEqualTo(SECOND.plusMillis(1_600));
    }

    @Test
    void exactLineNeedsNoHelp() {
        LogEvent exact = new LogEvent(Kind.STEP, SECOND.plusMillis(7), true, "x", "", null);

        assertThat(dated(exact, SECOND.plusSeconds(5))).isEqualTo(SECOND.plusMillis(7));
    }

    @Test
    void lineIsNotLaterThanTheNextAndNotEarlierThanTheOneBefore() {
        List<LogEvent> lines = List.of(LogEvent.of(Kind.JOINED, SECOND, "x"), LogEvent.of(Kind.SYNCED, SECOND, "y"));
        Instant synced = SECOND.plusMillis(300);

        assertThat(EventTime.of(lines, SECOND.plusMillis(320), List.of(status("SYNCED", synced)), Instant.EPOCH))
                .containsExactly(synced, synced);
        assertThat(EventTime.of(
                        lines, SECOND.plusMillis(320), List.of(status("SYNCED", synced)), SECOND.plusMillis(310)))
                .containsExactly(SECOND.plusMillis(310), SECOND.plusMillis(310));
    }

    @Test
    void linesAfterTheClockWasSetBackAreNotDatedByThoseBefore() {
        List<LogEvent> lines = List.of(LogEvent.of(Kind.JOINED, SECOND, "x"));

        assertThat(EventTime.of(lines, SECOND.plusMillis(400), List.of(), SECOND.plusSeconds(60)))
                .containsExactly(SECOND.plusMillis(400));
    }

    private static Instant dated(LogEvent event, Instant seen, StatusFile... changes) {
        return EventTime.of(List.of(event), seen, List.of(changes), Instant.EPOCH)
                .get(0);
    }

    private static StatusFile status(String state, Instant changed) {
        return new StatusFile(state, "", Optional.of(changed));
    }
}
