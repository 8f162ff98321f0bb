package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.client.run.call.RetryPolicy;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.pace.Calibration;
import io.ycsbdrill.client.run.pace.Pacer;
import io.ycsbdrill.client.run.pace.RatePlan;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.TreeSet;

/** Makes {@code run.json}, at the start and at the end of a run. */
public final class RunDocument {
    /** The key of the names of properties that a client's host has of its own, where another client may have others. */
    public static final String OWN_PROPERTIES = "ownProperties";

    /** JSON pointers of what is the same in {@code run.json} of all clients of one run. */
    public static final List<String> SAME_FOR_ALL_CLIENTS = List.of("""
            /schema /tool/version /tool/commit /mode /binding /bindingClass /workload /threads /windowNanos
            /sliceNanos /warmupNanos /cooldownNanos /maxDurationNanos /rate /load/kind /load/share
            /load/calibrationSeconds /opTimeout/seconds /retry /insertRetries /part/of /engine/name
            /engine/version""".split("\\s+"));

    private final RunSpec spec;
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final double loadAverage = system.getSystemLoadAverage();
    private final long cpuAtStart = system.getProcessCpuTime();
    private final long gcAtStart = gcMillis();
    private long cpuAtEnd = -1;
    private long gcAtEnd;
    private final long sliceNanos;
    private Optional<Instant> startAt;
    private OptionalLong stoppedNanos = OptionalLong.empty();
    private volatile Optional<Calibrated> calibrated = Optional.empty();
    private JsonNode wire = NullNode.instance;
    private Pacer.Unsent unsent = Pacer.Unsent.NONE;
    private Optional<ClientThreads.Abandoned> abandoned = Optional.empty();
    private volatile Optional<Ownership> ownership = Optional.empty();

    RunDocument(RunSpec spec, long sliceNanos) {
        this.spec = spec;
        this.sliceNanos = sliceNanos;
        startAt = spec.startAt();
    }

    /** What the calibration has found. */
    void calibrated(Calibrated result) {
        calibrated = Optional.of(result);
    }

    Optional<Calibrated> calibration() {
        return calibrated;
    }

    /** What was due and not sent when the load was stopped. */
    void unsent(Pacer.Unsent arrivals) {
        unsent = arrivals;
    }

    /** What was sent and received, {@link WireMeter#json}. */
    void wire(JsonNode counted) {
        wire = counted;
    }

    /** The calls that were given up; empty without a deadline. */
    void abandoned(Optional<ClientThreads.Abandoned> calls) {
        abandoned = calls;
    }

    /** Who owned the keys; empty when that is not asked, or the binding cannot tell. */
    void ownership(Optional<Ownership> owners) {
        ownership = owners;
    }

    /** When the load was stopped, since run start; what completed later was under way by then. */
    void stoppedAt(OptionalLong nanos) {
        stoppedNanos = nanos;
    }

    /** The time agreed on with the other clients, or that of the specification. */
    void startsAt(Instant agreed) {
        startAt = Optional.of(agreed);
    }

    /**
     * @param clock null before the clock was started
     * @param endNanos the run's end since its start; negative when it has none
     */
    ObjectNode of(RunResult.State state, List<String> reasons, RunClock clock, long endNanos) {
        ObjectNode run = RunDirectory.JSON
                .createObjectNode()
                .put("schema", RunDirectory.SCHEMA)
                .put("state", state.label());
        reasons.forEach(run.putArray("reasons")::add);
        BuildInfo build = BuildInfo.current();
        run.putObject("tool")
                .put("name", "ycsb-drill")
                .put("version", build.version())
                .put("commit", build.commit());
        spec.command().forEach(run.putArray("command")::add);
        run.put("mode", spec.mode().name().toLowerCase(Locale.ROOT))
                .put("binding", spec.binding())
                .put("bindingClass", spec.bindingClass())
                .put("workload", spec.workloadName())
                .put("threads", spec.threads())
                .put("startedAt", clock == null ? null : clock.originWall().toString())
                .put(
                        "endedAt",
                        clock == null || endNanos < 0
                                ? null
                                : clock.wall(endNanos).toString());
        if (endNanos < 0) {
            run.putNull("durationNanos");
        } else {
            run.put("durationNanos", endNanos);
            run.put("stoppedNanos", Math.min(stoppedNanos.orElse(endNanos), endNanos));
        }
        run.put("windowNanos", spec.window().toNanos())
                .put("sliceNanos", sliceNanos)
                .put("warmupNanos", spec.warmup().toNanos())
                .put("cooldownNanos", spec.cooldown().toNanos());
        run.set("rate", spec.rate().map(plan -> (JsonNode) rate(plan)).orElse(null));
        run.set("load", load());
        run.set("opTimeout", SpecCheck.timeout(spec).map(this::opTimeout).orElse(null));
        if (spec.operations() > 0) {
            run.put("operations", spec.operations());
        } else {
            run.putNull("operations");
        }
        if (spec.duration().isPresent()) {
            run.put("maxDurationNanos", spec.duration().get().toNanos());
        } else {
            run.putNull("maxDurationNanos");
        }
        run.put("insertRetries", spec.insertRetries()).put("seed", spec.seed());
        RetryPolicy retry = SpecCheck.retry(spec);
        run.set("retry", retry.isOn() ? retry.json() : null);
        run.set("properties", properties(spec.properties()));
        run.set("host", host());
        run.set("engine", spec.engine());
        run.putObject("client")
                .put("cpuNanos", (cpuAtEnd < 0 ? system.getProcessCpuTime() : cpuAtEnd) - cpuAtStart)
                .put("gcMillis", (cpuAtEnd < 0 ? gcMillis() : gcAtEnd) - gcAtStart)
                .set("wire", wire);
        ownership.ifPresent(owners -> run.set("keyOwners", owners.json()));
        if (spec.part().isShare()) {
            run.set("part", spec.part().json());
        }
        startAt.ifPresent(asked -> run.set("start", start(asked, clock)));
        spec.extra().forEach(run::set);
        return run;
    }

