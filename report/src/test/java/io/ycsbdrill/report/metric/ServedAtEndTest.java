package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.summary.Check;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every drill has to show, whatever its limits are: a service that is there at the end of the data. */
class ServedAtEndTest extends MeasuredRun {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** From the fault at 20 s on this share of the reads and of the updates is served. */
    private DrillMetrics after(double reads, double updates) {
        SampleRun run = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t < 21 ? 1000 : 1000 * reads, t -> 300)
                .operation("UPDATE", t -> t < 21 ? 50 : 50 * updates, t -> 300)
                .drill("fault", "{}")
                .marker(20, "fault-started", "kill", "node3", ",\"fault\":\"kill\"");
        return DrillMetrics.of(RunData.read(run.writeTo(directory.resolve("run" + reads + updates))));
    }

    private static Check served(DrillMetrics metrics, ObjectNode limits) {
        return Verdict.of(metrics, limits).checks().stream()
                .filter(check -> check.key().equals("serviceRestored"))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.05, 0.667, 0.8})
    void aServiceThatIsNotBackHasKeptNothing(double share) {
        Verdict verdict = Verdict.of(after(share, share), JSON.objectNode());

        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(verdict.line()).contains("Service restored at the end of the data, judged in every drill: ");
    }

    @Test
    void aServiceThatIsBackHasKeptWhatEveryDrillIsJudgedBy() {
        assertThat(served(after(1, 1), JSON.objectNode()).result()).isEqualTo(Check.Result.PASS);
        assertThat(served(after(0.95, 0.95), JSON.objectNode()).result()).isEqualTo(Check.Result.PASS);
    }

    /** Reads are 95 % of the load, so that all operations together are above every level. */
    @Test
    void updatesThatNeverComeBackAreMissed() {
        DrillMetrics metrics = after(1, 0);

        assertThat(served(metrics, JSON.objectNode()).result()).isEqualTo(Check.Result.FAIL);
        assertThat(served(metrics, JSON.objectNode()).reason()).isEqualTo("UPDATE at 0 % in the last 5.0 s");
    }

    /** No call returns any more, or next to none: a loop that varied too much to have a level is not back for that. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.05})
    void aRestlessLoopThatStopsIsNotBack(double share) {
        SampleRun run = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> (t < 21 ? 1 : share) * (t % 3 == 0 ? 1500 : 400 + 37 * (t % 7)), t -> 300)
                .drill("fault", "{}")
                .marker(20, "fault-started", "kill", "node3", ",\"fault\":\"kill\"");
        DrillMetrics metrics = DrillMetrics.of(RunData.read(run.writeTo(directory.resolve("restless" + share))));

        assertThat(served(metrics, JSON.objectNode()).result()).isEqualTo(Check.Result.FAIL);
        assertThat(served(metrics, JSON.objectNode()).reason())
                .matches("all operations together at [0-7] % in the last 5.0 s");
    }

    /** In a closed loop, and no worse than before: nobody has asked users whether that is a service. */
    @Test
    void aServiceOfWhichAThirdFailsIsNotBackHoweverItWasBefore() {
        SampleRun run = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> 700, t -> 300)
                .drill("fault", "{}")
                .marker(20, "fault-started", "kill", "node3", ",\"fault\":\"kill\"");
        for (int second = 0; second < 60; second++) {
            run.failing(second + 0.5, 300, 0);
        }
        DrillMetrics metrics = DrillMetrics.of(RunData.read(run.writeTo(directory.resolve("third"))));

        assertThat(served(metrics, JSON.objectNode()).result()).isEqualTo(Check.Result.FAIL);
        assertThat(served(metrics, JSON.objectNode()).reason())
                .contains("30 % of the operations in the last 5.0 s failed or are unknown");
    }

    @Test
    void itIsSwitchedOffByItsNameOnly() {
        DrillMetrics dead = after(0, 0);

        assertThat(Verdict.of(dead, JSON.objectNode().put("serviceRestored", "any"))
                        .checks())
                .isEmpty();
        for (Map.Entry<String, Double> lax :
                Map.of("maxOutSeconds", 1e6, "maxFailed", 1e9).entrySet()) {
            assertThat(served(dead, JSON.objectNode().put(lax.getKey(), lax.getValue()))
                            .result())
                    .isEqualTo(Check.Result.FAIL);
        }
        assertThat(List.of(after(1, 1).get(Metric.NOT_RESTORED).value().orElseThrow()))
                .containsExactly(0.0);
    }

    /** Neither a baseline nor a rate: a drill that waited for a steady state is told that nobody knows, another one has asked for nothing. */
    @Test
    void withoutASteadyStateThereIsNothingToCompareWith() {
        SampleRun early = SampleRun.lasting(30)
                .exact()
                .operation("READ", t -> 1000, t -> 300)
                .drill("early", "{}")
                .marker(3, "fault-started", "kill", "node3", ",\"fault\":\"kill\"");
        DrillMetrics off = DrillMetrics.of(RunData.read(early.writeTo(directory.resolve("off"))));
        early.marker(3, "steady", "steady", "", ",\"since_ns\":\"1000000000\"");
        DrillMetrics waited = DrillMetrics.of(RunData.read(early.writeTo(directory.resolve("waited"))));

        String text = DrillSummary.of(RunData.read(directory.resolve("waited"))).text();
        assertThat(text.split(FaultAnalysis.NO_BASELINE + "\\R", -1))
                .as("its reason is said once: %s", text)
                .hasSize(2);
        assertThat(served(off, JSON.objectNode()).result()).isEqualTo(Check.Result.NOT_APPLICABLE);
        assertThat(served(waited, JSON.objectNode()).result()).isEqualTo(Check.Result.NOT_MEASURABLE);
        assertThat(Verdict.of(waited, JSON.objectNode()).outcome()).isEqualTo(Verdict.Outcome.FAIL);
    }

    /** Every answer takes a thousand times as long for ever: with neither a baseline nor an slo nobody can say that it is slow. */
    @Test
    void aServiceWhoseLatencyCannotBeJudgedIsNotSaidToBeBack() {
        SampleRun early = SampleRun.lasting(40)
                .exact()
                .withResponse()
                .rate(1000)
                .operation("READ", t -> 1000, t -> t < 4 ? 300 : 300_000)
                .drill("early", "{}")
                .marker(4, "steady", "steady", "", ",\"since_ns\":\"0\"")
                .marker(4, "fault-started", "kill", "node3", ",\"fault\":\"kill\"");
        DrillMetrics metrics = DrillMetrics.of(RunData.read(early.writeTo(directory.resolve("slow"))));

        assertThat(served(metrics, JSON.objectNode()).result()).isEqualTo(Check.Result.NOT_MEASURABLE);
        assertThat(served(metrics, JSON.objectNode()).reason()).contains("steady.window, or an slo");
    }
}
