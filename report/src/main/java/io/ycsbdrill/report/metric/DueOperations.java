package io.ycsbdrill.report.metric;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.base.Median;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How many operations the clients wanted to do in each slice: what the rate makes due, and in a closed loop what the baseline did.
 *
 * @param due by slice; NaN where nobody knows
 * @param atRate whether a rate was set
 */
record DueOperations(double[] due, boolean atRate) {
    /** More operations per arrival than this are no catch-up: one arrival makes several calls (read-modify-write). */
    private static final double SEVERAL_CALLS = 1.02;

    /** What chance brings about is smaller than so many standard deviations of a count. */
    private static final double DEVIATIONS = 3;

    static DueOperations of(RunData run, Optional<Baseline> baseline) {
        Slices slices = run.slices();
        JsonNode segments = segments(run.run());
        double share = share(run.run());
        double[] due = new double[slices.count()];
        for (int i = 0; i < due.length; i++) {
            due[i] = due(segments, i * slices.seconds(), (i + 1) * slices.seconds()) / share;
        }
        boolean atRate = Arrays.stream(due).anyMatch(Double::isFinite);
        baseline.ifPresent(base -> {
            double calls = calls(run, base);
            for (int i = 0; i < due.length; i++) {
                if (Double.isNaN(due[i])) {
                    due[i] = base.opsPerSecond() * slices.seconds();
                } else if (calls > SEVERAL_CALLS && Double.isFinite(calls)) {
                    due[i] *= calls;
                }
            }
        });
        return new DueOperations(due, atRate);
    }

    /**
     * What the clients did before a fault, as a multiple of what was due, when it is more than chance explains: then they were catching up
     * with what had not been served before.
     *
     * @param own what looked like the steady state before the fault
     * @param first the first steady state, in which there was nothing to catch up with: it tells the calls of an arrival
     * @return empty when they were not, when there is nothing to compare, and in a closed loop
     */
    static OptionalDouble catchUp(RunData run, Optional<Baseline> own, Optional<Baseline> first) {
        if (own.isEmpty() || first.isEmpty()) {
            return OptionalDouble.empty();
        }
        Baseline base = own.get();
        double due = Math.max(1, calls(run, first.get())) * offered(run, base);
        double operations = due * (base.toSeconds() - base.fromSeconds());
        double multiple = base.meanOpsPerSecond(run.slices()) / due;
        return multiple > Math.max(SEVERAL_CALLS, 1 + DEVIATIONS / Math.sqrt(operations))
                ? OptionalDouble.of(multiple)
                : OptionalDouble.empty();
    }

    /**
     * Operations for each arrival: the median of what the whole seconds of a baseline did for each that was due in them. A step of the
     * rate does not change it, nor does a short catch-up. NaN when no rate was set.
     */
    private static double calls(RunData run, Baseline base) {
        Slices slices = run.slices();
        int per = slices.perSecond();
        int to = slices.at(base.toSeconds());
        double[] seconds =
                new Rates(slices.total().ok(), slices.seconds(), per).secondsBefore(slices.at(base.fromSeconds()), to);
        JsonNode segments = segments(run.run());
        double length = per * slices.seconds();
        for (int i = 0; i < seconds.length; i++) {
            double start = (to - (i + 1) * per) * slices.seconds();
            seconds[i] *= length * share(run.run()) / due(segments, start, start + length);
        }
        double[] known = Arrays.stream(seconds).filter(Double::isFinite).toArray();
        return known.length == 0 ? Double.NaN : Median.of(known);
    }

    /** Arrivals that were due per second while a baseline was measured; NaN when no rate was set. */
    private static double offered(RunData run, Baseline base) {
        double due = due(segments(run.run()), base.fromSeconds(), base.toSeconds());
        return due / share(run.run()) / (base.toSeconds() - base.fromSeconds());
    }

    /** A rate that was given is that of all clients, of which this is one; each calibrates its own. */
    private static double share(JsonNode run) {
        return run.path("rate").isObject()
                ? Math.max(1, run.path("part").path("of").asInt(1))
                : 1;
    }

    /** The segments at the rate that was given, or at the one that was calibrated, which begins when the calibration is over. */
    private static JsonNode segments(JsonNode run) {
        JsonNode load = run.path("load");
        if (run.path("rate").isObject() || !load.path("rate").isNumber()) {
            return run.path("rate").path("segments");
        }
        ArrayNode calibrated = JsonNodeFactory.instance.arrayNode();
        calibrated
                .addObject()
                .put("startSeconds", load.path("sinceSeconds").asDouble())
                .put("fromRate", load.path("rate").asDouble());
        return calibrated;
    }

    /** The rate is piecewise linear, so its mean between two points of a segment is that of the two. */
    private static double due(JsonNode segments, double from, double to) {
        double sum = 0;
        double covered = 0;
        for (JsonNode segment : segments) {
            double start = segment.path("startSeconds").asDouble();
            double end = segment.path("endSeconds").asDouble(Double.POSITIVE_INFINITY);
            double first = Math.max(from, start);
            double last = Math.min(to, end);
            if (first < last) {
                double fromRate = segment.path("fromRate").asDouble();
                double slope =
                        Double.isInfinite(end) ? 0 : (segment.path("toRate").asDouble() - fromRate) / (end - start);
                sum += (last - first) * (fromRate + slope * ((first + last) / 2 - start));
                covered += last - first;
            }
        }
        return covered > (to - from) / 2 ? sum / covered * (to - from) : Double.NaN;
    }

    /** Operations due per second in a range of slices; NaN when nobody knows. */
    double perSecond(int from, int to, double sliceSeconds) {
        return Arrays.stream(due, from, to).average().orElse(Double.NaN) / sliceSeconds;
    }
}
