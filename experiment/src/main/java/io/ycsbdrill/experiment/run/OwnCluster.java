package io.ycsbdrill.experiment.run;

import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.experiment.spec.ClusterSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The cluster that the experiment has started, and its table: at most one at a time. The next cell uses it when it needs the same
 * cluster with the same rows, and the cell before has left them as they were; any other cell gets its nodes with the rows that were
 * loaded for an earlier one, where a copy of them was kept, or else a new cluster. Used by one thread.
 */
final class OwnCluster {
    private static final Duration UP_BOUND = Duration.ofMinutes(15);
    private static final Duration DOWN_BOUND = Duration.ofMinutes(2);
    private static final Duration LOAD_BOUND = Duration.ofHours(6);
    private static final int LOAD_THREADS = 8;

    /** What it takes to copy the data of a cluster once, and what putting them back saves beside the load, or costs where the cluster is another one. */
    private static final double COPY_SECONDS = 15;

    private static final double SAVED_SECONDS = 2;
    private static final double RESTART_SECONDS = 12;

    /** What their folder is for. */
    private static final String COPIES = "copies of an experiment's clusters";

    /** Exit code of a command that was refused before anything was done. */
    private static final int REFUSED = 2;

    /** Rows that a cluster can be given. */
    private record Loaded(ClusterSpec cluster, String table) {}

    private final Tool tool;
    private final Commands commands;
    private final ExperimentDirectory directory;
    private final Consumer<String> say;
    private final NanoClock clock;
    private Optional<ClusterSpec> up = Optional.empty();
    private String table = "";
    private boolean clean;
    private int number;
    private final Map<Loaded, Path> copies = new HashMap<>();
    /** Whether the engine's data can be copied; until it is known otherwise. */
    private boolean copyable = true;
    /** Names of the tables on a cluster that cells share, by their rows; only those that are as they were loaded. */
    private final Map<String, String> tables = new HashMap<>();
    /** The name of the table that the cell uses; empty for its usual one. */
    private Optional<String> named = Optional.empty();

    OwnCluster(Tool tool, Commands commands, ExperimentDirectory directory, Consumer<String> say, NanoClock clock) {
        this.tool = tool;
        this.commands = commands;
        this.directory = directory;
        this.say = say;
        this.clock = clock;
    }

    /** The variables by which commands find this cluster and no other one. */
    Map<String, String> environment() {
        return Map.of("YCSB_DRILL_STATE", directory.state().toString());
    }

    /**
     * Provides what a cell needs.
     *
     * @param later how many later cells will need the same rows anew
     * @param alone whether all cells of the experiment need the same cluster
     * @return why that failed; empty when the cell can be run
     */
    Optional<String> provide(ClusterSpec wanted, Tool.Inspection cell, int later, boolean alone)
            throws IOException, InterruptedException {
        Loaded rows = new Loaded(wanted, cell.table());
        if (clean && up.equals(Optional.of(wanted)) && table.equals(cell.table())) {
            return Optional.empty();
        }
        if (copies.containsKey(rows)) {
            if (putBack(rows)) {
                return Optional.empty();
            }
            if (commands.stopped()) {
                return Optional.of("stopped");
            }
        }
        Optional<String> failure = renew(wanted);
        if (failure.isEmpty() && !cell.load().isEmpty()) {
            long from = clock.nanoTime();
            failure = load(wanted, cell);
            double seconds = (clock.nanoTime() - from) / (double) TimeUnit.SECONDS.toNanos(1);
            double gain = seconds + (alone ? SAVED_SECONDS : -RESTART_SECONDS);
            if (failure.isEmpty() && copyable && later * gain > COPY_SECONDS && !copy(rows)) {
                return commands.stopped() ? Optional.of("stopped") : provide(wanted, cell, later, alone);
            }
        }
        clean = failure.isEmpty();
        return failure;
    }

    /**
     * The same for a cell that shares its cluster with all that need the same one: where its rows are not there as they were loaded, it
     * gets a table of its own beside the others.
     */
    Optional<String> provideTable(ClusterSpec wanted, Tool.Inspection cell) throws IOException, InterruptedException {
        if (!clean || !up.equals(Optional.of(wanted))) {
            tables.clear();
            Optional<String> failure = renew(wanted);
            clean = failure.isEmpty();
            if (!clean) {
                return failure;
            }
        } else if (tables.containsKey(cell.table())) {
            named = Optional.of(tables.get(cell.table()));
            return Optional.empty();
        } else {
            number++;
        }
        named = Optional.of("t" + number());
        Optional<String> failure = cell.load().isEmpty() ? Optional.empty() : load(wanted, cell);
        clean = failure.isEmpty();
        tables.put(cell.table(), named.get());
        return failure;
    }

    /** Words that name the table that {@link #provideTable} has made; none for the usual one. */
    List<String> tableWords() {
        return named.map(name -> List.of("-p", "table=" + name)).orElse(List.of());
    }

    /**
     * Copies the data of the cluster, whose nodes are then started again, as after each time they are put back.
     *
     * @return whether the cluster is of any use still
     */
    private boolean copy(Loaded rows) throws IOException, InterruptedException {
        if (!Files.isDirectory(directory.copies())) {
            OwnedDirectory.claim(directory.copies(), COPIES);
        }
        Path to = directory.copies().resolve(number());
        say.accept("  keeping a copy of its data");
        Commands.Ended ended =
                execute("snapshot", List.of("cluster", "snapshot", to.toString()), output("snapshot"), UP_BOUND);
        if (ended.exitCode() == 0) {
            copies.put(rows, to);
            return true;
        }
        copyable = false;
        if (ended.exitCode() != REFUSED) {
            say.accept("  its data could not be copied; see " + directory.root().relativize(output("snapshot")));
        }
        return ended.exitCode() == REFUSED;
    }

    /** Gives the cluster the rows that an earlier cell has found; false when that failed, and it needs a new one. */
    private boolean putBack(Loaded rows) throws IOException, InterruptedException {
        if (!up.equals(Optional.of(rows.cluster)) && renew(rows.cluster).isPresent()) {
            return false;
        }
        number++;
        say.accept("  putting its data back");
        List<String> command = List.of("cluster", "snapshot", copies.get(rows).toString(), "--put-back");
        clean = execute("put-back", command, output("put-back"), UP_BOUND).exitCode() == 0;
        table = clean ? rows.table : "";
        if (!clean) {
            copies.remove(rows);
            say.accept(
                    "  its data could not be put back; see " + directory.root().relativize(output("put-back")));
        }
        return clean;
    }

    /** Removes the copies, also those of an earlier part of the experiment. */
    void removeCopies() {
        copies.clear();
        if (!Files.isDirectory(directory.copies())) {
            return;
        }
        try {
            OwnedDirectory.of(directory.copies(), COPIES).delete();
        } catch (IOException e) {
            say.accept("the copies of its data are still there: " + e.getMessage());
        }
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
        return String.format(Locale.ROOT, "%03d", number);
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
