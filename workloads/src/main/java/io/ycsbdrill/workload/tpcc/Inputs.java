package io.ycsbdrill.workload.tpcc;

import java.util.Arrays;
import java.util.TreeSet;

/** Draws the inputs of transactions (TPC-C 2.4.1, 2.5.1, 2.6.1, 2.7.1, 2.8.1). Every warehouse is as likely as any other. Owned by one thread. */
final class Inputs {
    /** The constants C of NURand in a run; that of names differs from the load's by 85 (TPC-C 2.1.6.1). */
    static final int NAMES = InitialRows.NAMES + 85;

    private static final int CUSTOMERS = 259;
    private static final int ITEMS = 7911;

    private final Scale scale;
    private final Draw draw;

    Inputs(Scale scale, long seed) {
        this.scale = scale;
        this.draw = new Draw(seed);
    }

    Draw draw() {
        return draw;
    }

    int warehouse() {
        return draw.number(1, scale.warehouses());
    }

    int district() {
        return draw.number(1, Tables.DISTRICTS);
    }

    int customer() {
        return draw.skewed(scale.customerSpread(), CUSTOMERS, 1, scale.customers());
    }

    String lastName() {
        return Draw.lastName(draw.skewed(scale.nameSpread(), NAMES, 0, scale.names() - 1));
    }

    /** Different items, in order, so that all transactions lock stock in one order. */
    int[] items(int count) {
        TreeSet<Integer> items = new TreeSet<>();
        while (items.size() < Math.min(count, scale.items())) {
            items.add(draw.skewed(scale.itemSpread(), ITEMS, 1, scale.items()));
        }
        return items.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Another warehouse than this, if there is one. */
    int otherWarehouse(int w) {
        if (scale.warehouses() == 1) {
            return w;
        }
        int other = draw.number(1, scale.warehouses() - 1);
        return other < w ? other : other + 1;
    }

    /** From which warehouse each of the items is supplied: 1 % of them from another one. */
    int[] suppliers(int w, int count) {
        int[] suppliers = new int[count];
        Arrays.setAll(suppliers, i -> draw.percent(1) ? otherWarehouse(w) : w);
        return suppliers;
    }
}
