package io.ycsbdrill.experiment.run;

import io.ycsbdrill.experiment.spec.ClusterSpec;
import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.experiment.spec.Order;
import io.ycsbdrill.experiment.spec.Variant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * All cells of an experiment, in the order in which they are run. In each repeat the reference, which is the first variant, is run
 * twice; the second time at the other end of the block, so that a drift shows in this pair at least as much as in any other.
 *
 * @param cells in order
 * @param seed of the order
 */
public record Plan(List<Cell> cells, long seed) {
    public Plan {
        cells = List.copyOf(cells);
    }

    /**
     * The plan of an experiment; the same for the same experiment and seed.
     *
     * @param seed used for a random order only
     */
    public static Plan of(Experiment experiment, long seed) {
        List<Variant> variants = experiment.variants();
        return new Plan(
                experiment.order() == Order.SEQUENTIAL
                        ? sequential(variants, experiment.repeats())
                        : inBlocks(grouped(variants), experiment, new Random(seed)),
                seed);
    }

    /** Variants on the same cluster follow each other. */
    private static List<Variant> grouped(List<Variant> variants) {
        List<Optional<ClusterSpec>> clusters =
                variants.stream().map(Variant::cluster).distinct().toList();
        return clusters.stream()
                .flatMap(cluster ->
                        variants.stream().filter(variant -> variant.cluster().equals(cluster)))
                .toList();
    }

    private static List<Cell> inBlocks(List<Variant> variants, Experiment experiment, Random random) {
        List<Cell> cells = new ArrayList<>();
        for (int repeat = 1; repeat <= experiment.repeats(); repeat++) {
            List<Cell> block = new ArrayList<>();
            for (Variant variant : variants) {
                block.add(Cell.of(variant, repeat, false));
            }
            block.add(Cell.of(variants.get(0), repeat, true));
            if (experiment.order() == Order.RANDOM) {
                Collections.shuffle(block, random);
            } else if (repeat % 2 == 0) {
                Collections.reverse(block);
            }
            cells.addAll(block);
        }
        return cells;
    }

    private static List<Cell> sequential(List<Variant> variants, int repeats) {
        List<Cell> cells = new ArrayList<>();
        for (Variant variant : variants) {
            for (int repeat = 1; repeat <= repeats; repeat++) {
                cells.add(Cell.of(variant, repeat, false));
            }
        }
        for (int repeat = 1; repeat <= repeats; repeat++) {
            cells.add(Cell.of(variants.get(0), repeat, true));
        }
        return cells;
    }
}
