package io.ycsbdrill.experiment.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.experiment.spec.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTest {

    private static Experiment experiment(String more) {
        return Words.experiment("{axes: {threads: [1, 2, 3]}, fixed: {binding: b}, repeats: 2" + more + "}");
    }

    private static List<String> order(Experiment experiment, long seed) {
        return Plan.of(experiment, seed).cells().stream()
                .map(cell -> cell.variant().levels().values().iterator().next() + (cell.twin() ? "'" : "") + "/"
                        + cell.repeat())
                .toList();
    }

    @Test
    void everySecondBlockIsReversedAndTheTwinIsAtTheOtherEndOfEach() {
        assertThat(order(experiment(", order: interleaved"), 0))
                .containsExactly("1/1", "2/1", "3/1", "1'/1", "1'/2", "3/2", "2/2", "1/2");
    }

    @Test
    void aSequentialOrderHasTheTwinsAtItsEnd() {
        assertThat(order(experiment(", order: sequential"), 0))
                .containsExactly("1/1", "1/2", "2/1", "2/2", "3/1", "3/2", "1'/1", "1'/2");
    }

    @Test
    void aRandomOrderIsThatOfItsSeedWithinEachBlock() {
        Experiment random = experiment(", order: random");

        assertThat(order(random, 7)).isEqualTo(order(random, 7)).isNotEqualTo(order(random, 8));
        assertThat(order(random, 7).subList(0, 4)).allMatch(cell -> cell.endsWith("/1"));
        assertThat(order(random, 7))
                .isEqualTo(order(experiment(""), 7))
                .containsExactlyInAnyOrderElementsOf(order(experiment(", order: interleaved"), 0));
    }

    @Test
    void inAsManyRepeatsAsABlockHasCellsEachIsOnceAtEachPosition() {
        Experiment random = Words.experiment("{axes: {threads: [1, 2]}, fixed: {binding: b}, repeats: 6}");
        for (long seed = 0; seed < 50; seed++) {
            List<String> order = order(random, seed);
            for (int position = 0; position < 3; position++) {
                for (int from = position; from < 18; from += 9) {
                    assertThat(List.of(order.get(from), order.get(from + 3), order.get(from + 6)))
                            .extracting(cell -> cell.replaceFirst("/.*", ""))
                            .containsExactlyInAnyOrder("1", "2", "1'");
                }
            }
        }
    }

    @Test
    void aPlanCanHaveTheOrderOfAnotherOne() {
        List<String> ids =
                Plan.of(experiment(""), 1).cells().stream().map(Cell::id).toList();

        assertThat(Plan.of(experiment(""), 2).inOrderOf(ids).cells())
                .extracting(Cell::id)
                .isEqualTo(ids);
    }

    @Test
    void pausesDifferFromCellToCellAndAreThoseOfTheSeed() {
        Plan plan = Plan.of(experiment(""), 1);
        List<Duration> pauses = plan.cells().stream()
                .map(cell -> plan.pause(cell, Duration.ofSeconds(10)))
                .toList();

        assertThat(pauses)
                .doesNotHaveDuplicates()
                .allMatch(pause -> pause.toMillis() >= 5_000 && pause.toMillis() <= 15_000);
        assertThat(Plan.of(experiment(""), 1).pause(plan.cells().get(0), Duration.ofSeconds(10)))
                .isEqualTo(pauses.get(0));
        assertThat(plan.pause(plan.cells().get(0), Duration.ZERO)).isZero();
    }

    @Test
    void variantsOnTheSameClusterFollowEachOther() {
        Experiment experiment = Words.experiment("{axes: {threads: [1, 2], backups: [0, 1]}, fixed: {binding: b},"
                + " cluster: {engine: embedded}, repeats: 2, order: interleaved}");

        List<String> backups = new ArrayList<>(Plan.of(experiment, 0).cells().stream()
                .filter(cell -> !cell.twin())
                .map(cell -> cell.variant().levels().get("backups"))
                .toList());

        assertThat(backups).containsExactly("0", "0", "1", "1", "1", "1", "0", "0");
    }

    /** The second run of the reference is at the other end of the cells on its cluster, and costs no cluster of its own. */
    @Test
    void whereClustersAreSharedTheirCellsFollowEachOther() {
        Experiment experiment = Words.experiment("{axes: {threads: [1, 2], backups: [0, 1]}, fixed: {binding: b},"
                + " cluster: {engine: embedded}, repeats: 1, order: interleaved, share_cluster: true}");

        assertThat(Plan.of(experiment, 0).cells())
                .extracting(cell -> cell.variant().levels().get("backups") + "/"
                        + cell.variant().levels().get("threads") + (cell.twin() ? "'" : ""))
                .containsExactly("0/1", "0/2", "0/1'", "1/1", "1/2");
    }

    @Test
    void idsAreUniqueStableAndFitForFileNames() {
        Experiment experiment = Words.experiment(
                "{axes: {workload: [a/b c, a/b_c, 'a/b:c'], threads: [1]}, fixed: {binding: b}, repeats: 2,"
                        + " order: interleaved}");

        List<String> ids = Plan.of(experiment, 0).cells().stream().map(Cell::id).toList();

        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.matches("[A-Za-z0-9._-]{1,80}"));
        assertThat(ids.get(0)).isEqualTo("v001-workload-a_b_c-threads-1-r1");
        assertThat(Plan.of(experiment, 5).cells())
                .isEqualTo(Plan.of(experiment, 0).cells());
    }
}
