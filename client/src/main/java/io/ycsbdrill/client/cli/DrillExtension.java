package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.drill.DrillCompanion;
import io.ycsbdrill.client.drill.DrillSection;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.fault.inject.HealRecord;
import io.ycsbdrill.fault.inject.Healer;
import io.ycsbdrill.fault.inject.ScheduleCheck;
import io.ycsbdrill.fault.net.ProxiedCluster;
import io.ycsbdrill.fault.node.NoNodes;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.report.DrillSummary;
import io.ycsbdrill.report.JUnitXml;
import io.ycsbdrill.report.Report;
import io.ycsbdrill.report.RunFormatException;
import io.ycsbdrill.report.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Turns a run into a drill. Used by one thread, but for {@link #status}. */
final class DrillExtension implements RunExtension {
    private static final int LIMIT_MISSED = 3;

    private final Surroundings world;
    private final DrillFile file;
    private final boolean counted;
    private final Optional<Path> junit;
    private DrillCompanion companion;
    private ProxiedCluster proxied;

    /**
     * @param counted whether the user has set the number of operations
     * @param junit where to write the verdict as JUnit XML
     */
    DrillExtension(Surroundings world, DrillFile file, boolean counted, Optional<Path> junit) {
        this.world = world;
        this.file = file;
        this.counted = counted;
        this.junit = junit;
    }

    @Override
    public boolean endsRun() {
        return !counted;
    }

    @Override
    public void prepare(Access access, RunSpecBuilder spec) {
        HealRecord record = access.cluster().map(ControlledCluster::healRecord).orElseGet(HealRecord::inMemory);
        NodeController cluster = cluster(access, spec);
        List<String> problems = ScheduleCheck.problems(file.schedule(), cluster);
        if (!problems.isEmpty()) {
            throw new ConfigException(
                    problems.stream().map(p -> file.file() + ": " + p).toList());
        }
        List<String> unhealed = new Healer(
                        cluster, record, file.schedule().recoveryBound(), line -> world.say("healing: " + line))
                .heal();
        if (!unhealed.isEmpty()) {
            throw new NodeControlException(
                    "the cluster is not whole, so nothing is injected: " + String.join("; ", unhealed));
        }
        if (!counted) {
            spec.operations(0);
            world.say("drill " + file.schedule().name()
                    + ": the run lasts as long as the drill needs (operationcount of the workload is not used)");
        }
        long seed = spec.build().seed();
        spec.extra("drill", DrillSection.of(file, seed));
        // On a terminal the bar shows the phase; lines would tear it apart.
        companion = new DrillCompanion(cluster, file.schedule(), record, seed, line -> {
            if (!world.terminal()) {
                world.say(line);
            }
        });
    }

    private NodeController cluster(Access access, RunSpecBuilder spec) {
        Optional<NodeController> nodes = access.cluster().map(ControlledCluster::nodes);
        if (file.schedule().disturbsNetwork()) {
            proxied = ProxiedCluster.of(
                    nodes.orElseGet(() -> new NoNodes(access.binding())), ProxiedServers.of(access, spec));
            ProxiedServers.replace(spec, proxied);
            world.say("drill " + file.schedule().name() + ": clients connect through a proxy before each server ("
                    + proxied.servers().stream()
                            .map(s -> s.id() + " = " + s.host())
                            .collect(Collectors.joining(", "))
                    + ")");
            return proxied;
        }
        return nodes.orElseThrow(
                () -> new ConfigException("a drill needs a cluster whose nodes it can control: one started by"
                        + " ycsb cluster up, the embedded one of the binding native, or an NDB cluster whose"
                        + " management servers answer (-p ndb.connectstring=HOST:1186); or faults of the network"
                        + " only (cut, reset, blackhole, delay, throttle) and the binding jdbc or rest"));
    }

    @Override
    public void close() {
        if (proxied != null) {
            proxied.close();
        }
    }

    @Override
    public List<RunCompanion> companions() {
        return List.of(companion);
    }

    @Override
    public String status() {
        return companion == null ? "" : companion.status();
    }

    @Override
    public int finished(RunResult result, int exitCode) {
        try {
            DrillSummary summary = DrillSummary.write(result.directory());
            world.out().print(summary.text());
            world.out().flush();
            Report.Written report = Report.write(result.directory());
            report.warnings().forEach(warning -> world.say("note: " + warning));
            world.say("report: " + report.page());
            if (junit.isPresent()) {
                JUnitXml.write(junit.get(), summary);
            }
            boolean missed = summary.verdict().outcome() == Verdict.Outcome.FAIL;
            return exitCode == 0 && missed ? LIMIT_MISSED : exitCode;
        } catch (IOException | RunFormatException e) {
            world.say(
                    "error: the drill cannot be judged: " + e.getMessage() + "; its data are in " + result.directory());
            return 1;
        }
    }
}
