package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.declared.LogLines.Meaning;
import io.ycsbdrill.fault.node.declared.LogLines.Rule;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The times of lines, and what is looked for in them. */
class LogLinesTest {
    private static LogLines lines(String format, String has) {
        return new LogLines(
                new Words("time", "^(\\S+)?"),
                LogLines.format(format),
                List.of(new Rule(new Words("lines[1].has", has), Meaning.STEP)));
    }

    @ParameterizedTest
    @CsvSource({
        "yyyy-MM-dd'T'HH:mm:ss.SSSX,2024-11-23T14:35:47.123Z,2024-11-23T14:35:47.123Z",
        "yyyy-MM-dd'T'HH:mm:ss.SSSX,2024-11-23T14:35:47.123456Z,2024-11-23T14:35:47.123456Z",
        "yyyy-MM-dd'T'HH:mm:ss.SX,2024-11-23T14:35:47.123456789+02,2024-11-23T12:35:47.123456789Z",
        "yyyy-MM-dd'T'HH:mm:ssXX,2024-11-23T14:35:47+0200,2024-11-23T12:35:47Z",
        "yyyy-MM-dd'_'HH:mm:ss,2024-11-23_14:35:47,2024-11-23T14:35:47Z",
        "yyyyMMddHHmmss,20241123143547,2024-11-23T14:35:47Z"
    })
    void timesAreInUtcUnlessTheySayOtherwise(String format, String text, Instant time) {
        assertThat(lines(format, "x").event(text + " x").orElseThrow().at()).contains(time);
    }

    @Test
    void aLineWithoutATimeIsTold() {
        LogLines lines = lines("yyyy-MM-dd'T'HH:mm:ss", "x");

        assertThat(lines.event("yesterday x").orElseThrow().at()).isEmpty();
        assertThat(lines.event(" x").orElseThrow().at())
                .as("group without a match")
                .isEmpty();
        assertThat(lines.event("yesterday y")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"(a+)+b", "(.*)*b", "(a|aa)*b"})
    void anExpressionThatTakesTooLongIsGivenUpByName(String has) {
        LogLines lines = lines("yyyy-MM-dd'T'HH:mm:ss", has);

        assertThat(lines.event("a".repeat(5000))).isEmpty();

        assertThat(lines.rules().get(0).words().problem().orElseThrow())
                .startsWith("lines[1].has: \"" + has + "\" is looked for no more: it takes too long");
        assertThat(lines.event("ab")).isEmpty();
    }
}
