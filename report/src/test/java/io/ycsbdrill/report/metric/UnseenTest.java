package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.ScriptedService.Loop;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** What cannot be seen is said of the fault and the cycle of which least can be seen. */
class UnseenTest {
    private static FaultMetrics fault(List<String> rare, Optional<Unseen> unseen) {
        return new FaultMetrics(
                1,
                "kill",
                "node1",
                "kill",
                0,
                1,
                List.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                rare,
                unseen,
                List.of(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty());
    }

    @Test
    void theWorstOfAllFaultsIsSaidOnce() {
        List<String> sentences = Unseen.sentences(List.of(
                fault(List.of("SCAN is too rare"), Optional.of(new Unseen(0.03, 0.9))),
                fault(List.of("SCAN is too rare"), Optional.of(new Unseen(0.181, 0.8))),
                fault(List.of(), Optional.of(new Unseen(0.05, 0.61))),
                fault(List.of(), Optional.empty())));

        assertThat(sentences).hasSize(2).first().isEqualTo("SCAN is too rare");
        assertThat(sentences.get(1)).contains("a loss of up to 19 % of B", "degraded below 61 % of B only");
        assertThat(Unseen.sentences(List.of(fault(List.of(), Optional.empty()))))
                .isEmpty();
    }

    /** What is said is all that is taken off the loss: what the baseline loses anyway, too. */
    @Test
    void whatTheBaselineLosesAnywayIsSaidToBeUnseen() {
        ScriptedService service = new ScriptedService(Loop.CLOSED, 600, 90, 40, List.of(), 1);
        service.noise = 0.02;
        RunData run = service.run(JsonNodeFactory.instance.objectNode());
        List<Incident> incidents = Incident.of(run);
        Baseline baseline =
                DrillMetrics.baseline(run, incidents.get(0), incidents).orElseThrow();

        assertThat(DrillMetrics.of(run).faults().get(0).unseen())
                .hasValueSatisfying(unseen -> assertThat(unseen.share()).isGreaterThan(baseline.chance() + 0.001));
    }
}
