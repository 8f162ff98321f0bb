package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "250us, 250000, 250us",
        "1.5us, 1500, 1.500us",
        "100ms, 100000000, 100ms",
        "0.5s, 500000000, 500ms",
        "90s, 90000000000, 90s",
        "' 10m ', 600000000000, 600s",
        "2h, 7200000000000, 2h",
        "0s, 0, 0s"
    })
    void aNumberWithAUnitIsReadAndPrintedInItsShortestForm(String text, long nanos, String printed) {
        Duration duration = Durations.parse(text);

        assertThat(duration).isEqualTo(Duration.ofNanos(nanos));
        assertThat(Durations.print(duration)).isEqualTo(printed);
        assertThat(Durations.parse(printed)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "60 s", "-1s", "1d", "1 2s", "1e3s", "0x1s", "5S", "1,5s"})
    void anythingElseIsRefusedWithTheExpectedForm(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"" + text + "\"; expected " + Durations.EXPECTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "0.5"})
    void aMissingUnitIsNamed(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).hasMessageStartingWith("\"" + text + "\" has no unit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999999999h", "0.0000001us", "0.123456789us"})
    void whatCannotBeMeasuredIsRefused(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).hasMessageContaining("out of range");
    }

    @ParameterizedTest
    @ValueSource(strings = {"99ms", "3601s"})
    void boundsAreInTheMessage(String text) {
        assertThatThrownBy(() -> Durations.parse(text, Duration.ofMillis(100), Duration.ofHours(1)))
                .hasMessage("\"" + text + "\" is out of range; allowed: 100ms to 1h");
    }
}
