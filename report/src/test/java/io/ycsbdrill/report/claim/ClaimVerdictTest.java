package io.ycsbdrill.report.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.claim.Claim.Expect;
import io.ycsbdrill.report.claim.Claim.Kind;
import io.ycsbdrill.report.claim.Claim.Range;
import io.ycsbdrill.report.stat.Estimate;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimVerdictTest {
    private static final Estimate NARROW = new Estimate(1, 0.99, 1.01, 5);

    private static Claim claim(
            Kind kind, Optional<Range> claimed, Optional<Range> recomputed, Optional<Expect> expect) {
        return new Claim(
                "c",
                "q",
                kind,
                claimed,
                recomputed.isPresent() ? Optional.of("1 / 1") : Optional.empty(),
                recomputed,
                Optional.of("throughput_ops_s"),
                Map.of("threads", "2"),
                Map.of("threads", "1"),
                0.25,
                expect,
                Optional.empty(),
                Optional.empty());
    }

    private static Claim ratio(double low, double high) {
        return claim(Kind.RATIO, Optional.of(new Range(low, high)), Optional.empty(), Optional.empty());
    }

    private static Claim shape(boolean more, double bound) {
        return claim(Kind.SHAPE, Optional.empty(), Optional.empty(), Optional.of(new Expect(more, bound)));
    }

    private static Claim known(Claim claim, String notComparable, String notMeasured) {
        return new Claim(
                claim.id(),
                claim.quote(),
                claim.kind(),
                claim.claimed(),
                claim.recomputed(),
                claim.recomputedRange(),
                claim.figure(),
                claim.of(),
                claim.to(),
                claim.tolerance(),
                claim.expect(),
                Optional.ofNullable(notComparable),
                Optional.ofNullable(notMeasured));
    }

    /** With a tolerance of 25 % a ratio of 2 may be 1.6 to 2.5; the borders belong to it. */
    @ParameterizedTest
    @CsvSource({
        "1.9, 2.1, reproduced",
        "1.6, 2.5, reproduced",
        "1.59, 2.1, not comparable (the interval 1.59 to 2.1 does not decide)",
        "1.9, 2.51, not comparable (the interval 1.9 to 2.51 does not decide)",
        "0.5, 5, not comparable (the interval 0.5 to 5 does not decide)",
        "1.2, 1.6, not comparable (the interval 1.2 to 1.6 does not decide)",
        "1.2, 1.59, not reproduced",
        "2.51, 3, not reproduced"
    })
    void aRatioIsJudgedByItsWholeInterval(double low, double high, String expected) {
        assertThat(ClaimVerdict.of(ratio(2, 2), new Estimate((low + high) / 2, low, high, 3), 1.5)
                        .text())
                .isEqualTo(expected);
    }

    @Test
    void aRangeIsWidenedByTheTolerance() {
        Claim claim = ratio(0.8, 1.2);

        assertThat(ClaimVerdict.of(claim, new Estimate(1, 0.64, 1.5, 3), 1).word())
                .isEqualTo(ClaimWord.REPRODUCED);
        assertThat(ClaimVerdict.of(claim, new Estimate(1, 0.63, 1.5, 3), 1).word())
                .isEqualTo(ClaimWord.NOT_COMPARABLE);
        assertThat(ClaimVerdict.of(claim, new Estimate(2, 1.51, 3, 3), 1).word())
                .isEqualTo(ClaimWord.NOT_REPRODUCED);
    }

    @Test
    void theSourcesStatementCountsAndWithoutOneItsNumbers() {
        Claim both =
                claim(Kind.RATIO, Optional.of(new Range(3.5, 3.5)), Optional.of(new Range(2.4, 2.4)), Optional.empty());
        Claim numbers = claim(Kind.RATIO, Optional.empty(), Optional.of(new Range(2.4, 2.4)), Optional.empty());
        Estimate measured = new Estimate(2.4, 2.3, 2.5, 3);

        assertThat(ClaimVerdict.of(both, measured, 1).word()).isEqualTo(ClaimWord.NOT_REPRODUCED);
        assertThat(ClaimVerdict.of(numbers, measured, 1).word()).isEqualTo(ClaimWord.REPRODUCED);
    }

    @ParameterizedTest
    @CsvSource({
        "true, 1, 1.10, 1.30, reproduced",
        "true, 1, 0.70, 0.90, not reproduced",
        "true, 1, 0.95, 1.30, not comparable (the interval 0.95 to 1.3 does not decide)",
        "true, 1, 1.00, 1.30, not comparable (the interval 1 to 1.3 does not decide)",
        "false, 1, 0.70, 0.90, reproduced",
        "false, 1, 1.10, 1.30, not reproduced",
        "true, 3, 3.10, 3.90, reproduced",
        "true, 3, 2.00, 2.90, not reproduced"
    })
    void aShapeIsJudgedByTheSideOfItsWholeInterval(boolean more, double bound, double low, double high, String text) {
        assertThat(ClaimVerdict.of(shape(more, bound), new Estimate((low + high) / 2, low, high, 3), 1.01)
                        .text())
                .isEqualTo(text);
    }

    @Test
    void aShapeWithinTheNoiseFloorIsNotJudged() {
        Estimate measured = new Estimate(1.03, 1.01, 1.05, 3);

        assertThat(ClaimVerdict.of(shape(true, 1), measured, 1.04).text())
                .isEqualTo("not comparable (no larger than the noise floor of 4.0 %)");
        assertThat(ClaimVerdict.of(shape(true, 1), measured, 1.02).text()).isEqualTo("reproduced");
    }

    @Test
    void anAbsoluteFigureIsNeverJudged() {
        Claim claim = claim(Kind.ABSOLUTE, Optional.of(new Range(1, 1)), Optional.empty(), Optional.empty());

        assertThat(ClaimVerdict.of(claim, NARROW, 1).text()).isEqualTo("not comparable (other hardware)");
    }

    @Test
    void withoutAnIntervalNothingIsJudged() {
        assertThat(ClaimVerdict.of(ratio(1, 1), Estimate.withoutInterval(1, 2), 1)
                        .text())
                .isEqualTo("not comparable (no interval of 2 repeats)");
        assertThat(ClaimVerdict.of(shape(true, 1), Estimate.withoutInterval(9, 1), 1)
                        .text())
                .isEqualTo("not comparable (no interval of 1 repeat)");
    }

    @Test
    void whatIsKnownBeforehandIsSaid() {
        assertThat(ClaimVerdict.of(known(ratio(1, 1), "another protocol", null), NARROW, 1)
                        .text())
                .isEqualTo("not comparable (another protocol)");
        assertThat(ClaimVerdict.of(known(ratio(1, 1), "another protocol", "no such version"), NARROW, 1)
                        .text())
                .isEqualTo("not measured (no such version)");
    }

    @Test
    void aLackingFigureIsNotMeasured() {
        assertThat(ClaimVerdict.of(
                                known(ratio(1, 1), "another protocol", null),
                                Estimate.withoutInterval(Double.NaN, 0),
                                1)
                        .text())
                .isEqualTo("not measured (the figure is lacking)");
    }

    @Test
    void thereAreFourWords() {
        assertThat(ClaimWord.values())
                .extracting(ClaimWord::label)
                .containsExactly("reproduced", "not reproduced", "not comparable", "not measured");
    }

    @ParameterizedTest
    @CsvSource({"0.648810, 0.649", "1.27, 1.27", "51000, '51,000'", "2, 2", "0, 0", "99.96, 100", "0.0012345, 0.00123"})
    void figuresAreShortAndPlain(double value, String text) {
        assertThat(ClaimNumber.text(value)).isEqualTo(text);
    }
}
