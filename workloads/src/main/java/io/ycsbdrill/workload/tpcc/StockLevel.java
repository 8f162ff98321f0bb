package io.ycsbdrill.workload.tpcc;

import java.util.Set;
import java.util.TreeSet;

/** Counts the items of a district's last 20 orders that are low in stock (TPC-C 2.8). Its reads need not be of one moment. */
final class StockLevel implements Business {
    private static final int ORDERS = 20;

    private final int w;
    private final int d;
    private final int threshold;

    StockLevel(Inputs inputs) {
        w = inputs.warehouse();
        d = inputs.district();
        threshold = inputs.draw().number(10, 20);
    }

    @Override
    public String name() {
        return "STOCK_LEVEL";
    }

    @Override
    public boolean writes() {
        return false;
    }

    @Override
    public End attempt(Unit unit) throws Ended {
        low(unit);
        return End.COMMIT;
    }

    /** How many are low. */
    int low(Unit unit) throws Ended {
        int next = unit.present(unit.read(Tables.district(w, d))).id(Tables.D_NEXT_O_ID);
        Set<Integer> items = new TreeSet<>();
        for (int o = Math.max(1, next - ORDERS); o < next; o++) {
            Row order = unit.read(Tables.order(w, d, o));
            int lines = order == null ? 0 : order.id(Tables.O_OL_CNT);
            for (int i = 1; i <= lines; i++) {
                Row line = unit.read(Tables.line(w, d, o, i));
                if (line != null) {
                    items.add(line.id(Tables.OL_I_ID));
                }
            }
        }
        int low = 0;
        for (int i : items) {
            if (unit.present(unit.read(Tables.stock(w, i))).number(Tables.S_QUANTITY) < threshold) {
                low++;
            }
        }
        return low;
    }
}
