package io.ycsbdrill.report.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.experiment.PairedComparison.Block;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.stat.BlockOrder;
import io.ycsbdrill.report.stat.PairCount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How often the gate is wrong on simulated experiments whose truth is known; the seeds are fixed. */
class PairedGateTest {
    private static final int EXPERIMENTS = 600;
    private static final List<String> REACHED = Arrays.stream(Metric.values())
            .filter(metric -> !PairedFigures.NEITHER.contains(metric))
            .map(metric -> "drill_" + metric.key())
            .filter(column -> Figure.of(column).mustBeReached())
            .limit(4)
            .toList();

    private interface Run {
        Map<String, Double> figures(Random random, boolean ofB, int run);
    }

    private static PairedComparison experiment(int pairs, long seed, Run run) {
        Random random = new Random(seed * 0xD1342543DE82EF95L);
        List<Block> blocks = new ArrayList<>();
        int runs = 0;
        for (List<Integer> order : BlockOrder.draw(3, pairs, seed)) {
            List<Map<String, Double>> figures = new ArrayList<>(List.of(Map.of(), Map.of(), Map.of()));
            for (int which : order) {
                figures.set(which, run.figures(random, which == 1, runs++));
            }
            blocks.add(new Block(figures.get(0), figures.get(1), figures.get(2)));
        }
        return PairedComparison.of("a", "b", pairs, PairCount.PLANNED, blocks, List.of());
    }

    private static double exits(int code, double share, int pairs, Run run) {
        int exits = 0;
        for (long seed = 1; seed <= EXPERIMENTS; seed++) {
            exits += PairedGate.of(experiment(pairs, seed, run), share, List.of())
                                    .exitCode()
                            == code
                    ? 1
                    : 0;
        }
        return (double) exits / EXPERIMENTS;
    }

    /** Throughput, CPU and three percentiles of each operation, which scatter as they do. */
    private static Run workload(int operations, double noise, double effect, IntToDoubleFunction disturbance) {
        return (random, ofB, run) -> {
            Map<String, Double> figures = new HashMap<>();
            double factor = disturbance.applyAsDouble(run);
            double worse = ofB ? effect : 1;
            figures.put(CellFigures.THROUGHPUT, worse * factor * 1000 * Math.exp(0.04 * noise * random.nextGaussian()));
            figures.put(CellFigures.CLIENT_CPU, 50 / factor * Math.exp(0.04 * noise * random.nextGaussian()));
            for (int i = 0; i < operations; i++) {
                String operation =
                        List.of("READ", "UPDATE", "INSERT", "SCAN", "DELETE").get(i);
                figures.put(
                        operation + "_service_p50_us", 500 / factor * Math.exp(0.04 * noise * random.nextGaussian()));
                figures.put(
                        operation + "_service_p95_us", 900 / factor * Math.exp(0.06 * noise * random.nextGaussian()));
                figures.put(
                        operation + "_service_p99_us", 2000 / factor * Math.exp(0.12 * noise * random.nextGaussian()));
            }
            return figures;
        };
    }

    private static final IntToDoubleFunction NONE = run -> 1;

    /** 8 and 17 figures, the noise as it is and twice as much; even without a bound. */
    @ParameterizedTest
    @Tag("simulation")
    @CsvSource({"2, 1, 3", "2, 1, 5", "2, 1, 10", "2, 2, 5", "5, 1, 3", "5, 1, 5", "5, 2, 5", "5, 2, 10"})
    void aVariantIsSeldomWorseThanItself(int operations, double noise, int pairs) {
        assertThat(exits(3, 0, pairs, workload(operations, noise, 1, NONE))).isLessThanOrEqualTo(0.05);
    }

    @ParameterizedTest
    @Tag("simulation")
    @ValueSource(ints = {3, 5, 10})
    void norIsItByWhatComesBackEveryFewRuns(int pairs) {
        for (IntToDoubleFunction disturbance : List.<IntToDoubleFunction>of(
                run -> run % 3 == 1 ? 0.95 : 1,
                run -> 1 + 0.03 * Math.sin(2 * Math.PI * run / 3),
                run -> 1 + 0.03 * Math.sin(2 * Math.PI * run / 3.2))) {
            assertThat(exits(3, 0, pairs, workload(2, 0.5, 1, disturbance))).isLessThanOrEqualTo(0.05);
        }
    }

