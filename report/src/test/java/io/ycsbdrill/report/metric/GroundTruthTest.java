package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.metric.ScriptedService.Episode;
import io.ycsbdrill.report.metric.ScriptedService.Loop;
import io.ycsbdrill.report.metric.ScriptedService.Trouble;
import io.ycsbdrill.report.page.JUnitXml;
import io.ycsbdrill.report.summary.Check;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;

/** The figures of a drill against a simulation that knows what happened. */
class GroundTruthTest {
    private static final int CASES = 500;
    private static final int NULL_DRILLS = 300;
    private static final double[] SCATTERS = {0.03, 0.06, 0.1};
    private static final double SLICE = ScriptedService.SLICE;
    private static final double WINDOW = 1;
    private static final ObjectNode NO_LIMITS = JsonNodeFactory.instance.objectNode();

    /**
     * What really was, and by how much a measurement in slices and windows may differ: an edge lies somewhere in its slice.
     *
     * @param outEdges of the seconds that were out
     * @param degradedEdges of those that were degraded, as far as slices tell
     * @param lateEdges the same of windows
     */
    private record Truth(
            double out, double degraded, double lost, double outEdges, double degradedEdges, double lateEdges) {}

    private static Truth truth(ScriptedService service) {
        double out = 0;
        double outEdges = 0;
        List<double[]> bad = new ArrayList<>();
        for (Episode episode : service.episodes) {
            double seconds = Math.min(service.seconds, episode.to()) - episode.from();
            boolean total = episode.lostShare() == 1;
            out += total && seconds >= 0.5 ? seconds : 0;
            outEdges += total && seconds >= 0.5 ? 2 * SLICE : 0;
            if (episode.lostShare() > 0.1 && seconds > 0.2) {
                bad.add(new double[] {episode.from(), episode.from() + seconds});
            }
        }
        double degradedEdges = 2 * SLICE * bad.size();
        bad.addAll(service.late);
        // A closed loop that is served less is served later, too, by whole windows.
        long slower = service.loop == Loop.CLOSED
                ? service.episodes.stream()
                        .filter(e -> e.trouble() == Trouble.BROWNOUT)
                        .count()
                : 0;
        return new Truth(
                out,
                union(bad),
                service.lost(0, service.seconds),
                outEdges,
                degradedEdges,
                2 * WINDOW * (service.late.size() + slower));
    }

    private static double union(List<double[]> intervals) {
        double sum = 0;
        double end = 0;
        for (double[] interval :
                intervals.stream().sorted((a, b) -> Double.compare(a[0], b[0])).toList()) {
            sum += Math.max(0, interval[1] - Math.max(end, interval[0]));
            end = Math.max(end, interval[1]);
        }
        return sum;
    }

