package io.ycsbdrill.report.metric;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.OwnerSeries;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.rundir.Percentiles;
import io.ycsbdrill.rundir.Window;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;

/**
 * A service with a script of what goes wrong, and a client that uses it, operation by operation in simulated time; the client's
 * slices and windows are those that the recorder would write. It knows what truly happened, and nothing of the analysis.
 */
final class ScriptedService {
    /** What the service does for a while. */
    enum Trouble {
        /** Nothing is answered; calls wait. */
        STALL,
        /** Every call fails at once. */
        ERRORS,
        /** One of three shards is dead: its calls fail at once. */
        SHARD,
        /** Only a share of the offered load is served. */
        BROWNOUT,
        /** All is served, but late. Only with a rate. */
        SLOW,
        /** Every write fails at once, and all reads are served. */
        NO_WRITES
    }

    /** Who sends the operations. */
    enum Loop {
        CLOSED,
        /** Arrivals that cannot be served at once are dropped. */
        OPEN_SKIP,
        /** Arrivals wait, and are served at full speed when that is possible again. */
        OPEN_CATCHUP
    }

    /**
     * One trouble.
     *
     * @param share what is served of a brownout, 0 to 1; without writes, what of the load they are; else unused
     */
    record Episode(Trouble trouble, double from, double to, double share) {
        boolean contains(double time) {
            return from <= time && time < to;
        }

        /** What of the service is lost in each second of it. */
        double lostShare() {
            return switch (trouble) {
                case STALL, ERRORS -> 1;
                case SHARD -> 1 / 3.0;
                case BROWNOUT -> 1 - share;
                case SLOW -> 0;
                case NO_WRITES -> share;
            };
        }
    }

    static final double SLICE = 0.1;
    private static final double SPARE = 1 / 0.6;
    private static final int THREADS = 8;
    private static final double SLOWNESS = 20;

    final Loop loop;
    final double rate;
    final double seconds;
    final double faultAt;
    final List<Episode> episodes;
    /** Change of the closed loop's throughput per second, as a share. */
    double drift;
    /** Standard deviation of the closed loop's seconds, as a share; {@link #correlation} is theirs, too. */
    double noise;
    /** Infinite: never. */
    double recoveredAt;
    /** Since when the drill has found it steady; NaN: it did not look. */
    double steadySince = Double.NaN;

    /** How many times longer all calls take from here on, for ever; 1: as before. */
    double slowerAfter = 1;
    /** By how much all calls of the second at 28 s, or of more from there on, are longer. */
    double hiccup;

    int hiccupSeconds = 1;
    /** Share of calls that take 100 ms longer, before and after the fault. */
    double[] slowShare = {0, 0};
    /** Standard deviation of the logarithm of single calls. */
    double tail;
    /** Standard deviation of the logarithm of the seconds' latency, and its correlation from one second to the next. */
    double wobble;

    double correlation;
    /** In how many seconds after the fault the calls have become as slow as they stay; 0: at once. */
    double ramp;
    /** Share of the calls that fails at once, all the time. */
    double sick;
    /** What of the operations are updates, drawn for each; the others are reads. 0: there are no types. */
    double writes;

    private final Random random;
    private final Random kinds;
    private boolean write;
    private final double[] writesOk;
    private final Random shape;
    private double[] level;
    private final double latency;
    private final double[] ok;
    private final double[] failed;
    private final List<Double> successes = new ArrayList<>();
    private final List<List<Double>> service = new ArrayList<>();
    private final List<List<Double>> response = new ArrayList<>();
    /** When operations ended that had taken more than twice as long as any in good health, from and to. */
    final List<double[]> late = new ArrayList<>();

    ScriptedService(Loop loop, double rate, double seconds, double faultAt, List<Episode> episodes, long seed) {
        this(loop, rate, seconds, faultAt, episodes, seed, loop == Loop.CLOSED ? THREADS / rate : 0.002);
    }

    /** @param latency of the fastest calls */
    ScriptedService(
            Loop loop, double rate, double seconds, double faultAt, List<Episode> episodes, long seed, double latency) {
        this.loop = loop;
        this.rate = rate;
        this.seconds = seconds;
        this.faultAt = faultAt;
        this.episodes = List.copyOf(episodes);
        recoveredAt = faultAt + 1;
        random = new Random(seed);
        shape = new Random(~seed);
        kinds = new Random(seed * 31 + 7);
        this.latency = latency;
        ok = new double[(int) Math.round(seconds / SLICE)];
        failed = new double[ok.length];
        writesOk = new double[ok.length];
        for (int i = 0; i < seconds; i++) {
            service.add(new ArrayList<>());
            response.add(new ArrayList<>());
        }
    }

    private Optional<Episode> at(double time) {
        for (Episode episode : episodes) {
            if (episode.contains(time)) {
                return Optional.of(episode);
            }
        }
        return Optional.empty();
    }

