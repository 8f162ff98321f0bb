package io.ycsbdrill.report.experiment;

import io.ycsbdrill.rundir.Percentiles;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The ascents of a sweep: one for each combination of the other axes.
 *
 * @param axis that ascends
 * @param ascents in order of their first variant
 */
record Ascents(String axis, List<Ascent> ascents) {
    /** The share of the threads' time that at least is spent in calls when the database is what limits the throughput. */
    static final double BUSY = 0.9;

    /** The fewest levels among which a knee can lie. */
    static final int LEAST = 3;

    /** Mark of a level whose threads were often busy with something other than calls. */
    static final String CLIENT_BOUND = "client-bound";
    /** Mark of a level with a rate whose threads were nearly all in calls, so that operations waited for a thread. */
    static final String THREADS_BUSY = "all threads busy";

    /**
     * One level.
     *
     * @param variant which one
     * @param counts whether it has figures
     * @param reason why not
     * @param throughput median over repeats, ops/s; NaN without figures
     * @param latency of all operations of all repeats, microseconds
     * @param concurrency mean number of operations under way, median over repeats
     * @param threads of all clients
     * @param mark a word of warning; empty for none
     */
    record Level(
            PlanData.Variant variant,
            boolean counts,
            String reason,
            double throughput,
            Percentiles latency,
            double concurrency,
            double threads,
            String mark) {

        /** Kleinrock's power: throughput by mean latency. */
        double power() {
            return throughput / latency.mean();
        }
    }

    /**
     * An ascent.
     *
     * @param others levels of the other axes, in words; empty when there are none
     * @param levels in ascending order
     */
    record Ascent(String others, List<Level> levels) {
        /**
         * The level with the largest power (throughput by mean latency): below it more load gains more throughput than it costs latency,
         * above it the reverse. Source: L. Kleinrock, "Power and deterministic rules of thumb for probabilistic problems in computer
         * communications", ICC 1979; R. Jain, "The Art of Computer Systems Performance Analysis", 1991, section 3.3 (knee capacity).
         *
         * @return empty below three levels that count, and when the largest is the lowest or the highest of them: the knee may then lie
         *     outside
         */
        Optional<Level> knee() {
            List<Level> counting = counting();
            if (counting.size() < LEAST) {
                return Optional.empty();
            }
            Level best = counting.stream()
                    .max(Comparator.comparingDouble(Level::power))
                    .orElseThrow();
            boolean edge = best == counting.get(0) || best == counting.get(counting.size() - 1);
            return edge ? Optional.empty() : Optional.of(best);
        }

        /** The knee, or why there is none, as a sentence. */
        String kneeText(String axis) {
            List<Level> counting = counting();
            if (counting.size() < LEAST) {
                return "No knee: levels that count: " + counting.size() + "; needed: " + LEAST + ".";
            }
            return knee().map(level -> "Knee at " + axis + " "
                            + level.variant().levels().get(axis) + ": the largest throughput per mean latency.")
                    .orElseGet(() -> {
                        boolean first = counting.stream()
                                        .max(Comparator.comparingDouble(Level::power))
                                        .orElseThrow()
                                == counting.get(0);
                        return "No knee within the levels: throughput per mean latency "
                                + (first
                                        ? "is largest at the lowest one, so it lies there or below."
                                        : "is largest at the highest one, so it lies there or above.");
                    });
        }

        private List<Level> counting() {
            return levels.stream()
                    .filter(level -> level.counts() && level.latency().present() && level.throughput() > 0)
                    .toList();
        }
    }

    /** Empty when nothing ascends. */
    static Optional<Ascents> of(ExperimentData data, MergedLatencies merged) {
        return data.plan().ascend().map(axis -> {
            Map<String, List<Level>> byOthers = new LinkedHashMap<>();
            for (PlanData.Variant variant : data.plan().variants()) {
                Map<String, String> others = new LinkedHashMap<>(variant.levels());
                others.remove(axis);
                String words = new PlanData.Variant(0, others, "").title();
                byOthers.computeIfAbsent(words, none -> new ArrayList<>()).add(level(data, merged, variant));
            }
            List<Ascent> ascents = new ArrayList<>();
            byOthers.forEach((words, levels) -> ascents.add(new Ascent(words, levels)));
            return new Ascents(axis, ascents);
        });
    }

    private static Level level(ExperimentData data, MergedLatencies merged, PlanData.Variant variant) {
        int number = variant.number();
        double concurrency = data.median(number, CellFigures.CONCURRENCY).value();
        double threads = data.median(number, CellFigures.THREADS).value();
        boolean rated = data.sample(number, CellFigures.OFFERED).length > 0;
        return new Level(
                variant,
                data.counts(number),
                data.reason(number),
                data.median(number, CellFigures.THROUGHPUT).value(),
                merged.latency(number, MergedLatencies.ALL),
                concurrency,
                threads,
                mark(concurrency, threads, rated));
    }

    /** Little's law: the mean number of operations under way is throughput times mean time; the rest of the threads' time is the client's. */
    static String mark(double concurrency, double threads, boolean rated) {
        if (!(concurrency > 0) || !(threads > 0)) {
            return "";
        }
        boolean busy = concurrency >= BUSY * threads;
        if (rated) {
            return busy ? THREADS_BUSY : "";
        }
        return busy ? "" : CLIENT_BOUND;
    }
}
