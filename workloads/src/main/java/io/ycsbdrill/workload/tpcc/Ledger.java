package io.ycsbdrill.workload.tpcc;

import java.util.concurrent.atomic.AtomicLongArray;

/** What the database has acknowledged to this client, and what it may have done beyond that, to compare the tables with. Thread-safe. */
final class Ledger {
    private final AtomicLongArray orders;
    private final AtomicLongArray unknownOrders;
    private final AtomicLongArray cents;
    private final AtomicLongArray unknownCents;
    private final AtomicLongArray payments;
    private final AtomicLongArray unknownPayments;

    Ledger(Scale scale) {
        int warehouses = scale.warehouses() + 1;
        int districts = warehouses * Tables.DISTRICTS + Tables.DISTRICTS + 1;
        orders = new AtomicLongArray(districts);
        unknownOrders = new AtomicLongArray(districts);
        cents = new AtomicLongArray(warehouses);
        unknownCents = new AtomicLongArray(warehouses);
        payments = new AtomicLongArray(warehouses);
        unknownPayments = new AtomicLongArray(warehouses);
    }

    void ordered(int w, int d, boolean known) {
        (known ? orders : unknownOrders).incrementAndGet(index(w, d));
    }

    void paid(int w, int amount, boolean known) {
        (known ? cents : unknownCents).addAndGet(w, amount);
        (known ? payments : unknownPayments).incrementAndGet(w);
    }

    long orders(int w, int d) {
        return orders.get(index(w, d));
    }

    long unknownOrders(int w, int d) {
        return unknownOrders.get(index(w, d));
    }

    long cents(int w) {
        return cents.get(w);
    }

    long unknownCents(int w) {
        return unknownCents.get(w);
    }

    long payments(int w) {
        return payments.get(w);
    }

    long unknownPayments(int w) {
        return unknownPayments.get(w);
    }

    private static int index(int w, int d) {
        return w * Tables.DISTRICTS + d;
    }
}
