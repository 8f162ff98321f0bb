package io.ycsbdrill.experiment.run;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.experiment.spec.Command;
import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.experiment.spec.Order;
import io.ycsbdrill.experiment.spec.Variant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The commands of an experiment's cells, and what they do. Used by one thread. */
public final class CellCommands {
    private static final String OUT = "{out}";

    private final Experiment experiment;
    private final Tool tool;
    private final Map<Integer, Tool.Inspection> inspections = new HashMap<>();

    public CellCommands(Experiment experiment, Tool tool) {
        this.experiment = experiment;
        this.tool = tool;
    }

    /**
     * The whole command line of a variant, program first.
     *
     * @param more words at its end
     */
    List<String> of(Variant variant, Path run, List<String> more) {
        List<String> words = words(variant, run);
        words.addAll(more);
        return isOwn(variant) ? tool.program(words) : words;
    }

    /** The same for people, who type the name of this tool. On a cluster that cells share, TABLE stands for the name of the cell's table. */
    public String text(Variant variant, Path run) {
        List<String> words = new ArrayList<>(isOwn(variant) ? List.of("ycsb") : List.of());
        words.addAll(words(variant, run));
        words.addAll(experiment.shareCluster() ? List.of("-p", "table=TABLE") : List.of());
        return words.stream()
                .map(Secrets::inArgument)
                .map(word -> word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
    }

    private List<String> words(Variant variant, Path run) {
        List<String> words = new ArrayList<>(arguments(variant));
        if (words.stream().noneMatch(word -> word.contains(OUT))) {
            words.addAll(List.of("--out", OUT));
        }
        words.replaceAll(word -> word.replace(OUT, run.toString()));
        return words;
    }

    /** A command line that begins with one of this tool's commands is run by this tool. */
    private static boolean isOwn(Variant variant) {
        return !variant.isCommand()
                || Arrays.stream(Command.values()).anyMatch(command -> command.word()
                        .equals(variant.command().get(0)));
    }

    /** The arguments of this tool, or all words of another program. */
    public List<String> arguments(Variant variant) {
        if (!isOwn(variant)) {
            return variant.command();
        }
        List<String> arguments = variant.isCommand() ? variant.command() : variant.arguments(experiment.command());
        return variant.cluster()
                .map(cluster -> tool.on(cluster.engine(), arguments))
                .orElse(arguments);
    }

    /** What the command of a variant does; of another program nothing is known. */
    public Tool.Inspection inspect(Variant variant) {
        return inspections.computeIfAbsent(
                variant.number(),
                number -> isOwn(variant)
                        ? loadedBy(tool.inspect(arguments(variant).stream()
                                .filter(word -> !word.equals(OUT))
                                .toList()))
                        : Tool.Inspection.unknown(List.of()));
    }

    /** The same with the load through the binding that the experiment names. */
    private Tool.Inspection loadedBy(Tool.Inspection cell) {
        if (experiment.loader().isEmpty() || cell.load().size() < 2) {
            return cell;
        }
        List<String> load = new ArrayList<>(cell.load());
        load.set(1, experiment.loader().get());
        List<String> problems = new ArrayList<>(cell.problems());
        tool.inspect(load).problems().forEach(problem -> problems.add("load: " + problem));
        return new Tool.Inspection(
                problems,
                cell.keepsRows(),
                cell.drill(),
                experiment.loader().get() + " " + cell.table(), // no other binding may make the same of it
                load,
                cell.rowBytes(),
                cell.length(),
                cell.measured());
    }

    /** Whether the cell after one may have its cluster and its table. */
    boolean leavesCluster(Tool.Inspection cell) {
        return alike() && cell.keepsRows() && !(cell.drill() && experiment.renewAfterDrill());
    }

    /** Whether each cell may use what the cell before has left. */
    boolean keepsCluster() {
        boolean renews = experiment.renewAfterDrill()
                && experiment.variants().stream().map(this::inspect).anyMatch(Tool.Inspection::drill);
        long clusters =
                experiment.variants().stream().map(Variant::cluster).distinct().count();
        return experiment.shareCluster()
                ? clusters == 1 && !renews
                : experiment.variants().stream().map(this::inspect).allMatch(this::leavesCluster);
    }

    /** Whether all variants need the same cluster and table: otherwise only some cells would find servers that are warm. */
    boolean alike() {
        return experiment.variants().stream()
                        .map(variant ->
                                List.of(variant.cluster(), inspect(variant).table()))
                        .distinct()
                        .count()
                == 1;
    }

    /** A table that is meant to be larger than the servers' memory must be: otherwise caches are measured. */
    private Optional<String> tooFewRows(Variant variant) {
        long least = experiment.success().leastRowsMb();
        double rows = inspect(variant).rowBytes().orElse(0) / (1 << 20);
        return rows >= least
                ? Optional.empty()
                : Optional.of(Formatted.of(
                        "success.rows_mb: the rows of the table are %.1f MB, at least %d are required; take more or larger"
                                + " rows (recordcount, fieldcount, fieldlength)",
                        rows, least));
    }

    /** A command that is ended before it is complete measures nothing. */
    private Optional<String> tooLong(Variant variant) {
        Duration timeout = experiment.timeout();
        return inspect(variant)
                .length()
                .filter(length -> length.compareTo(timeout.minus(ExperimentProgress.START)) > 0)
                .map(length -> "timeout " + Durations.print(timeout) + ": the command runs for "
                        + Durations.print(length) + ", and would be ended before it is complete; set a timeout that is"
                        + " longer by at least " + Durations.print(ExperimentProgress.START)
                        + ", or none and the setting duration, from which it follows");
    }

    /** No cell of it would count. */
    private Optional<String> tooShort(Variant variant) {
        Duration least = experiment.success().measured();
        return inspect(variant)
                .measured()
                .filter(measured -> measured.compareTo(least) < 0)
                .map(
                        measured -> "the command measures for " + Durations.print(measured)
                                + " after its warm-up, and its figures count from " + Durations.print(least)
                                + " on; give it a longer duration (success.measured of an experiment's file changes the bound)");
    }

    /**
     * What is wrong with the commands, and what the reader of the result must know.
     *
     * @param problems filled with what a command would be refused for
     * @return cautions, each a sentence
     */
    public List<String> check(List<String> problems) {
        List<String> cautions = new ArrayList<>();
        List<Variant> variants = experiment.variants();
        for (Variant variant : variants) {
            List<String> own = new ArrayList<>(inspect(variant).problems());
            variant.cluster()
                    .flatMap(cluster -> tool.clusterProblem(cluster.engine(), cluster.options())
                            .or(() -> tool.tooSmall(cluster.engine(), cluster.options(), arguments(variant), 0)))
                    .ifPresent(own::add);
            tooFewRows(variant).ifPresent(own::add);
            if (own.isEmpty()) {
                tooLong(variant).ifPresent(own::add);
                tooShort(variant).ifPresent(own::add);
            }
            for (String problem : own) {
                String whole = problem + " (in " + variant.levels() + ")";
                if (problems.stream().noneMatch(known -> known.startsWith(problem + " ("))) {
                    problems.add(whole);
                }
            }
        }
        boolean known = variants.stream().allMatch(CellCommands::isOwn);
        boolean changes = variants.stream()
                .map(this::inspect)
                .anyMatch(inspection -> inspection.drill() || !inspection.keepsRows());
        long tables = variants.stream().map(v -> inspect(v).table()).distinct().count();
        if (experiment.cluster().isEmpty() && known && (changes || tables > 1)) {
            cautions.add("The experiment has no cluster of its own, and "
                    + (changes
                            ? "its cells add or remove rows or inject faults: a later cell may find another table"
                                    + " than an earlier one"
                            : "its cells ask for different tables, but use what they find")
                    + ". Give it a cluster (cluster: {engine: embedded}) to renew it between cells,"
                    + " unless each cell starts one of its own.");
        }
        if (experiment.order() == Order.SEQUENTIAL && experiment.variants().size() > 1) {
            cautions.add("With order: sequential all runs of a variant follow each other, so a drift of the machine or"
                    + " of the data looks like a difference between variants; random is safe from that."
                    + (experiment.shareCluster()
                            ? " With share_cluster the servers of later cells also hold the tables of earlier ones."
                            : ""));
        }
        return cautions;
    }
}