    private static ScriptedService scripted(long seed) {
        Random random = new Random(seed);
        Loop loop = Loop.values()[random.nextInt(3)];
        double rate = 200 + random.nextInt(1300);
        double faultAt = 35 + 5 * random.nextDouble();
        List<Episode> episodes = new ArrayList<>();
        double at = faultAt + random.nextDouble() / 2;
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
            Trouble trouble = Trouble.values()[random.nextInt(loop == Loop.OPEN_CATCHUP ? 5 : 4)];
            boolean total = trouble == Trouble.STALL || trouble == Trouble.ERRORS;
            double length = total
                    ? (random.nextInt(4) == 0 ? 0.15 * random.nextDouble() : 0.8 + 8 * random.nextDouble())
                    : 2.5 + 8 * random.nextDouble();
            double share = 0.3 + 0.45 * random.nextDouble();
            episodes.add(new Episode(trouble, at, at + length, share));
            // A backlog of everything is worked off in half as long again; then some time in good health.
            at += 2.6 * length + 4 + 4 * random.nextDouble();
        }
        boolean never = random.nextInt(6) == 0;
        boolean dead = random.nextInt(8) == 0;
        double seconds = Math.ceil(at + 15);
        if (dead) {
            Trouble trouble = Trouble.values()[random.nextInt(3)];
            episodes.add(new Episode(trouble, at, Double.MAX_VALUE, 0));
            seconds = Math.ceil(at + 5 + 10 * random.nextDouble());
        }
        ScriptedService service = new ScriptedService(loop, rate, seconds, faultAt, episodes, seed);
        if (loop == Loop.CLOSED) {
            service.drift = random.nextInt(3) == 0 ? 0.0006 * random.nextGaussian() : 0;
            service.noise = random.nextInt(3) == 0 ? 0.01 : 0;
        }
        service.recoveredAt = never ? Double.POSITIVE_INFINITY : at + 2;
        return service;
    }

    @TestFactory
    @Tag("simulation")
    Stream<DynamicTest> figuresAndVerdictAreThoseOfTheScript() {
        return new Random(20_261_122)
                .longs(CASES)
                .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> judge(seed)));
    }

    private static void judge(long seed) {
        ScriptedService service = scripted(seed);
        RunData run = service.run(NO_LIMITS);
        Truth truth = truth(service);
        DrillMetrics metrics = DrillMetrics.of(run);
        double after = service.seconds - service.faultAt;
        // The baseline is the throughput of 15 s before the fault; what drifts away from it is lost, or not offered.
        double wobble = after * (service.noise + Math.abs(service.drift) * (15 + after / 2));
        if (service.loop == Loop.CLOSED) {
            // A closed loop may be without a few operations by chance, so stalls of less than a slice are not lost.
            wobble += service.episodes.stream()
                    .mapToDouble(e -> e.to() - e.from())
                    .filter(length -> length < 2 * SLICE)
                    .sum();
        }

        double first = Math.min(ServiceFigures.FIRST_SECONDS, after);
        double lostInFirst = service.lost(service.faultAt, service.faultAt + first);
        double slices = SLICE * (1 + service.episodes.size()) / 2.0 + wobble + 1e-6;
        Map<Metric, Known> known = new EnumMap<>(Metric.class);
        known.put(Metric.OUT, new Known("maxOutSeconds", truth.out, truth.outEdges));
        known.put(
                Metric.DEGRADED,
                new Known("maxDegradedSeconds", truth.degraded, truth.degradedEdges + truth.lateEdges));
        known.put(Metric.LOST_SECONDS, new Known("maxLostSeconds", truth.lost, slices));
        known.put(
                Metric.FIRST_MINUTE,
                new Known(
                        "minThroughputPercent",
                        100 * (1 - lostInFirst / ServiceFigures.FIRST_SECONDS),
                        100 * slices / ServiceFigures.FIRST_SECONDS));
        known.put(Metric.LONGEST_GAP, new Known("maxUnavailableSeconds", service.longestGap(), SLICE));
        known.put(Metric.FAILED, new Known("maxFailed", service.failures(), 0));
        double recovery = service.recoveredAt - service.faultAt;
        boolean recovered = service.recoveredAt < service.seconds;
        if (recovered) {
            known.put(Metric.REDUNDANCY_RESTORED, new Known("maxRecoverySeconds", recovery, 1e-6));
        }
        assertThat(metrics.get(Metric.REDUNDANCY_RESTORED).value().isPresent()).isEqualTo(recovered);

        // What drifts or scatters elsewhere is no service that an outage gave back.
        assertThat(value(metrics, Metric.LOST_SECONDS))
                .isGreaterThanOrEqualTo(truth.out - SLICE * (1 + service.episodes.size()) / 2.0 - 1e-6);

        boolean dead = service.endsInTrouble();
        boolean deadIsOut =
                dead && service.episodes.get(service.episodes.size() - 1).lostShare() == 1;
        assertThat(metrics.get(Metric.OUT).censored()).isEqualTo(deadIsOut);
        assertThat(metrics.get(Metric.LONGEST_GAP).censored()).isEqualTo(deadIsOut);
        assertThat(metrics.get(Metric.FAILED).censored()).isEqualTo(deadIsOut);
        assertThat(metrics.get(Metric.LOST_SECONDS).censored()).isEqualTo(dead || !recovered);
        assertThat(metrics.get(Metric.FIRST_MINUTE).censored()).isEqualTo(!recovered || first == after);

        Random random = new Random(~seed);
        known.forEach((metric, real) -> {
            assertThat(value(metrics, metric))
                    .as("%s %s", metric, metrics.get(metric))
                    .isCloseTo(real.value, within(real.margin + 1e-6));

            double limit = real.limit(metric, random);
            boolean miss = metric == Metric.FIRST_MINUTE ? real.value < limit : real.value > limit;
            boolean open = metrics.get(metric).censored();
            Verdict verdict =
                    Verdict.of(metrics, JsonNodeFactory.instance.objectNode().put(real.key, limit));
            assertThat(verdict.outcome())
                    .as("%s %s, limit %s", metric, metrics.get(metric), limit)
                    .isEqualTo(miss || open || dead ? Verdict.Outcome.FAIL : Verdict.Outcome.PASS);
        });
    }

    /**
     * A figure as the script has it.
     *
     * @param key of the limit on it
     * @param margin by how much a measurement may differ
     */
    private record Known(String key, double value, double margin) {
        /** One that is kept or missed beyond doubt, now and then by next to nothing. */
        double limit(Metric metric, Random random) {
            double away = margin + 0.01 + (random.nextInt(3) == 0 ? 0 : 5 * random.nextDouble());
            boolean above = random.nextBoolean() || metric != Metric.FIRST_MINUTE && value - away < 0;
            return above ? value + away : value - away;
        }
    }

    private static double value(DrillMetrics metrics, Metric metric) {
        return metrics.get(metric).value().orElseThrow();
    }

    private static DrillMetrics measured(Loop loop, Episode episode) {
        return DrillMetrics.of(new ScriptedService(loop, 600, 110, 40, List.of(episode), 1).run(NO_LIMITS));
    }

    /** The longest gap sees nothing of it: two of three calls succeed all the time. */
    @Test
    void aDeadShardIsDegradedService() {
        for (Loop loop : Loop.values()) {
            DrillMetrics metrics = measured(loop, new Episode(Trouble.SHARD, 41, 46, 0));

            assertThat(value(metrics, Metric.LONGEST_GAP)).isLessThanOrEqualTo(0.2);
            assertThat(value(metrics, Metric.OUT)).isZero();
            assertThat(value(metrics, Metric.DEGRADED)).isCloseTo(5, within(SLICE + 1e-6));
            assertThat(value(metrics, Metric.LONGEST_DEGRADED)).isCloseTo(5, within(SLICE + 1e-6));
            assertThat(value(metrics, Metric.LOST_SECONDS)).isCloseTo(5 / 3.0, within(SLICE / 2));
        }
    }

    @Test
    void aLongSmallLossAndAShortTotalOneAreEquallyMuchServiceButNotEquallyOut() {
        for (Loop loop : List.of(Loop.CLOSED, Loop.OPEN_SKIP)) {
            DrillMetrics small = measured(loop, new Episode(Trouble.BROWNOUT, 41, 71, 0.905));
            DrillMetrics total = measured(loop, new Episode(Trouble.STALL, 41, 43.85, 0));

            // A part of it may be chance in a closed loop.
            double unknown = loop == Loop.CLOSED ? 1.5 : 0;
            assertThat(value(small, Metric.LOST_SECONDS)).isCloseTo(2.85, within(SLICE + unknown));
            assertThat(value(total, Metric.LOST_SECONDS)).isCloseTo(2.85, within(SLICE));
            assertThat(value(small, Metric.OUT)).isZero();
            assertThat(value(total, Metric.OUT)).isCloseTo(2.85, within(2 * SLICE));
            assertThat(value(small, Metric.DEGRADED)).isZero();
        }
    }

    /** Half a second of nothing may be the client's own; it costs what it costs, and the longest gap shows it. */
    @Test
    void aShortStallIsLostServiceButNoOutage() {
        for (Loop loop : Loop.values()) {
            DrillMetrics metrics = measured(loop, new Episode(Trouble.STALL, 41, 41.4, 0));

            assertThat(value(metrics, Metric.OUT)).isZero();
            assertThat(value(metrics, Metric.LOST_SECONDS)).isCloseTo(0.4, within(SLICE + 1e-6));
            assertThat(value(metrics, Metric.LONGEST_GAP)).isCloseTo(0.4, within(SLICE + 1e-6));
        }
    }

    /** The arrivals of the stall are all served afterwards; the users have waited all the same. */
    @Test
    void aCatchUpPaysNothingBack() {
        DrillMetrics metrics = measured(Loop.OPEN_CATCHUP, new Episode(Trouble.STALL, 41, 51, 0));

        assertThat(value(metrics, Metric.OPERATIONS_LOST)).isLessThan(6000);
        assertThat(value(metrics, Metric.LOST_SECONDS)).isCloseTo(10, within(SLICE));
        assertThat(value(metrics, Metric.OUT)).isCloseTo(10, within(SLICE));
        // The backlog of 10 s is worked off at 1/0.6 of the rate, in 15 s, and everyone who is served then has waited.
        assertThat(value(metrics, Metric.DEGRADED)).isCloseTo(25, within(WINDOW));
        assertThat(value(metrics, Metric.SERVICE_RESTORED)).isCloseTo(26, within(WINDOW));
        assertThat(value(metrics, Metric.FIRST_MINUTE)).isCloseTo(100 * 50 / 60.0, within(0.5));
    }

    /** What is late is served: the end of the data cuts short how long it was slow, and nothing that was lost. */
    @Test
    void aServiceThatIsSlowAtTheEndOfTheDataLosesNothingThere() {
        ScriptedService service = new ScriptedService(
                Loop.OPEN_CATCHUP, 600, 60, 40, List.of(new Episode(Trouble.SLOW, 41, Double.MAX_VALUE, 0)), 1);
        DrillMetrics metrics = DrillMetrics.of(service.run(NO_LIMITS));

        assertThat(metrics.get(Metric.DEGRADED).censored()).isTrue();
        assertThat(metrics.get(Metric.LOST_SECONDS).censored()).isFalse();
        assertThat(value(metrics, Metric.LOST_SECONDS)).isLessThan(0.5);
        assertThat(metrics.get(Metric.SERVICE_RESTORED).value()).isEmpty();
    }

    /** Noise is taken off where nothing is wrong, and only there. */
    @Test
    void aTotalLossIsNotReducedByTheNoiseOfTheBaseline() {
        ScriptedService service =
                new ScriptedService(Loop.CLOSED, 600, 62, 40, List.of(new Episode(Trouble.ERRORS, 41, 61, 0)), 1);
        service.noise = 0.08;

        DrillMetrics metrics = DrillMetrics.of(service.run(NO_LIMITS));

        assertThat(value(metrics, Metric.LOST_SECONDS)).isCloseTo(20, within(2 * SLICE));
    }

    /** What no figure has is said beside the verdict. */
    @Test
    void aLossThatAClosedLoopCannotShowIsSaidToBe() {
        for (Loop loop : Loop.values()) {
            ScriptedService service = new ScriptedService(
                    loop, 600, 90, 40, List.of(new Episode(Trouble.BROWNOUT, 41, Double.MAX_VALUE, 0.97)), 1);
            service.noise = 0.02;
            DrillMetrics metrics = DrillMetrics.of(service.run(NO_LIMITS));

            assertThat(metrics.cautions())
                    .filteredOn(caution -> caution.contains("degraded and lost seconds are at least those given"))
                    .hasSize(loop == Loop.CLOSED ? 1 : 0);
            assertThat(value(metrics, Metric.LOST_SECONDS) > 1).isEqualTo(loop != Loop.CLOSED);
        }
    }

    /** In a closed loop nobody knows whether less was wanted or less was served. */
    @Test
    void aBaselineThatDriftsIsSaidToAndOneThatDoesNotIsNot() {
        for (double perSecond : new double[] {-0.006, -0.002, 0, 0.002, 0.006}) {
            ScriptedService service =
                    new ScriptedService(Loop.CLOSED, 600, 80, 40, List.of(new Episode(Trouble.STALL, 41, 46, 0)), 1);
            service.drift = perSecond;

            assertThat(DrillMetrics.of(service.run(NO_LIMITS)).cautions())
                    .as("%s per second", perSecond)
                    .filteredOn(caution -> caution.contains("drifted"))
                    .hasSize(Math.abs(perSecond) > 0.005 ? 1 : 0);
        }
    }

    @Test
    void nothingHappensIsNothingMeasured() {
        for (Loop loop : Loop.values()) {
            ScriptedService service = new ScriptedService(loop, 600, 100, 40, List.of(), 1);
            service.noise = loop == Loop.CLOSED ? 0.05 : 0;
            DrillMetrics metrics = DrillMetrics.of(service.run(NO_LIMITS));

            assertThat(value(metrics, Metric.OUT)).isZero();
            assertThat(value(metrics, Metric.DEGRADED)).isZero();
            assertThat(value(metrics, Metric.LOST_SECONDS)).isLessThan(0.5);
        }
    }

    /** Reads hide them: of the whole load no more than a part is missing. */
    @Test
    void writesThatAreDeadForTenSecondsAreTenSecondsWithoutWrites() {
        for (Loop loop : Loop.values()) {
            for (double writes : new double[] {0.05, 0.5}) {
                ScriptedService service = new ScriptedService(
                        loop, 600, 90, 40, List.of(new Episode(Trouble.NO_WRITES, 41, 51, writes)), 1);
                service.writes = writes;
                DrillMetrics metrics = DrillMetrics.of(service.run(NO_LIMITS));

                for (Metric metric : List.of(Metric.WRITE_OUTAGE, Metric.OUT, Metric.LONGEST_OUT, Metric.LONGEST_GAP)) {
                    assertThat(value(metrics, metric))
                            .as("%s, %s, %s", loop, writes, metric)
                            .isCloseTo(10, within(2 * SLICE + 0.2));
                }
                assertThat(value(metrics, Metric.READ_OUTAGE)).isZero();
                assertThat(value(metrics, Metric.SERVICE_RESTORED)).isCloseTo(11, within(WINDOW));
                for (String limit : List.of("maxOutSeconds", "maxUnavailableSeconds", "maxWriteOutageSeconds")) {
                    assertThat(Verdict.of(
                                            metrics,
                                            JsonNodeFactory.instance
                                                    .objectNode()
                                                    .put(limit, 2))
                                    .outcome())
                            .as(limit)
                            .isEqualTo(Verdict.Outcome.FAIL);
                }
            }
        }
    }

    /** No stretch of it is long enough to be an outage, and most of the service is lost. */
    @Test
    void aFlappingServiceIsLostServiceToTheSecond() {
        for (Loop loop : Loop.values()) {
            List<Episode> flaps = new ArrayList<>();
            for (double at = 41; at < 59; at += 0.45) {
                flaps.add(new Episode(Trouble.ERRORS, at, at + 0.4, 0));
            }
            ScriptedService service = new ScriptedService(loop, 600, 90, 40, flaps, 1);
            DrillMetrics metrics = DrillMetrics.of(service.run(NO_LIMITS));

            assertThat(value(metrics, Metric.LOST_SECONDS)).as("%s", loop).isCloseTo(16, within(0.5));
            assertThat(value(metrics, Metric.DEGRADED)).isCloseTo(18, within(WINDOW));
            assertThat(Verdict.of(metrics, JsonNodeFactory.instance.objectNode().put("maxLostSeconds", 5))
                            .outcome())
                    .isEqualTo(Verdict.Outcome.FAIL);
        }
    }

    /** However long the drill goes on. */
    @Test
    void theFailedShareIsThatOfTheWorstMinute() {
        for (double seconds : new double[] {110, 400}) {
            DrillMetrics metrics = DrillMetrics.of(new ScriptedService(
                            Loop.OPEN_SKIP, 600, seconds, 40, List.of(new Episode(Trouble.ERRORS, 41, 47, 0)), 1)
                    .run(NO_LIMITS));

            assertThat(value(metrics, Metric.FAILED_SHARE)).isCloseTo(10, within(0.2));
            for (double allowed : new double[] {5, 15}) {
                assertThat(Verdict.of(
                                        metrics,
                                        JsonNodeFactory.instance.objectNode().put("maxFailedPercent", allowed))
                                .outcome())
                        .isEqualTo(allowed < 10 ? Verdict.Outcome.FAIL : Verdict.Outcome.PASS);
            }
        }
    }

    /** Rare types have no success for seconds in good health. */
    @Test
    @Tag("simulation")
    void aHealthyServiceOfTwoTypesIsNeverFoundOutOfOne() {
        for (double writes : new double[] {0.003, 0.01, 0.05, 0.5}) {
            for (int seed = 0; seed < 25; seed++) {
                ScriptedService service = new ScriptedService(Loop.values()[seed % 3], 600, 90, 40, List.of(), seed);
                service.writes = writes;
                DrillMetrics metrics = DrillMetrics.of(service.run(NO_LIMITS));

                assertThat(value(metrics, Metric.OUT))
                        .as("%s, seed %s", writes, seed)
                        .isZero();
                assertThat(value(metrics, Metric.LONGEST_GAP)).isLessThanOrEqualTo(0.2);
                assertThat(value(metrics, Metric.SERVICE_RESTORED)).isZero();
                assertThat(value(metrics, Metric.NOT_RESTORED)).isZero();
                assertThat(metrics.cautions().stream().anyMatch(caution -> caution.contains("UPDATE is")))
                        .isEqualTo(writes < 0.05);
            }
        }
    }

    private static ScriptedService open(long seed) {
        return new ScriptedService(Loop.OPEN_SKIP, 200, 80, 40, List.of(), seed);
    }

    private static void isFound(ScriptedService service, String what) {
        DrillMetrics metrics = DrillMetrics.of(service.run(NO_LIMITS));

        for (ObjectNode limits :
                List.of(NO_LIMITS, JsonNodeFactory.instance.objectNode().put("maxDegradedSeconds", 2))) {
            Verdict verdict = Verdict.of(metrics, limits);
            assertThat(verdict.outcome()).as("%s, limits %s", what, limits).isEqualTo(Verdict.Outcome.FAIL);
        }
        assertThat(value(metrics, Metric.DEGRADED)).as(what).isGreaterThan(35);
        assertThat(metrics.get(Metric.SERVICE_RESTORED).value()).as(what).isEmpty();
        assertThat(metrics.get(Metric.LATENCY_BACK).value()).as(what).isEmpty();
    }

    /** A second of the baseline in which all calls waited says nothing about what users accept. */
    @Test
    void aHiccupInTheBaselineHidesNoServiceThatIsSlowForEver() {
        for (double hiccup : new double[] {0, 0.02, 0.05, 0.1, 0.2, 0.4}) {
            for (double factor : new double[] {3, 10, 30, 100, 300}) {
                ScriptedService service = open(1);
                service.hiccup = hiccup;
                service.slowerAfter = factor;
                isFound(service, factor + " x for ever after a hiccup of " + hiccup + " s");
            }
        }
    }

    /** Nor do some in a row, in a service whose latency scatters; but how far that wanders by itself is less certain then. */
    @Test
    void aLongHiccupInTheBaselineHidesNoServiceThatIsSlowForEver() {
        int undecided = 0;
        for (int seed = 0; seed < 25; seed++) {
            ScriptedService service = open(seed);
            service.steadySince = 20;
            service.wobble = 0.1;
            service.hiccup = 0.05;
            service.hiccupSeconds = 3;
            service.slowerAfter = 4;
            DrillMetrics metrics = DrillMetrics.of(service.run(NO_LIMITS));

            Verdict.Outcome outcome = Verdict.of(metrics, NO_LIMITS).outcome();
            assertThat(outcome)
                    .as("seed %s: %s", seed, metrics.get(Metric.SLO_P50))
                    .isIn(Verdict.Outcome.FAIL, Verdict.Outcome.UNDECIDED);
            undecided += outcome == Verdict.Outcome.UNDECIDED ? 1 : 0;
        }
        assertThat(undecided).isLessThanOrEqualTo(2);
    }

    /** Nor does a second of it in which nothing was served say what of the service has to be back. */
    @Test
    void aStallInTheBaselineHidesNoServiceThatIsDeadForEver() {
        for (double share : new double[] {0, 0.05, 0.6}) {
            ScriptedService service = new ScriptedService(
                    Loop.OPEN_SKIP,
                    200,
                    80,
                    40,
                    List.of(
                            new Episode(Trouble.STALL, 27.9, 29.1, 0),
                            new Episode(Trouble.BROWNOUT, 41, Double.MAX_VALUE, share)),
                    1);
            service.steadySince = 20;
            Verdict verdict = Verdict.of(DrillMetrics.of(service.run(NO_LIMITS)), NO_LIMITS);

            assertThat(verdict.outcome())
                    .as("%s of it: %s", share, verdict.line())
                    .isEqualTo(Verdict.Outcome.FAIL);
        }
    }

    /** The p99 is 100 ms all the time. */
    @Test
    void aSlowModeThatBecomesTheUsualOneIsSeen() {
        ScriptedService service = open(1);
        service.slowShare = new double[] {0.02, 0.6};
        isFound(service, "2 % to 60 % of the calls at 100 ms");
    }

    @Test
    void allCallsAlmostTwiceAsSlowForEverIsSeen() {
        ScriptedService service = open(1);
        service.slowerAfter = 1.9;
        isFound(service, "1.9 x for ever");
    }

    /** How drills of a service that wanders end, of those that begin. */
    private record Wandering(int begun, int failed, int undecided, int passed) {
        /** As the figures of the tables are printed. */
        private static final ObjectNode LIMITS = JsonNodeFactory.instance
                .objectNode()
                .put("maxDegradedSeconds", 2)
                .put("maxServiceRestoreSeconds", 5);

        static Wandering of(List<ScriptedService> services, ObjectNode limits) {
            return of(services, List.of(limits)).get(0);
        }

        /** By each of these limits. */
        static List<Wandering> of(List<ScriptedService> services, List<ObjectNode> limits) {
            int[][] ends = new int[limits.size()][Verdict.Outcome.values().length];
            int begun = 0;
            for (ScriptedService service : services) {
                RunData run = service.run(NO_LIMITS);
                if (service.loop == Loop.CLOSED ? !isSteady(run.slices()) : swings(run)) {
                    continue;
                }
                begun++;
                DrillMetrics metrics = DrillMetrics.of(run);
                for (int i = 0; i < limits.size(); i++) {
                    ends[i][Verdict.of(metrics, limits.get(i)).outcome().ordinal()]++;
                }
            }
            List<Wandering> all = new ArrayList<>();
            for (int[] each : ends) {
                int failed = each[Verdict.Outcome.FAIL.ordinal()];
                int undecided = each[Verdict.Outcome.UNDECIDED.ordinal()];
                all.add(new Wandering(begun, failed, undecided, begun - failed - undecided));
            }
            return all;
        }

        /** As the steady state of a drill has it unless its file says otherwise. */
        private static boolean swings(RunData run) {
            double[] p99s = run.windows(Slices.TOTAL).stream()
                    .filter(window -> window.startSeconds() >= 20 && window.endSeconds() <= 40)
                    .mapToDouble(window -> window.latency().p99())
                    .sorted()
                    .toArray();
            double median = (p99s[9] + p99s[10]) / 2;
            return Arrays.stream(p99s).filter(p99 -> p99 > 5 * median).count() > 4;
        }

        String percent() {
            return String.format(
                    "%d: %.1f fail, %.1f undecided, %.1f pass",
                    begun, 100.0 * failed / begun, 100.0 * undecided / begun, 100.0 * passed / begun);
        }
    }

    /**
     * Services at a rate whose latency wanders.
     *
     * @param tail deviation of the logarithm of single calls
     * @param wobble deviation of the logarithm of the seconds' latency
     * @param correlation of these
     * @param slower how many times all calls are slower for ever from the fault on; 0 is the slow mode
     */
    private static List<ScriptedService> wandering(
            double tail, double wobble, double correlation, double slower, int drills) {
        List<ScriptedService> services = new ArrayList<>();
        for (int seed = 0; seed < drills; seed++) {
            ScriptedService service = new ScriptedService(Loop.OPEN_SKIP, 200, 80, 40, List.of(), seed, LATENCY);
            service.tail = tail;
            service.wobble = wobble;
            service.correlation = correlation;
            service.steadySince = 20;
            service.slowerAfter = Math.max(1, slower);
            service.slowShare = slower == 0 ? new double[] {0.02, 0.6} : service.slowShare;
            services.add(service);
        }
        return services;
    }

    /** Above what is told from nothing by milliseconds. */
    private static final double LATENCY = 0.003;

    private static final double[] CORRELATIONS = {0, 0.5, 0.8, 0.95};

    @Test
    @Tag("simulation")
    void aHealthyServiceIsWronglyFoundSlowInAtMostTwoOfAHundredDrills() {
        for (double wobble : new double[] {0.1, 0.3, 0.6}) {
            for (double correlation : CORRELATIONS) {
                // More of the worst, as two of 60 are chance.
                int drills = wobble > 0.3 && correlation > 0.9 ? 200 : 60;
                List<Wandering> seen = Wandering.of(
                        wandering(1.2, wobble, correlation, 1, drills), List.of(NO_LIMITS, Wandering.LIMITS));
                for (Wandering each : seen) {
                    assertThat(each.failed)
                            .as("%s, %s: %s", wobble, correlation, seen)
                            .isLessThanOrEqualTo(drills / 50);
                }
                assertThat(seen.get(1).undecided)
                        .as("%s, %s: %s", wobble, correlation, seen)
                        .isLessThanOrEqualTo(wobble > 0.1 ? drills : drills / 10);
            }
        }
    }

    /** Where its own wandering hides it nobody can say; but nobody says that it has passed. */
    @Test
    @Tag("simulation")
    void aServiceThatIsSlowerForEverHardlyEverPassesHoweverItsLatencyWanders() {
        int drills = 40;
        for (double wobble : new double[] {0.1, 0.3, 0.6}) {
            for (double correlation : new double[] {0, 0.95}) {
                for (double slower : new double[] {0, 1.9, 10}) {
                    Wandering seen = Wandering.of(wandering(0.4, wobble, correlation, slower, drills), NO_LIMITS);
                    assertThat(seen.passed)
                            .as("%s, %s, %s times: %s", wobble, correlation, slower, seen)
                            .isLessThanOrEqualTo(slower == 1.9 ? drills / (wobble > 0.3 ? 4 : 10) : 0);
                }
            }
        }
    }

    private static DrillSummary undecided() {
        return wandering(0.4, 0.3, 0.95, 1.9, 20).stream()
                .map(service -> DrillSummary.of(service.run(NO_LIMITS)))
                .filter(each -> each.verdict().outcome() == Verdict.Outcome.UNDECIDED)
                .findFirst()
                .orElseThrow();
    }

    /** A server that runs builds has no word for it: the run is sound, and the check is neither passed nor failed. */
    @Test
    void whatNobodyCanSayIsAnErrorToACiServer(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("verdict.xml");
        JUnitXml.write(file, undecided());

        Element suite = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement();
        assertThat(Stream.of("tests", "failures", "errors", "skipped").map(suite::getAttribute))
                .containsExactly("2", "0", "1", "0");
        Element error = (Element) suite.getElementsByTagName("error").item(0);
        assertThat(((Element) error.getParentNode()).getAttribute("name")).isEqualTo("serviceRestored");
        assertThat(error.getAttribute("message")).contains("of the baseline; chance alone may make it ");
    }

    @Test
    void whatNobodyCanSayIsNoSuccessAndNamesTheNextStep() {
        Verdict verdict = undecided().verdict();

        assertThat(verdict.asksInVain(false)).isTrue();
        assertThat(verdict.checks()).extracting(Check::result).containsExactly(Check.Result.UNDECIDED);
        assertThat(verdict.line())
                .startsWith("UNDECIDED: 0 of 1 limit kept; nobody can say: Service restored at the end of the data")
                .contains("of the baseline; chance alone may make it ", "give the drill an slo");
    }

    /** Prints how drills of healthy and of slower services end, for docs/statistics.md. */
    public static void main(String[] args) {
        int drills = Integer.parseInt(args[0]);
        for (double wobble : new double[] {0.1, 0.3, 0.6}) {
            for (double correlation : CORRELATIONS) {
                for (double tail : new double[] {0.4, 1.2}) {
                    for (double slower : new double[] {1, 0, 1.9, 10}) {
                        System.out.printf("%s %s %s, %s times as slow", tail, wobble, correlation, slower);
                        Wandering.of(
                                        wandering(tail, wobble, correlation, slower, drills),
                                        List.of(NO_LIMITS, Wandering.LIMITS))
                                .forEach(seen -> System.out.print(" | " + seen.percent()));
                        System.out.println();
                    }
                }
            }
        }
        for (double correlation : CORRELATIONS) {
            for (double noise : SCATTERS) {
                for (double share : new double[] {1, 0.92, 0.85, 0.77, 0.6}) {
                    Wandering seen = Wandering.of(
                            closed(noise, correlation, share, drills), share < 1 ? NO_LIMITS : CLOSED_LIMITS);
                    System.out.println("closed " + noise + " " + correlation + " " + share + ": " + seen.percent());
                }
            }
        }
    }

    private static final ObjectNode CLOSED_LIMITS = JsonNodeFactory.instance
            .objectNode()
            .put("maxDegradedSeconds", 2)
            .put("maxLostSeconds", 1)
            .put("maxServiceRestoreSeconds", 5);

    /** @param share what of the throughput there is for ever from the fault on */
    private static List<ScriptedService> closed(double noise, double correlation, double share, int drills) {
        List<ScriptedService> services = new ArrayList<>();
        for (int seed = 0; seed < drills; seed++) {
            List<Episode> less =
                    share == 1 ? List.of() : List.of(new Episode(Trouble.BROWNOUT, 40, Double.MAX_VALUE, share));
            ScriptedService service = new ScriptedService(Loop.CLOSED, 100, 80, 40, less, seed);
            service.noise = noise;
            service.steadySince = 20;
            service.correlation = correlation;
            services.add(service);
        }
        return services;
    }

    /** What the wandering of a closed loop hides is not signed. */
    @Test
    @Tag("simulation")
    void aClosedLoopThatIsSlowerForEverNeverPasses() {
        for (double correlation : CORRELATIONS) {
            for (double noise : SCATTERS) {
                for (double share : new double[] {0.77}) {
                    Wandering seen = Wandering.of(closed(noise, correlation, share, 50), NO_LIMITS);
                    assertThat(seen.passed)
                            .as("%s, %s, %s: %s", noise, correlation, share, seen)
                            .isLessThanOrEqualTo(seen.begun / 50);
                }
            }
        }
    }

    /** Throughput that only wanders, of a closed loop: of the drills that the steady gate lets begin. */
    @Test
    @Tag("simulation")
    void aHealthyClosedLoopIsSeldomWronglyFailed() {
        for (double correlation : new double[] {0, 0.5, 0.8, 0.95}) {
            int begun = 0;
            int wrong = 0;
            for (double noise : SCATTERS) {
                Wandering seen = Wandering.of(closed(noise, correlation, 1, NULL_DRILLS), CLOSED_LIMITS);
                begun += seen.begun;
                wrong += seen.failed;
            }
            assertThat(wrong).as("of %d, correlation %s", begun, correlation).isLessThanOrEqualTo(begun / 50);
        }
    }

    /** As a drill waits for, with the bounds that it has unless its file says others. */
    private static boolean isSteady(Slices slices) {
        double[] seconds = new Rates(slices.total().ok(), SLICE, 10).secondsBefore(slices.at(20), slices.at(40));
        Baseline base = Baseline.before(40, 20, true, slices).orElseThrow();
        double mean = Arrays.stream(seconds).average().orElseThrow();
        double step = Arrays.stream(seconds, 0, 10).average().orElseThrow()
                - Arrays.stream(seconds, 10, 20).average().orElseThrow();
        return Math.abs(base.slope()) <= 0.1
                && Math.abs(step) <= 0.1 * mean
                && base.variation() <= 0.2
                && base.restless(false).isEmpty();
    }

    /** What the drill file says takes the place of what the baseline was. */
    @Test
    void anSloOfTheDrillIsTheOneThatCounts() {
        for (double p99 : new double[] {0.001, 0.05}) {
            RunData run = open(1).run(NO_LIMITS);
            ((ObjectNode) run.run().path("drill")).putObject("slo").put("p99Seconds", p99);
            DrillMetrics metrics = DrillMetrics.of(run);

            assertThat(value(metrics, Metric.SLO_P99)).isCloseTo(1000 * p99, within(1e-9));
            assertThat(metrics.get(Metric.SLO_P99).note()).isEqualTo("slo of the drill file");
            assertThat(metrics.get(Metric.SLO_P50).note()).contains("the median of the baseline's");
            assertThat(metrics.get(Metric.SERVICE_RESTORED).value().isPresent()).isEqualTo(p99 > 0.01);
            assertThat(value(metrics, Metric.DEGRADED) > 35).isEqualTo(p99 < 0.01);
        }
    }
}
