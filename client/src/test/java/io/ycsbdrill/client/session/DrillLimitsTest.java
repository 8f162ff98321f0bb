package io.ycsbdrill.client.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.DrillFileException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** What a run could never judge is said before it. */
class DrillLimitsTest {
    private static List<String> problems(String keys, Duration warmup, boolean audited, String workload)
            throws DrillFileException {
        DrillFile file = DrillFile.parse("d.yaml", "{" + keys + ", steps: [{fault: restart, node: n1, at: 1s}]}");
        Properties properties = new Properties();
        properties.setProperty("workload", workload);
        Problems problems = new Problems();
        DrillLimits.check(
                file,
                RunSpec.builder()
                        .properties(properties)
                        .trimmed(warmup, Duration.ZERO)
                        .build(),
                audited,
                problems);
        return problems.all();
    }

    private static final String CORE = "site.ycsb.workloads.CoreWorkload";

    @Test
    void lostWritesNeedAnAudit() throws DrillFileException {
        for (String limit : List.of("acked_lost: 0", "max_rpo: 1s")) {
            assertThat(problems("limits: {" + limit + "}", Duration.ZERO, false, CORE))
                    .singleElement()
                    .asString()
                    .contains("can be judged only with an audit");
            assertThat(problems("limits: {" + limit + "}", Duration.ZERO, true, CORE))
                    .isEmpty();
        }
        assertThat(problems("limits: {acked_lost: any}", Duration.ZERO, false, CORE))
                .isEmpty();
    }

    @Test
    void consistencyNeedsAWorkloadThatChecksItsData() throws DrillFileException {
        assertThat(problems("limits: {inconsistent: 0}", Duration.ZERO, true, CORE))
                .singleElement()
                .asString()
                .startsWith("d.yaml: limits.inconsistent could never be judged: workload=" + CORE);
        assertThat(problems(
                        "limits: {inconsistent: 0}", Duration.ZERO, true, "io.ycsbdrill.workload.tpcc.TpccWorkload"))
                .isEmpty();
    }

    @Test
    void aWarmUpThatLeavesNoSteadyTimeIsRefused() throws DrillFileException {
        String gate = "steady: {after: 20s, window: 4s}";

        assertThat(problems(gate, Duration.ofSeconds(30), false, CORE))
                .singleElement()
                .asString()
                .startsWith("--warmup 30s: the first fault may come 21s after the start");
        assertThat(problems(gate, Duration.ofSeconds(16), false, CORE)).isEmpty();
    }
}
