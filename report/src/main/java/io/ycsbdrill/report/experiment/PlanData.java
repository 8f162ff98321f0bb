package io.ycsbdrill.report.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.ycsbdrill.base.PlainText;
import io.ycsbdrill.report.claim.Claim;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code plan.json}: what an experiment was to run. Immutable.
 *
 * @param kind {@code experiment}, {@code sweep} or {@code ab}
 * @param name of the experiment
 * @param command {@code run}, {@code load} or {@code drill}
 * @param tool what made it, with its version
 * @param createdAt when it was begun
 * @param workingDirectory in which relative paths of its settings start
 * @param seed of a random order
 * @param order of the cells, in words
 * @param repeats of each variant
 * @param until the share by which the interval of each variant's throughput may reach above its ratio, for which it is repeated; empty for all repeats
 * @param ascend the axis whose ascent was stopped when its levels no longer counted; empty for none
 * @param gain the axis whose later levels are compared with its first one; empty for none
 * @param variants all combinations, the reference first
 * @param charts asked for; empty for the usual ones
 * @param claims of the source that it checks
 * @param cautions for the reader, each a sentence
 * @param setting which engine, scale and machine, for every table; empty of an experiment that is not one of a suite
 * @param cells in their planned order
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record PlanData(
        int schema,
        String kind,
        String name,
        String command,
        String tool,
        String createdAt,
        String workingDirectory,
        long seed,
        String order,
        int repeats,
        Optional<Double> until,
        double settleSeconds,
        Success success,
        Optional<String> ascend,
        Optional<String> gain,
        List<Axis> axes,
        List<Variant> variants,
        List<Chart> charts,

        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Claim> claims,

        List<String> cautions,
        Optional<String> setting,
        List<Cell> cells) {
    public static final int SCHEMA = 1;

    public static final String FILE = "plan.json";

    /** What a cell needs for its figures to count: the least shares of successful operations and of an offered rate, 0 to 1. */
    public record Success(double okShare, double rateHeld) {}

    /** An axis and the labels of its levels, in their order. */
    public record Axis(String name, List<String> levels) {
        public Axis {
            name = known(name);
            levels = known(levels);
        }
    }

    /** A combination of levels, by axis; {@code command} is a command line of it, secrets masked. */
    public record Variant(int number, Map<String, String> levels, String command) {
        public Variant {
            levels = levels == null ? Map.of() : levels;
            command = known(command);
        }

        /** {@code threads=4, rate=1000}. */
        public String title() {
            List<String> parts = new ArrayList<>();
            levels.forEach((axis, label) -> parts.add(axis + "=" + label));
            return String.join(", ", parts);
        }
    }

    /** A planned run; {@code twin} is the second run of the reference in its repeat. */
    public record Cell(String id, int variant, int repeat, boolean twin) {}

    /** A chart that the file asks for. */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Chart(String x, String y, Optional<String> by) {}

    public PlanData {
        kind = kind == null ? "experiment" : kind;
        name = known(name);
        command = known(command);
        tool = known(tool);
        createdAt = known(createdAt);
        workingDirectory = workingDirectory == null ? "." : workingDirectory;
        order = known(order);
        success = success == null ? new Success(0, 0) : success;
        axes = known(axes);
        variants = known(variants);
        charts = known(charts);
        claims = known(claims);
        cautions = known(cautions);
        cells = known(cells);
    }

    private static String known(String text) {
        return text == null ? "" : text;
    }

    private static <T> List<T> known(List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    /** {@code random (seed 5)}; the seed only where it decides. */
    String orderText() {
        return order.equals("random") ? order + " (seed " + seed + ")" : order;
    }

    /** The labels of each axis, by its name. */
    Map<String, List<String>> levels() {
        Map<String, List<String>> levels = new LinkedHashMap<>();
        axes.forEach(axis -> levels.put(axis.name, axis.levels));
        return levels;
    }

    /** Whether a directory is one of an experiment. */
    public static boolean isIn(Path directory) {
        return Files.isRegularFile(directory.resolve(FILE));
    }

    /** Writes it into the directory of its experiment. */
    public void write(Path directory) throws IOException {
        Json.write(directory.resolve(FILE), this);
    }

    /**
     * Reads the plan of an experiment's directory.
     *
     * @throws IOException when it is not there or damaged
     */
    public static PlanData read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        PlanData plan = Json.read(file, SCHEMA, PlanData.class);
        for (Cell cell : plan.cells) {
            simpleName(file, cell.id);
            if (cell.variant < 1 || cell.variant > plan.variants.size()) {
                throw new IOException(file + " is damaged: cell " + cell.id + " is of variant " + cell.variant
                        + ", but there are " + plan.variants.size());
            }
        }
        if (plan.variants.isEmpty()) {
            throw new IOException(file + " is damaged: it has no variants");
        }
        return plan;
    }

    /** The same experiment with no more repeats than these. */
    public PlanData untilRepeat(int last) {
        return new PlanData(
                schema,
                kind,
                name,
                command,
                tool,
                createdAt,
                workingDirectory,
                seed,
                order,
                last,
                until,
                settleSeconds,
                success,
                ascend,
                gain,
                axes,
                variants,
                charts,
                claims,
                cautions,
                setting,
                cells.stream().filter(cell -> cell.repeat <= last).toList());
    }

    /** A name that a file gives to a directory beside it: nothing that leads elsewhere. */
    public static String simpleName(Path file, String name) throws IOException {
        if (name == null || !name.matches("[\\w.=,+@-]{1,200}") || name.matches("\\.+")) {
            throw new IOException(file + " is damaged: \"" + PlainText.shortened(String.valueOf(name), 100)
                    + "\" is no name of a directory in it");
        }
        return name;
    }

    /** The variant that others are compared with. */
    public Variant reference() {
        return variants.get(0);
    }
}
