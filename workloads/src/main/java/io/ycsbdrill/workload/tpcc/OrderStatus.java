package io.ycsbdrill.workload.tpcc;

/** Reads a customer's newest order and its lines (TPC-C 2.6). */
final class OrderStatus implements Business {
    private final int w;
    private final int d;
    private final Customer customer;

    OrderStatus(Inputs inputs) {
        w = inputs.warehouse();
        d = inputs.district();
        customer = Customer.drawn(inputs, w, d);
    }

    @Override
    public String name() {
        return "ORDER_STATUS";
    }

    @Override
    public boolean writes() {
        return false;
    }

    @Override
    public End attempt(Unit unit) throws Ended {
        int c = customer.number(unit);
        unit.present(unit.read(Tables.customer(w, d, c)));
        int o = unit.present(unit.read(Tables.newestOrder(w, d, c))).id(0);
        // Where rows are not read at one moment, the order may be on its way.
        Row order = unit.read(Tables.order(w, d, o));
        int lines = order == null ? 0 : order.id(Tables.O_OL_CNT);
        for (int i = 1; i <= lines; i++) {
            unit.read(Tables.line(w, d, o, i));
        }
        return End.COMMIT;
    }
}
