package io.ycsbdrill.report.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.rundir.Latency;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FigureTest {
    @TempDir
    Path run;

    @Test
    void latenciesOfOperationsWithLinesInTheirNamesAreTold() {
        Figure figure = Figure.of("NEW_ORDER_service_p99_9_us");

        assertThat(figure.title()).isEqualTo("NEW_ORDER p99.9, service time");
        assertThat(figure.unit()).isEqualTo("ms");
        assertThat(figure.latency()).hasValue(new Figure.LatencyOf("NEW_ORDER", "service", Latency.P99_9));
        assertThat(Figure.of("READ_response_mean_us").latency())
                .hasValue(new Figure.LatencyOf("READ", "response", Latency.MEAN));
        assertThat(Figure.of("drill_before_READ_mean_us").latency()).isEmpty();
    }

    @Test
    void figuresOfPhasesHaveWordsAndUnits() {
        Figure seconds = Figure.of("drill_phase_local_recovery_seconds");
        Figure mean = Figure.of("drill_phase_synchronise_meanPercent");
        Figure slower = Figure.of("drill_phase_synchronise_p99Factor");

        assertThat(seconds.title() + " " + seconds.unit()).isEqualTo("Phase local-recovery s");
        assertThat(mean.title() + " " + mean.unit()).isEqualTo("Phase synchronise, throughput of the baseline's %");
        assertThat(slower.title() + " " + slower.unit()).isEqualTo("Phase synchronise, p99 of the baseline's ×");
    }

    @Test
    void pairsAreComparedByLatenciesOfAnyOperation() {
        assertThat(PairedFigures.among(Set.of("NEW_ORDER_service_p99_us", "NEW_ORDER_service_max_us")))
                .extracting(Figure::column)
                .containsExactly("NEW_ORDER_service_p99_us");
    }

    @Test
    void experimentsAreComparedByTheP99OfEachOperationOfAnyWorkload() {
        Set<String> columns = Set.of(
                "NEW_ORDER_service_p99_us",
                "NEW_ORDER-ABORTED_service_p99_us",
                "READ_service_p99_us",
                "READ-SERVER_service_p99_us",
                "VERIFY_service_p99_us");

        assertThat(Figure.of(columns, List.of()))
                .extracting(Figure::column)
                .containsExactly("throughput_ops_s", "READ_service_p99_us", "NEW_ORDER_service_p99_us");
    }

    @Test
    void throughputInAPhaseIsBetterWhenThereIsMoreOfItAndOtherFiguresOfPhasesAreNot() {
        assertThat(ExperimentData.moreIsBetter("drill_phase_synchronise_meanPercent"))
                .isTrue();
        assertThat(ExperimentData.moreIsBetter("drill_phase_wait_checkpoint_meanPercent"))
                .isTrue();
        assertThat(ExperimentData.moreIsBetter("drill_phase_synchronise_seconds"))
                .isFalse();
        assertThat(ExperimentData.moreIsBetter("drill_phase_synchronise_p99Factor"))
                .isFalse();
    }

    /** What fails at once makes more of them. */
    @Test
    void moreSuccessesAreBetterAndMoreTransactionsOfAnyOutcomeAreNotWorse() {
        assertThat(List.of("ok_ops", "ok_share", "throughput_ops_s")).allMatch(ExperimentData::moreIsBetter);
        assertThat(ExperimentData.neitherIsBetter("transactions_s")).isTrue();
        assertThat(Figure.of("transactions_s").unit()).isEqualTo("/s");
    }

    @Test
    void transactionsPerSecondAreThoseOfTheTrimmedRun() throws Exception {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\"}");
        Files.writeString(run.resolve("summary.json"), """
                {"trimmed": {"startSeconds": 2, "endSeconds": 12}, "throughputOpsPerSecond": 3000, "transactions": 20000}
                """);

        assertThat(CellFigures.read(run).values())
                .containsEntry("transactions_s", 2000.0)
                .containsEntry("throughput_ops_s", 3000.0);
    }

    /** A calibration is at full load, and is neither before the fault nor warm-up. */
    @Test
    void latenciesBeforeTheFaultAreWithoutTheCalibration() throws Exception {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\",\"drill\":{}}");
        Files.writeString(run.resolve("windows.csv"), """
                window,operation,ok,service_mean_us,phase
                0,READ,100,2000,calibration
                1,READ,100,2000,calibration
                2,READ,100,2000,calibration
                3,READ,100,2000,calibration
                4,READ,100,1500,
                5,READ,100,1000,steady
                6,READ,100,5000,fault
                """);

        assertThat(CellFigures.read(run).values())
                .containsEntry("drill_before_READ_mean_us", 1000.0)
                .containsEntry("drill_out_READ_mean_us", 5000.0);
    }

    @Test
    void whatThereWasNothingToMeasureForIsNoNumber() throws Exception {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\",\"drill\":{}}");
        Files.writeString(run.resolve("summary.json"), """
                {"drill": {"overall": {"outSeconds": 1.5, "notApplicable": ["redundancyRestoredSeconds"]}}}
                """);

        assertThat(CellFigures.read(run).values())
                .containsEntry("drill_outSeconds", 1.5)
                .containsEntry("drill_redundancyRestoredSeconds", Double.NaN);
    }

    @Test
    void ofAMinuteAfterTheRecoveryThatIsNotWholeThereAreNoFigures() throws Exception {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\",\"drill\":{}}");
        Files.writeString(run.resolve("summary.json"), """
                {"drill": {"faults": [{"phases": [{"phase": "after recovered", "seconds": 59.8, "open": true, "meanPercent": 80},
                 {"phase": "synchronise", "seconds": 3, "open": false}]}]}}
                """);

        assertThat(CellFigures.read(run).values())
                .containsEntry("drill_phase_synchronise_seconds", 3.0)
                .doesNotContainKey("drill_phase_after_recovered_meanPercent");
    }

    @Test
    void abortedAttemptsAreCountedAndHaveNoRate() throws Exception {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\"}");
        Files.writeString(run.resolve("summary.json"), """
                {"throughputOpsPerSecond": 21.5, "durationSeconds": 8.4, "operations": {
                  "PAYMENT": {"ok": 178, "failed": 1, "unknown": 2, "throughputOpsPerSecond": 21.5, "counted": true},
                  "PAYMENT-ABORTED": {"ok": 0, "failed": 262, "unknown": 0, "throughputOpsPerSecond": 0.0, "counted": false}}}
                """);

        assertThat(CellFigures.read(run).values())
                .containsEntry("PAYMENT_ops_s", 21.5)
                .containsEntry("PAYMENT_not_ok_ops", 3.0)
                .containsEntry("PAYMENT-ABORTED_not_ok_ops", 262.0)
                .doesNotContainKey("PAYMENT-ABORTED_ops_s")
                .containsEntry("ok_ops", 178.0)
                .containsEntry("not_ok_ops", 3.0)
                .containsEntry("aborts_op", 262.0 / 178)
                .containsEntry("run_s", 8.4);
    }

    @Test
    void whereTransactionsAreCheckedAndNoneWasAbortedTheShareIsZero() throws Exception {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\"}");
        Files.writeString(run.resolve("summary.json"), """
                {"throughputOpsPerSecond": 30, "operations": {"PAYMENT": {"ok": 9, "throughputOpsPerSecond": 30, "counted": true}}}
                """);
        assertThat(CellFigures.read(run).values()).doesNotContainKey("aborts_op");

        Files.writeString(run.resolve("consistency.json"), "{\"unreadable\": 0, \"violated\": 2}");
        assertThat(CellFigures.read(run).values())
                .containsEntry("aborts_op", 0.0)
                .containsEntry("inconsistent", 2.0);
    }

    @Test
    void theMeanOfAllOperationsIsWeightedByTheirRates() throws Exception {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\"}");
        Files.writeString(run.resolve("summary.json"), """
                {"throughputOpsPerSecond": 40, "operations": {
                  "PAYMENT": {"ok": 30, "throughputOpsPerSecond": 30, "counted": true, "service": {"meanMicros": 100}},
                  "DELIVERY": {"ok": 10, "throughputOpsPerSecond": 10, "counted": true, "service": {"meanMicros": 500}},
                  "PAYMENT-ABORTED": {"failed": 5, "throughputOpsPerSecond": 0, "counted": false, "service": {"meanMicros": 9}}}}
                """);

        assertThat(CellFigures.read(run).values()).containsEntry("service_mean_us", 200.0);
    }

    @Test
    void processorTimeForAnOperationIsThatOfTheTrimmedRunAndOfAllClients() throws Exception {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\"}");
        Files.writeString(
                run.resolve("summary.json"),
                "{\"trimmed\":{\"startSeconds\":0.1,\"endSeconds\":0.3},\"throughputOpsPerSecond\":10000}");
        String columns = "client,slice,start_s,stall_ms,gc_ms,client_cpus\n";
        // Before 0.1 s it is warming up; the second client ends at 0.2 s, and all operations are over 0.2 s.
        String first = "1,0,0,0,0,2\n1,1,0.1,0,0,0.2\n1,2,0.2,0,0,0.4\n";
        Files.writeString(run.resolve("client.csv"), columns + first + "2,1,0.1,0,0,0.1\n");

        assertThat(CellFigures.read(run).values().get("client_cpu_us_op")).isEqualTo(35.0, within(1e-9));

        Files.writeString(run.resolve("client.csv"), columns + first + "2,1,0.1,0,0,\n");
        assertThat(CellFigures.read(run).values()).doesNotContainKey("client_cpu_us_op");
    }

    @Test
    void processorTimeOfClientsAndServersTogetherNeedsBoth() throws Exception {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\"}");
        Files.writeString(
                run.resolve("summary.json"),
                "{\"trimmed\":{\"startSeconds\":0,\"endSeconds\":0.1},\"throughputOpsPerSecond\":10000,"
                        + "\"servers\":{\"cpuMicrosPerOperation\":60,\"nodes\":{\"sql1\":{\"cpuSeconds\":3}}}}");

        assertThat(CellFigures.read(run).values())
                .containsEntry("server_cpu_us_op", 60.0)
                .containsEntry("node_sql1_cpu_s", 3.0)
                .doesNotContainKeys("all_cpu_us_op", "node_sql1_memory_mb");

        Files.writeString(run.resolve("client.csv"), "slice,start_s,client_cpus\n0,0,0.4\n");
        assertThat(CellFigures.read(run).values()).containsEntry("all_cpu_us_op", 100.0);
    }

    @Test
    void violatedConditionsAreAFigureUnlessSomeCouldNotBeChecked() throws Exception {
        Files.writeString(run.resolve("run.json"), "{\"state\":\"complete\"}");
        Files.writeString(run.resolve("consistency.json"), "{\"violated\":17,\"unreadable\":0}");
        assertThat(CellFigures.read(run).values()).containsEntry("inconsistent", 17.0);

        Files.writeString(run.resolve("consistency.json"), "{\"violated\":17,\"unreadable\":1}");
        assertThat(CellFigures.read(run).values()).doesNotContainKey("inconsistent");
    }
}
