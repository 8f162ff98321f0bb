package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.audit.AuditCheck;
import io.ycsbdrill.client.cli.option.BindingOptions;
import io.ycsbdrill.client.cli.option.RunOptions;
import io.ycsbdrill.client.cli.process.Stop;
import io.ycsbdrill.client.cli.status.LivePage;
import io.ycsbdrill.client.cli.status.ResultPrinter;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.cluster.AccessFinder;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.merge.MergeException;
import io.ycsbdrill.client.run.BenchmarkRun;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.run.call.OpTimeout;
import io.ycsbdrill.client.session.IdleProperties;
import io.ycsbdrill.client.session.KnownProperties;
import io.ycsbdrill.client.session.LoadFailedException;
import io.ycsbdrill.client.session.Loading;
import io.ycsbdrill.client.session.Session;
import io.ycsbdrill.client.session.SessionResult;
import io.ycsbdrill.client.session.WorkloadKeys;
import io.ycsbdrill.fault.inventory.ClientHost;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.report.summary.DrillSummary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One load, run or drill from its options to its exit code: check everything, find or start the cluster, load an empty
 * table, run, print the result, stop what was started. Used by one thread, once.
 */
public final class RunSession {
    private final CommandContext world;
    private final BindingOptions binding;
    private final RunOptions options;
    private final List<String> command;
    private Optional<DrillFile> drill = Optional.empty();
    private Optional<Path> toResume = Optional.empty();
    private Optional<ResumedLoad> resumed = Optional.empty();
    private boolean counted = true;
    private boolean gate;
    private boolean brief;
    private volatile Supplier<String> status = () -> "";
    private Optional<DrillSummary> summary = Optional.empty();
    private final Instant begun = Instant.now();
    private Optional<Within> within = Optional.empty();

    /** One of several runs on a database that is found, and released, by the command. */
    private record Within(Access access, Stop stop, Path out) {}

    /** @param command the command line as typed, for {@code run.json} */
    public RunSession(CommandContext world, BindingOptions binding, RunOptions options, List<String> command) {
        this.world = world;
        this.binding = binding;
        this.options = options;
        this.command = command.stream().map(Secrets::inArgument).toList();
    }

    /**
     * Makes it a drill.
     *
     * @param operationsGiven whether the user has set the number of operations; else the run continues until the drill is complete
     */
    RunSession drill(DrillFile file, boolean operationsGiven) {
        drill = Optional.of(file);
        counted = operationsGiven;
        return this;
    }

    /** A drill in which nothing could be judged fails, with the reason: its verdict is asked for. */
    RunSession gate() {
        gate = true;
        return this;
    }

    /** Runs on this database, which is left open, into this directory. */
    RunSession within(Access access, Stop stop, Path out) {
        within = Optional.of(new Within(access, stop, out));
        return this;
    }

    /** Prints the main figures of a drill only. */
    RunSession brief(boolean only) {
        brief = only;
        return this;
    }

    /** Loads only what the load in that run directory left. */
    RunSession resume(Path load) {
        toResume = Optional.of(load);
        return this;
    }

    /** Metrics and verdict; empty before the end, and when there was nothing to judge. */
    Optional<DrillSummary> summary() {
        return summary;
    }

