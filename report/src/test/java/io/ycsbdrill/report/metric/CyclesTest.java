package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.ScriptedService.Episode;
import io.ycsbdrill.report.metric.ScriptedService.Loop;
import io.ycsbdrill.report.metric.ScriptedService.Trouble;
import io.ycsbdrill.report.summary.Check;
import io.ycsbdrill.report.summary.CycleFigure;
import io.ycsbdrill.report.summary.CycleFigure.Effect;
import io.ycsbdrill.report.summary.CycleFigures;
import io.ycsbdrill.report.summary.CycleText;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The cycles of a drill against a service that stalls for a known time in each of them. */
class CyclesTest {
    private static final double EVERY = 30;
    private static final double LENGTH = 15;
    private static final double EDGE = ScriptedService.SLICE + 1e-6;
    /** Of the stall in each cycle; none is a null cycle. */
    private static final List<Optional<Double>> STALLS = cycles(1.0, 1.2, null, 1.6, 1.8, null, 2.2, 2.4, null, 2.8);

    private static List<Optional<Double>> cycles(Double... stalls) {
        return Arrays.stream(stalls).map(Optional::ofNullable).toList();
    }

    private static double begin(int cycle) {
        return EVERY * cycle - 8;
    }

    private static Marker marker(double at, String kind, String label, String... fields) {
        Map<String, String> all = new HashMap<>();
        for (int i = 0; i < fields.length; i += 2) {
            all.put(fields[i], fields[i + 1]);
        }
        return new Marker(at, "", kind, label, all);
    }

    private static List<Marker> markers(List<Optional<Double>> stalls) {
        List<Marker> markers = new ArrayList<>();
        for (int i = 1; i <= stalls.size(); i++) {
            double at = begin(i);
            String number = String.valueOf(i);
            boolean isNull = stalls.get(i - 1).isEmpty();
            markers.add(marker(at - 2, "steady", "steady", "since_ns", String.valueOf((long) ((at - 12) * 1e9))));
            markers.add(marker(at, "cycle-begun", "", "cycle", number, "null", String.valueOf(isNull)));
            if (!isNull) {
                String[] own = {"node", "node1", "step", "restart", "occurrence", number, "fault", "restart"};
                markers.add(marker(at, "fault-started", "R", own));
                markers.add(marker(at + 0.1, "event", "node-down", "node", "node1"));
                markers.add(marker(at + 4 + i / 10.0, "event", "recovered", "node", "node1"));
            }
            markers.add(marker(at + LENGTH, "cycle-ended", "", "cycle", number));
        }
        return markers;
    }

    private static RunData run(List<Optional<Double>> stalls, ObjectNode limits, Optional<AuditData> audit) {
        return run(Loop.OPEN_SKIP, stalls, limits, audit);
    }

    private static RunData run(Loop loop, List<Optional<Double>> stalls, ObjectNode limits, Optional<AuditData> audit) {
        return run(loop, stalls, limits, audit, List.of(), List.of());
    }

    /**
     * A drill.
     *
     * @param more troubles that are not of its faults
     * @param stages of failures that nobody injected
     */
    private static RunData run(
            Loop loop,
            List<Optional<Double>> stalls,
            ObjectNode limits,
            Optional<AuditData> audit,
            List<Episode> more,
            List<Stage> stages) {
        List<Episode> episodes = new ArrayList<>(more);
        for (int i = 1; i <= stalls.size(); i++) {
            double at = begin(i) + 1;
            stalls.get(i - 1)
                    .filter(d -> d > 0)
                    .ifPresent(d -> episodes.add(new Episode(Trouble.STALL, at, at + d, 0)));
        }
        RunData run = new ScriptedService(loop, 300, EVERY * stalls.size() + 12, begin(1), episodes, 5).run(limits);
        return new RunData(
                run.directory(),
                run.run(),
                run.windows(),
                run.slices(),
                markers(stalls),
                stages,
                Optional.empty(),
                audit,
                Optional.empty(),
                run.owners(),
                run.threads(),
                run.clients(),
                List.of());
    }

    private static DrillMetrics metrics(List<Optional<Double>> stalls) {
        return DrillMetrics.of(run(stalls, JsonNodeFactory.instance.objectNode(), Optional.empty()));
    }

