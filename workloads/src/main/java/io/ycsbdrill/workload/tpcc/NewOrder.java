package io.ycsbdrill.workload.tpcc;

import java.util.stream.IntStream;

/** Enters an order of 5 to 15 items (TPC-C 2.4). */
final class NewOrder implements Business {
    private final int w;
    private final int d;
    private final int c;
    private final int[] items;
    private final int[] suppliers;
    private final int[] quantities;
    private final boolean unused;
    private final boolean lookFirst;
    private final long entered = System.currentTimeMillis();

    /** @param plain without transactions: nothing can be rolled back, so the items are looked up before anything is written */
    NewOrder(Inputs inputs, boolean plain) {
        w = inputs.warehouse();
        d = inputs.district();
        c = inputs.customer();
        items = inputs.items(inputs.draw().number(5, Tables.MOST_LINES));
        suppliers = inputs.suppliers(w, items.length);
        quantities = IntStream.range(0, items.length)
                .map(i -> inputs.draw().number(1, 10))
                .toArray();
        unused = inputs.draw().percent(1);
        lookFirst = plain;
    }

    @Override
    public String name() {
        return "NEW_ORDER";
    }

    @Override
    public End attempt(Unit unit) throws Ended {
        if (lookFirst && unused && unit.read(Tables.item(0)) == null) {
            return End.ROLL_BACK;
        }
        unit.present(unit.read(Tables.warehouse(w)));
        Row district = unit.present(unit.readForUpdate(Tables.district(w, d)));
        unit.present(unit.read(Tables.customer(w, d, c)));
        int o = district.id(Tables.D_NEXT_O_ID);
        unit.update(Tables.district(w, d), district.add(Tables.D_NEXT_O_ID, 1));
        Row[] lines = new Row[items.length];
        boolean local = true;
        for (int i = 0; i < items.length; i++) {
            if (unused && i == items.length - 1 && unit.read(Tables.item(0)) == null) {
                return End.ROLL_BACK;
            }
            Row item = unit.present(unit.read(Tables.item(items[i])));
            local &= suppliers[i] == w;
            lines[i] = line(i, item, stock(unit, i));
        }
        unit.insert(Tables.order(w, d, o), Row.of(c, entered, "", items.length, local ? 1 : 0));
        unit.insert(Tables.newOrder(w, d, o), Row.of(1));
        for (int i = 0; i < lines.length; i++) {
            unit.insert(Tables.line(w, d, o, i + 1), lines[i]);
        }
        unit.update(Tables.newestOrder(w, d, c), Row.of(o));
        return End.COMMIT;
    }

    private Row stock(Unit unit, int i) throws Ended {
        String key = Tables.stock(suppliers[i], items[i]);
        Row stock = unit.present(unit.readForUpdate(key));
        long left = stock.number(Tables.S_QUANTITY) - quantities[i];
        stock.set(Tables.S_QUANTITY, left >= 10 ? left : left + 91)
                .add(Tables.S_YTD, quantities[i])
                .add(Tables.S_ORDER_CNT, 1)
                .add(Tables.S_REMOTE_CNT, suppliers[i] == w ? 0 : 1);
        unit.update(key, stock);
        return stock;
    }

    private Row line(int i, Row item, Row stock) {
        return Row.of(
                items[i],
                suppliers[i],
                "",
                quantities[i],
                quantities[i] * item.number(Tables.I_PRICE),
                stock.get(Tables.S_DIST_01 + d - 1));
    }

    @Override
    public void enter(Ledger ledger, boolean known) {
        ledger.ordered(w, d, known);
    }
}