    /** A and B alike, in one of ten runs. */
    @ParameterizedTest
    @Tag("simulation")
    @CsvSource({"1, 3", "1, 5", "1, 10", "4, 3", "4, 5", "4, 10"})
    void figuresThatAreSometimesNotReachedSeldomMakeItWorse(int figures, int pairs) {
        assertThat(REACHED).hasSize(4);
        Run drill = (random, ofB, run) -> {
            Map<String, Double> values = new HashMap<>(workload(1, 1, 1, NONE).figures(random, ofB, run));
            for (String column : REACHED.subList(0, figures)) {
                double value = 5 * Math.exp(0.1 * random.nextGaussian());
                if (random.nextDouble() >= 0.1) {
                    values.put(column, value);
                }
            }
            return values;
        };

        assertThat(exits(3, 0.05, pairs, drill)).isLessThanOrEqualTo(0.05);
    }

    /** All of it at once: 17 figures, of which four are sometimes not reached, and something that comes back every few runs. */
    @ParameterizedTest
    @Tag("simulation")
    @CsvSource({"3, 3", "5, 3", "10, 3", "5, 3.2", "5, 6"})
    void norAreAllTheseTogether(int pairs, double period) {
        Run workload = workload(5, 1, 1, run -> 1 + 0.03 * Math.sin(2 * Math.PI * run / period));
        Run drill = (random, ofB, run) -> {
            Map<String, Double> values = new HashMap<>(workload.figures(random, ofB, run));
            for (String column : REACHED) {
                double value = 5 * Math.exp(0.1 * random.nextGaussian());
                if (random.nextDouble() >= 0.1) {
                    values.put(column, value);
                }
            }
            return values;
        };

        assertThat(exits(3, 0.05, pairs, drill)).isLessThanOrEqualTo(0.05);
    }

    @Test
    @Tag("simulation")
    void aTrueFifthLessIsFound() {
        assertThat(exits(3, 0.05, 5, workload(2, 1, 0.8, NONE))).isGreaterThan(0.98);
        assertThat(exits(3, 0.05, 5, workload(5, 1, 0.8, NONE))).isGreaterThan(0.95);
        assertThat(exits(3, 0.05, 5, workload(2, 2, 0.8, NONE)))
                .as("twice the noise")
                .isGreaterThan(0.6);
    }

    /** Prints how often the gate is wrong, and how often it finds a true loss, in per cent: the figures of docs/statistics.md. */
    public static void main(String[] args) {
        IntToDoubleFunction sine = run -> 1 + 0.03 * Math.sin(2 * Math.PI * run / 3);
        for (int pairs : new int[] {3, 5, 10}) {
            System.out.printf(
                    "%d pairs: 8 figures %.1f, 17 figures %.1f, noise doubled %.1f and %.1f, every third run %.1f, sine %.1f%n",
                    pairs,
                    100 * exits(3, 0, pairs, workload(2, 1, 1, NONE)),
                    100 * exits(3, 0, pairs, workload(5, 1, 1, NONE)),
                    100 * exits(3, 0, pairs, workload(2, 2, 1, NONE)),
                    100 * exits(3, 0, pairs, workload(5, 2, 1, NONE)),
                    100 * exits(3, 0, pairs, workload(2, 0.5, 1, run -> run % 3 == 1 ? 0.95 : 1)),
                    100 * exits(3, 0, pairs, workload(5, 0.5, 1, sine)));
        }
        System.out.printf(
                "a fifth less is found: 8 figures %.1f, 17 figures %.1f, 8 figures and the noise doubled %.1f%n",
                100 * exits(3, 0.05, 5, workload(2, 1, 0.8, NONE)),
                100 * exits(3, 0.05, 5, workload(5, 1, 0.8, NONE)),
                100 * exits(3, 0.05, 5, workload(2, 2, 0.8, NONE)));
    }

    @Test
    void theNameOfAFigureIsChecked() {
        assertThat(List.of("Throughput", "READ p99", "read P99, response time", "RPO"))
                .allMatch(name -> PairedGate.problem(name).isEmpty());
        assertThat(PairedGate.problem("Thruoghput").orElseThrow())
                .contains("--figures \"Thruoghput\"", "did you mean \"Throughput\"?");
        assertThat(PairedGate.problem("READ p98")).isPresent();
    }

    @Test
    void itIsSaidWhatFewPairsCannotShow() {
        assertThat(PairedGate.caution(3, List.of()).orElseThrow()).contains("at most 1 figure is judged");
        assertThat(PairedGate.caution(3, List.of("RPO"))).isEmpty();
        assertThat(PairedGate.caution(10, List.of())).isEmpty();
    }
}
