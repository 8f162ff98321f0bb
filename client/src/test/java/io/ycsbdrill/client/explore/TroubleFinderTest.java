package io.ycsbdrill.client.explore;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.client.explore.Trouble.Kind;
import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.summary.Check;
import io.ycsbdrill.report.summary.Check.Result;
import io.ycsbdrill.report.summary.Verdict;
import io.ycsbdrill.report.summary.Verdict.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TroubleFinderTest {
    private static final String LOST = "{\"ackedLost\": 3, \"writes\": {\"ok\": 9}, \"rowsLost\": 2}";

    private static Check check(String key, Result result) {
        return new Check(key, key, "", 0, "", OptionalDouble.empty(), "", result, "", "");
    }

    private static Stream<Kind> found(String audit, boolean lossesAllowed, Check... checks) throws IOException {
        Verdict verdict = new Verdict(Outcome.FAIL, List.of(checks), List.of());
        return TroubleFinder.audited(new AuditData(new ObjectMapper().readTree(audit)), verdict, lossesAllowed).stream()
                .map(Trouble::kind);
    }

    @Test
    void lossesThatALimitAllowsAreNoFinding() throws IOException {
        assertThat(found(LOST, true, check("audit", Result.PASS))).isEmpty();
        assertThat(found(LOST, true, check("maxRpoSeconds", Result.PASS), check("audit", Result.PASS)))
                .isEmpty();
        assertThat(found(LOST, true, check("maxRpoSeconds", Result.FAIL), check("audit", Result.PASS)))
                .containsExactly(Kind.LOST_WRITE);
        assertThat(found(LOST, true, check("ackedLost", Result.FAIL))).containsExactly(Kind.LOST_WRITE);
    }

    /** They are lost for every later drill, so none of these has lost a write. */
    @Test
    void rowsOfTheLoadThatAreGoneAreNoLostWrite() throws IOException {
        assertThat(found(
                        "{\"ackedLost\": 0, \"writes\": {\"ok\": 9}, \"rowsLost\": 2}",
                        false,
                        check("ackedLost", Result.PASS),
                        check("audit", Result.FAIL)))
                .containsExactly(Kind.ROW_LOST);
    }

    @Test
    void aPhantomIsAnImpossibleValueEvenWhereWritesMayBeLost() throws IOException {
        assertThat(found("{\"phantoms\": 1}", true, check("audit", Result.FAIL)))
                .containsExactly(Kind.IMPOSSIBLE_VALUE);
    }
}
