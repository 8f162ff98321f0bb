package io.ycsbdrill.experiment.run;

import io.ycsbdrill.experiment.spec.ClusterSpec;
import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.experiment.spec.Order;
import io.ycsbdrill.experiment.spec.Variant;
import io.ycsbdrill.report.stat.BlockOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * All cells of an experiment, in the order in which they are run. In each repeat the reference, which is the first variant, is run
 * twice, so that it shows how unlike two equal cells are.
 *
 * @param cells in order
 * @param seed of the order, and of the pauses
 */
public record Plan(List<Cell> cells, long seed) {
    public Plan {
        cells = List.copyOf(cells);
    }

    /**
     * The plan of an experiment; the same for the same experiment and seed.
     *
     * @param seed of a random order and of the pauses
     */
    public static Plan of(Experiment experiment, long seed) {
        List<Variant> variants = experiment.variants();
        return new Plan(
                experiment.order() == Order.SEQUENTIAL
                        ? sequential(variants, experiment.repeats())
                        : inBlocks(variants, experiment, seed),
                seed);
    }

    /** The same cells in the order of an earlier plan of the experiment; those that it does not have come last. */
    public Plan inOrderOf(List<String> ids) {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < ids.size(); i++) {
            places.putIfAbsent(ids.get(i), i);
        }
        List<Cell> ordered = new ArrayList<>(cells);
        ordered.sort(Comparator.comparingInt(cell -> places.getOrDefault(cell.id(), ids.size())));
        return new Plan(ordered, seed);
    }

    /** The pause before a cell: from half to one and a half of the mean, so that nothing periodic keeps step with the cells. */
    Duration pause(Cell cell, Duration mean) {
        double factor = 0.5 + new Random(seed * 31 + cell.id().hashCode()).nextDouble();
        return Duration.ofNanos((long) (mean.toNanos() * factor));
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

    private static List<Cell> inBlocks(List<Variant> all, Experiment experiment, long seed) {
        boolean random = experiment.order() == Order.RANDOM;
        List<Variant> variants = random ? all : grouped(all);
        List<List<Integer>> drawn = BlockOrder.draw(variants.size() + 1, experiment.repeats(), seed);
        List<Cell> cells = new ArrayList<>();
        for (int repeat = 1; repeat <= experiment.repeats(); repeat++) {
            List<Cell> block = new ArrayList<>();
            for (Variant variant : variants) {
                block.add(Cell.of(variant, repeat, false));
            }
            block.add(
                    experiment.shareCluster() ? onReferences(variants) : block.size(),
                    Cell.of(variants.get(0), repeat, true));
            if (random) {
                drawn.get(repeat - 1).forEach(run -> cells.add(block.get(run)));
                continue;
            }
            if (repeat % 2 == 0) {
                Collections.reverse(block);
            }
            cells.addAll(block);
        }
        return cells;
    }

    /** How many variants are on the reference's cluster, which come first where variants are grouped. */
    private static int onReferences(List<Variant> variants) {
        return (int) variants.stream()
                .filter(variant -> variant.cluster().equals(variants.get(0).cluster()))
                .count();
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
