package io.ycsbdrill.workload.tpcc;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a check has found about one district: what a run has added to it, and which conditions of it do not hold. Owned by one thread until
 * it is complete.
 */
final class Found {
    /** Numbers beyond the last that is expected, in which orders are looked for. */
    private static final int BEYOND = 20;

    final District before;
    final District after;
    /** Orders entered in the run that are there. */
    long orders;
    /** Payments of the run that have a history row, and what they amount to. */
    long payments;

    long paid;
    /** What was delivered in the run amounts to. */
    long delivered;

    final List<String> newest = new ArrayList<>();
    final List<String> gaps = new ArrayList<>();
    final List<String> lines = new ArrayList<>();
    private final CheckedRows rows;

    Found(District before, District after, CheckedRows rows) {
        this.before = before;
        this.after = after;
        this.rows = rows;
    }

    /** @param expected at most so many orders were entered in the run */
    Found look(long expected) {
        int w = after.w();
        int d = after.d();
        long end = Math.max(after.next(), before.next() + expected) + BEYOND;
        int newestOrder = 0;
        int newestNew = 0;
        int oldestNew = 0;
        int news = 0;
        for (int o = Math.min(before.oldest(), before.next()); o < end; o++) {
            Row order = o >= before.next() || o < after.oldest() ? rows.row(Tables.order(w, d, o)) : null;
            boolean isNew = rows.row(Tables.newOrder(w, d, o)) != null;
            if (isNew) {
                newestNew = o;
                oldestNew = oldestNew == 0 ? o : oldestNew;
                news++;
            }
            if (order == null) {
                boolean delivery = o < before.next() && o < after.oldest();
                if (delivery || o >= before.next() && (isNew || rows.row(Tables.line(w, d, o, 1)) != null)) {
                    lines.add("order " + w + ":" + d + ":" + o + " is missing, but was delivered or has rows");
                }
                continue;
            }
            if (o >= before.next()) {
                orders++;
                newestOrder = o;
            }
            lines(w, d, o, order, o < after.oldest());
        }
        int last = after.next() - 1;
        if (after.next() > before.next() || newestOrder > 0) {
            compare(newestOrder, last, "newest order");
        }
        if (news > 0) {
            compare(newestNew, last, "newest new-order");
            if (newestNew - oldestNew + 1 != news) {
                gaps.add(
                        "district " + w + ":" + d + ": " + news + " new-orders from " + oldestNew + " to " + newestNew);
            }
            if (oldestNew != after.oldest()) {
                gaps.add("district " + w + ":" + d + ": oldest new-order is " + oldestNew + ", next to deliver "
                        + after.oldest());
            }
        } else if (after.oldest() < after.next()) {
            gaps.add("district " + w + ":" + d + ": no new-order, next to deliver " + after.oldest() + " of " + last);
        }
        history();
        return this;
    }

    /** Violations of all conditions that a district's orders by themselves can violate. */
    List<String> violations() {
        return Stream.of(newest, gaps, lines).flatMap(List::stream).toList();
    }

    private void compare(int found, int last, String what) {
        if (found != last) {
            newest.add("district " + after.w() + ":" + after.d() + ": " + what + " "
                    + (found == 0 ? "none" : String.valueOf(found)) + ", D_NEXT_O_ID - 1 = " + last);
        }
    }

    /** An order's lines: as many as it says, and delivered if it is. */
    private void lines(int w, int d, int o, Row order, boolean isDelivered) {
        int count = order.id(Tables.O_OL_CNT);
        int there = 0;
        for (int i = 1; i <= Tables.MOST_LINES; i++) {
            Row line = rows.row(Tables.line(w, d, o, i));
            if (line == null) {
                if (i > count) {
                    break;
                }
                continue;
            }
            there++;
            boolean delivered = !line.get(Tables.OL_DELIVERY_D).isEmpty();
            if (delivered && o >= before.oldest()) {
                this.delivered += line.number(Tables.OL_AMOUNT);
            }
            if (delivered != isDelivered) {
                lines.add("line " + w + ":" + d + ":" + o + ":" + i + " is " + (delivered ? "" : "not ")
                        + "delivered, its order " + (isDelivered ? "is" : "is not"));
            }
        }
        if (there != count) {
            lines.add("order " + w + ":" + d + ":" + o + ": " + there + " lines, O_OL_CNT = " + count);
        }
    }

    private void history() {
        int[] from = before.payments();
        int[] to = after.payments();
        for (int c = 1; c < to.length; c++) {
            for (int n = from[c] + 1; n <= to[c]; n++) {
                Row history = rows.row(Tables.history(after.w(), after.d(), c, n));
                if (history != null) {
                    payments++;
                    paid += history.number(Tables.H_AMOUNT);
                }
            }
        }
    }
}
