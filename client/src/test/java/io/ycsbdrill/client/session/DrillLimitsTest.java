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
        return problems(keys, "{fault: restart, node: n1, at: 1s}", warmup, audited, workload);
    }

    private static List<String> problems(String keys, String steps, Duration warmup, boolean audited, String workload)
            throws DrillFileException {
        DrillFile file = DrillFile.parse("d.yaml", "{" + keys + ", steps: [" + steps + "]}");
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

    /** It takes acknowledged writes back: how many seconds of them is for the user to say, and data that are checked would be found inconsistent. */
    @Test
    void aRestoreNeedsAnRpoAndAWorkloadThatDoesNotCheckItsData() throws DrillFileException {
        String restore = "{step: save, operation: backup, node: n1, at: 0s},"
                + " {step: back, operation: restore, node: all, after: save}";
        String checking = "io.ycsbdrill.workload.tpcc.TpccWorkload";

        assertThat(problems("limits: {max_rpo: 1m}", restore, Duration.ZERO, true, CORE))
                .isEmpty();
        assertThat(problems("limits: {acked_lost: 0}", restore, Duration.ZERO, true, CORE))
                .containsExactly("d.yaml: step back: restore takes acknowledged writes back, and nothing says how many"
                        + " seconds of them may be gone; set limits.max_rpo");
        assertThat(problems("limits: {max_rpo: 1m}", restore, Duration.ZERO, true, checking))
                .containsExactly("d.yaml: step back: restore takes acknowledged writes back, and workload=" + checking
                        + " would find its data inconsistent; use a workload that does not check its data, such as"
                        + " workloads/workloada");
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