    private boolean is(double time, Trouble trouble) {
        return at(time).filter(episode -> episode.trouble() == trouble).isPresent();
    }

    /** Whether the next operation fails at once. */
    private boolean fails(double time, long number) {
        write = writes > 0 && kinds.nextDouble() < writes;
        return sick > 0 && kinds.nextDouble() < sick
                || is(time, Trouble.ERRORS)
                || is(time, Trouble.SHARD) && number % 3 == 0
                || is(time, Trouble.NO_WRITES) && write;
    }

    private double jitter() {
        return latency * (1 + random.nextDouble() / 2);
    }

    /** In good health. */
    private double slowest() {
        return loop == Loop.CLOSED ? 1.2 * latency : 1.5 * latency;
    }

    private void done(double due, double start, double end, boolean success) {
        if (end >= seconds) {
            return;
        }
        int slice = (int) (end / SLICE);
        (success ? ok : failed)[slice]++;
        if (success) {
            writesOk[slice] += write ? 1 : 0;
            successes.add(end);
            service.get((int) end).add(end - start);
            response.get((int) end).add(end - due);
            if (end - due > 2 * slowest() && end > faultAt) {
                boolean continues = !late.isEmpty() && end - late.get(late.size() - 1)[1] < 0.5;
                if (continues) {
                    late.get(late.size() - 1)[1] = end;
                } else {
                    late.add(new double[] {end, end});
                }
            }
        }
    }

    private double slower(double start) {
        double share = start < faultAt ? 0 : ramp == 0 ? 1 : Math.min(1, (start - faultAt) / ramp);
        return 1 + (slowerAfter - 1) * share;
    }

    private double shaped(double start, double time) {
        double shaped = time * level[(int) Math.min(start, level.length - 1.0)] * slower(start);
        shaped *= tail > 0 ? Math.exp(tail * shape.nextGaussian()) : 1;
        double share = slowShare[start >= faultAt ? 1 : 0];
        shaped += share > 0 && shape.nextDouble() < share ? 0.1 : 0;
        return shaped + (28 <= start && start < 28 + hiccupSeconds ? hiccup : 0);
    }

    private void drawLevels() {
        level = new double[(int) seconds + 60];
        double state = shape.nextGaussian();
        for (int i = 0; i < level.length; i++) {
            level[i] = Math.exp(wobble * state);
            state = correlation * state + Math.sqrt(1 - correlation * correlation) * shape.nextGaussian();
        }
    }

    private void openLoop() {
        drawLevels();
        double free = 0;
        double accepted = 0;
        for (long k = 0; k / rate < seconds; k++) {
            double due = k / rate;
            if (fails(due, k)) {
                done(due, due, due + latency / 10, false);
                continue;
            }
            double start = Math.max(due, free);
            Optional<Episode> now = at(start);
            if (loop == Loop.OPEN_SKIP) {
                if (is(due, Trouble.STALL)) {
                    continue;
                }
                double share = at(due).filter(e -> e.trouble() == Trouble.BROWNOUT)
                        .map(Episode::share)
                        .orElse(1.0);
                accepted += share;
                if (accepted < 1) {
                    continue;
                }
                accepted--;
                start = due;
                now = at(due);
            } else if (now.isPresent() && now.get().trouble() == Trouble.STALL) {
                start = now.get().to();
            }
            boolean slow = now.filter(e -> e.trouble() == Trouble.SLOW).isPresent();
            double share = now.filter(e -> e.trouble() == Trouble.BROWNOUT)
                    .map(Episode::share)
                    .orElse(SPARE);
            free = start + 1 / (rate * share);
            done(due, start, start + shaped(start, jitter()) * (slow ? SLOWNESS : 1), true);
        }
    }

