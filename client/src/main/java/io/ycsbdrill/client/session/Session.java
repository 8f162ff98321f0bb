package io.ycsbdrill.client.session;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.audit.Audit;
import io.ycsbdrill.client.audit.AuditCheck;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.drill.PreparedDrill;
import io.ycsbdrill.client.group.ClientPlace;
import io.ycsbdrill.client.group.RunGroup;
import io.ycsbdrill.client.merge.RunMerge;
import io.ycsbdrill.client.run.BenchmarkRun;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.key.KeyRange;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.page.Report;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.rundir.RunFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import site.ycsb.Client;

/**
 * One run on a database that is up, from its checks to its verdict: prepares the drill, loads an empty table, runs, reads the run
 * directory once, judges it and writes the report. Any number in a process, one after the other or at the same time; nothing of it
 * ends the process, prints, or handles signals.
 *
 * <pre>{@code
 * SessionResult result = Session.on(access, spec).drill(file).loading(Loading.WHEN_EMPTY).execute();
 * }</pre>
 *
 * <p>For one thread, but for {@link #status}; executed once.
 */
public final class Session {
    private final Access access;
    private final RunSpec.Builder spec;
    private Optional<DrillFile> drill = Optional.empty();
    private Loading loading = Loading.NEVER;
    private boolean audited;
    private boolean reported;
    private boolean charts;
    private final AnswerClock clock = new AnswerClock();
    private List<ClientPlace> places = List.of();
    private SessionObserver observer = SessionObserver.NONE;
    private Interrupter interrupter = Interrupter.NONE;
    private volatile Optional<PreparedDrill> prepared = Optional.empty();
    private Optional<RunResult> load = Optional.empty();
    private boolean executed;

    private Session(Access access, RunSpec.Builder spec) {
        this.access = Objects.requireNonNull(access, "access");
        this.spec = Objects.requireNonNull(spec, "spec");
    }

    /**
     * Of a run of {@code spec} on this database.
     *
     * @param access left open
     * @param spec of all clients; binding and engine are set by the session, and the access's properties where they are absent
     */
    public static Session on(Access access, RunSpec.Builder spec) {
        return new Session(access, spec);
    }

    /** Injects the faults of this file; the run ends with the drill. Without it nothing is injected. */
    public Session drill(DrillFile file) {
        drill = Optional.of(file);
        return this;
    }

    /** When the workload's records are loaded first; never unless set. */
    public Session loading(Loading when) {
        loading = when;
        return this;
    }

    /** Whether every written key is read back after the run and judged. */
    public Session audited(boolean value) {
        audited = value;
        return this;
    }

    /** Counts the time until the answer from this moment on; from that at which the session was made unless set. */
    public Session since(Instant value) {
        clock.since(value);
        return this;
    }

    /** Writes {@code report.html} into the run directory, and {@code charts/} where they are wanted. */
    public Session reported(boolean alsoCharts) {
        reported = true;
        charts = alsoCharts;
        return this;
    }

    /**
     * Runs by several clients, of which this process is the first, and merges their run directories.
     *
     * @param others where the other clients are started, in order; may be empty
     */
    public Session clients(List<ClientPlace> others) {
        places = List.copyOf(others);
        return this;
    }

    /** Notifies the observer. */
    public Session observe(SessionObserver value) {
        observer = value;
        return this;
    }

    /** Lets the owner end the load and the run early. */
    public Session interruptedBy(Interrupter value) {
        interrupter = value;
        return this;
    }

    /** Where the drill is, for a status line: {@code node2 synchronise}; often empty. From any thread. */
    public String status() {
        return prepared.map(running -> running.companion().status()).orElse("");
    }

    /**
     * Does it all on the calling thread. A run that went wrong is a result, too.
     *
     * @throws ConfigException when the run or the drill cannot be done on this database, with everything that is wrong
     * @throws io.ycsbdrill.fault.node.NodeControlException when the cluster is not healthy before the drill and cannot be healed
     * @throws LoadFailedException when the table is empty and could not be loaded
     * @throws io.ycsbdrill.client.merge.MergeException when the directories of several clients cannot be merged
     * @throws IllegalStateException when called again
     */
    public SessionResult execute() {
        if (executed) {
            throw new IllegalStateException("a session is executed once; make a new one");
        }
        executed = true;
        access.properties().forEach(spec.properties()::putIfAbsent);
        spec.binding(access.binding(), access.bindingClass()).engine(access.engine());
        Problems problems = new Problems();
        WorkloadRecords.complete(spec.properties(), problems);
        problems.throwIfAny(ConfigException::new);
        check(spec.build());
        RunGroup.prepare(places);
        try (PreparedDrill open = drill.map(
                        file -> PreparedDrill.of(file, access, spec, observer::said, observer::drilled))
                .orElse(null)) {
            prepared = Optional.ofNullable(open);
            RunSpec run = spec.build();
            try (FirstConnection connection = new FirstConnection(run)) {
                TableBefore table = new TableBefore(run, connection, observer);
                table.refuse(!places.isEmpty());
                if (table.isToBeLoaded(loading) && connection.refusal().isEmpty()) {
                    load = Optional.of(table.load(
                            loader -> clock.loading(() -> interrupter.during(loader::interrupt, loader::execute))));
                }
                return !places.isEmpty() ? together(run, connection) : alone(run, connection);
            }
        }
    }