    private static ObjectNode start(Instant asked, RunClock clock) {
        ObjectNode start = RunDirectory.JSON.createObjectNode().put("asked", asked.toString());
        if (clock == null) {
            return start.putNull("actual").putNull("differenceNanos");
        }
        return start.put("actual", clock.originWall().toString())
                .put(
                        "differenceNanos",
                        Duration.between(asked, clock.originWall()).toNanos());
    }

    private static ObjectNode rate(RatePlan plan) {
        ObjectNode node = RunDirectory.JSON.createObjectNode();
        var segments = node.putArray("segments");
        for (RatePlan.Segment segment : plan.segments()) {
            ObjectNode part = segments.addObject().put("startSeconds", segment.startSeconds());
            if (Double.isInfinite(segment.endSeconds())) {
                part.putNull("endSeconds");
            } else {
                part.put("endSeconds", segment.endSeconds());
            }
            part.put("fromRate", segment.fromRate()).put("toRate", segment.toRate());
        }
        return node.put("afterStall", plan.afterStall().name().toLowerCase(Locale.ROOT))
                .put("capOperations", plan.capOperations());
    }

    /** Which load it was: the section {@code load}. */
    ObjectNode load() {
        ObjectNode load = RunDirectory.JSON.createObjectNode();
        if (spec.calibration().isPresent()) {
            Calibration calibration = spec.calibration().get();
            load.put("kind", "share")
                    .put("share", calibration.share())
                    .put("calibrationSeconds", calibration.seconds())
                    .put("afterStall", calibration.afterStall().name().toLowerCase(Locale.ROOT));
            calibrated.ifPresent(result -> result.putInto(load));
        } else if (spec.rate().isPresent()) {
            load.put("kind", "rate").put("sinceSeconds", 0.0);
            spec.rate().get().constantRate().ifPresent(rate -> load.put("rate", rate));
        } else {
            return load.put("kind", "max");
        }
        return load.put("unsent", unsent.arrivals()).put("oldestUnsentSeconds", unsent.oldestNanos() / 1e9);
    }

    private ObjectNode opTimeout(Duration timeout) {
        ObjectNode node = RunDirectory.JSON.createObjectNode().put("seconds", timeout.toNanos() / 1e9);
        abandoned.ifPresent(calls -> node.put("abandoned", calls.calls())
                .put("stillUnderWay", calls.underWay())
                .put("mostUnderWay", calls.most()));
        return node;
    }

    private static ObjectNode properties(Properties properties) {
        ObjectNode node = RunDirectory.JSON.createObjectNode();
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            node.put(name, Secrets.masked(name, properties.getProperty(name)));
        }
        return node;
    }

    private ObjectNode host() {
        ObjectNode host = RunDirectory.JSON
                .createObjectNode()
                .put("name", hostName())
                .put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"))
                .put("arch", System.getProperty("os.arch"))
                .put("cpus", system.getAvailableProcessors())
                .put("memoryBytes", system.getTotalMemorySize())
                .put("java", System.getProperty("java.version"));
        bootId().ifPresent(id -> host.put("bootId", id));
        if (loadAverage >= 0) {
            host.put("loadAverageAtStart", loadAverage);
        }
        return host;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    /** The same for all processes on one machine, containers too: they read one clock. Linux only. */
    private static Optional<String> bootId() {
        Path file = Path.of("/proc/sys/kernel/random/boot_id");
        return Io.or(
                Optional.empty(),
                () -> Files.isReadable(file)
                        ? Optional.of(Files.readString(file).strip())
                        : Optional.empty());
    }

    /** What the client does from now on is no part of the run. */
    void runIsOver() {
        cpuAtEnd = system.getProcessCpuTime();
        gcAtEnd = gcMillis();
    }

    private static long gcMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .filter(millis -> millis > 0)
                .sum();
    }
}
