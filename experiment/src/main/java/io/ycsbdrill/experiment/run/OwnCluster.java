package io.ycsbdrill.experiment.run;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.experiment.spec.ClusterSpec;
import java.io.IOException;
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
 * The cluster that the experiment has started, and its table: at most one at a time. The next cell uses it when it needs the same
 * cluster with the same rows, and the cell before has left them as they were; any other cell gets a new cluster, or, on one that cells
 * share, a table of its own. Used by one thread.
 */
final class OwnCluster {
    private static final Duration UP_BOUND = Duration.ofMinutes(15);
    private static final Duration DOWN_BOUND = Duration.ofMinutes(2);
    private static final Duration LOAD_BOUND = Duration.ofHours(6);
    private static final int LOAD_THREADS = 8;
    /** For each byte of other tables' rows: keys, indexes, and what cells have inserted take room, too. */
    private static final double OTHERS = 2;

    private final Tool tool;
    private final Commands commands;
    private final ExperimentDirectory directory;
    private final Consumer<String> say;
    private Optional<ClusterSpec> up = Optional.empty();
    private String table = "";
    private boolean clean;
    private int number;
    private Prepared prepared = Prepared.STARTED;
    /** Names of the tables on a cluster that cells share, by their rows; only those that are as they were loaded. */
    private final Map<String, String> tables = new HashMap<>();
    /** The rows of all tables on it, also of those that cells have changed. */
    private double bytes;
    /** The name of the table that the cell uses; empty for its usual one. */
    private Optional<String> named = Optional.empty();

    OwnCluster(Tool tool, Commands commands, ExperimentDirectory directory, Consumer<String> say) {
        this.tool = tool;
        this.commands = commands;
        this.directory = directory;
        this.say = say;
    }

    /** The variables by which commands find this cluster and no other one. */
    Map<String, String> environment() {
        return Map.of("YCSB_DRILL_STATE", directory.state().toString());
    }

    /**
     * Provides what a cell needs.
     *
     * @return why that failed; empty when the cell can be run
     */
    Optional<String> provide(ClusterSpec wanted, Tool.Inspection cell) throws IOException, InterruptedException {
        if (clean && up.equals(Optional.of(wanted)) && table.equals(cell.table())) {
            prepared = Prepared.KEPT;
            return Optional.empty();
        }
        prepared = Prepared.STARTED;
        Optional<String> failure = renew(wanted);
        if (failure.isEmpty() && !cell.load().isEmpty()) {
            failure = load(wanted, cell);
        }
        clean = failure.isEmpty();
        return failure;
    }

    /**
     * The same for a cell that shares its cluster with all that need the same one: where its rows are not there as they were loaded, it
     * gets a table of its own beside the others, or a new cluster when they do not all fit.
     *
     * @param arguments of its command
     */
    Optional<String> provideTable(ClusterSpec wanted, Tool.Inspection cell, List<String> arguments)
            throws IOException, InterruptedException {
        boolean usable = clean && up.equals(Optional.of(wanted));
        if (usable && tables.containsKey(cell.table())) {
            prepared = Prepared.KEPT;
            named = Optional.of(tables.get(cell.table()));
            return Optional.empty();
        }
        if (usable
                && tool.tooSmall(wanted.engine(), wanted.options(), arguments, OTHERS * bytes)
                        .isEmpty()) {
            number++;
            Optional<String> failure = loadBeside(wanted, cell, Prepared.LOADED);
            if (failure.isEmpty() || commands.stopped()) {
                return failure;
            }
            say.accept("  " + failure.get() + "; trying a new cluster, without other tables");
        }
        tables.clear();
        bytes = 0;
        Optional<String> failure = renew(wanted);
        clean = failure.isEmpty();
        return clean ? loadBeside(wanted, cell, Prepared.STARTED) : failure;
    }

    private Optional<String> loadBeside(ClusterSpec wanted, Tool.Inspection cell, Prepared how)
            throws IOException, InterruptedException {
        prepared = how;
        named = Optional.of("t" + number());
        bytes += cell.rowBytes().orElse(0);
        Optional<String> failure = cell.load().isEmpty() ? Optional.empty() : load(wanted, cell);
        clean = failure.isEmpty();
        if (clean) {
            tables.put(cell.table(), named.get());
        }
        return failure;
    }

    /** How the cell was given its cluster and table. */
    Prepared prepared() {
        return prepared;
    }

    /** Words that name the table that {@link #provideTable} has made; none for the usual one. */
    List<String> tableWords() {
        return named.map(name -> List.of("-p", "table=" + name)).orElse(List.of());
    }

    /**
     * What a cell has done to its cluster.
     *
     * @param keepsRows whether its table is as it was
     */
    void used(boolean keepsCluster, boolean keepsRows) {
        clean = clean && keepsCluster && (keepsRows || named.isPresent());
        if (!keepsRows) {
            tables.values().removeIf(name -> Optional.of(name).equals(named));
        }
    }

    private Optional<String> renew(ClusterSpec wanted) throws IOException, InterruptedException {
        down();
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
        table = "";
        return run("up", command, UP_BOUND);
    }

    private Optional<String> load(ClusterSpec wanted, Tool.Inspection cell) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(tool.on(wanted.engine(), cell.load()));
        command.addAll(tableWords());
        command.addAll(List.of(
                "-threads",
                Integer.toString(LOAD_THREADS),
                "--out",
                directory.clusters().resolve(number() + "-load").toString()));
        say.accept("  loading its table");
        Optional<String> failure = run("load", command, LOAD_BOUND);
        table = failure.isEmpty() ? cell.table() : "";
        return failure;
    }

    private Optional<String> run(String what, List<String> command, Duration bound)
            throws IOException, InterruptedException {
        Path output = output(what);
        Commands.Ended ended = execute(what, command, output, bound);
        if (ended.exitCode() == 0) {
            return Optional.empty();
        }
        String how =
                ended.late() ? "did not end within " + bound.toMinutes() + " min" : "exit code " + ended.exitCode();
        return Optional.of((what.equals("up") ? "the cluster did not start" : "its table could not be loaded") + ": "
                + how + "; see " + directory.root().relativize(output));
    }

    private Path output(String what) {
        return directory.clusters().resolve(number() + "-" + what + ".txt");
    }

    private Commands.Ended execute(String what, List<String> command, Path output, Duration bound)
            throws IOException, InterruptedException {
        Path folder = Files.createDirectories(directory.clusters());
        return commands.run(tool.program(command), output, folder.resolve(what + ".pid"), environment(), bound);
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

    /** Goes on counting after an earlier part of the experiment, so that no output is mixed up. */
    void continueAfter(int last) {
        number = last;
    }

    /** Stops the cluster if there is one; also what an earlier part of the experiment has left. */
    void down() throws IOException, InterruptedException {
        if (up.isEmpty() && !Files.isDirectory(directory.state())) {
            return;
        }
        List<String> command = tool.program(List.of("cluster", "down", "all"));
        Path folder = Files.createDirectories(directory.clusters());
        Commands.Ended ended = commands.cleanUp(
                command, folder.resolve(number() + "-down.txt"), folder.resolve("down.pid"), environment(), DOWN_BOUND);
        if (ended.exitCode() != 0) {
            say.accept("error: the cluster was not stopped; see " + folder.resolve(number() + "-down.txt")
                    + ", then: YCSB_DRILL_STATE=" + directory.state() + " ycsb cluster down all");
        }
        up = Optional.empty();
        clean = false;
    }
}
