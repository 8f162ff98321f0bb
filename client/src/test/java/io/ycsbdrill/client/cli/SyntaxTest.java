package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.client.run.pace.RatePlan.Segment;
import io.ycsbdrill.client.run.pace.RateSyntax;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SyntaxTest {
    private static final double FOREVER = Double.POSITIVE_INFINITY;

    @Test
    void aBareRateIsConstant() {
        assertThat(RateSyntax.parse("1000")).containsExactly(new Segment(0, FOREVER, 1000, 1000));
    }

    @Test
    void aStepLastsUntilTheNextOne() {
        assertThat(RateSyntax.parse("1000@0s,5000@60s"))
                .containsExactly(new Segment(0, 60, 1000, 1000), new Segment(60, FOREVER, 5000, 5000));
    }

    @Test
    void aRampKeepsItsEndValueUntilTheNextPart() {
        assertThat(RateSyntax.parse("100..500@0s-10s, 50@20s"))
                .containsExactly(
                        new Segment(0, 10, 100, 500), new Segment(10, 20, 500, 500), new Segment(20, FOREVER, 50, 50));
    }

    @Test
    void aRampAtTheEndIsFollowedByItsEndValue() {
        assertThat(RateSyntax.parse("10@0s,10..20@1m-2m"))
                .containsExactly(
                        new Segment(0, 60, 10, 10), new Segment(60, 120, 10, 20), new Segment(120, FOREVER, 20, 20));
    }

    @Test
    void aRateMayPauseInBetween() {
        List<Segment> plan = RateSyntax.parse("10@0s,0@5s,10@6s");

        assertThat(plan).hasSize(3).contains(new Segment(5, 6, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "fast",
                "-5",
                "100@",
                "100@5",
                "100@5s",
                "100@0s,",
                "100@0s,50@0s",
                "100@0s,50@10s,70@5s",
                "1..2@5s-1s",
                "1..2@0s-10s,5@3s",
                "1..2",
                "0",
                "0@0s,0@5s",
                "10@0s,0@5s",
                "1..0@0s-5s"
            })
    void impossibleRatesAreRefused(String text) {
        assertThatThrownBy(() -> RateSyntax.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
