package io.ycsbdrill.workload.tpcc;

/** Takes a customer's payment (TPC-C 2.5): 60 % by last name, 15 % of a customer of another warehouse. */
final class Payment implements Business {
    private static final int MOST_DATA = 500;

    private final int w;
    private final int d;
    private final int customerW;
    private final int customerD;
    private final Customer customer;
    private final int amount;
    private final long paid = System.currentTimeMillis();

    Payment(Inputs inputs) {
        w = inputs.warehouse();
        d = inputs.district();
        boolean home = inputs.draw().percent(85);
        customerW = home ? w : inputs.otherWarehouse(w);
        customerD = home ? d : inputs.district();
        customer = Customer.drawn(inputs, customerW, customerD);
        amount = inputs.draw().number(100, 500_000);
    }

    @Override
    public String name() {
        return "PAYMENT";
    }

    @Override
    public End attempt(Unit unit) throws Ended {
        int c = customer.number(unit);
        Row warehouse = unit.present(unit.readForUpdate(Tables.warehouse(w)));
        unit.update(Tables.warehouse(w), warehouse.add(Tables.W_YTD, amount));
        Row district = unit.present(unit.readForUpdate(Tables.district(w, d)));
        unit.update(Tables.district(w, d), district.add(Tables.D_YTD, amount));
        Row row = unit.present(unit.readForUpdate(Tables.customer(customerW, customerD, c)));
        row.add(Tables.C_BALANCE, -amount).add(Tables.C_YTD_PAYMENT, amount).add(Tables.C_PAYMENT_CNT, 1);
        if (row.get(Tables.C_CREDIT).equals("BC")) {
            String data = String.join(" ", "" + c, "" + customerD, "" + customerW, "" + d, "" + w, "" + amount) + " "
                    + row.get(Tables.C_DATA);
            row.set(Tables.C_DATA, data.substring(0, Math.min(data.length(), MOST_DATA)));
        }
        unit.update(Tables.customer(customerW, customerD, c), row);
        unit.insert(
                Tables.history(customerW, customerD, c, row.number(Tables.C_PAYMENT_CNT)),
                Row.of(w, d, paid, amount, warehouse.get(0) + "    " + district.get(0)));
        return End.COMMIT;
    }

    @Override
    public void enter(Ledger ledger, boolean known) {
        ledger.paid(w, amount, known);
    }
}