    /** Also before the table is looked into: CoreWorkload ends the process over some combinations. */
    private void check(RunSpec run) {
        Problems problems = new Problems();
        if (!run.properties().containsKey(KeyRange.PROPERTY)) {
            new WorkloadCheck(run.properties(), problems).check(run.mode());
        }
        if (SharedKeys.refused(run)) {
            problems.add("workload=" + run.properties().getProperty("workload")
                    + " inserts several records under one key, as points of a time series, and an insert of "
                    + run.binding() + " makes a new row or fails: it needs a binding for time series (-db CLASS)");
        }
        if (audited) {
            AuditCheck.problems(run.properties(), run.threads(), 1 + places.size())
                    .forEach(problems::add);
        }
        drill.ifPresent(file -> DrillLimits.check(file, run, audited, problems));
        problems.throwIfAny(ConfigException::new);
        boolean reads = run.mode() == RunSpec.Mode.RUN || audited;
        TableProbe.check(run.bindingClass(), run.properties(), reads, places.isEmpty());
    }

    private List<RunCompanion> companions(RunSpec run, FirstConnection connection) {
        List<RunCompanion> companions = new ArrayList<>(List.of(connection));
        access.cluster().ifPresent(cluster -> companions.add(new NodeMeter(cluster.nodes()::use).connected()));
        prepared.ifPresent(open -> companions.add(open.companion()));
        if (places.isEmpty()) {
            companions.add(AutoLoad.keptIn(run.out()));
        }
        return companions;
    }

    private SessionResult alone(RunSpec run, FirstConnection connection) {
        List<RunCompanion> companions = companions(run, connection);
        companions.addAll(observer.running(run, run));
        BenchmarkRun benchmark = new BenchmarkRun(run, companions);
        if (audited) {
            benchmark.audited(observer::said);
        }
        connection.refusal().ifPresent(benchmark::interrupt);
        RunResult result = interrupter.during(benchmark::interrupt, benchmark::execute);
        return ended(run, result, benchmark.text());
    }

    private SessionResult together(RunSpec all, FirstConnection connection) {
        connection.refusal().ifPresent(reason -> {
            throw new LoadFailedException(reason + "; no client was started");
        });
        int clients = 1 + places.size();
        String hosts = places.stream()
                .map(ClientPlace::where)
                .filter(where -> !where.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
        observer.said("starting " + clients + " clients: this process and " + places.size() + " more"
                + (hosts.isEmpty() ? "" : " " + hosts));
        RunSpec marked = audited ? all.toBuilder().auditRun(Audit.newRun()).build() : all;
        List<RunSpec> shares = ShareCalculator.of(marked, clients);
        RunSpec first = shares.get(0);
        RunGroup group =
                new RunGroup(shares, companions(first, connection), observer.running(all, first), drill.isPresent());
        interrupter.during(group::interrupt, () -> {
            group.execute(places, observer::said);
            return group;
        });
        RunMerge.Merged merged = group.merge(all.out(), all.command());
        AutoLoad.keep(all.out());
        merged.notes().forEach(note -> observer.said("note: " + note));
        // Without figures no client ever started, so nothing was written.
        RunResult result =
                merged.result().figures().isPresent() ? afterReadBack(marked, merged.result()) : merged.result();
        return ended(all, result, exported(merged.text(), all));
    }

    /** A read-back that fails costs none of the figures, but the run is incomplete then. */
    private RunResult afterReadBack(RunSpec all, RunResult result) {
        try {
            readBack(all);
            return result;
        } catch (RuntimeException | OutOfMemoryError e) {
            return WrittenRun.incomplete(
                    result, "the writes could not be read back: " + Objects.toString(e.getMessage(), e.toString()));
        }
    }

    private void readBack(RunSpec all) {
        AtomicBoolean cancelled = new AtomicBoolean();
        if (audited) {
            interrupter.during(reason -> cancelled.set(true), () -> {
                WrittenRun.of(all).readBack(cancelled::get, observer::said);
                return all;
            });
        }
    }

    /** @return what is left to be printed */
    private static String exported(String text, RunSpec run) {
        String file = run.properties().getProperty(Client.EXPORT_FILE_PROPERTY);
        if (file == null) {
            return text;
        }
        return Io.get("exportfile=" + file + " cannot be written", () -> {
            Files.writeString(Path.of(file), text);
            return "";
        });
    }

    private SessionResult ended(RunSpec run, RunResult result, String text) {
        observer.ended(run, result, text);
        if (result.figures().isPresent()) {
            HdrFiles.write(run.properties(), result.directory())
                    .ifPresent(problem -> observer.said("warning: " + problem));
        }
        // Set when the thread was interrupted to end the run; the files are still to be read, and in full.
        boolean interrupted = Thread.interrupted();
        try {
            return interrupter.during(reason -> {}, () -> judged(run, result, text));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private SessionResult judged(RunSpec run, RunResult result, String text) {
        clock.ended();
        DrillSummary summary;
        try {
            RunData data = RunData.read(result.directory());
            summary = DrillSummary.write(data);
        } catch (IOException | RunFormatException e) {
            return new SessionResult(
                    run,
                    load,
                    result,
                    text,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of("the run cannot be judged: " + e.getMessage()));
        }
        Optional<Report.Written> report = Optional.empty();
        Optional<String> problem = Optional.empty();
        try {
            report = reported ? Optional.of(Report.write(summary, charts)) : report;
        } catch (IOException | RuntimeException e) {
            problem = Optional.of("the report cannot be written: " + e.getMessage());
        }
        return new SessionResult(run, load, result, text, Optional.of(summary), report, time(summary.run()), problem);
    }

    private Optional<AnswerTime> time(RunData run) {
        try {
            return clock.time(run);
        } catch (IOException | DateTimeParseException e) {
            observer.said("warning: summary.json has no section time: " + e.getMessage());
            return Optional.empty();
        }
    }
}
