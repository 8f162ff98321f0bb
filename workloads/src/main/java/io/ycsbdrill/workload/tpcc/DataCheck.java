package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.workload.ChecksData.Databases;
import io.ycsbdrill.workload.Consistency;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import site.ycsb.DB;
import site.ycsb.DBException;

/**
 * The consistency of the tables (TPC-C 3.3.2), and whether they have what was acknowledged. All is judged by what has changed since
 * {@link #before}, so that each run answers for itself, and old orders need not be read. Used by one thread.
 */
final class DataCheck {
    private static final int MOST_READERS = 8;

    private final TpccSettings settings;
    private final Ledger ledger;
    private final long stepNanos;
    private Map<Integer, District> before = Map.of();
    private Map<Integer, Long> warehousesBefore = Map.of();

    DataCheck(TpccSettings settings, Ledger ledger, long stepNanos) {
        this.settings = settings;
        this.ledger = ledger;
        this.stepNanos = stepNanos;
    }

    void before(Databases databases) throws DBException, InterruptedException {
        Pass<District> pass = new Pass<>(databases, () -> false);
        List<String> violations = Collections.synchronizedList(new ArrayList<>());
        before = pass.inDistricts((rows, at) -> {
            District district = District.read(rows, settings.scale(), at / 10, at % 10 + 1);
            if (settings.mode() != Mode.NONE && !district.isMissing()) {
                violations.addAll(new Found(district, district, rows).look(0).violations());
            }
            return district;
        });
        warehousesBefore = pass.warehouses();
        if (pass.unreadable > 0) {
            throw new DBException(pass.unreadable + " rows cannot be read before the run: " + pass.problems);
        }
        List<Integer> missing = before.entrySet().stream()
                .filter(entry -> entry.getValue().isMissing())
                .map(Map.Entry::getKey)
                .toList();
        if (!missing.isEmpty()) {
            throw new DBException(missing.size() + " of " + before.size()
                    + " districts are missing in table " + settings.table()
                    + ": load it with the same tpcc.warehouses, tpcc.customers and tpcc.items");
        }
        if (!violations.isEmpty()) {
            throw new DBException("table " + settings.table() + " is inconsistent before the run already, by "
                    + violations.size() + " violations, of which the first is: " + violations.get(0)
                    + ". They would be taken for those of mode "
                    + settings.mode().label()
                    + ": load it anew, or load another with -p table=NAME, as each mode should have its own");
        }
    }

    Consistency after(Databases databases, BooleanSupplier cancelled) throws InterruptedException {
        long start = System.nanoTime();
        Pass<Found> pass = new Pass<>(databases, cancelled);
        Map<Integer, Found> found = pass.inDistricts((rows, at) -> {
            int w = at / 10;
            int d = at % 10 + 1;
            District after = District.read(rows, settings.scale(), w, d);
            return new Found(before.get(at), after, rows).look(ledger.orders(w, d) + ledger.unknownOrders(w, d));
        });
        Map<Integer, Long> warehouses = pass.warehouses();
        Verdicts verdicts = new Verdicts(ledger, settings.scale());
        found.values().forEach(verdicts::add);
        warehouses.forEach((w, ytd) -> verdicts.warehouse(w, ytd - warehousesBefore.get(w)));
        return new Consistency(
                "TPC-C-like, mode " + settings.mode().label(),
                settings.mode() != Mode.NONE,
                pass.unreadable > 0 ? List.of() : verdicts.all(),
                verdicts.figures(pass.unreadable == 0),
                pass.unreadable,
                List.copyOf(pass.problems),
                (System.nanoTime() - start) / 1e9);
    }

    /** Reads districts, several at a time. */
    private final class Pass<T> {
        private final Databases databases;
        private final BooleanSupplier cancelled;
        private final Set<String> problems = new TreeSet<>();
        private long unreadable;

        Pass(Databases databases, BooleanSupplier cancelled) {
            this.databases = databases;
            this.cancelled = cancelled;
        }

        /** By warehouse and district, 10 W + D - 1. */
        Map<Integer, T> inDistricts(BiFunction<CheckedRows, Integer, T> work) throws InterruptedException {
            List<Integer> all = new ArrayList<>();
            for (int at = 10; at < (settings.scale().warehouses() + 1) * 10; at++) {
                all.add(at);
            }
            int readers = Math.min(MOST_READERS, all.size());
            ExecutorService threads =
                    Executors.newFixedThreadPool(readers, task -> Daemon.thread(task, "consistency-check"));
            try {
                List<Callable<Map<Integer, T>>> parts = new ArrayList<>();
                for (int r = 0; r < readers; r++) {
                    List<Integer> mine = all.subList(all.size() * r / readers, all.size() * (r + 1) / readers);
                    parts.add(() -> part(mine, work));
                }
                Map<Integer, T> results = new TreeMap<>();
                for (Future<Map<Integer, T>> part : threads.invokeAll(parts)) {
                    try {
                        results.putAll(part.get());
                    } catch (ExecutionException e) {
                        failed(e.getCause());
                    }
                }
                return results;
            } finally {
                threads.shutdownNow();
            }
        }

        private Map<Integer, T> part(List<Integer> districts, BiFunction<CheckedRows, Integer, T> work)
                throws Exception {
            DB db = databases.connect();
            try {
                CheckedRows rows = new CheckedRows(db, settings, stepNanos, cancelled);
                Map<Integer, T> results = new TreeMap<>();
                for (int at : districts) {
                    results.put(at, work.apply(rows, at));
                }
                read(rows);
                return results;
            } finally {
                db.cleanup();
            }
        }

        /** W_YTD by warehouse. */
        Map<Integer, Long> warehouses() {
            Map<Integer, Long> ytd = new TreeMap<>(Comparator.naturalOrder());
            try {
                DB db = databases.connect();
                try {
                    CheckedRows rows = new CheckedRows(db, settings, stepNanos, cancelled);
                    for (int w = 1; w <= settings.scale().warehouses(); w++) {
                        Row row = rows.row(Tables.warehouse(w));
                        ytd.put(w, row == null ? 0 : row.number(Tables.W_YTD));
                    }
                    read(rows);
                } finally {
                    db.cleanup();
                }
            } catch (Exception e) {
                failed(e);
            }
            return ytd;
        }

        private synchronized void read(CheckedRows rows) {
            unreadable += rows.unreadable();
            if (!rows.problem().isEmpty()) {
                problems.add(rows.problem());
            }
        }

        private synchronized void failed(Throwable e) {
            unreadable++;
            problems.add(e.getClass().getSimpleName() + ": " + e.getMessage());
        }
    }
}
