package io.ycsbdrill.workload.tpcc;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * The rows of the loaded tables, each by its number, so that any thread can make any row: first the items, then warehouse by warehouse
 * its own row, its stock, and its ten districts. All districts have the same customers' names and the same numbers of lines. Immutable.
 */
final class InitialRows {
    /** TPC-C 2.1.6.1: far enough from the constant of the run, {@link Inputs#NAMES}. */
    static final int NAMES = 60;

    private static final long LOADED = 1_700_000_000_000L;
    private static final int FIRST_PAYMENT = 1000;

    /** A row and where it belongs. */
    record Loaded(String key, Row row) {}

    private final Scale scale;
    private final int[] customerOfOrder;
    private final int[] orderOfCustomer;
    private final int[] nameOfCustomer;
    /** The customers with each name, by first name. */
    private final List<List<Integer>> named;
    /** How many lines the orders before this one have; by order, from 1. */
    private final int[] linesBefore;

    private final int lines;
    private final long district;
    private final long warehouse;

    InitialRows(Scale scale) {
        this.scale = scale;
        int customers = scale.customers();
        customerOfOrder = permutation(customers);
        orderOfCustomer = new int[customers + 1];
        for (int o = 1; o <= customers; o++) {
            orderOfCustomer[customerOfOrder[o]] = o;
        }
        nameOfCustomer = new int[customers + 1];
        named = new ArrayList<>();
        for (int n = 0; n < scale.names(); n++) {
            named.add(new ArrayList<>());
        }
        for (int c = 1; c <= customers; c++) {
            nameOfCustomer[c] = c <= scale.names()
                    ? c - 1
                    : new Draw(Draw.mix(-c)).skewed(scale.nameSpread(), NAMES, 0, scale.names() - 1);
            named.get(nameOfCustomer[c]).add(c);
        }
        named.forEach(same ->
                same.sort(Comparator.comparing(InitialRows::firstName).thenComparing(Comparator.naturalOrder())));
        linesBefore = new int[customers + 2];
        for (int o = 1; o <= customers; o++) {
            linesBefore[o + 1] = linesBefore[o] + lines(o);
        }
        lines = linesBefore[customers + 1];
        district = 2L + 4L * customers + scale.names() + lines + scale.undelivered();
        warehouse = 1L + scale.items() + Tables.DISTRICTS * district;
    }

    /** How many there are. */
    long count() {
        return scale.items() + scale.warehouses() * warehouse;
    }

    /** The row of that number, 0 to {@link #count} - 1. */
    Loaded row(long number) {
        Draw draw = new Draw(Draw.mix(number));
        if (number < scale.items()) {
            int i = (int) number + 1;
            return new Loaded(
                    Tables.item(i),
                    Row.of(draw.number(1, 10_000), draw.text(14, 24), draw.number(100, 10_000), draw.data()));
        }
        long rest = number - scale.items();
        int w = (int) (rest / warehouse) + 1;
        rest %= warehouse;
        if (rest == 0) {
            return new Loaded(Tables.warehouse(w), place(draw, (long) Tables.DISTRICTS * scale.customers()));
        }
        rest--;
        if (rest < scale.items()) {
            return new Loaded(Tables.stock(w, (int) rest + 1), stock(draw));
        }
        rest -= scale.items();
        return inDistrict(w, (int) (rest / district) + 1, (int) (rest % district), draw);
    }

