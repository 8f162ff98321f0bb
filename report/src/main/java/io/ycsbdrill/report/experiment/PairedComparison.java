package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.page.JUnitXml;
import io.ycsbdrill.report.page.Table;
import io.ycsbdrill.report.stat.Chance;
import io.ycsbdrill.report.stat.Comparison;
import io.ycsbdrill.report.stat.PairCount;
import io.ycsbdrill.report.stat.PairedRatio;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Two variants, A and B, compared by every figure that their runs have. Each pair is a block of three runs, A, B and A again; only blocks of which
 * all three count are used. Immutable.
 *
 * @param a what A is
 * @param b what B is
 * @param planned how many pairs there should be
 * @param complete how many there are
 * @param missing each run that has ended and does not count, and why
 * @param figures the most important ones first
 */
public record PairedComparison(
        String a, String b, int planned, int complete, List<String> missing, List<FigureComparison> figures) {

    /**
     * The figures of the runs of one pair, by column of {@code cells.csv}; NaN where there was nothing to measure.
     *
     * @param a of the first run of A
     * @param b of the run of B between them
     * @param again of the second run of A
     */
    public record Block(Map<String, Double> a, Map<String, Double> b, Map<String, Double> again) {
        private boolean isNothingForB(Figure figure) {
            return b.getOrDefault(figure.column(), 0.0).isNaN();
        }
    }

    public PairedComparison {
        missing = List.copyOf(missing);
        figures = List.copyOf(figures);
    }

    /**
     * Compares.
     *
     * @param blocks the complete ones
     * @param count how it was decided how many pairs there are
     * @param missing each run that has ended and does not count, and why
     */
    public static PairedComparison of(
            String a, String b, int planned, PairCount count, List<Block> blocks, List<String> missing) {
        Set<String> columns = new LinkedHashSet<>();
        blocks.forEach(block -> List.of(block.a, block.b, block.again)
                .forEach(run -> run.forEach((column, value) -> {
                    if (!value.isNaN()) {
                        columns.add(column);
                    }
                })));
        List<FigureComparison> figures = new ArrayList<>();
        for (Figure figure : PairedFigures.among(columns)) {
            FigureComparison comparison = FigureComparison.of(
                    figure,
                    values(blocks.stream().map(Block::a).toList(), figure),
                    values(blocks.stream().map(Block::again).toList(), figure),
                    values(blocks.stream().map(Block::b).toList(), figure),
                    blocks.stream().filter(block -> block.isNothingForB(figure)).count(),
                    figure.mustBeReached()
                            && had(blocks, Block::b, figure)
                                    < Math.min(had(blocks, Block::a, figure), had(blocks, Block::again, figure)),
                    lackChance(blocks, figure),
                    count);
            boolean nothing = comparison.a() == 0
                    && comparison.b() == 0
                    && comparison.effect().value() == 0;
            if (!nothing) {
                figures.add(comparison);
            }
        }
        return new PairedComparison(a, b, planned, blocks.size(), missing, figures);
    }

    /** In how many pairs a run has the figure, or had nothing to measure. */
    private static long had(List<Block> blocks, Function<Block, Map<String, Double>> run, Figure figure) {
        return blocks.stream()
                .map(run)
                .filter(figures -> figures.containsKey(figure.column()))
                .count();
    }

    private static double lackChance(List<Block> blocks, Figure figure) {
        int[] lacking = blocks.stream()
                .mapToInt(block -> 3
                        - (int) Stream.of(block.a, block.b, block.again)
                                .filter(run -> run.containsKey(figure.column()))
                                .count())
                .toArray();
        return Chance.lacking(lacking, blocks.size() - (int) had(blocks, Block::b, figure));
    }

    private static double[] values(List<Map<String, Double>> runs, Figure figure) {
        return runs.stream()
                .mapToDouble(run -> run.getOrDefault(figure.column(), Double.NaN))
                .toArray();
    }

    /** Whether there are enough complete pairs for intervals. */
    public boolean judged() {
        return complete >= PairedRatio.LEAST;
    }

    static String sentence(FigureComparison figure) {
        return figure.figure().title() + ": " + figure.outcomeText()
                + (figure.outcome().isEmpty()
                        ? ""
                        : (PairedFigures.isRatio(figure.figure()) ? ", B/A " : ", B - A ") + figure.effectText());
    }

    /**
     * Writes a test case for each figure, and one for the runs, in the format that CI servers read.
     *
     * @param gate what fails
     * @throws IOException when the file cannot be written
     */
    public void writeJUnit(Path file, String name, PairedGate gate) throws IOException {
        List<JUnitXml.Case> cases = new ArrayList<>();
        boolean whole = judged() && complete == planned;
        cases.add(new JUnitXml.Case(
                "every run counts",
                whole ? JUnitXml.Result.PASSED : JUnitXml.Result.ERROR,
                complete + " of " + planned + " pairs are complete; " + String.join("; ", missing)));
        gate.figures()
                .forEach(figure -> cases.add(new JUnitXml.Case(
                        figure.figure().title(),
                        gate.failed().contains(figure)
                                ? JUnitXml.Result.FAILURE
                                : figure.outcome().isEmpty() ? JUnitXml.Result.SKIPPED : JUnitXml.Result.PASSED,
                        sentence(figure))));
        if (whole && !gate.open().isEmpty()) {
            cases.add(new JUnitXml.Case(
                    "every figure can be judged", JUnitXml.Result.ERROR, String.join("; ", gate.open())));
        }
        JUnitXml.write(file, "ab", name, cases);
    }

    /** How many figures came out how, in one line. */
    String summary() {
        if (figures.isEmpty()) {
            return "Nothing is compared yet.";
        }
        return "B is better in " + count(Comparison.BETTER) + ", worse in " + count(Comparison.WORSE)
                + ", not distinguishable in " + count(Comparison.NOT_DISTINGUISHABLE) + " of " + figures.size()
                + " figures.";
    }

    /** What follows, in a sentence that names the figures. */
    String conclusion() {
        String worse = named(Comparison.WORSE);
        String better = named(Comparison.BETTER);
        if (!judged() || figures.isEmpty()) {
            return "There are too few complete pairs to say whether A and B differ.";
        }
        if (worse.isEmpty() && better.isEmpty()) {
            return "No difference between A and B was established; the column detectable says how large one would have had to be.";
        }
        return (worse.isEmpty() ? "" : "B is worse in " + worse + ". ")
                + (better.isEmpty() ? "" : "B is better in " + better + ". ")
                + "In the other figures no difference was established.";
    }

    private String named(Comparison outcome) {
        return figures.stream()
                .filter(figure -> figure.outcome().filter(is -> is == outcome).isPresent())
                .map(figure -> figure.figure().title() + " (" + figure.effectText() + ")")
                .collect(Collectors.joining(", "));
    }

    private long count(Comparison outcome) {
        return figures.stream()
                .filter(figure -> figure.outcome().filter(is -> is == outcome).isPresent())
                .count();
    }

    /** What a reader must know of the table. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!judged()) {
            notes.add("Too few complete pairs for an interval: " + complete + " of " + planned + ", at least "
                    + PairedRatio.LEAST + " are needed. Nothing is distinguishable.");
        }
        if (!missing.isEmpty()) {
            notes.add("Runs that do not count: " + String.join("; ", missing));
        }
        long judged = figures.stream().filter(f -> f.outcome().isPresent()).count();
        if (judged() && judged > 1) {
            notes.add(Formatted.of(
                    "Were A and B the same, up to %.1f of these %d figures would still be called different, by chance.",
                    judged * 0.05, judged));
            notes.add(
                    "These are raw judgements, each for one figure; --max-worse corrects for how many figures it judges.");
        }
        return notes;
    }

    /** The comparison for a page. */
    Table table() {
        return new Table(
                "B relative to A, in " + complete + " pairs",
                PairedText.HEADER,
                figures.stream()
                        .map(figure -> PairedText.row(figure, figure.outcomeText()))
                        .toList());
    }

    /** The comparison for a terminal. */
    public String text() {
        return PairedText.terminal(this);
    }

    /** The comparison for a pull request. */
    public String markdown() {
        return PairedText.markdown(this);
    }
}
