package io.ycsbdrill.testing;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.audit.AuditCheck;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.drill.PreparedDrill;
import io.ycsbdrill.client.run.BenchmarkRun;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.run.RunSpecBuilder;
import io.ycsbdrill.client.session.AutoLoad;
import io.ycsbdrill.client.session.TableContent;
import io.ycsbdrill.client.session.WorkloadCheck;
import io.ycsbdrill.report.metric.DrillSummary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** One drill from its definition to its result. Used by the thread that has the cluster's turn, once. */
final class DrillRun {
    private final DrillCluster cluster;
    private final Drill drill;

    DrillRun(DrillCluster cluster, Drill drill) {
        this.cluster = cluster;
        this.drill = drill;
    }

    DrillResult execute() {
        Access access = cluster.access(drill.binding());
        OpenPackages.require(access.bindingClass());
        Properties properties = new Properties();
        properties.putAll(access.properties());
        properties.putAll(cluster.properties());
        properties.putAll(drill.properties());
        // Also before the table is looked into: CoreWorkload ends the JVM over some combinations.
        Problems problems = new Problems();
        new WorkloadCheck(properties, problems).check(Mode.RUN);
        problems.throwIfAny(ConfigException::new);

        Path out = cluster.workspace().run(drill.name());
        try {
            RunSpecBuilder spec = new RunSpecBuilder()
                    .mode(Mode.RUN)
                    .binding(access.binding(), access.bindingClass())
                    .workloadName(drill.workloadName())
                    .properties(properties)
                    .threads(drill.threads())
                    .duration(drill.length())
                    .rate(drill.rate())
                    .window(drill.window())
                    .seed(drill.seed())
                    .command(List.of("drill", drill.name()))
                    .engine(access.engine())
                    .out(out);
            return prepareAndRun(access, spec);
        } catch (RuntimeException e) {
            Workspace.removeIfEmpty(out);
            throw e;
        }
    }

    private DrillResult prepareAndRun(Access access, RunSpecBuilder spec) {
        if (drill.file().isEmpty()) {
            return loadAndRun(spec, List.of());
        }
        try (PreparedDrill prepared = PreparedDrill.of(drill.file().get(), access, spec, cluster::say, cluster::say)) {
            return loadAndRun(spec, List.of(prepared.companion()));
        }
    }

    private DrillResult loadAndRun(RunSpecBuilder builder, List<RunCompanion> drillCompanions) {
        RunSpec spec = builder.build();
        boolean first = cluster.workspace()
                .firstOf(spec.bindingClass(), spec.properties().getProperty("table", "usertable"));
        if (drill.loads().orElseGet(() -> needsLoad(spec, first))) {
            load(AutoLoad.of(spec));
        }
        List<RunCompanion> companions = new ArrayList<>(drillCompanions);
        companions.add(AutoLoad.keptIn(spec.out()));
        BenchmarkRun run = new BenchmarkRun(spec, companions);
        if (drill.audited().orElseGet(() -> AuditCheck.problems(spec.properties(), spec.threads())
                .isEmpty())) {
            run.audited(cluster::say);
        }
        RunResult result = run.execute();
        // Set when the thread was told to stop; the files of the run are still to be read.
        boolean interrupted = Thread.interrupted();
        try {
            DrillResult judged = drill.file().isPresent()
                    ? new DrillResult(DrillSummary.write(result.directory()))
                    : DrillResult.of(result.directory());
            cluster.say("drill " + drill.name() + ": " + judged.verdict().line());
            if (judged.valid()) {
                cluster.workspace().passed(judged);
            }
            return judged;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the drill's summary in " + result.directory() + " cannot be written: " + e, e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean needsLoad(RunSpec spec, boolean first) {
        Optional<TableContent> content = TableContent.ofKnown(spec);
        content.flatMap(TableContent::remark).ifPresent(cluster::say);
        return content.map(TableContent::empty).orElse(first);
    }

    private void load(RunSpec spec) {
        cluster.say("loading " + spec.operations() + " records");
        RunResult result = new BenchmarkRun(spec, List.of()).execute();
        long missing = result.state() == RunResult.State.COMPLETE ? AutoLoad.notLoaded(result) : spec.operations();
        if (missing > 0) {
            throw new IllegalStateException("the load before drill " + drill.name() + " failed: "
                    + (result.reasons().isEmpty()
                            ? missing + " of " + spec.operations() + " records are not known to be loaded"
                            : String.join("; ", result.reasons()))
                    + "; its data are in " + result.directory()
                    + "; if the records are there already, say load(false)");
        }
    }
}
