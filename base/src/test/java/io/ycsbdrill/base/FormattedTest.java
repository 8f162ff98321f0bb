package io.ycsbdrill.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FormattedTest {
    @Test
    void aNounGoesWithItsNumber() {
        String calls = "%,d {call was|calls were} abandoned, %,d of %d {row|rows}";

        assertThat(Formatted.of(calls, 1, 0, 1)).isEqualTo("1 call was abandoned, 0 of 1 row");
        assertThat(Formatted.of(calls, 8_394, 1, 21)).isEqualTo("8,394 calls were abandoned, 1 of 21 rows");
        assertThat(Formatted.of("%d {%s|%s}", 1, "$1", "x")).isEqualTo("1 $1");
    }

    @Test
    void otherBracesStayAsTheyAre() {
        assertThat(Formatted.of("%s: {node} {a|b}", "1 {x|y}")).isEqualTo("1 {x|y}: {node} {a|b}");
    }
}
