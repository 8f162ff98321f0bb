package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.workload.tpcc.Intents.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * In a two-phase commit of the client, over transactions of the engine on one row each. Rows are read without locks. At the commit each row
 * to write, in the order of the keys, gets an intent if it still has the value that was read; then one record decides; then every intent
 * takes effect. An intent that is met and whose transaction has not been decided for the lease is aborted by whoever met it. Owned by one
 * thread.
 */
final class TwoPhaseUnit implements Unit {
    private final Intents intents;
    private final Met met;
    private final String name;
    private final Map<String, String> read = new HashMap<>();
    /** The values to be; empty deletes. In the order of the keys. */
    private final TreeMap<String, String> writes = new TreeMap<>();

    /** What a thread knows across its transactions: their names, and the foreign intents that it has met. Owned by one thread. */
    static final class Met {
        private static final int MOST = 1000;

        private final String prefix = UUID.randomUUID().toString();
        private long transactions;
        private final long leaseNanos;
        private final Map<String, Long> since = new HashMap<>();

        Met(long leaseNanos) {
            this.leaseNanos = leaseNanos;
        }

        private String newName() {
            return prefix + "-" + ++transactions;
        }

        private boolean isTooOld(String name) {
            if (since.size() >= MOST) {
                since.clear();
            }
            long now = System.nanoTime();
            return now - since.computeIfAbsent(name, any -> now) >= leaseNanos;
        }
    }

    TwoPhaseUnit(DB db, String table, long patienceNanos, Met met) {
        intents = new Intents(db, table, patienceNanos);
        this.met = met;
        name = met.newName();
    }

    @Override
    public Row read(String key) throws Ended {
        String own = writes.get(key);
        String value = own != null ? own : visible(key, intents.read(key));
        return value.isEmpty() ? null : Row.parse(value);
    }

    /** What the row is for others: an intent counts when it was decided that it takes effect. */
    private String visible(String key, Stored stored) throws Ended {
        return !stored.owner().isEmpty() && intents.decision(stored.owner()).equals(Intents.COMMITTED)
                ? stored.intended()
                : stored.value();
    }

    @Override
    public Row readForUpdate(String key) throws Ended {
        if (!writes.containsKey(key)) {
            Stored stored = intents.read(key);
            if (!stored.owner().isEmpty()) {
                cleared(key, stored.owner());
                stored = intents.read(key);
                if (!stored.owner().isEmpty()) {
                    throw new Ended(Statuses.CONFLICT);
                }
            }
            read.put(key, stored.value());
            writes.put(key, stored.value());
        }
        String value = writes.get(key);
        return value.isEmpty() ? null : Row.parse(value);
    }

    /** Takes a foreign intent away, if it was decided about or is too old. */
    private void cleared(String key, String owner) throws Ended {
        String decision = intents.decision(owner);
        if (decision.isEmpty()) {
            if (!met.isTooOld(owner)) {
                throw new Ended(Statuses.CONFLICT);
            }
            if (!intents.read(key).owner().equals(owner)) {
                return; // It has gone; no record may be made of what is over.
            }
            decision = decided(intents, owner);
        }
        intents.resolve(owner, key, decision.equals(Intents.COMMITTED));
    }

    /**
     * Decides about another transaction, unless that was done already.
     *
     * @throws Ended when that cannot be found out now; no doubt about this transaction, which has written nothing
     */
    private static String decided(Intents intents, String owner) throws Ended {
        String decision;
        try {
            decision = intents.decide(owner, Intents.ABORTED);
        } catch (Ended unknown) {
            throw new Ended(Statuses.TEMPORARY);
        }
        if (decision.isEmpty()) {
            throw new Ended(Statuses.TEMPORARY);
        }
        return decision;
    }

    @Override
    public void insert(String key, Row row) {
        read.putIfAbsent(key, "");
        writes.put(key, row.text());
    }

    @Override
    public void update(String key, Row row) throws Ended {
        if (!read.containsKey(key)) {
            readForUpdate(key);
        }
        writes.put(key, row.text());
    }

    @Override
    public void delete(String key) throws Ended {
        if (!read.containsKey(key)) {
            readForUpdate(key);
        }
        writes.put(key, "");
    }

    @Override
    public Status commit() {
        writes.entrySet()
                .removeIf(write -> write.getValue().isEmpty()
                        && read.getOrDefault(write.getKey(), "").isEmpty());
        if (writes.isEmpty()) {
            return Status.OK;
        }
        List<String> intended = new ArrayList<>();
        for (Map.Entry<String, String> write : writes.entrySet()) {
            String key = write.getKey();
            intended.add(key);
            Status status = intents.intend(name, key, read.get(key), write.getValue());
            if (status == null || !status.isOk()) {
                return undone(intended, status == null ? Status.ERROR : status);
            }
        }
        try {
            String decision = intents.decide(name, Intents.COMMITTED);
            if (!decision.equals(Intents.COMMITTED)) {
                return undone(intended, decision.isEmpty() ? Statuses.TEMPORARY : Statuses.CONFLICT);
            }
        } catch (Ended e) {
            return e.status(); // Whoever meets the intents will find out.
        }
        finish(intended, true);
        return Status.OK;
    }

    /** Takes the intents back: without a record nothing of it can take effect any more, as only this object would make one. */
    private Status undone(List<String> intended, Status reason) {
        finish(intended, false);
        // An intent whose own result is unknown is no doubt about the transaction: it was not decided to commit.
        return Outcome.of(reason, true) == Outcome.UNKNOWN ? Statuses.TEMPORARY : reason;
    }

    private void finish(List<String> intended, boolean commit) {
        boolean all = true;
        for (String key : intended) {
            Status status = intents.resolve(name, key, commit);
            all &= status != null && status.isOk();
        }
        // A record that was made against this transaction stays: a late request of it must go on finding that it was
        // aborted.
        if (all && commit) {
            intents.forget(name);
        }
    }

    @Override
    public void abort() {
        writes.clear();
    }

    /** For a check, when no client is at work: decides about whatever is left on the row, and gives its value. */
    static String settled(Intents intents, String key) throws Ended {
        Stored stored = intents.read(key);
        if (stored.owner().isEmpty()) {
            return stored.value();
        }
        String decision = decided(intents, stored.owner());
        Status status = intents.resolve(stored.owner(), key, decision.equals(Intents.COMMITTED));
        if (status == null || !status.isOk()) {
            throw new Ended(Statuses.TEMPORARY);
        }
        return decision.equals(Intents.COMMITTED) ? stored.intended() : stored.value();
    }
}
