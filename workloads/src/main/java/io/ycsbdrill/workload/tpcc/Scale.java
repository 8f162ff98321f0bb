package io.ycsbdrill.workload.tpcc;

/**
 * The size of the tables (TPC-C 4.3.3.1, 100 000 items and 3000 customers for each of 10 districts, or less). Immutable.
 *
 * @param warehouses 1 or more
 * @param customers of each district, which has as many orders at first, the last 30 % of them undelivered
 * @param items kinds of goods, each in the stock of every warehouse
 */
record Scale(int warehouses, int customers, int items) {
    static final int ALL_CUSTOMERS = 3000;
    static final int ALL_ITEMS = 100_000;
    private static final int ALL_NAMES = 1000;

    /** How many last names there are in a district. */
    int names() {
        return Math.min(ALL_NAMES, customers);
    }

    /** The first order that is not delivered at first. */
    int firstUndelivered() {
        return customers - undelivered() + 1;
    }

    int undelivered() {
        return Math.max(1, customers * 3 / 10);
    }

    /** The constant A of NURand for customers: 1023 with all of them (TPC-C 2.1.6). */
    int customerSpread() {
        return spread(customers / 3.0);
    }

    /** The constant A of NURand for items: 8191 with all of them. */
    int itemSpread() {
        return spread(items / 12.0);
    }

    /** The constant A of NURand for last names: 255 with all of them. */
    int nameSpread() {
        return spread(names() / 4.0);
    }

    /** The number of the form 2^k - 1 that is nearest. */
    private static int spread(double wanted) {
        int best = 1;
        for (int a = 1; a > 0 && a < 1 << 20; a = 2 * a + 1) {
            if (Math.abs(a - wanted) < Math.abs(best - wanted)) {
                best = a;
            }
        }
        return best;
    }
}