    private void closedLoop() {
        PriorityQueue<Double> threads = new PriorityQueue<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(latency * i / THREADS);
        }
        double[] factor = new double[(int) seconds + 1];
        double state = 0;
        for (int i = 0; i < factor.length; i++) {
            double own = i == 0 ? 1 : Math.sqrt(1 - correlation * correlation);
            state = correlation * state + own * random.nextGaussian();
            factor[i] = 1 + noise * state;
        }
        for (long k = 0; ; k++) {
            double start = threads.poll();
            if (start >= seconds) {
                return;
            }
            double share = at(start)
                    .filter(e -> e.trouble() == Trouble.BROWNOUT)
                    .map(Episode::share)
                    .orElse(1.0);
            double speed = share * factor[(int) start] * (1 + drift * (start - faultAt));
            // The mean of the jitter is taken out, so that the threads together do what the rate says.
            double end = start + jitter() / 1.25 / speed;
            for (Episode episode : episodes) {
                if (episode.trouble() == Trouble.STALL && end > episode.from() && start < episode.to()) {
                    end += episode.to() - Math.max(start, episode.from());
                }
            }
            done(start, start, end, !fails(start, k));
            threads.add(end);
        }
    }

    /** Runs it. Once. */
    RunData run(ObjectNode limits) {
        if (loop == Loop.CLOSED) {
            closedLoop();
        } else {
            openLoop();
        }
        List<Window> windows = new ArrayList<>();
        for (int w = 0; w < service.size(); w++) {
            double count =
                    Arrays.stream(ok, 10 * w, Math.min(ok.length, 10 * w + 10)).sum();
            windows.add(new Window(
                    w,
                    w,
                    Math.min(seconds, w + 1),
                    (long) count,
                    0,
                    0,
                    0,
                    percentiles(service.get(w)),
                    loop == Loop.CLOSED ? Percentiles.ABSENT : percentiles(response.get(w)),
                    ""));
        }
        Slices slices = new Slices(SLICE, ok.length, ok.length, columns(), true);
        return new RunData(
                Path.of("scripted"),
                json(limits),
                Map.of(Slices.TOTAL, windows),
                slices,
                markers(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OwnerSeries.unknown("not scripted"),
                Optional.empty(),
                List.of(),
                List.of());
    }

    private Map<String, Slices.Columns> columns() {
        Map<String, Slices.Columns> columns = new LinkedHashMap<>();
        columns.put(Slices.TOTAL, columns(ok, failed));
        if (writes > 0) {
            double[] reads = ok.clone();
            Arrays.setAll(reads, i -> ok[i] - writesOk[i]);
            columns.put("READ", columns(reads, new double[ok.length]));
            columns.put("UPDATE", columns(writesOk, new double[ok.length]));
        }
        return columns;
    }

    private static Slices.Columns columns(double[] ok, double[] failed) {
        return new Slices.Columns(ok, failed, new double[ok.length], new double[ok.length]);
    }

    private static Percentiles percentiles(List<Double> values) {
        if (values.isEmpty()) {
            return Percentiles.ABSENT;
        }
        double[] sorted = values.stream().mapToDouble(v -> 1e6 * v).sorted().toArray();
        double p99 = sorted[(int) Math.ceil(0.99 * sorted.length) - 1];
        double median = sorted[sorted.length / 2];
        double longest = sorted[sorted.length - 1];
        return Percentiles.of(latency -> switch (latency) {
            case P99, P99_9 -> p99;
            case MAX -> longest;
            default -> median;
        });
    }

    private ObjectNode json(ObjectNode limits) {
        ObjectNode run = JsonNodeFactory.instance.objectNode();
        run.put("state", "complete").put("durationNanos", Math.round(seconds * 1e9));
        run.put("windowNanos", 1_000_000_000L).put("sliceNanos", 100_000_000L);
        run.putObject("drill").put("name", "scripted").set("limits", limits);
        if (loop != Loop.CLOSED) {
            run.putObject("rate")
                    .putArray("segments")
                    .addObject()
                    .put("startSeconds", 0)
                    .putNull("endSeconds")
                    .put("fromRate", rate)
                    .put("toRate", rate);
        }
        return run;
    }

    private List<Marker> markers() {
        List<Marker> markers = new ArrayList<>();
        if (steadySince >= 0) {
            String since = Long.toString(Math.round(1e9 * steadySince));
            markers.add(new Marker(faultAt - 0.001, "", "steady", "steady", Map.of("since_ns", since)));
        }
        Map<String, String> node = Map.of(
                "node", "node1", "step", "restart", "occurrence", "1", "fault", "restart", "effect", "node-down");
        markers.add(new Marker(faultAt, "", "fault-started", "R", node));
        markers.add(new Marker(faultAt + 0.02, "", "fault-injected", "R", node));
        markers.add(new Marker(faultAt + 0.3, "", "event", "node-down", Map.of("node", "node1")));
        if (recoveredAt < seconds) {
            markers.add(new Marker(recoveredAt, "", "event", "recovered", Map.of("node", "node1")));
        }
        return markers;
    }

    /** The longest time between two successes that ends after the fault, or between the last one and the end. */
    double longestGap() {
        double[] times = successes.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(times);
        double longest = 0;
        for (int i = 1; i <= times.length; i++) {
            double next = i < times.length ? times[i] : seconds;
            if (next > faultAt) {
                longest = Math.max(longest, next - times[i - 1]);
            }
        }
        return longest;
    }

    /** Operations that were refused. */
    double failures() {
        return Arrays.stream(failed).sum();
    }

    /** What of the service was lost between these times, in seconds. */
    double lost(double from, double until) {
        return episodes.stream()
                .mapToDouble(e -> Math.max(0, Math.min(until, e.to()) - Math.max(from, e.from())) * e.lostShare())
                .sum();
    }

    /** Whether the data end in the middle of something bad. */
    boolean endsInTrouble() {
        return episodes.stream().anyMatch(e -> e.to() >= seconds && e.from() < seconds);
    }
}
