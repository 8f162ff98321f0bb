package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.metric.ScriptedService.Episode;
import io.ycsbdrill.report.metric.ScriptedService.Loop;
import io.ycsbdrill.report.metric.ScriptedService.Trouble;
import io.ycsbdrill.report.summary.Limit;
import io.ycsbdrill.report.summary.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The verdicts of the shipped drills on services whose truth is known: none passes what has missed a limit, and none fails what has not. */
class ShippedLimitsTest {
    private static final int SERVICES = 2_000;
    private static final double FAULT = 32;
    /** More than a minute after the fault, which is what some limits are about. */
    private static final double END = 95;

    private static final double FOR_EVER = Double.MAX_VALUE;

    /** What is wrong with a service. */
    private enum Ill {
        NOTHING_OPEN,
        NOTHING_CLOSED,
        STALL,
        ERRORS,
        SHARD,
        SHARD_FOR_EVER,
        MOST_FAIL_FOR_EVER,
        FLAPPING,
        DEAD_WRITES,
        SLOWER,
        DRIFT,
        SLOW_MODE,
        SICK,
        STALL_THEN_SLOW
    }

    /**
     * The truth about a service.
     *
     * @param metrics what was measured of it
     * @param figures what is known of it; a limit on another figure is left out
     * @param back whether the service is back at the end
     */
    private record Truth(DrillMetrics metrics, Map<Limit, Double> figures, boolean back) {}

    private static Truth truth(Ill ill, Random random) {
        double rate = 60 + random.nextInt(80);
        double from = FAULT + 1;
        double length = random.nextInt(3) == 0 ? 20 * random.nextDouble() : 1 + 5 * random.nextDouble();
        Loop loop = Loop.values()[random.nextInt(3)];
        List<Episode> episodes = new ArrayList<>();
        switch (ill) {
            case STALL, STALL_THEN_SLOW -> episodes.add(new Episode(Trouble.STALL, from, from + length, 0));
            case ERRORS -> episodes.add(new Episode(Trouble.ERRORS, from, from + length, 0));
            case SHARD -> episodes.add(new Episode(Trouble.SHARD, from, from + Math.min(50, 3 * length), 0));
            case SHARD_FOR_EVER -> episodes.add(new Episode(Trouble.SHARD, from, FOR_EVER, 0));
            case MOST_FAIL_FOR_EVER -> episodes.add(new Episode(Trouble.BROWNOUT, from, FOR_EVER, 0.05));
            case DEAD_WRITES -> episodes.add(new Episode(Trouble.NO_WRITES, from, FOR_EVER, 0.5));
            case FLAPPING -> {
                for (double at = from; at < from + 6 + length; at += 0.45) {
                    episodes.add(new Episode(Trouble.ERRORS, at, at + 0.4, 0));
                }
            }
            default -> {}
        }
        boolean atRate = List.of(Ill.SLOWER, Ill.DRIFT, Ill.SLOW_MODE, Ill.NOTHING_OPEN, Ill.STALL_THEN_SLOW)
                .contains(ill);
        if (ill == Ill.STALL_THEN_SLOW) {
            episodes.add(new Episode(Trouble.SLOW, from + length, from + length + 10, 0));
        }
        loop = ill == Ill.NOTHING_CLOSED
                ? Loop.CLOSED
                : ill == Ill.MOST_FAIL_FOR_EVER || atRate ? Loop.OPEN_SKIP : loop;
        ScriptedService service = new ScriptedService(loop, rate, END, FAULT, episodes, random.nextLong());
        service.correlation = List.of(0.0, 0.5, 0.8, 0.95).get(random.nextInt(4));
        service.writes = ill == Ill.DEAD_WRITES ? 0.5 : 0;
        service.hiccup = random.nextInt(3) == 0 ? 0.02 * Math.pow(20, random.nextDouble()) : 0;
        switch (ill) {
            case NOTHING_OPEN -> {
                service.tail = 0.4;
                service.wobble = 0.1;
            }
            case NOTHING_CLOSED -> service.noise = 0.04 * random.nextDouble();
            case SLOWER -> service.slowerAfter = 10 * Math.pow(30, random.nextDouble());
            case DRIFT -> {
                service.slowerAfter = 10 + 20 * random.nextDouble();
                service.ramp = 10;
            }
            case SLOW_MODE -> service.slowShare = new double[] {0.02, 0.6};
            case SICK -> service.sick = random.nextBoolean() ? 0.05 : 0.3;
            default -> {}
        }
        boolean slow = List.of(Ill.SLOWER, Ill.DRIFT, Ill.SLOW_MODE).contains(ill);
        DrillMetrics metrics = DrillMetrics.of(service.run(JsonNodeFactory.instance.objectNode()));
        return new Truth(metrics, figures(service, slow), !slow && !service.endsInTrouble() && service.sick < 0.1);
    }

