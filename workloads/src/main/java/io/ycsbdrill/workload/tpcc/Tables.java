package io.ycsbdrill.workload.tpcc;

/**
 * Keys of the rows, and the columns of each kind of row. All rows are in one table; the first letter of a key says what the row is.
 * Beside the nine tables of the specification there are three that take the place of indexes: {@code x} the customers with one last
 * name, {@code y} a customer's newest order, {@code q} a district's oldest undelivered order.
 */
final class Tables {
    static final int DISTRICTS = 10;
    static final int MOST_LINES = 15;

    // Warehouse: w:W
    static final int W_TAX = 6;
    static final int W_YTD = 7;

    // District: d:W:D
    static final int D_TAX = 6;
    static final int D_YTD = 7;
    static final int D_NEXT_O_ID = 8;

    // Customer: c:W:D:C
    static final int C_LAST = 2;
    static final int C_CREDIT = 10;
    static final int C_DISCOUNT = 12;
    static final int C_BALANCE = 13;
    static final int C_YTD_PAYMENT = 14;
    static final int C_PAYMENT_CNT = 15;
    static final int C_DELIVERY_CNT = 16;
    static final int C_DATA = 17;

    // History: h:W:D:C:N, the N-th payment of that customer
    static final int H_AMOUNT = 3;

    // Order: o:W:D:O
    static final int O_C_ID = 0;
    static final int O_CARRIER_ID = 2;
    static final int O_OL_CNT = 3;

    // Order line: l:W:D:O:N
    static final int OL_I_ID = 0;
    static final int OL_DELIVERY_D = 2;
    static final int OL_AMOUNT = 4;

    // Item: i:I
    static final int I_PRICE = 2;
    static final int I_DATA = 3;

    // Stock: s:W:I
    static final int S_QUANTITY = 0;
    static final int S_DIST_01 = 1;
    static final int S_YTD = 11;
    static final int S_ORDER_CNT = 12;
    static final int S_REMOTE_CNT = 13;
    static final int S_DATA = 14;

    static String warehouse(int w) {
        return "w:" + w;
    }

    static String district(int w, int d) {
        return "d:" + w + ":" + d;
    }

    static String customer(int w, int d, int c) {
        return "c:" + w + ":" + d + ":" + c;
    }

    static String history(int w, int d, int c, long number) {
        return "h:" + w + ":" + d + ":" + c + ":" + number;
    }

    static String order(int w, int d, int o) {
        return "o:" + w + ":" + d + ":" + o;
    }

    static String newOrder(int w, int d, int o) {
        return "n:" + w + ":" + d + ":" + o;
    }

    static String line(int w, int d, int o, int number) {
        return "l:" + w + ":" + d + ":" + o + ":" + number;
    }

    static String item(int i) {
        return "i:" + i;
    }

    static String stock(int w, int i) {
        return "s:" + w + ":" + i;
    }

    static String customersNamed(int w, int d, String last) {
        return "x:" + w + ":" + d + ":" + last;
    }

    static String newestOrder(int w, int d, int c) {
        return "y:" + w + ":" + d + ":" + c;
    }

    static String oldestNewOrder(int w, int d) {
        return "q:" + w + ":" + d;
    }
}
