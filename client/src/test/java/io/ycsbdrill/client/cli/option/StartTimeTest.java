package io.ycsbdrill.client.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartTimeTest {
    private static final Instant NOW = Instant.parse("2026-11-21T13:59:30.5Z");

    @ParameterizedTest
    @CsvSource({
        "2026-11-21T14:00:00Z,2026-11-21T14:00:00Z",
        "2026-11-21T14:00Z,2026-11-21T14:00:00Z",
        "2026-11-21T15:00:00.25+01:00,2026-11-21T14:00:00.25Z",
        "2026-11-21T08:30:00-05:30,2026-11-21T14:00:00Z",
        "+30s,2026-11-21T14:00:00.5Z",
        "+0.5s,2026-11-21T13:59:31Z",
        "+24h,2026-11-22T13:59:30.5Z"
    })
    void isATimeWithItsOffsetOrFromNow(String typed, Instant expected) {
        assertThat(StartTime.parse(typed, NOW)).isEqualTo(expected);
    }

    @Test
    void aTimeThatHasPassedSaysHowLongAgoAndByWhichClock() {
        assertThatThrownBy(() -> StartTime.parse("2026-11-21T13:55:00Z", NOW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"2026-11-21T13:55:00Z\" was 4 min 30 s ago by this machine's clock, which says"
                        + " 2026-11-21T13:59:30.500Z; give a time in the future");
    }
}
