package io.ycsbdrill.testing;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.client.drill.DrillLoad;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.pace.RatePlan;
import io.ycsbdrill.client.run.pace.RatePlan.AfterStall;
import io.ycsbdrill.client.run.pace.RatePlan.Segment;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.Limits;
import io.ycsbdrill.fault.schedule.OfferedLoad;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.Slo;
import io.ycsbdrill.fault.schedule.SteadyState;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.stream.Collectors;
import site.ycsb.DB;
import site.ycsb.Workload;

/**
 * A drill in the making: a workload, and the faults that are injected meanwhile. Begun by {@link DrillCluster#drill(String)},
 * ended by {@link #run}. For one thread; may be run several times.
 *
 * <p>Defaults: 1000 records, half reads and half updates of YCSB's core workload with Zipfian keys, 2 client threads as fast
 * as they can, windows of 1 s, seed 42. The records are loaded first when the table is empty. A drill built in code waits
 * until the throughput is steady, as one from a file does that says nothing of it ({@link SteadyState#DEFAULT}), continues for 5 s after the
 * last node has recovered, and is invalid when a node takes longer than 3 minutes. As fast as it can the throughput of a shared machine is
 * seldom steady: give a {@link #rate}.
 */
public final class Drill {
    private final DrillCluster cluster;
    private final String name;
    private final Optional<DrillFile> file;
    private final List<ScheduledFault> steps = new ArrayList<>();
    private final Properties properties = new Properties();
    private Optional<SteadyState> steady = Optional.of(SteadyState.DEFAULT);
    private Duration cooldown = Duration.ofSeconds(5);
    private Duration recoveryBound = Duration.ofMinutes(3);
    private Limits limits = Limits.NONE;
    private Slo slo = Slo.NONE;
    private String workloadName = "core";
    private Optional<String> binding = Optional.empty();
    private Optional<Duration> length = Optional.empty();
    private Optional<RatePlan> rate = Optional.empty();
    private Optional<Boolean> loads = Optional.empty();
    private Optional<Boolean> audited = Optional.empty();
    private Duration window = Duration.ofSeconds(1);
    private int threads = 2;
    private long seed = 42;

    private Drill(DrillCluster cluster, String name, Optional<DrillFile> file) {
        this.cluster = cluster;
        this.name = name;
        this.file = file;
        properties.setProperty("workload", "site.ycsb.workloads.CoreWorkload");
        properties.setProperty("recordcount", "1000");
        properties.setProperty("readproportion", "0.5");
        properties.setProperty("updateproportion", "0.5");
        properties.setProperty("requestdistribution", "zipfian");
    }

    Drill(DrillCluster cluster, String name) {
        this(cluster, name, Optional.empty());
    }

    Drill(DrillCluster cluster, FaultSchedule schedule) {
        this(cluster, schedule.name(), Optional.of(inCode(schedule)));
    }

    Drill(DrillCluster cluster, DrillFile file) {
        this(cluster, file.schedule().name(), Optional.of(file));
    }

    /** As {@code run.json} is to have it, so that a report can say what was done. */
    private static DrillFile inCode(FaultSchedule schedule) {
        return new DrillFile(
                schedule.name(),
                schedule.steps().stream()
                        .map(step -> "# " + step + "\n")
                        .collect(Collectors.joining("", "# built in code\n", "")),
                schedule,
                new OfferedLoad.Maximum());
    }

    private static SteadyState steady(Duration after) {
        SteadyState usual = SteadyState.DEFAULT;
        return new SteadyState(
                after, usual.window(), usual.slope(), usual.variation(), after.plus(usual.within()), usual.health());
    }

    /** Adds a fault: on one node by the seeded random generator, as soon as the throughput is steady. */
    public Drill step(String stepName, Fault fault) {
        return step(ScheduledFault.step(stepName, fault));
    }

    /**
     * Adds a fault, with the nodes and the time that it says.
     *
     * @throws IllegalStateException when the drill comes from a file or a schedule, which has its own steps
     */
    public Drill step(ScheduledFault step) {
        requireBuilt("step");
        steps.add(step);
        return this;
    }

    /** No fault is injected before this much of the run is over and the service was steady, the baseline to compare with. */
    public Drill steadyAfter(Duration runtime) {
        return steady(Optional.of(steady(runtime)));
    }

    /** No fault is injected before this holds; empty: times count from the start of the run. */
    public Drill steady(Optional<SteadyState> state) {
        requireBuilt("steady");
        steady = state;
        return this;
    }

    /** How long the run continues after the last node has recovered; not negative. */
    public Drill cooldown(Duration duration) {
        requireBuilt("cooldown");
        cooldown = duration;
        return this;
    }

    /** Maximum time for a node to recover after its fault; positive. */
    public Drill recoveryBound(Duration duration) {
        requireBuilt("recoveryBound");
        recoveryBound = duration;
        return this;
    }

    /** Limits for {@link DrillResult#verdict}, as those of a drill file. */
    public Drill limits(Limits value) {
        requireBuilt("limits");
        limits = value;
        return this;
    }

    /** The latency that users accept, as that of a drill file; what it does not say is derived from the steady state. */
    public Drill slo(Slo value) {
        requireBuilt("slo");
        slo = value;
        return this;
    }

    private void requireBuilt(String what) {
        if (file.isPresent()) {
            throw new IllegalStateException(
                    "drill " + name + " has a schedule of its own; " + what + " belongs to it, not to this call");
        }
    }

