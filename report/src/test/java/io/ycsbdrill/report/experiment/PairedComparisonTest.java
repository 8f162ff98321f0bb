package io.ycsbdrill.report.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.report.experiment.PairedComparison.Block;
import io.ycsbdrill.report.stat.PairCount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PairedComparisonTest {
    /** Scatter of three runs of each pair around their figure. */
    private static final double[][] SCATTER = {
        {1.00, 1.01, 0.99}, {0.98, 1.00, 1.01}, {1.02, 1.00, 1.00}, {1.01, 0.98, 0.99}, {0.99, 1.01, 1.01}
    };

    private static List<Block> blocks(int pairs, Map<String, Double> a, Map<String, Double> b) {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            double[] scatter = SCATTER[i % SCATTER.length];
            blocks.add(new Block(times(a, scatter[0]), times(b, scatter[1]), times(a, scatter[2])));
        }
        return blocks;
    }

    private static Map<String, Double> times(Map<String, Double> values, double factor) {
        Map<String, Double> times = new HashMap<>(values);
        times.replaceAll((column, value) -> value * factor);
        return times;
    }

    private static PairedComparison compare(int pairs, Map<String, Double> a, Map<String, Double> b) {
        return PairedComparison.of("backups=1", "backups=2", pairs, PairCount.PLANNED, blocks(pairs, a, b), List.of());
    }

    private static Map<String, Double> run(double throughput, double p99) {
        return Map.of("throughput_ops_s", throughput, "READ_service_p99_us", p99, "not_ok_ops", 0.0, "READ_ops_s", 7.0);
    }

    private static int gate(PairedComparison comparison, double share) {
        return PairedGate.of(comparison, share, List.of()).exitCode();
    }

    private static List<String> worse(PairedComparison comparison, double share) {
        return PairedGate.of(comparison, share, List.of()).worse();
    }

    @Test
    void worseBetterAndNeitherAreTold() {
        PairedComparison worse = compare(5, run(1000, 500), run(800, 500));
        assertThat(worse(worse, 0.05)).singleElement().asString().contains("Throughput: worse, B/A 0.80");
        assertThat(worse.summary()).isEqualTo("B is better in 0, worse in 1, not distinguishable in 1 of 2 figures.");

        PairedComparison better = compare(5, run(1000, 500), run(1000, 400));
        assertThat(worse(better, 0)).isEmpty();
        assertThat(better.summary()).contains("better in 1, worse in 0");
        assertThat(better.conclusion()).startsWith("B is better in READ p99, service time (0.80");
        assertThat(compare(5, run(1000, 500), run(1000, 500)).conclusion()).startsWith("No difference");
        assertThat(compare(2, run(1000, 500), run(500, 500)).conclusion()).startsWith("There are too few");
    }

    @Test
    void aLatencyThatIsHigherIsWorse() {
        assertThat(worse(compare(5, run(1000, 500), run(1000, 600)), 0.05))
                .singleElement()
                .asString()
                .contains("READ p99, service time: worse, B/A 1.20");
    }

    @Test
    void theBoundIsAShareOfA() {
        PairedComparison comparison = compare(5, run(1000, 500), run(900, 500));

        assertThat(gate(comparison, 0.05)).isEqualTo(3);
        assertThat(gate(comparison, 0.15)).isZero();
        assertThat(gate(compare(5, run(1000, 500), run(1000, 500)), 0)).isZero();
    }

    /** Whoever goes on until it looks narrow must not believe that all pairs say how wide it is. */
    @Test
    void whereAPilotHasDecidedOnlyItsScatterCounts() {
        List<Block> blocks = new ArrayList<>(blocks(5, run(1000, 500), run(960, 500)));
        for (int i = 0; i < 45; i++) {
            blocks.add(new Block(run(1000, 500), run(960, 500), run(1000, 500)));
        }
        FigureComparison planned = throughput(PairCount.PLANNED, blocks);
        FigureComparison piloted = throughput(PairCount.PILOTED, blocks);

        assertThat(piloted.effect().value()).isEqualTo(planned.effect().value());
        double ofFive = Math.log(throughput(PairCount.PLANNED, blocks.subList(0, 5))
                        .effect()
                        .high()
                / throughput(PairCount.PLANNED, blocks.subList(0, 5)).effect().value());
        assertThat(Math.log(piloted.effect().high() / piloted.effect().value()))
                .as("that of the pilot, divided by the root of ten")
                .isCloseTo(ofFive / Math.sqrt(10), within(1e-9));
        assertThat(piloted.chance()).isGreaterThan(planned.chance());
        assertThat(piloted.detectable()).isGreaterThan(planned.detectable());
    }

    private static FigureComparison throughput(PairCount count, List<Block> blocks) {
        return PairedComparison.of("a", "b", blocks.size(), count, blocks, List.of()).figures().stream()
                .filter(figure -> figure.figure().column().equals("throughput_ops_s"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void twoPairsDecideNothing() {
        PairedComparison comparison = compare(2, run(1000, 500), run(100, 5000));

        assertThat(gate(comparison, 0.05)).isEqualTo(1);
        assertThat(comparison.text()).contains("no interval, n=2", "Too few complete pairs", "not distinguishable");
    }

    @Test
    void runsThatDoNotCountKeepAGateFromPassing() {
        PairedComparison comparison = PairedComparison.of(
                "a",
                "b",
                5,
                PairCount.PLANNED,
                blocks(4, run(1000, 500), run(1000, 500)),
                List.of("B, pair 5: exit code 1"));

        assertThat(gate(comparison, 0.05)).isEqualTo(1);
        assertThat(comparison.text()).contains("4 of 5 pairs", "B, pair 5: exit code 1");
    }

    @Test
    void withARateTheResponseTimeIsCompared() {
        Map<String, Double> run = Map.of("READ_service_p99_us", 100.0, "READ_response_p99_us", 300.0);

        assertThat(compare(3, run, run).figures())
                .extracting(figure -> figure.figure().column())
                .containsExactly("READ_response_p99_us");
    }

    @Test
    void figuresOfADrillThatMayBeZeroAreComparedAsDifferences() {
        Map<String, Double> a = Map.of("drill_outSeconds", 0.0, "drill_firstMinutePercent", 90.0);
        Map<String, Double> b = Map.of("drill_outSeconds", 4.0, "drill_firstMinutePercent", 70.0);

        PairedComparison comparison = compare(5, a, b);

        assertThat(comparison.text()).contains("+4 s [+3.9, +4.1]", "-20", "worse in 2");
        assertThat(worse(comparison, 10))
                .as("nothing is infinitely better than 4 s")
                .hasSize(1);
        assertThat(compare(5, a, a).text()).doesNotContain("Out of service");
    }

    /** Once is chance in one of three comparisons: which of the three runs it was. */
    @Test
    void whatBDidNotReachIsWorseOnlyWhenItIsBeyondChance() {
        Map<String, Double> reached = Map.of("drill_serviceRestoredSeconds", 5.0);
        List<Block> blocks = new ArrayList<>(blocks(5, reached, reached));
        blocks.set(2, new Block(reached, Map.of(), reached));

        PairedComparison lacking = PairedComparison.of("a", "b", 5, PairCount.PLANNED, blocks, List.of());
        assertThat(lacking.text()).contains("not judged: measured in 5 of 5 pairs under A, in 4 under B");
        assertThat(gate(lacking, 1)).isEqualTo(1);
        assertThat(PairedGate.of(lacking, 1, List.of()).open())
                .singleElement()
                .asString()
                .contains("in 4 under B", "that may be chance");

        blocks.replaceAll(block -> new Block(reached, Map.of(), reached));
        assertThat(gate(PairedComparison.of("a", "b", 5, PairCount.PLANNED, blocks, List.of()), 1))
                .isEqualTo(3);

        blocks.replaceAll(block -> new Block(reached, reached, reached));
        blocks.set(2, new Block(Map.of(), reached, reached));
        assertThat(gate(PairedComparison.of("a", "b", 5, PairCount.PLANNED, blocks, List.of()), 1))
                .as("nothing could be judged")
                .isEqualTo(1);
    }

    @Test
    void whereThereWasNothingToMeasureBLacksNothing() {
        Map<String, Double> lost = Map.of("throughput_ops_s", 1000.0, "drill_redundancyRestoredSeconds", 30.0);
        Map<String, Double> never = Map.of("throughput_ops_s", 1000.0, "drill_redundancyRestoredSeconds", Double.NaN);

        PairedComparison comparison = compare(5, lost, never);

        assertThat(comparison.text())
                .contains("measured in 5 of 5 pairs under A, in 0 under B, nothing to measure in 5");
        assertThat(gate(comparison, 0.05)).isZero();
        assertThat(compare(5, never, never).figures())
                .extracting(figure -> figure.figure().column())
                .containsExactly("throughput_ops_s");
    }

    @Test
    void pairsWithNothingToMeasureUnderAAreNoLackOfA() {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Map<String, Double> a = redundancy(i < 3 ? 30 : Double.NaN);
            blocks.add(new Block(a, i < 3 ? redundancy(Double.NaN) : Map.of(), a));
        }

        assertThat(gate(PairedComparison.of("a", "b", 5, PairCount.PLANNED, blocks, List.of()), 0.05))
                .as("two of two is chance in one of nine comparisons")
                .isEqualTo(1);
    }

    /** Each of A, the second run of A and B lacks it once. */
    @Test
    void aRunOfAThatHadNothingToMeasureMakesUpForNoneThatLacksIt() {
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            blocks.add(new Block(
                    i == 0 ? Map.of() : redundancy(i == 4 ? Double.NaN : 30),
                    i == 1 ? Map.of() : redundancy(30),
                    i == 4 ? Map.of() : redundancy(30)));
        }

        assertThat(gate(PairedComparison.of("a", "b", 5, PairCount.PLANNED, blocks, List.of()), 0.05))
                .as("no lack of B, and nothing that could be judged")
                .isEqualTo(1);
    }

    private static Map<String, Double> redundancy(double seconds) {
        return Map.of("drill_redundancyRestoredSeconds", seconds);
    }

    /** One failure of B may be chance; fifty of A are not. */
    @Test
    void fewerFailuresThanTellTheFirstOneFromChanceAreNoLack() {
        Map<String, Double> many = Map.of("drill_detectClientSeconds", 0.3, "drill_detectSeconds", 0.3);

        assertThat(gate(compare(5, many, Map.of()), 0.05))
                .as("no lack of B, and nothing that could be judged")
                .isEqualTo(1);
    }

    @Test
    void acknowledgedWritesThatOnlyBLosesMakeItWorse() {
        Map<String, Double> none = Map.of(CellFigures.ACKED_LOST, 0.0, CellFigures.RPO, 0.0);
        Map<String, Double> some = Map.of(CellFigures.ACKED_LOST, 40.0, CellFigures.RPO, 1.2);

        PairedComparison comparison =
                PairedComparison.of("a", "b", 5, PairCount.PLANNED, blocks(5, none, some), List.of());

        assertThat(worse(comparison, 0.05))
                .hasSize(2)
                .anyMatch(line -> line.startsWith("Acknowledged writes lost: worse"))
                .anyMatch(line -> line.startsWith("RPO: worse"));
        assertThat(PairedComparison.of("a", "b", 5, PairCount.PLANNED, blocks(5, none, none), List.of())
                        .figures())
                .isEmpty();
    }

    @Test
    void markdownIsOneTableInWhichNothingOfACommandIsMarkUp() {
        PairedComparison comparison = PairedComparison.of(
                "run native -P a|b <script>",
                "b`*",
                5,
                PairCount.PLANNED,
                blocks(5, run(1000, 500), run(800, 500)),
                List.of());

        assertThat(comparison.markdown())
                .contains("a\\|b \\<script\\>", "b\\`\\*", "| **worse** |", "detectable")
                .doesNotContain("<script>");
        assertThat(comparison.markdown().lines().filter(line -> line.startsWith("|")))
                .hasSize(4)
                .allMatch(line ->
                        line.replace("\\|", "").chars().filter(c -> c == '|').count() == 8);
    }

    private static void junit(PairedComparison comparison, Path file, double share) throws IOException {
        comparison.writeJUnit(file, "replicas", PairedGate.of(comparison, share, List.of()));
    }

    @Test
    void ciServersSeeATestForEachFigure(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("ab.xml");
        junit(compare(5, run(1000, 500), run(800, 500)), file, 0.05);

        assertThat(Files.readString(file))
                .contains("tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"0\"")
                .contains(
                        "classname=\"ab.replicas\" name=\"Throughput\"><failure message=\"Throughput: worse, B/A 0.80");
        junit(compare(5, run(1000, 500), run(800, 500)), file, 0.5);
        assertThat(Files.readString(file)).contains("failures=\"0\"").doesNotContain("<failure");
        junit(compare(2, run(1000, 500), run(800, 500)), file, 0.05);
        assertThat(Files.readString(file)).contains("errors=\"1\"", "2 of 2 pairs");
    }

    @Test
    void anExperimentThatHasJustBegunHasNoTable() {
        PairedComparison begun = PairedComparison.of("a", "b", 5, PairCount.PLANNED, List.of(), List.of());

        assertThat(begun.text())
                .contains("Nothing is compared yet", "0 of 5 pairs")
                .doesNotContain("detectable");
        assertThat(gate(begun, 0.05)).isEqualTo(1);
        assertThat(gate(
                        PairedComparison.of(
                                "a", "b", 5, PairCount.PLANNED, blocks(4, run(1000, 500), run(1000, 500)), List.of()),
                        0.05))
                .as("a pair was not run")
                .isEqualTo(1);
    }
}
