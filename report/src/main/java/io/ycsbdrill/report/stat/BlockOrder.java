package io.ycsbdrill.report.stat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The order of runs within blocks, drawn by a seed, so that nothing periodic can keep hitting the same one. Balanced: in as many blocks as
 * a block has runs, each run is once at each position. Pure, deterministic.
 */
public final class BlockOrder {
    private BlockOrder() {}

    /**
     * Draws.
     *
     * @param size runs of a block, 1 or more
     * @param blocks how many, 0 or more
     * @return for each block which run, from 0, is at each position; the same for the same seed
     */
    public static List<List<Integer>> draw(int size, int blocks, long seed) {
        Random random = new Random(seed);
        List<List<Integer>> drawn = new ArrayList<>();
        List<Integer> runs = upTo(size);
        List<Integer> shifts = upTo(size);
        for (int block = 0; block < blocks; block++) {
            if (block % size == 0) {
                Collections.shuffle(runs, random);
                Collections.shuffle(shifts, random);
            }
            List<Integer> order = new ArrayList<>(runs);
            Collections.rotate(order, shifts.get(block % size));
            drawn.add(List.copyOf(order));
        }
        return drawn;
    }

    private static List<Integer> upTo(int size) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            numbers.add(i);
        }
        return numbers;
    }
}