    private static CycleFigure figure(DrillMetrics metrics, String key) {
        return CycleFigures.of(metrics).stream()
                .filter(f -> f.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void eachCycleHasTheFiguresOfItsOwnFault() {
        DrillMetrics metrics = metrics(STALLS);

        assertThat(metrics.cycles()).hasSize(10);
        for (Cycle cycle : metrics.cycles()) {
            Optional<Double> stall = STALLS.get(cycle.number() - 1);
            double real = stall.orElse(0.0);
            assertThat(cycle.isNull()).isEqualTo(stall.isEmpty());
            assertThat(cycle.title()).isEqualTo(stall.isEmpty() ? "nothing" : "restart node1");
            assertThat(cycle.metrics().get(Metric.OUT).value().orElseThrow()).isCloseTo(real, within(EDGE));
            assertThat(cycle.metrics().get(Metric.LOST_SECONDS).value().orElseThrow())
                    .isCloseTo(real, within(EDGE));
            assertThat(cycle.metrics().get(Metric.SERVICE_RESTORED).value().orElseThrow())
                    .isCloseTo(stall.map(d -> 1 + d).orElse(0.0), within(EDGE));
            assertThat(cycle.metrics().get(Metric.REDUNDANCY_RESTORED).value().isPresent())
                    .isEqualTo(stall.isPresent());
        }
        assertThat(figure(metrics, "redundancyRestoredSeconds").least()).isCloseTo(4.1, within(1e-6));
    }

    /** In a closed loop a gate that looks back for minutes may find what a short stall left even, and the time before it. */
    @Test
    void aBaselineDoesNotReachIntoTheCycleBefore() {
        List<Optional<Double>> stalls = cycles(1.0, null, 1.6);
        RunData run = run(Loop.CLOSED, stalls, JsonNodeFactory.instance.objectNode(), Optional.empty());
        run = new RunData(
                run.directory(),
                run.run(),
                run.windows(),
                run.slices(),
                run.markers().stream()
                        .map(marker -> marker.kind().equals("steady")
                                ? new Marker(marker.atSeconds(), "", "steady", "steady", Map.of("since_ns", "0"))
                                : marker)
                        .toList(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                run.owners(),
                run.threads(),
                run.clients(),
                List.of());

        List<Cycle> cycles = DrillMetrics.of(run).cycles();

        assertThat(cycles.get(0).metrics().get(Metric.BASELINE).note()).startsWith("0.0 s to 22.0 s");
        // Redundancy was back at 4.1 s after the fault, service before that.
        assertThat(cycles.get(2).metrics().get(Metric.BASELINE).note()).startsWith("26.1 s to 82.0 s");
    }

    /** The backlog of 12 s is worked off in 18 s, until one second after the next cycle has begun. */
    @Test
    void aCycleThatBeginsInACatchUpIsMeasuredAgainstTheFirstSteadyState() {
        for (List<Optional<Double>> stalls : List.of(cycles(12.0, 0.8, 1.0), cycles(12.0, null, 1.0))) {
            DrillMetrics metrics = DrillMetrics.of(
                    run(Loop.OPEN_CATCHUP, stalls, JsonNodeFactory.instance.objectNode(), Optional.empty()));

            assertThat(metrics.cycles()).extracting(Cycle::catchesUp).containsExactly(false, true, false);
            assertThat(figure(metrics, "baselineOpsPerSecond").byCycle())
                    .extracting(value -> value.measure().value().orElseThrow())
                    .allSatisfy(baseline -> assertThat(baseline).isCloseTo(300, within(3.0)));
            assertThat(metrics.cautions()).anySatisfy(text -> assertThat(text)
                    .startsWith("In cycle 2 of 3: the clients were still catching up beforehand"));
        }
    }

    /** A node fails by itself from 10 s to 2 s before the second cycle begins, and half the throughput is missing. */
    @Test
    void aFailureThatNobodyInjectedIsNotInTheBaselineOfTheNextCycle() {
        double from = begin(2) - 10;
        double to = begin(2) - 2;
        Stage failure = new Stage("", "1", "unplanned", "node2", "failure-handling", from, OptionalDouble.of(to));
        for (List<Optional<Double>> stalls : List.of(cycles(1.0, 0.8, 1.0), cycles(1.0, null, 1.0))) {
            DrillMetrics metrics = DrillMetrics.of(run(
                    Loop.OPEN_SKIP,
                    stalls,
                    JsonNodeFactory.instance.objectNode(),
                    Optional.empty(),
                    List.of(new Episode(Trouble.BROWNOUT, from, to, 0.5)),
                    List.of(failure)));

            assertThat(metrics.cycles()).extracting(Cycle::catchesUp).containsExactly(false, false, false);
            for (Cycle cycle : metrics.cycles()) {
                Measure baseline = cycle.metrics().get(Metric.BASELINE);
                assertThat(baseline.value().orElseThrow()).isCloseTo(300, within(3.0));
            }
        }
    }

    /** History and comparisons show these figures as those of the drill. */
    @Test
    void aFigureThatOneCycleLacksOrThatItsEndHasCutShortIsNoneOfTheDrill() {
        DrillMetrics calm = metrics(cycles(1.0, 1.2, 1.4));
        DrillMetrics cut = metrics(cycles(1.0, 16.0, 1.4));

        assertThat(calm.get(Metric.OUT).value().orElseThrow()).isCloseTo(1.4, within(EDGE));
        assertThat(calm.get(Metric.OUT).censored()).isFalse();
        assertThat(calm.get(Metric.SERVICE_RESTORED).value()).isPresent();
        assertThat(cut.get(Metric.OUT).value().orElseThrow()).isCloseTo(14, within(EDGE));
        assertThat(cut.get(Metric.OUT).censored()).isTrue();
        assertThat(cut.get(Metric.SERVICE_RESTORED).value()).isEmpty();
        assertThat(cut.get(Metric.SERVICE_RESTORED).note()).startsWith("cycle 2: ");
        assertThat(cut.get(Metric.SERVICE_RESTORED).unreached()).isTrue();
        assertThat(cut.get(Metric.SERVICE_RESTORED).least()).isGreaterThanOrEqualTo(2.4 - EDGE);
    }

    @Test
    void overTheCyclesThereAreMedianRangeIntervalAndTrendAndWhatNullCyclesShow() {
        DrillMetrics metrics = metrics(STALLS);
        CycleFigure out = figure(metrics, "outSeconds");

        assertThat(out.n()).isEqualTo(7);
        assertThat(out.median().from())
                .isCloseTo(1.8, within(EDGE))
                .isEqualTo(out.median().to());
        assertThat(out.least()).isCloseTo(1.0, within(EDGE));
        assertThat(out.most()).isCloseTo(2.8, within(EDGE));
        assertThat(out.interval().orElseThrow().from()).isBetween(out.least(), 1.2 + EDGE);
        assertThat(out.interval().orElseThrow().to()).isBetween(2.4 - EDGE, out.most());
        assertThat(out.noise()).contains(0.0);
        assertThat(out.effect()).isEqualTo(Effect.SEEN);
        // 0.2 s more in each cycle of the run, null cycles counted.
        assertThat(out.trend().orElseThrow().value()).isCloseTo(0.2, within(0.03));
        assertThat(out.trend().orElseThrow().excludes(0)).isTrue();

        CycleFigure failed = figure(metrics, "failed");
        assertThat(failed.effect()).isEqualTo(Effect.NOT_DISTINGUISHABLE);
        assertThat(failed.trend().orElseThrow().excludes(0)).isFalse();
        assertThat(figure(metrics, "baselineOpsPerSecond").effect()).isEqualTo(Effect.NOT_COMPARED);
        // A late sign is no larger effect than an early one, and a null cycle has one by chance only.
        assertThat(figure(metrics, "detectSeconds").effect()).isEqualTo(Effect.NOT_COMPARED);
    }

    @Test
    void aFaultThatDoesNotMoreThanNothingDoesIsNotDistinguishable() {
        List<Optional<Double>> same = cycles(0.0, 0.0, null, 0.0, 0.0, null, 0.0, 0.0);

        CycleFigure out = figure(metrics(same), "outSeconds");

        assertThat(out.effect()).isEqualTo(Effect.NOT_DISTINGUISHABLE);
        assertThat(CycleText.of(metrics(same))).contains("not distinguishable from no fault");
    }

    @Test
    void fewCyclesHaveNoIntervalAndDoNotTell() {
        CycleFigure out = figure(metrics(cycles(1.0, null, 1.4)), "outSeconds");

        assertThat(out.median().from()).isCloseTo(1.2, within(EDGE));
        assertThat(out.interval()).isEmpty();
        assertThat(out.intervalText()).isEqualTo("no interval (n=2)");
        assertThat(out.effect()).isEqualTo(Effect.TOO_FEW);
        assertThat(out.trendText()).isEqualTo("no interval (n=2)");
    }

    /** Of five there is no interval of 95 %. */
    @Test
    void theIntervalOfFiveCyclesSaysHowOftenItIsRight() {
        CycleFigure out = figure(metrics(cycles(1.0, 1.2, 1.4, 1.6, 1.8)), "outSeconds");

        assertThat(out.interval()).isPresent();
        assertThat(out.intervalText()).endsWith(" s (93.75 %)");
    }

    /** It is still out when its cycle ends: nobody knows for how long, and certainly not less. */
    @Test
    void whatTheEndOfACycleCutsShortMakesTheUpperEndUnknown() {
        List<Optional<Double>> open = cycles(1.0, 1.2, null, 16.0, 1.8, null, 2.2, 2.4, null, 2.8);
        ObjectNode limits =
                JsonNodeFactory.instance.objectNode().put("maxOutSeconds", 100).put("maxLostSeconds", 2);
        DrillMetrics metrics = metrics(open);
        CycleFigure out = figure(metrics, "outSeconds");

        assertThat(metrics.cycles().get(3).metrics().get(Metric.OUT).censored()).isTrue();
        assertThat(out.text(out.byCycle().get(3))).isEqualTo("\u2265 14.0");
        assertThat(out.median().from()).isEqualTo(out.median().to()).isCloseTo(2.2, within(EDGE));
        assertThat(out.least()).isCloseTo(1.0, within(EDGE));
        assertThat(out.most()).isInfinite();
        assertThat(out.interval().orElseThrow().to()).isInfinite();
        assertThat(out.intervalText()).endsWith("to unknown s (95 %)");
        assertThat(out.trend()).isEmpty();
        assertThat(out.effect()).isEqualTo(Effect.SEEN);
        CycleFigure minute = figure(metrics, "firstMinutePercent");
        assertThat(minute.least()).isInfinite();
        assertThat(minute.median().from()).isNotEqualTo(minute.median().to());
        CycleFigure restored = figure(metrics, "serviceRestoredSeconds");
        assertThat(restored.n()).isEqualTo(7);
        assertThat(restored.most()).isInfinite();
        assertThat(restored.median().from()).isEqualTo(restored.median().to()).isCloseTo(3.2, within(EDGE));

        Verdict verdict = Verdict.of(metrics, limits);

        assertThat(verdict.checks().get(0).result()).isEqualTo(Check.Result.NOT_MEASURABLE);
        assertThat(verdict.checks().get(0).missedIn()).startsWith("missed in 1 of 7 cycles: 4 (not measurable: ");
        assertThat(verdict.checks().get(1).result()).isEqualTo(Check.Result.FAIL);
        assertThat(verdict.line()).contains("missed in 4 of 7 cycles: 4 (").contains(", 10 (2.8 s)");
    }

    @Test
    void aLimitIsKeptWhenEveryCycleKeepsItAndIsCheckedAgainstTheWorst() {
        DrillMetrics metrics = metrics(STALLS);
        ObjectNode limits =
                JsonNodeFactory.instance.objectNode().put("maxOutSeconds", 2.95).put("maxRecoverySeconds", 4.95);

        Verdict verdict = Verdict.of(metrics, limits);

        assertThat(verdict.checks().get(0).result()).isEqualTo(Check.Result.PASS);
        assertThat(verdict.checks().get(0).measured().orElseThrow()).isCloseTo(2.8, within(EDGE));
        assertThat(verdict.checks().get(0).missedIn()).isEmpty();
        assertThat(verdict.checks().get(1).missedIn()).isEqualTo("missed in 1 of 7 cycles: 10 (5 s)");
        assertThat(metrics.get(Metric.OUT).note()).isEqualTo("the worst, cycle 10");
    }

    /** A write belongs to the fault that came after its acknowledgement, whatever null cycle lies between. */
    @Test
    void lostWritesAreThoseOfTheCycleThatCostThem() throws Exception {
        JsonNode audit = new ObjectMapper().readTree("""
                {"ackedLost": 3, "writes": {"ok": 1000}, "findings": [
                 {"kind": "lost-write", "startSeconds": 51.90, "endSeconds": 51.91},
                 {"kind": "lost-write", "startSeconds": 51.95, "endSeconds": 51.96},
                 {"kind": "lost-write", "startSeconds": 90.00, "endSeconds": 90.01}]}
                """);
        List<Optional<Double>> stalls = cycles(1.0, 1.2, null, 1.6, 1.8);

        DrillMetrics metrics =
                DrillMetrics.of(run(stalls, JsonNodeFactory.instance.objectNode(), Optional.of(new AuditData(audit))));

        CycleFigure lost = figure(metrics, "ackedLost");
        assertThat(lost.byCycle().stream().map(lost::text)).containsExactly("0", "2", "\u2013", "1", "0");
        CycleFigure rpo = figure(metrics, "rpoSeconds");
        assertThat(rpo.byCycle().get(1).measure().value().orElseThrow()).isCloseTo(0.1, within(1e-6));
        assertThat(rpo.byCycle().get(3).measure().value().orElseThrow()).isCloseTo(22, within(1e-6));
        assertThat(metrics.ackedLost().value()).hasValue(3);
    }

    private static List<Marker> twoPauses(int cycles) {
        List<Marker> markers = new ArrayList<>();
        for (int i = 1; i <= cycles; i++) {
            double at = begin(i);
            String number = String.valueOf(i);
            markers.add(marker(at - 2, "steady", "steady", "since_ns", String.valueOf((long) ((at - 12) * 1e9))));
            markers.add(marker(at, "cycle-begun", "", "cycle", number, "null", "false"));
            for (int pause = 0; pause < 2; pause++) {
                double begun = at + 4 * pause;
                String[] own = {"node", "node1", "step", "pause" + pause, "occurrence", number, "fault", "pause"};
                markers.add(marker(begun, "fault-started", "pause", own));
                markers.add(marker(begun + 0.5, "fault-ended", "pause", own));
            }
            markers.add(marker(at + LENGTH, "cycle-ended", "", "cycle", number));
        }
        return markers;
    }

    /** The first pause is too close to the second one to be judged; that says nothing of what came after both. */
    @Test
    void whereOneOfSeveralFaultsIsNotJudgedNothingIsClaimedOfTheTimeAfterTheLast() {
        List<Optional<Double>> calm = cycles(0.0, 0.0, 0.0);
        RunData run = run(calm, JsonNodeFactory.instance.objectNode(), Optional.empty());
        DrillMetrics metrics = DrillMetrics.of(new RunData(
                run.directory(),
                run.run(),
                run.windows(),
                run.slices(),
                twoPauses(3),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                run.owners(),
                run.threads(),
                run.clients(),
                List.of()));

        assertThat(metrics.cycles().get(0).metrics().faults()).hasSize(2);
        assertThat(metrics.cycles()
                        .get(0)
                        .metrics()
                        .get(Metric.SERVICE_RESTORED)
                        .value())
                .isEmpty();
        assertThat(figure(metrics, "serviceRestoredSeconds").least()).isZero();
        assertThat(metrics.get(Metric.SERVICE_RESTORED).value()).isEmpty();
        assertThat(metrics.get(Metric.SERVICE_RESTORED).unreached()).isFalse();
    }

    @Test
    void theJsonLeavesOutWhatIsNotKnown() {
        List<Optional<Double>> open = cycles(1.0, 1.2, null, 16.0, 1.8, 2.2, null);
        RunData run = run(open, JsonNodeFactory.instance.objectNode(), Optional.empty());

        JsonNode cycles = DrillSummary.of(run).json().path("cycles");

        assertThat(cycles.path("cycles")).hasSize(7);
        assertThat(cycles.path("cycles").get(2).path("null").asBoolean()).isTrue();
        JsonNode out = cycles.path("figures").path("outSeconds");
        assertThat(out.path("n").asInt()).isEqualTo(5);
        assertThat(out.path("median").asDouble()).isCloseTo(1.8, within(EDGE));
        assertThat(out.has("max")).isFalse();
        assertThat(out.has("intervalHigh")).isFalse();
        assertThat(out.has("intervalLow")).isTrue();
        assertThat(out.has("trend")).isFalse();
    }
}