    private Loaded inDistrict(int w, int d, int number, Draw draw) {
        int customers = scale.customers();
        int rest = number;
        if (rest == 0) {
            Row place = place(draw, customers);
            return new Loaded(Tables.district(w, d), Row.parse(place.text() + "|" + (customers + 1)));
        }
        if (rest == 1) {
            return new Loaded(Tables.oldestNewOrder(w, d), Row.of(scale.firstUndelivered()));
        }
        rest -= 2;
        if (rest < customers) {
            return new Loaded(Tables.customer(w, d, rest + 1), customer(rest + 1, draw));
        }
        rest -= customers;
        if (rest < customers) {
            return new Loaded(Tables.newestOrder(w, d, rest + 1), Row.of(orderOfCustomer[rest + 1]));
        }
        rest -= customers;
        if (rest < customers) {
            return new Loaded(
                    Tables.history(w, d, rest + 1, 1), Row.of(w, d, LOADED, FIRST_PAYMENT, draw.text(12, 24)));
        }
        rest -= customers;
        if (rest < scale.names()) {
            String all = named.get(rest).stream().map(String::valueOf).collect(Collectors.joining("|"));
            return new Loaded(Tables.customersNamed(w, d, Draw.lastName(rest)), Row.parse(all));
        }
        rest -= scale.names();
        if (rest < customers) {
            int o = rest + 1;
            boolean delivered = o < scale.firstUndelivered();
            return new Loaded(
                    Tables.order(w, d, o),
                    Row.of(customerOfOrder[o], LOADED, delivered ? draw.number(1, 10) : "", lines(o), 1));
        }
        rest -= customers;
        if (rest < scale.undelivered()) {
            return new Loaded(Tables.newOrder(w, d, scale.firstUndelivered() + rest), Row.of(1));
        }
        // Last a row that stays: whether first and last row are there tells whether the table is loaded.
        return line(w, d, rest - scale.undelivered(), draw);
    }

    private Loaded line(int w, int d, int number, Draw draw) {
        int low = 1;
        int high = scale.customers();
        while (low < high) {
            int middle = (low + high + 1) / 2;
            if (linesBefore[middle] <= number) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        boolean delivered = low < scale.firstUndelivered();
        return new Loaded(
                Tables.line(w, d, low, number - linesBefore[low] + 1),
                Row.of(
                        draw.number(1, scale.items()),
                        w,
                        delivered ? LOADED : "",
                        5,
                        delivered ? 0 : draw.number(1, 999_999),
                        draw.text(24, 24)));
    }

    /** A warehouse, or the beginning of a district: so many customers have paid there. */
    private static Row place(Draw draw, long payments) {
        return Row.of(
                draw.text(6, 10),
                draw.text(10, 20),
                draw.text(10, 20),
                draw.text(10, 20),
                draw.text(2, 2),
                draw.digits(4) + "11111",
                draw.number(0, 2000),
                payments * FIRST_PAYMENT);
    }

    private Row customer(int c, Draw draw) {
        return Row.of(
                firstName(c),
                "OE",
                Draw.lastName(nameOfCustomer[c]),
                draw.text(10, 20),
                draw.text(10, 20),
                draw.text(10, 20),
                draw.text(2, 2),
                draw.digits(4) + "11111",
                draw.digits(16),
                LOADED,
                draw.percent(10) ? "BC" : "GC",
                5_000_000,
                draw.number(0, 5000),
                -FIRST_PAYMENT,
                FIRST_PAYMENT,
                1,
                0,
                draw.text(300, 500));
    }

    private static Row stock(Draw draw) {
        Object[] values = new Object[Tables.S_DATA + 1];
        values[Tables.S_QUANTITY] = draw.number(10, 100);
        for (int d = 0; d < Tables.DISTRICTS; d++) {
            values[Tables.S_DIST_01 + d] = draw.text(24, 24);
        }
        values[Tables.S_YTD] = 0;
        values[Tables.S_ORDER_CNT] = 0;
        values[Tables.S_REMOTE_CNT] = 0;
        values[Tables.S_DATA] = draw.data();
        return Row.of(values);
    }

    private static String firstName(int c) {
        return new Draw(Draw.mix(~(long) c)).text(8, 16);
    }

    /** 5 to 15, the same in all districts. */
    private static int lines(int o) {
        return 5 + (int) Long.remainderUnsigned(Draw.mix(o), 11);
    }

    private static int[] permutation(int customers) {
        SplittableRandom random = new SplittableRandom(customers);
        int[] all = new int[customers + 1];
        for (int i = 1; i <= customers; i++) {
            int j = random.nextInt(1, i + 1);
            all[i] = all[j];
            all[j] = i;
        }
        return all;
    }
}
