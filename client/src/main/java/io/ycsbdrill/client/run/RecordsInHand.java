package io.ycsbdrill.client.run;

import io.ycsbdrill.client.run.call.LoadingDb;
import io.ycsbdrill.client.run.key.LoadLedger;
import io.ycsbdrill.client.run.key.UuidKeys;
import io.ycsbdrill.client.run.measure.ThreadRecorder;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import site.ycsb.DB;
import site.ycsb.Workload;

/** The inserts of one client thread of a load: takes records from the ledger and says what became of each. Owned by that thread. */
final class RecordsInHand {
    /** Whoever takes one away says what became of it. */
    private final Set<Long> inHand = ConcurrentHashMap.newKeySet();

    private long current;

    /** The record to insert now. */
    long current() {
        return current;
    }

    /** Takes the records in hand from a thread that hangs; called by others. */
    List<Long> takeAway() {
        return inHand.stream().filter(inHand::remove).toList();
    }

    /**
     * Inserts records until there are no more, or it may not go on.
     *
     * @param mayStart waits for the next one's time; false when there is none
     * @param exhausted called when nothing is left to insert; what was inserted may yet have to be sent
     */
    void load(
            DB db,
            Workload workload,
            Object state,
            LoadLedger ledger,
            LoadingDb.Policy policy,
            ThreadRecorder recorder,
            BooleanSupplier stopped,
            BooleanSupplier mayStart,
            Runnable exhausted) {
        LoadingDb loading = new LoadingDb(db, recorder, policy, stopped, (key, name, outcome) -> {
            if (inHand.remove(key)) {
                ledger.done(key, name == null ? "(no key)" : name, outcome);
            }
        });
        try {
            DB seen = UuidKeys.over(loading, db.getProperties());
            if (insert(loading, seen, workload, state, ledger, mayStart)) {
                exhausted.run();
            }
            loading.flush();
        } finally {
            loading.drop();
        }
    }

    /** Whether nothing is left to insert. */
    private boolean insert(
            LoadingDb db, DB seen, Workload workload, Object state, LoadLedger ledger, BooleanSupplier mayStart) {
        // The key is taken last: one that was taken is always tried.
        while (mayStart.getAsBoolean()) {
            long key = ledger.take();
            if (key < 0) {
                return true;
            }
            current = key;
            inHand.add(key);
            db.begin(key);
            boolean more;
            try {
                more = workload.doInsert(seen, state);
            } finally {
                db.end();
            }
            if (!more && db.accepted()) {
                return true;
            }
        }
        return false;
    }
}
