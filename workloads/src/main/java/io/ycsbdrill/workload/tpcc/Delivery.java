package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.binding.Statuses;

/** Delivers the oldest order of each district of a warehouse (TPC-C 2.7), all in one transaction; a district without one is skipped. */
final class Delivery implements Business {
    private final int w;
    private final int carrier;
    private final boolean skips;
    private final long delivered = System.currentTimeMillis();

    /** @param plain without transactions: an order may have been lost, and is skipped */
    Delivery(Inputs inputs, boolean plain) {
        skips = plain;
        w = inputs.warehouse();
        carrier = inputs.draw().number(1, 10);
    }

    @Override
    public String name() {
        return "DELIVERY";
    }

    @Override
    public End attempt(Unit unit) throws Ended {
        for (int d = 1; d <= Tables.DISTRICTS; d++) {
            deliver(unit, d);
        }
        return End.COMMIT;
    }

    private void deliver(Unit unit, int d) throws Ended {
        // Before the oldest order is looked for: an order that is found missing was not entered by then.
        int next = unit.present(unit.read(Tables.district(w, d))).id(Tables.D_NEXT_O_ID);
        String pointer = Tables.oldestNewOrder(w, d);
        Row oldest = unit.present(unit.readForUpdate(pointer));
        int o = oldest.id(0);
        if (o >= next) {
            return;
        }
        Row order =
                unit.readForUpdate(Tables.newOrder(w, d, o)) == null ? null : unit.readForUpdate(Tables.order(w, d, o));
        if (order == null && !skips) {
            throw new Ended(Statuses.CONFLICT); // Its number was seen, but not the order: it is being entered.
        }
        unit.update(pointer, oldest.set(0, o + 1));
        if (order == null) {
            return;
        }
        unit.delete(Tables.newOrder(w, d, o));
        unit.update(Tables.order(w, d, o), order.set(Tables.O_CARRIER_ID, carrier));
        long amount = 0;
        for (int i = 1; i <= order.id(Tables.O_OL_CNT); i++) {
            String key = Tables.line(w, d, o, i);
            Row line = unit.readForUpdate(key);
            if (line != null) {
                unit.update(key, line.set(Tables.OL_DELIVERY_D, delivered));
                amount += line.number(Tables.OL_AMOUNT);
            }
        }
        String key = Tables.customer(w, d, order.id(Tables.O_C_ID));
        Row customer = unit.present(unit.readForUpdate(key));
        unit.update(key, customer.add(Tables.C_BALANCE, amount).add(Tables.C_DELIVERY_CNT, 1));
    }
}
