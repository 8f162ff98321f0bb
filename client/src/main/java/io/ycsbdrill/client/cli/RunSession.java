package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.FileReason;
import io.ycsbdrill.client.audit.AuditCheck;
import io.ycsbdrill.client.run.BenchmarkRun;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * One load, run or drill from its options to its exit code: check everything, find or start the cluster, load an empty
 * table, run, print the result, stop what was started. Used by one thread, once.
 */
public final class RunSession {
    private static final DateTimeFormatter FOLDER_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss");

    private final Surroundings world;
    private final BindingOptions binding;
    private final RunOptions options;
    private final RunExtension extension;
    private final List<String> command;

    /**
     * @param command the command line as typed, for {@code run.json}
     * @param extension what the command adds; {@link RunExtension#NONE} for a plain run
     */
    public RunSession(
            Surroundings world,
            BindingOptions binding,
            RunOptions options,
            RunExtension extension,
            List<String> command) {
        this.world = world;
        this.binding = binding;
        this.options = options;
        this.extension = extension;
        this.command = CommandText.withoutSecrets(command);
    }

    /**
     * Does it all.
     *
     * @param autoLoad whether a run on an empty table loads the workload's records first
     * @return the exit code: 0 valid, 1 failed or incomplete, or what the extension says
     * @throws ConfigException with everything that is wrong, before anything starts
     * @throws NodeControlException when the cluster cannot be started
     */
    public int execute(Mode mode, boolean autoLoad) {
        Problems problems = new Problems();
        Properties properties = binding.properties(world, problems);
        new AccessFinder(world).check(binding, properties, problems);
        RunSpecBuilder spec =
                options.builder(mode, properties, binding.assigned(new Problems()), extension.endsRun(), problems);
        if (audited()) {
            AuditCheck.problems(properties, spec.threads()).forEach(problems::add);
            if (spec.part().isShare()) {
                problems.add(
                        "--audit and --client " + spec.part() + " exclude each other: another client's writes to the"
                                + " same keys would be taken for lost or stale; audit a run of one client");
            }
        }
        exportFile(properties, problems);
        Path out = outDirectory(mode, problems);
        problems.throwIfAny();
        BenchmarkRun.checkWorkload(spec.out(out).build());
        requireWritable(out);
        AccessFinder finder = new AccessFinder(world, spec.part());
        KnownProperties.nearMisses(properties).forEach(world::say);
        forTheOtherMode(mode, properties);

        try (Stop stop = Stop.install()) {
            try (LivePage live = LivePage.of(options.live(), extension::status, world);
                    Access access = finder.find(binding, properties);
                    extension) {
                access.properties().forEach(properties::putIfAbsent);
                TableProbe.check(access.bindingClass(), properties);
                spec.binding(access.binding(), access.bindingClass())
                        .workloadName(binding.workloadName().orElse("workload"))
                        .engine(access.engine())
                        .command(command)
                        .out(out);
                extension.prepare(access, spec);
                try {
                    return new Runner(stop, live, spec).loadAndRun(mode, autoLoad);
                } finally {
                    stop.noMore();
                }
            } catch (NodeControlException e) {
                if (!stop.requested()) {
                    throw e;
                }
                // Said here: when the stop is closed the process is gone.
                world.say("error: told to end before the run began, so there is no run directory: " + e.getMessage());
                return 1;
            }
        }
    }

    private void forTheOtherMode(Mode mode, Properties properties) {
        if (mode == Mode.LOAD && properties.containsKey("retry.temporary")) {
            world.say("warning: retry.temporary is for runs; a load has --insert-retries");
        }
        String batch = properties.getProperty("db.batchsize", "1");
        if (mode == Mode.RUN && batch.matches("0*[1-9]\\d*") && !batch.matches("0*1")) {
            world.say("warning: db.batchsize is for loads; in a run each insert is a request of its own");
        }
    }