    /**
     * Does it all.
     *
     * @param loading when the workload's records are loaded before the run
     * @return the exit code: 0 valid, 1 failed or incomplete, 3 when a limit was missed or the audit found something
     * @throws ConfigException with everything that is wrong, before anything starts
     * @throws NodeControlException when the cluster cannot be started
     */
    public int execute(Mode mode, Loading loading) {
        Problems problems = new Problems();
        Checked checked = check(mode, problems);
        Properties properties = checked.properties();
        KnownProperties.nearMisses(properties).forEach(world::say);
        problems.throwIfAny(ConfigException::new);
        RunSpec.Builder spec = checked.spec();
        Path out = checked.out();
        BenchmarkRun.checkWorkload(spec.out(out).build());
        ResultsFolder.requireWritable(out);
        IdleProperties.warnings(properties).forEach(world::say);
        forTheOtherMode(mode, properties);
        spec.workloadName(binding.workloadName().orElse("workload")).command(command);
        if (within.isPresent()) {
            LivePage live = LivePage.of(Optional.empty(), () -> "", world);
            return run(within.get().access(), spec, loading, live, within.get().stop());
        }
        AccessFinder finder = new AccessFinder(
                world, drill.map(file -> file.schedule().clusterSwitches()).orElse(Set.of()));
        try (Stop stop = Stop.install()) {
            try (LivePage live = LivePage.of(options.live(), () -> status.get(), world);
                    Access access = finder.find(binding.binding(), binding.engine(), properties, spec.part())) {
                return run(access, spec, loading, live, stop);
            } catch (NodeControlException e) {
                if (!stop.requested()) {
                    throw e;
                }
                // Said here: when the stop is closed the process is gone.
                world.say("error: interrupted before the run started, so there is no run directory: " + e.getMessage());
                return 1;
            }
        }
    }

    /** Everything because of which it would be refused; nothing is started. */
    List<String> problems(Mode mode) {
        Problems problems = new Problems();
        Checked checked = check(mode, problems);
        if (!problems.any()) {
            try {
                BenchmarkRun.checkWorkload(checked.spec().out(checked.out()).build());
            } catch (ConfigException e) {
                e.problems().forEach(problems::add);
            }
        }
        return problems.all();
    }

    /** What the options amount to. */
    private record Checked(Properties properties, RunSpec.Builder spec, Path out) {}

    private Checked check(Mode mode, Problems problems) {
        Properties properties = binding.properties(world, problems);
        new AccessFinder(world).check(binding.binding(), binding.engine(), properties, problems);
        List<ClientHost> hosts = clientHosts(properties);
        options.clients().on(hosts.size());
        resumed = toResume.flatMap(load -> resumed(load, hosts, problems));
        RunSpec.Builder spec = options.builder(
                mode, properties, binding.assigned(new Problems()), !counted, drill.map(DrillFile::load), problems);
        if (audited()) {
            String cause = options.audit() ? "--audit" : "the limit acked_lost or max_rpo of the drill file";
            if (!hosts.isEmpty() && options.clients().count() > 1) {
                problems.add(cause
                        + " and clients on other hosts exclude each other: their clocks do not tell which of two writes"
                        + " came first; give --clients 1, which writes from this machine only");
            }
            AuditCheck.problems(properties, spec.threads(), options.clients().count())
                    .forEach(problems::add);
            WorkloadKeys.otherTable(properties)
                    .ifPresent(other -> problems.add("--audit: the workload writes to table " + other
                            + "; only the one of the property table can be audited; set -p table=" + other
                            + ", or leave --audit out"));
            if (spec.part().isShare()) {
                problems.add(
                        cause + " and --client " + spec.part() + " exclude each other: the writes of clients that are"
                                + " started one by one cannot be put in order; use --clients, or audit a run of one client");
            }
        }
        resumed.ifPresent(load -> load.check(properties, problems));
        exportFile(properties, problems);
        return new Checked(properties, spec, outDirectory(mode, problems));
    }

    private Optional<ResumedLoad> resumed(Path load, List<ClientHost> hosts, Problems problems) {
        Optional<String> several = options.clients().several().map(typed -> typed.split(" ")[0]);
        if (several.isPresent()) {
            boolean elsewhere = !hosts.isEmpty() && several.get().equals("--clients");
            problems.add("--resume and " + (elsewhere ? "clients on other hosts" : several.get())
                    + " exclude each other: the load that is resumed knows its own keys; "
                    + (elsewhere
                            ? "give --clients 1, which loads from this machine only"
                            : "leave out " + several.get()));
            return Optional.empty();
        }
        try {
            return Optional.of(ResumedLoad.of(load, world));
        } catch (ConfigException e) {
            e.problems().forEach(problems::add);
            return Optional.empty();
        }
    }

