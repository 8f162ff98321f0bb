package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.client.cli.status.LiveStatus;
import io.ycsbdrill.client.cli.status.WaitingLine;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.group.RunGroup;
import io.ycsbdrill.client.merge.MergeException;
import io.ycsbdrill.client.merge.RunMerge;
import io.ycsbdrill.client.run.BenchmarkRun;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.run.RunSpecBuilder;
import io.ycsbdrill.client.session.AutoLoad;
import io.ycsbdrill.client.session.ShareCalculator;
import io.ycsbdrill.client.session.StoredSummary;
import io.ycsbdrill.client.session.TableContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import site.ycsb.Client;

/** The part of a session during which the database is there: the load of an empty table, the run by one or several clients, its result. */
final class SessionRun {
    private final CommandContext world;
    private final RunExtension extension;
    private final Stop stop;
    private final LivePage live;
    private final RunSpecBuilder spec;
    private final boolean audited;

    SessionRun(
            CommandContext world,
            RunExtension extension,
            Stop stop,
            LivePage live,
            RunSpecBuilder spec,
            boolean audited) {
        this.world = world;
        this.extension = extension;
        this.stop = stop;
        this.live = live;
        this.spec = spec;
        this.audited = audited;
    }

    int loadAndRun(Mode mode, boolean autoLoad, int clients) {
        if (mode == Mode.RUN && autoLoad && !loadIfEmpty()) {
            return 1;
        }
        return clients > 1 ? together(ShareCalculator.of(spec.build(), clients)) : alone();
    }

    private int alone() {
        RunSpec built = spec.build();
        List<RunCompanion> companions = companions(built);
        companions.add(AutoLoad.keptIn(built.out()));
        companions.addAll(live.running(built));
        BenchmarkRun run = new BenchmarkRun(built, companions);
        if (audited) {
            run.audited(world::say);
        }
        RunResult result = stop.during(run);
        int exitCode = new ResultPrinter(world).print(result, run.text(), built);
        int judged = extension.finished(result, exitCode);
        if (audited) {
            judged = new AuditLines(world).print(result.directory(), judged);
        }
        live.ended(result, judged);
        return judged;
    }

    private List<RunCompanion> companions(RunSpec run) {
        List<RunCompanion> companions = new ArrayList<>(extension.companions());
        companions.add(new WaitingLine(world, run));
        companions.add(LiveStatus.of(world, run, extension::status));
        return companions;
    }

    /** The first client is this process; what is said and printed in the end is of all. */
    private int together(List<RunSpec> clients) {
        RunSpec all = spec.build();
        boolean drill = !extension.companions().isEmpty();
        world.say("starting " + clients.size() + " clients: this process and " + (clients.size() - 1) + " more; status"
                + " lines are of client 1");
        RunGroup group = new RunGroup(clients, companions(clients.get(0)), drill);
        stop.during(group::interrupt, () -> {
            group.execute(ClientCommand.program(), world.workingDirectory(), world::say);
            return group;
        });
        RunMerge.Merged merged;
        try {
            merged = group.merge(all.out(), all.command());
        } catch (MergeException e) {
            e.problems().forEach(problem -> world.say("error: " + problem));
            world.say("error: nothing was merged; the clients' run directories are in " + all.out());
            return 1;
        }
        AutoLoad.keep(all.out());
        merged.notes().forEach(note -> world.say("note: " + note));
        int exitCode = new ResultPrinter(world).print(merged.result(), exported(merged.text(), all), all);
        return extension.finished(merged.result(), exitCode);
    }

    /** @return what is left to be printed */
    private static String exported(String text, RunSpec run) {
        String file = run.properties().getProperty(Client.EXPORT_FILE_PROPERTY);
        if (file == null) {
            return text;
        }
        try {
            Files.writeString(Path.of(file), text);
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException("exportfile=" + file + " cannot be written: " + FileReason.of(e), e);
        }
    }

    /** @return false when the records are not all there and could not be loaded */
    private boolean loadIfEmpty() {
        TableContent content = TableContent.of(spec.build());
        content.remark().ifPresent(world::say);
        if (!content.empty()) {
            return true;
        }
        if (spec.part().isShare()) {
            world.say("error: the table is empty, and one of several clients does not load it: load it first (ycsb load"
                    + " ... --client " + spec.part() + "), or give --no-load");
            return false;
        }
        RunSpec load = AutoLoad.of(spec.build());
        world.say("table " + spec.properties().getProperty("table", "usertable") + " is empty: loading "
                + load.operations() + " records first, with " + load.threads() + " threads");
        live.loading(load);
        BenchmarkRun run = new BenchmarkRun(load, List.of(LiveStatus.of(world, load, () -> "")));
        RunResult result = stop.during(run);
        StoredSummary summary = StoredSummary.of(result.directory());
        if (result.state() == RunResult.State.COMPLETE && summary.notLoaded() == 0) {
            world.say("loaded in %.1f s".formatted(summary.seconds()));
            return true;
        }
        String why = result.reasons().isEmpty()
                ? summary.notLoaded() + " of " + load.operations() + " records are not known to be loaded"
                : String.join("; ", result.reasons());
        world.say("error: the load before the run failed: " + why + "; its data are in " + result.directory());
        return false;
    }
}
