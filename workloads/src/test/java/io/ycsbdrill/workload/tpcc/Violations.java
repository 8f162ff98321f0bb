package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.binding.MemoryDb;
import io.ycsbdrill.workload.tpcc.MemoryTransactions.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import site.ycsb.ByteIterator;

/** Makes one row wrong, in a district of the first warehouse in which a run has entered, delivered and been paid. */
final class Violations {
    private static final String TABLE = "usertable";
    private static final int LOADED = 10;

    private final Store store;
    private final MemoryDb db;
    private final int district;
    private final int next;
    private final int oldest;

    Violations(Store store) {
        this.store = store;
        db = new MemoryDb(store.rows);
        district = IntStream.rangeClosed(1, Tables.DISTRICTS)
                .filter(d -> next(d) - 1 > LOADED + 2 && next(d) - oldest(d) > 3)
                .findFirst()
                .orElseThrow();
        next = next(district);
        oldest = oldest(district);
    }

    private int next(int d) {
        return row(Tables.district(1, d)).id(Tables.D_NEXT_O_ID);
    }

    private int oldest(int d) {
        return row(Tables.oldestNewOrder(1, d)).id(0);
    }

    void plant(String violation) {
        int d = district;
        String counter = Tables.district(1, d);
        String newestLine = Tables.line(1, d, next - 1, 1);
        switch (violation) {
            case "W_YTD a cent more" -> add(Tables.warehouse(1), Tables.W_YTD, 1);
            case "D_YTD a cent more" -> add(counter, Tables.D_YTD, 1);
            case "D_NEXT_O_ID one more" -> add(counter, Tables.D_NEXT_O_ID, 1);
            case "D_NEXT_O_ID one less" -> add(counter, Tables.D_NEXT_O_ID, -1);
            case "newest order gone" -> remove(Tables.order(1, d, next - 1));
            case "newest new-order gone" -> remove(Tables.newOrder(1, d, next - 1));
            case "a new-order in between gone" -> remove(Tables.newOrder(1, d, next - 2));
            case "oldest new-order gone" -> remove(Tables.newOrder(1, d, oldest));
            case "next to deliver one less" -> add(Tables.oldestNewOrder(1, d), 0, -1);
            case "a line gone" -> remove(newestLine);
            case "a line too many" ->
                put(
                        Tables.line(
                                1,
                                d,
                                next - 1,
                                row(Tables.order(1, d, next - 1)).id(Tables.O_OL_CNT) + 1),
                        row(newestLine));
            case "a line without its order" -> put(Tables.line(1, d, next, 1), row(newestLine));
            case "a line delivered early" -> change(newestLine, line -> line.set(Tables.OL_DELIVERY_D, 1));
            case "an order in between gone" -> remove(Tables.order(1, d, next - 2));
            case "a history row gone" -> remove(history());
            case "a history row of a cent more" -> add(history(), Tables.H_AMOUNT, 1);
            case "C_YTD_PAYMENT a cent more" -> add(Tables.customer(1, d, 1), Tables.C_YTD_PAYMENT, 1);
            case "C_PAYMENT_CNT one more" -> add(Tables.customer(1, d, 1), Tables.C_PAYMENT_CNT, 1);
            case "C_BALANCE a cent more" -> add(Tables.customer(1, d, 1), Tables.C_BALANCE, 1);
            case "OL_AMOUNT a cent more" -> add(deliveredLine(), Tables.OL_AMOUNT, 1);
            default -> throw new IllegalArgumentException(violation);
        }
    }

    /** Of a payment of the run: each customer was loaded with one. */
    private String history() {
        return keys("h:1:\\d+:\\d+:2").get(0);
    }

    /** Delivered by the run: loaded orders that were delivered have no new-order at first. */
    private String deliveredLine() {
        return keys("l:1:\\d+:" + LOADED + ":1").stream()
                .filter(key -> !row(key).get(Tables.OL_DELIVERY_D).isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private List<String> keys(String pattern) {
        return store.rows.keySet().stream().filter(key -> key.matches(pattern)).toList();
    }

    private void add(String key, int column, long value) {
        change(key, row -> row.add(column, value));
    }

    private void change(String key, UnaryOperator<Row> change) {
        put(key, change.apply(row(key)));
    }

    private void put(String key, Row row) {
        remove(key);
        db.insert(TABLE, key, Values.of(row.text(), Values.INTENT, ""));
    }

    private void remove(String key) {
        db.delete(TABLE, key);
    }

    private Row row(String key) {
        Map<String, ByteIterator> values = new HashMap<>();
        if (!db.read(TABLE, key, Values.ROW_ONLY, values).isOk()) {
            throw new AssertionError("no row " + key);
        }
        return Row.parse(Values.text(values, Values.ROW));
    }
}