    private int run(Access access, RunSpec.Builder spec, Loading loading, LivePage live, Stop stop) {
        try {
            if (resumed.isPresent()) {
                access.properties().forEach(spec.properties()::putIfAbsent);
                resumed.get().prepare(access, spec);
            }
            Session session = Session.on(access, spec)
                    .since(begun)
                    .loading(loading)
                    .audited(audited())
                    .reported(options.charts())
                    .clients(ClientCommand.others(
                            options.clients().count() - 1, clientHosts(spec.properties()), world.workingDirectory()))
                    .interruptedBy(stop);
            drill.ifPresent(session::drill);
            if (!counted) {
                spec.operations(0);
                world.say(
                        "drill " + drill.get().schedule().name()
                                + ": the run continues until the drill is complete (operationcount of the workload is not used)");
            }
            drill.flatMap(file -> options.givenLoad(spec.properties())
                            .map(given ->
                                    "load: " + given + "; that of the drill file, " + file.load() + ", is not used"))
                    .ifPresent(world::say);
            status = session::status;
            ResultPrinter.Form form = brief ? ResultPrinter.Form.BRIEF : ResultPrinter.Form.TEXT;
            SessionOutput output =
                    new SessionOutput(world, live, session::status, options.json() ? ResultPrinter.Form.JSON : form);
            SessionResult result = session.observe(output).execute();
            summary = result.summary();
            return output.finish(result, drill.isPresent(), audited(), gate);
        } catch (LoadFailedException e) {
            world.say("error: " + e.getMessage());
            return 1;
        } catch (MergeException e) {
            e.problems().forEach(problem -> world.say("error: " + problem));
            world.say("error: nothing was merged; the clients' run directories are in " + spec.out());
            return 1;
        } finally {
            if (within.isEmpty()) {
                stop.noMore();
            }
        }
    }

    private List<ClientHost> clientHosts(Properties properties) {
        return new ClusterFinder(world)
                .inventory(properties)
                .map(Inventory::clients)
                .orElse(List.of());
    }

    private void forTheOtherMode(Mode mode, Properties properties) {
        if (mode == Mode.LOAD && properties.containsKey("retry.temporary")) {
            world.say("warning: retry.temporary is for runs; a load has --insert-retries");
        }
        if (mode == Mode.LOAD && properties.containsKey(OpTimeout.PROPERTY)) {
            world.say("warning: " + OpTimeout.PROPERTY + " is for runs and drills; calls of a load have no deadline");
        }
        String batch = properties.getProperty("db.batchsize", "1");
        if (mode == Mode.RUN && batch.matches("0*[1-9]\\d*") && !batch.matches("0*1")) {
            world.say("warning: db.batchsize is for loads; in a run each insert is a request of its own");
        }
    }

    /** A folder that is not here is most often that of the workload file's author; the result is in the run directory anyway. */
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
            world.say("warning: exportfile=" + name + " cannot be written: " + folder
                    + " is not a writable directory; the result is printed, and in ycsb.txt of the run directory");
            properties.remove("exportfile");
        }
    }

    private Path outDirectory(Mode mode, Problems problems) {
        Path out = within.map(Within::out)
                .or(options::out)
                .map(world.workingDirectory()::resolve)
                .orElseGet(() -> freshFolder(mode));
        OutDirectory.occupied(out).ifPresent(problems::add);
        return out.normalize();
    }

    private Path freshFolder(Mode mode) {
        return ResultsFolder.fresh(
                world,
                binding.binding().orElse("db").replaceAll(".*\\.", "") + "-"
                        + binding.workloadName().orElse("workload") + (mode == Mode.LOAD ? "-load" : ""));
    }

    /** A limit on lost writes can be judged only with an audit. */
    private boolean audited() {
        return options.audit()
                || drill.filter(file -> file.schedule().limits().needAudit()).isPresent();
    }
}