    /** Without a fault: a run of this length, positive. With faults the run continues until they are complete. */
    public Drill lasting(Duration duration) {
        length = Optional.of(duration);
        return this;
    }

    /** {@code native}, {@code jdbc}, {@code rest} or the name of a class that extends {@link DB}; the cluster's own unless said. */
    public Drill binding(String value) {
        binding = Optional.of(value);
        return this;
    }

    /** Any YCSB binding: public, with a public constructor without arguments; one instance is made for each client thread. */
    public Drill binding(Class<? extends DB> type) {
        return binding(type.getName());
    }

    /** Any YCSB workload class, instead of the core workload. */
    public Drill workload(Class<? extends Workload> type) {
        workloadName = type.getSimpleName();
        return property("workload", type.getName());
    }

    /**
     * A workload file, instead of everything said about the workload before.
     *
     * @throws UncheckedIOException when it cannot be read
     */
    public Drill workload(Path path) {
        try (InputStream in = Files.newInputStream(path)) {
            properties.clear();
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("workload file " + path + " cannot be read: " + FileReason.of(e), e);
        }
        workloadName = path.getFileName().toString();
        return this;
    }

    /** Size of the table, 1 to 2<sup>31</sup> - 1; YCSB's {@code recordcount}. */
    public Drill records(int count) {
        return property("recordcount", String.valueOf(count));
    }

    /** Shares of reads and updates, 0 to 1, of YCSB's core workload. */
    public Drill mix(double reads, double updates) {
        return property("readproportion", String.valueOf(reads)).property("updateproportion", String.valueOf(updates));
    }

    /** Any property of YCSB, the workload or the binding. */
    public Drill property(String key, String value) {
        properties.setProperty(key, value);
        return this;
    }

    /** Client threads, at least 1. */
    public Drill threads(int count) {
        threads = count;
        return this;
    }

    /**
     * Operations per second of all threads together, positive, whether or not the cluster keeps up: what a stall delays is run
     * afterwards, and its response time counts from when it was due. Without it the load is that of the drill file; built in code, each
     * thread waits for its own answers only.
     */
    public Drill rate(double operationsPerSecond) {
        rate = Optional.of(new RatePlan(
                List.of(new Segment(0, Double.POSITIVE_INFINITY, operationsPerSecond, operationsPerSecond)),
                AfterStall.CATCHUP,
                0));
        return this;
    }

    /** Length of a window, a multiple of 0.1 s from 0.1 s to 60 s. */
    public Drill window(Duration value) {
        window = value;
        return this;
    }

    /** Seeds everything random, the choice of nodes included. */
    public Drill seed(long value) {
        seed = value;
        return this;
    }

    /**
     * Whether the records are loaded first. Unless said: with our own bindings when the table is empty, with other classes before
     * every drill that is the first one with its table on this cluster.
     */
    public Drill load(boolean value) {
        loads = Optional.of(value);
        return this;
    }

    /**
     * Whether every written key is read back after the run, and what was acknowledged is looked for (docs/audit.md). Unless said, it
     * is when the workload's values are long enough to say which write they are of, as those of the core workload are.
     */
    public Drill audit(boolean value) {
        audited = Optional.of(value);
        return this;
    }

    /**
     * Runs it on the calling thread, and returns when the nodes are healed and the run directory is complete. A run that went wrong
     * (a fault that could not be injected, a node that did not come back, a thread that failed) is a result, too: its
     * {@link DrillResult#reasons} say why it is invalid.
     *
     * @throws io.ycsbdrill.client.ConfigException when the drill cannot be run on this cluster, with everything that is wrong
     * @throws io.ycsbdrill.fault.node.NodeControlException when the cluster is not healthy before the drill, and cannot be healed
     * @throws IllegalStateException when the cluster is closed, the load failed, or the thread was interrupted before the run
     */
    public DrillResult run() {
        if (file.isEmpty() && steps.isEmpty() == length.isEmpty()) {
            throw new IllegalStateException("drill " + name
                    + (steps.isEmpty()
                            ? " has no fault: add a step(...), or say how long it runs, lasting(...)"
                            : " has faults, which decide how long it runs; remove lasting(...)"));
        }
        return cluster.run(this);
    }

    String name() {
        return name;
    }

    /** The faults; empty for a run without any. */
    Optional<DrillFile> file() {
        if (file.isPresent() || steps.isEmpty()) {
            return file;
        }
        return Optional.of(inCode(new FaultSchedule(
                name, OptionalLong.empty(), steady, steps, cooldown, recoveryBound, limits, slo, Optional.empty())));
    }

    /** The run, but for where it is written to; its properties are those of the cluster and, before them, the drill's own. */
    RunSpec.Builder spec(Map<String, String> ofCluster) {
        Properties effective = new Properties();
        effective.putAll(ofCluster);
        effective.putAll(properties);
        RunSpec.Builder spec = RunSpec.builder()
                .workloadName(workloadName)
                .properties(effective)
                .threads(threads)
                .duration(length)
                .window(window)
                .seed(seed)
                .command(List.of("drill", name));
        if (rate.isPresent()) {
            return spec.rate(rate);
        }
        file().ifPresent(drill -> DrillLoad.CATCHUP.set(drill.load(), spec));
        return spec;
    }

    Optional<String> binding() {
        return binding;
    }

    Optional<Boolean> loads() {
        return loads;
    }

    Optional<Boolean> audited() {
        return audited;
    }
}