    /** Its result would be known too late to be written elsewhere. */
    private void exportFile(Properties properties, Problems problems) {
        String name = properties.getProperty("exportfile");
        if (name == null) {
            return;
        }
        Path file = world.workingDirectory().resolve(name);
        Path folder = file.getParent();
        if (name.isBlank() || Files.isDirectory(file)) {
            problems.add("exportfile=" + name + " is not a file; name the file that the result is to be written to");
        } else if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            problems.add("exportfile=" + name + " cannot be written: " + folder + " is not a writable directory");
        }
    }

    private Path outDirectory(Mode mode, Problems problems) {
        Path out = options.out().map(world.workingDirectory()::resolve).orElseGet(() -> freshFolder(mode));
        if (Files.exists(out) && !(Files.isDirectory(out) && isEmpty(out))) {
            problems.add("--out " + out + " exists and is not an empty directory; give a new one");
        }
        return out.normalize();
    }

    /** Before a cluster is started for nothing: makes the directory, and takes it away again until the run makes it. */
    private static void requireWritable(Path out) {
        try {
            if (!Files.exists(out)) {
                List<Path> missing = new ArrayList<>();
                for (Path p = out; p != null && !Files.exists(p); p = p.getParent()) {
                    missing.add(p);
                }
                Files.createDirectories(out);
                for (Path made : missing) {
                    Files.delete(made);
                }
            } else if (!Files.isWritable(out)) {
                throw new AccessDeniedException(out.toString());
            }
        } catch (IOException e) {
            throw new ConfigException(
                    "--out " + out + " cannot be made or written (" + FileReason.of(e) + "); name another directory");
        }
    }

    private Path freshFolder(Mode mode) {
        String name = FOLDER_TIME.format(LocalDateTime.now())
                + "-" + binding.binding().orElse("db").replaceAll(".*\\.", "")
                + "-" + binding.workloadName().orElse("workload")
                + (mode == Mode.LOAD ? "-load" : "");
        Path results = world.workingDirectory().resolve("results");
        Path folder = results.resolve(name);
        for (int i = 2; Files.exists(folder); i++) {
            folder = results.resolve(name + "-" + i);
        }
        return folder;
    }

    private boolean audited() {
        return options.audit() || extension.audits();
    }

    private static boolean isEmpty(Path directory) {
        try (var files = Files.list(directory)) {
            return files.findAny().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException("directory " + directory + " cannot be listed: " + FileReason.of(e), e);
        }
    }

    /** The part of a session during which the database is there. */
    private final class Runner {
        private final Stop stop;
        private final LivePage live;
        private final RunSpecBuilder spec;

        Runner(Stop stop, LivePage live, RunSpecBuilder spec) {
            this.stop = stop;
            this.live = live;
            this.spec = spec;
        }

        int loadAndRun(Mode mode, boolean autoLoad) {
            if (mode == Mode.RUN && autoLoad && !loadIfEmpty()) {
                return 1;
            }
            List<RunCompanion> companions = new ArrayList<>(extension.companions());
            RunSpec built = spec.build();
            companions.add(AutoLoad.keptIn(built.out()));
            companions.add(new WaitingLine(world, built));
            companions.add(LiveStatus.of(world, built, extension::status));
            companions.addAll(live.running(built));
            BenchmarkRun run = new BenchmarkRun(built, companions);
            if (audited()) {
                run.audited(world::say);
            }
            RunResult result = stop.during(run);
            int exitCode = new ResultPrinter(world).print(result, run.text(), built);
            int judged = extension.finished(result, exitCode);
            if (audited()) {
                judged = new AuditLines(world).print(result.directory(), judged);
            }
            live.ended(result, judged);
            return judged;
        }

        /** @return false when the records are not all there and could not be loaded */
        private boolean loadIfEmpty() {
            TableContent content = TableContent.of(spec.build());
            content.remark().ifPresent(world::say);
            if (!content.empty()) {
                return true;
            }
            if (spec.part().isShare()) {
                world.say(
                        "error: the table is empty, and one of several clients does not load it: load it first (ycsb load"
                                + " ... --client " + spec.part() + "), or give --no-load");
                return false;
            }
            RunSpec load = AutoLoad.of(spec.build());
            world.say("table " + spec.properties().getProperty("table", "usertable") + " is empty: loading "
                    + load.operations() + " records first, with " + load.threads() + " threads");
            live.loading(load);
            BenchmarkRun run = new BenchmarkRun(load, List.of(LiveStatus.of(world, load, () -> "")));
            RunResult result = stop.during(run);
            Summary summary = Summary.of(result.directory());
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
}
