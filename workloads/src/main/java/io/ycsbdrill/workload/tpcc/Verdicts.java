package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.workload.Consistency.Condition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Collects what was found in all districts, and judges the conditions. Owned by one thread. */
final class Verdicts {
    private static final int MOST_EXAMPLES = 20;

    private final Ledger ledger;
    private final Scale scale;
    private final Map<Integer, Long> districtsPaid = new TreeMap<>();
    private final Map<Integer, Long> warehousesPaid = new TreeMap<>();
    private final List<String> newest = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final List<String> ordersLost = new ArrayList<>();
    private final List<String> paymentsLost = new ArrayList<>();
    private long districts;
    private long orders;
    private long lostOrders;
    private long lostCents;
    private long customersPaid;
    private long payments;
    private long historyPaid;
    private long historyRows;
    private long balances;
    private long delivered;

    Verdicts(Ledger ledger, Scale scale) {
        this.ledger = ledger;
        this.scale = scale;
    }

    void add(Found found) {
        int w = found.after.w();
        int d = found.after.d();
        districts++;
        orders += found.orders;
        newest.addAll(found.newest);
        gaps.addAll(found.gaps);
        lines.addAll(found.lines);
        districtsPaid.merge(w, found.after.ytd() - found.before.ytd(), Long::sum);
        customersPaid += found.after.paid() - found.before.paid();
        payments += found.after.paymentCount() - found.before.paymentCount();
        historyRows += found.payments;
        historyPaid += found.paid;
        balances += found.after.balance() - found.before.balance();
        delivered += found.delivered;

        long acknowledged = ledger.orders(w, d);
        long numbered = Math.min(found.orders, found.after.next() - found.before.next());
        if (numbered < acknowledged || found.orders > acknowledged + ledger.unknownOrders(w, d)) {
            ordersLost.add("district " + w + ":" + d + ": " + acknowledged + " orders acknowledged, "
                    + ledger.unknownOrders(w, d) + " unknown, " + found.orders + " there, "
                    + (found.after.next() - found.before.next()) + " counted by D_NEXT_O_ID");
            lostOrders += Math.max(0, acknowledged - numbered);
        }
    }

    /** @param paid what W_YTD has grown by */
    void warehouse(int w, long paid) {
        warehousesPaid.put(w, paid);
        long least = ledger.cents(w);
        if (paid < least || paid > least + ledger.unknownCents(w)) {
            paymentsLost.add("warehouse " + w + ": payments of " + least + " cents acknowledged, of "
                    + ledger.unknownCents(w) + " unknown, W_YTD has grown by " + paid);
            lostCents += Math.max(0, least - paid);
        }
    }

    List<Condition> all() {
        List<String> sums = new ArrayList<>();
        warehousesPaid.forEach((w, paid) -> {
            long inDistricts = districtsPaid.getOrDefault(w, 0L);
            if (inDistricts != paid) {
                sums.add("warehouse " + w + ": W_YTD has grown by " + paid + ", its D_YTD by " + inDistricts);
            }
        });
        long warehouses =
                warehousesPaid.values().stream().mapToLong(Long::longValue).sum();
        List<String> money = new ArrayList<>();
        if (warehouses != customersPaid || warehouses != historyPaid || payments != historyRows) {
            money.add("W_YTD has grown by " + warehouses + ", C_YTD_PAYMENT by " + customersPaid + "; " + payments
                    + " payments by C_PAYMENT_CNT; " + historyRows + " in the history, of " + historyPaid);
        }
        List<String> owed = new ArrayList<>();
        if (balances != delivered - customersPaid) {
            owed.add("C_BALANCE has grown by " + balances + ", deliveries amount to " + delivered + ", payments to "
                    + customersPaid);
        }
        return List.of(
                condition("warehouse", "W_YTD = sum of D_YTD (3.3.2.1)", scale.warehouses(), sums),
                condition("newest", "D_NEXT_O_ID - 1 = newest order = newest new-order (3.3.2.2)", districts, newest),
                condition("gaps", "new-orders are numbered without gaps (3.3.2.3)", districts, gaps),
                condition(
                        "lines",
                        "an order has the lines that it counts, and rows of an order have their order (3.3.2.4)",
                        orders,
                        lines),
                condition("payments", "money paid = in warehouses = of customers = in the history", 1, money),
                condition("balances", "balances = delivered - paid", 1, owed),
                condition("acknowledged orders", "every acknowledged new-order is there, once", districts, ordersLost),
                condition(
                        "acknowledged payments",
                        "every acknowledged payment is in its warehouse, once",
                        scale.warehouses(),
                        paymentsLost));
    }

    /**
     * Counts that are no conditions.
     *
     * @param known whether all rows could be read; otherwise those that could not would count as lost
     */
    Map<String, Long> figures(boolean known) {
        long acknowledgedPayments = 0;
        long unknownPayments = 0;
        long acknowledgedOrders = 0;
        long unknownOrders = 0;
        for (int w = 1; w <= scale.warehouses(); w++) {
            acknowledgedPayments += ledger.payments(w);
            unknownPayments += ledger.unknownPayments(w);
            for (int d = 1; d <= Tables.DISTRICTS; d++) {
                acknowledgedOrders += ledger.orders(w, d);
                unknownOrders += ledger.unknownOrders(w, d);
            }
        }
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put("new-orders acknowledged", acknowledgedOrders);
        figures.put("new-orders of unknown outcome", unknownOrders);
        if (known) {
            figures.put("new-orders lost", lostOrders);
        }
        figures.put("payments acknowledged", acknowledgedPayments);
        figures.put("payments of unknown outcome", unknownPayments);
        if (known) {
            figures.put("payments lost", Math.max(0, acknowledgedPayments - payments));
            figures.put("cents lost in warehouses", lostCents);
        }
        return figures;
    }

    private static Condition condition(String name, String text, long checked, List<String> violations) {
        return new Condition(
                name,
                text,
                checked,
                violations.size(),
                violations.subList(0, Math.min(MOST_EXAMPLES, violations.size())));
    }
}
