package io.ycsbdrill.workload.tpcc;

/**
 * What a check reads of a district at one time. Immutable, but for the array, which is not changed.
 *
 * @param ytd cents paid there
 * @param next number of the next order
 * @param oldest order that is not delivered
 * @param balance of all customers together, in cents
 * @param paid by all customers together, in cents
 * @param payments of each customer, from index 1
 */
record District(int w, int d, long ytd, int next, int oldest, long balance, long paid, int[] payments) {

    static District read(CheckedRows rows, Scale scale, int w, int d) {
        Row district = rows.row(Tables.district(w, d));
        Row oldest = rows.row(Tables.oldestNewOrder(w, d));
        long balance = 0;
        long paid = 0;
        int[] payments = new int[scale.customers() + 1];
        for (int c = 1; c <= scale.customers(); c++) {
            Row customer = rows.row(Tables.customer(w, d, c));
            if (customer != null) {
                balance += customer.number(Tables.C_BALANCE);
                paid += customer.number(Tables.C_YTD_PAYMENT);
                payments[c] = customer.id(Tables.C_PAYMENT_CNT);
            }
        }
        return new District(
                w,
                d,
                district == null ? 0 : district.number(Tables.D_YTD),
                district == null ? 0 : district.id(Tables.D_NEXT_O_ID),
                oldest == null ? 0 : oldest.id(0),
                balance,
                paid,
                payments);
    }

    boolean isMissing() {
        return next == 0 || oldest == 0;
    }

    long paymentCount() {
        long sum = 0;
        for (int of : payments) {
            sum += of;
        }
        return sum;
    }
}
