package io.ycsbdrill.experiment.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.report.claim.Claim;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClaimParserTest {
    private static String with(String claim) {
        return "axes: {threads: [1, 2], duration: [1s, 2s]}\nfixed: {binding: b}\nclaims:\n  c: {quote: q, " + claim
                + "}\n";
    }

    @Test
    void readsWhatIsClaimedRecomputedAndCompared() {
        Claim claim = Words.experiment(with("kind: ratio, claimed: [0.8, 0.9], recomputed: 190 / 220, tolerance: 10%,"
                        + " figure: READ_service_p99_us, of: {threads: 2, duration: 1s}, to: {threads: 1}"))
                .claims()
                .get(0);

        assertThat(claim.kind()).isEqualTo(Claim.Kind.RATIO);
        assertThat(claim.claimed()).contains(new Claim.Range(0.8, 0.9));
        assertThat(claim.recomputed()).contains("190 / 220");
        assertThat(claim.recomputedRange()).contains(new Claim.Range(190.0 / 220, 190.0 / 220));
        assertThat(claim.tolerance()).isEqualTo(0.1);
        assertThat(claim.of()).isEqualTo(Map.of("threads", "2", "duration", "1s"));
        assertThat(claim.to()).isEqualTo(Map.of("threads", "1"));
        assertThat(claim.target()).contains(new Claim.Range(0.8, 0.9));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kind: absolute, figure: ok_share, of: {threads: 1}|claims.c.of.duration: is missing; which of its levels",
                "kind: absolute, figure: ok_share, of: {threads: 3, duration: 1s}|\"3\" is not a level of it",
                "kind: absolute, figure: ok_share, of: {thread: 3, threads: 1, duration: 1s}|did you mean \"threads\"?",
                "kind: absolute, figure: ok_share, of: {threads: 1, duration: 1s}, tolerance: 5%|only ratios have one",
                "kind: ratio, claimed: 1, tolerance: 5%, figure: ok_share, of: {threads: 1, duration: 1s}, to: {threads: 1}|is the same variant",
                "kind: ratio, claimed: [2, 1], tolerance: 5%, figure: ok_share, of: {threads: 1, duration: 1s}|give the lowest first",
                "kind: ratio, recomputed: 3 / 2 to 1, tolerance: 5%, figure: ok_share, of: {threads: 1, duration: 1s}|1.5 is more than 1.0; give the lowest first",
                "kind: ratio, recomputed: 1 /, tolerance: 5%, figure: ok_share, of: {threads: 1, duration: 1s}|a number is missing",
                "kind: shape, expect: '> 0', figure: ok_share, of: {threads: 1, duration: 1s}|expected a side of a bound above 0",
                "kind: shape, expect: '> 1', claimed: x, figure: ok_share, of: {threads: 1, duration: 1s}|expected a number, or the lowest",
            })
    void saysWhatIsWrong(String claim, String problem) {
        assertThatThrownBy(() -> ExperimentFile.parse("e.yaml", with(claim), Words.ALL))
                .isInstanceOf(ExperimentFileException.class)
                .hasMessageContaining("e.yaml:4: claims.c")
                .hasMessageContaining(problem);
    }

    @Test
    void whatAreTheLowestAndTheHighestOfATableIsARange() {
        Claim claim = Words.experiment(with("kind: ratio, recomputed: 8 / 10 to 3 / 2, tolerance: 10%,"
                        + " figure: throughput_ops_s, of: {threads: 2, duration: 1s}, to: {threads: 1}"))
                .claims()
                .get(0);

        assertThat(claim.recomputedRange()).contains(new Claim.Range(0.8, 1.5));
        assertThat(claim.target()).isEqualTo(claim.recomputedRange());
    }

    @Test
    void whatIsNotMeasuredMayBeAboutOtherLevels() {
        Claim claim = Words.experiment(with("kind: ratio, claimed: 2, not_measured: why, of: {cores: 64}"))
                .claims()
                .get(0);

        assertThat(claim.notMeasured()).contains("why");
    }
}
