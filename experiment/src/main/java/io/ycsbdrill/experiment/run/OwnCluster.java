package io.ycsbdrill.experiment.run;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.experiment.spec.ClusterSpec;
import io.ycsbdrill.report.experiment.PlanData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The cluster that an experiment has started, or the experiments of a suite one after the other, and its tables: at most one is up at a
 * time. The next cell uses it when it needs the same cluster with the same rows, and the cell before has left them as they were; any other
 * cell gets a new cluster, or, on one that cells share, a table of its own. Used by one thread; {@link #stop} may be called from any.
 */
public final class OwnCluster implements AutoCloseable {
    private static final Duration UP_BOUND = Duration.ofMinutes(15);
    private static final Duration DOWN_BOUND = Duration.ofMinutes(2);
    private static final Duration LOAD_BOUND = Duration.ofHours(6);
    private static final int LOAD_THREADS = 8;
    /** For each byte of other tables' rows: keys, indexes, and what cells have inserted take room, too. */
    private static final double OTHERS = 2;

    private static final int TRIES_DOWN = 2;
    private static final String STATE = "YCSB_DRILL_STATE";

    /** The name of the table that a cell uses when it is given none. */
    private static final String USUAL = "";

    private Tool tool;
    private final Commands commands;
    private final ExperimentDirectory directory;
    private final boolean passedOn;
    private final Consumer<String> say;
    /** For whose readers the names of files are. */
    private Path experiment;

    private boolean begun;
    private Optional<ClusterSpec> up = Optional.empty();
    private boolean clean;
    private int number;
    private Prepared prepared = Prepared.STARTED;
    /** Names of the tables on it, by their rows; only those that are as they were loaded. */
    private final Map<String, String> tables = new HashMap<>();
    /** The rows of all tables on it, also of those that cells have changed. */
    private double bytes;

    private String table = USUAL;

    /**
     * Nothing is started yet.
     *
     * @param workingDirectory of all commands
     * @param root whose {@code state} is the state directory of its clusters; {@code clusters} gets the output of their commands
     * @param passedOn whether a later experiment may use what an earlier one has left in order; then it is up until {@link #close}
     * @param say notified of the progress, a line at a time
     */
    public OwnCluster(Tool tool, Path workingDirectory, Path root, boolean passedOn, Consumer<String> say) {
        this.tool = tool;
        this.passedOn = passedOn;
        this.say = say;
        commands = new Commands(tool, workingDirectory);
        directory = new ExperimentDirectory(root);
        experiment = directory.root();
    }

    /** Ends the start or the load under way; nothing is started any more. */
    void stop() {
        commands.stop();
    }

    /** Whether nothing is started any more: it was stopped, or a cluster could not be. */
    public boolean stopped() {
        return commands.stopped();
    }

    /**
     * An experiment begins. Before the first one, what an earlier part has left when it was killed is taken down; when that fails this is
     * {@link #stopped}.
     *
     * @param next its tool
     * @param from its working directory
     * @param readers the directory of the experiment
     * @param keeps whether all of its cells use what the cell before has left: where some get a new cluster, the first one does, too
     */
    void begin(Tool next, Path from, Path readers, boolean keeps) throws IOException, InterruptedException {
        tool = next;
        experiment = readers;
        clean = commands.switchTo(next, from) && clean && keeps;
        if (begun) {
            return;
        }
        begun = true;
        Path folder = Files.createDirectories(directory.clusters());
        // So that no output is mixed up.
        number = Io.names(folder).stream()
                .filter(name -> name.matches("\\d{3,9}-.*"))
                .mapToInt(name -> Integer.parseInt(name.substring(0, name.indexOf('-'))))
                .max()
                .orElse(0);
        endLeftovers(directory);
        // In an earlier version each experiment of a suite had a cluster of its own.
        for (Path each : Io.list(directory.root())) {
            if (PlanData.isIn(each)) {
                endLeftovers(new ExperimentDirectory(each));
            }
        }
    }

    private void endLeftovers(ExperimentDirectory there) throws IOException, InterruptedException {
        for (String what : List.of("up", "load", "down")) {
            tool.endLeftover(there.clusters().resolve(what + ".pid"));
        }
        if (Files.isDirectory(there.state())) {
            takeDown(there);
        }
    }

    /** An experiment has ended: what cannot be passed on is taken down. */
    void end(boolean complete) {
        if (!complete || !passedOn) {
            close();
        }
    }

    /** What the next experiment may find. */
    public PassedOn leaves() {
        return clean
                ? new PassedOn(
                        up,
                        tables.entrySet().stream()
                                .filter(each -> each.getValue().equals(USUAL))
                                .map(Map.Entry::getKey)
                                .findFirst()
                                .orElse(""))
                : PassedOn.NOTHING;
    }

    /** The variables by which commands find this cluster and no other one. */
    Map<String, String> environment() {
        return Map.of(STATE, directory.state().toString());
    }

    /**
     * Provides what a cell needs.
     *
     * @param shared whether it shares its cluster with all that need the same one: where its rows are not there as they were loaded, it
     *     gets a table of its own beside the others, or a new cluster when they do not all fit
     * @param arguments of its command
     * @return why that failed; empty when the cell can be run
     */
    Optional<String> provide(ClusterSpec wanted, Tool.Inspection cell, boolean shared, List<String> arguments)
            throws IOException, InterruptedException {
        boolean usable = clean && up.equals(Optional.of(wanted));
        String there = tables.get(rows(cell, shared));
        if (usable && there != null) {
            prepared = Prepared.KEPT;
            table = there;
            return Optional.empty();
        }
        if (usable
                && shared
                && tool.tooSmall(wanted.engine(), wanted.options(), arguments, OTHERS * bytes)
                        .isEmpty()) {
            number++;
            Optional<String> failure = load(wanted, cell, true, Prepared.LOADED);
            if (failure.isEmpty() || commands.stopped()) {
                return failure;
            }
            say.accept("  " + failure.get() + "; trying a new cluster, without other tables");
        }
        Optional<String> failure = renew(wanted);
        clean = failure.isEmpty();
        return clean ? load(wanted, cell, shared, Prepared.STARTED) : failure;
    }

    /** Cells that share a cluster never use its usual table, so that all of them are given theirs alike. */
    private static String rows(Tool.Inspection cell, boolean shared) {
        return shared ? "shared " + cell.table() : cell.table();
    }

    /** How the cell was given its cluster and table. */
    Prepared prepared() {
        return prepared;
    }

    /** Words that name the table of the cell; none for the usual one. */
    List<String> tableWords() {
        return table.equals(USUAL) ? List.of() : List.of("-p", "table=" + table);
    }

    /**
     * What a cell has done to its cluster.
     *
     * @param keepsRows whether its table is as it was
     */
    void used(boolean keepsCluster, boolean keepsRows) {
        clean = clean && keepsCluster && (keepsRows || !table.equals(USUAL));
        if (!keepsRows) {
            tables.values().removeIf(table::equals);
        }
    }

    private Optional<String> renew(ClusterSpec wanted) throws IOException, InterruptedException {
        down();
        if (stopped()) {
            return Optional.of("the cluster before it was not stopped");
        }
        number++;
        List<String> command = new ArrayList<>(List.of("cluster", "up", wanted.engine()));
        new TreeMap<>(wanted.options()).forEach((name, value) -> {
            if (value.equals("true")) {
                command.add("--" + name);
            } else if (!value.equals("false")) {
                command.addAll(List.of("--" + name, value));
            }
        });
        say.accept("  starting a cluster: " + describe(wanted));
        up = Optional.of(wanted); // whatever becomes of it, it is to be taken down
        prepared = Prepared.STARTED;
        return run("up", command, UP_BOUND);
    }

    private Optional<String> load(ClusterSpec wanted, Tool.Inspection cell, boolean shared, Prepared how)
            throws IOException, InterruptedException {
        prepared = how;
        table = shared ? "t" + number() : USUAL;
        bytes += cell.rowBytes().orElse(0);
        if (!cell.load().isEmpty()) {
            List<String> command = new ArrayList<>(tool.on(wanted.engine(), cell.load()));
            command.addAll(tableWords());
            command.addAll(List.of(
                    "-threads",
                    Integer.toString(LOAD_THREADS),
                    "--out",
                    directory.clusters().resolve(number() + "-load").toString()));
            say.accept("  loading its table");
            Optional<String> failure = run("load", command, LOAD_BOUND);
            clean = failure.isEmpty();
            if (!clean) {
                return failure;
            }
        }
        tables.put(rows(cell, shared), table);
        return Optional.empty();
    }

    private Optional<String> run(String what, List<String> command, Duration bound)
            throws IOException, InterruptedException {
        Path output = directory.clusters().resolve(number() + "-" + what + ".txt");
        Path pid = Files.createDirectories(directory.clusters()).resolve(what + ".pid");
        Commands.Ended ended = commands.run(tool.program(command), output, pid, environment(), bound);
        if (ended.exitCode() == 0) {
            return Optional.empty();
        }
        String how =
                ended.late() ? "did not end within " + bound.toMinutes() + " min" : "exit code " + ended.exitCode();
        return Optional.of((what.equals("up") ? "the cluster did not start" : "its table could not be loaded") + ": "
                + how + "; see " + experiment.relativize(output));
    }

    private String number() {
        return Formatted.of("%03d", number);
    }

    private static String describe(ClusterSpec cluster) {
        StringBuilder text = new StringBuilder(cluster.engine());
        new TreeMap<>(cluster.options())
                .forEach((name, value) ->
                        text.append(' ').append(name).append('=').append(value));
        return text.toString();
    }

    /** Stops the cluster if there is one; when that fails this is {@link #stopped}. */
    void down() throws IOException, InterruptedException {
        if (up.isEmpty()) {
            return;
        }
        takeDown(directory);
        up = Optional.empty();
        clean = false;
        tables.clear();
        table = USUAL;
        bytes = 0;
    }

    /** What is left up when this fails twice would share the machine with all that follows: nothing is started any more. */
    private void takeDown(ExperimentDirectory there) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(there.clusters());
        Path output = folder.resolve(number() + "-down.txt");
        for (int i = 0; i < TRIES_DOWN; i++) {
            Commands.Ended ended = commands.cleanUp(
                    tool.program(List.of("cluster", "down", "all")),
                    output,
                    folder.resolve("down.pid"),
                    Map.of(STATE, there.state().toString()),
                    DOWN_BOUND);
            if (ended.exitCode() == 0) {
                return;
            }
        }
        commands.stop();
        say.accept("error: the cluster was not stopped, so nothing more is started; see " + output + ", then: " + STATE
                + "=" + there.state() + " ycsb cluster down all");
    }

    /**
     * Stops the cluster if there is one, also when interrupted.
     *
     * @throws UncheckedIOException when that cannot be begun
     */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        try {
            down();
        } catch (IOException e) {
            throw new UncheckedIOException("the experiment's cluster cannot be stopped: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