    private static Map<Limit, Double> figures(ScriptedService service, boolean slow) {
        double after = END - FAULT;
        double lost = service.lost(FAULT, END) + service.sick * after;
        double inMinute = service.lost(FAULT, FAULT + 60) + service.sick * 60;
        double out = 0;
        for (Episode episode : service.episodes) {
            boolean total = episode.trouble() == Trouble.NO_WRITES || episode.lostShare() == 1;
            double seconds = Math.min(END, episode.to()) - episode.from();
            out += total && seconds >= 0.5 ? seconds : 0;
        }
        Map<Limit, Double> figures = new EnumMap<>(Limit.class);
        figures.put(Limit.MAX_OUT, out);
        figures.put(Limit.MAX_LOST_SECONDS, lost);
        figures.put(Limit.MIN_THROUGHPUT, 100 * (1 - inMinute / 60));
        figures.put(Limit.MAX_RECOVERY, 1.0);
        figures.put(Limit.MAX_UNKNOWN, 0.0);
        figures.put(Limit.MAX_FAILED, service.sick > 0 ? service.sick * service.rate * after : service.failures());
        figures.put(Limit.MAX_UNAVAILABLE, service.writes > 0 ? out : service.longestGap());
        if (slow) {
            figures.put(Limit.MAX_DEGRADED, after - service.ramp);
        }
        return figures;
    }

    private static double margin(Limit limit) {
        return limit == Limit.MIN_THROUGHPUT ? 2 : limit == Limit.MAX_UNKNOWN || limit == Limit.MAX_FAILED ? 0.5 : 1;
    }

    /** The limits whose truth is known. */
    private static ObjectNode known(ObjectNode limits, Truth truth) {
        ObjectNode known = JsonNodeFactory.instance.objectNode();
        limits.properties().forEach(limit -> {
            boolean judged =
                    Limit.of(limit.getKey()).filter(truth.figures::containsKey).isPresent();
            if (judged || limit.getKey().equals("serviceRestored")) {
                known.set(limit.getKey(), limit.getValue());
            }
        });
        return known;
    }

    /** What the verdict must be: missed, kept, or neither where a figure is too near to its limit. */
    private static String expected(ObjectNode limits, Truth truth) {
        boolean judged = !limits.path("serviceRestored").asText().equals("any");
        String expected = truth.back || !judged ? "kept" : "missed";
        for (Map.Entry<String, JsonNode> entry : limits.properties()) {
            if (!entry.getValue().isNumber()) {
                continue;
            }
            Limit limit = Limit.of(entry.getKey()).orElseThrow();
            double real = truth.figures.get(limit);
            double away = (limit == Limit.MIN_THROUGHPUT ? -1 : 1)
                    * (real - entry.getValue().asDouble());
            if (away > margin(limit)) {
                return "missed";
            }
            // What does not end is never kept.
            expected = away < -margin(limit) || away <= 0 && real == 0 ? expected : "near";
        }
        return expected;
    }

    /** But where a node is left down, so that what it costs has no end. */
    @Test
    void everyDrillLimitsTheServiceThatIsLost() throws IOException {
        ShippedLimits.all()
                .forEach((drill, limits) ->
                        assertThat(limits.has("maxLostSeconds")).as(drill).isEqualTo(!drill.equals("node-kill")));
    }

    @Test
    void noDrillPassesWhatHasMissedALimitAndNoneFailsWhatHasNot() throws IOException {
        Map<String, ObjectNode> shipped = ShippedLimits.all();
        assertThat(shipped).hasSizeGreaterThan(18).containsKeys("node-restart", "network", "null");
        Random random = new Random(20_261_127);
        Map<String, Integer> wrong = new TreeMap<>();
        Map<Ill, Integer> nulls = new EnumMap<>(Ill.class);
        Map<Ill, Integer> nullsWrong = new EnumMap<>(Ill.class);
        Map<String, Integer> judged = new TreeMap<>();
        for (int i = 0; i < SERVICES; i++) {
            Ill ill = Ill.values()[i % Ill.values().length];
            Truth truth = truth(ill, random);
            for (Map.Entry<String, ObjectNode> drill : shipped.entrySet()) {
                ObjectNode limits = known(drill.getValue(), truth);
                String expected = expected(limits, truth);
                // A second of its failures at the very end may be by chance so many that it seems to begin to lose.
                expected = ill == Ill.SICK && expected.equals("kept") ? "near" : expected;
                Verdict verdict = Verdict.of(truth.metrics, limits);
                Verdict.Outcome outcome = verdict.outcome();
                boolean nothing = ill == Ill.NOTHING_OPEN || ill == Ill.NOTHING_CLOSED;
                judged.merge(expected, 1, Integer::sum);
                if (nothing) {
                    nulls.merge(ill, 1, Integer::sum);
                    nullsWrong.merge(ill, outcome == Verdict.Outcome.FAIL ? 1 : 0, Integer::sum);
                } else if (expected.equals("missed") && outcome != Verdict.Outcome.FAIL
                        || expected.equals("kept") && outcome == Verdict.Outcome.FAIL) {
                    wrong.merge(
                            ill + ", " + drill.getKey() + " should be " + expected + ": "
                                    + verdict.line().replaceAll("\\d+(\\.\\d+)?", "N"),
                            1,
                            Integer::sum);
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(judged.get("missed")).isGreaterThan(10_000);
        assertThat(judged.get("kept")).isGreaterThan(5_000);
        nulls.forEach((ill, count) ->
                assertThat(nullsWrong.get(ill)).as("%s of %s", ill, count).isLessThanOrEqualTo(count / 50));
    }
}
