package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.Orders.Answer;
import io.ycsbdrill.client.audit.journal.Read;
import io.ycsbdrill.client.audit.journal.Rollback;
import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.audit.journal.Write.Kind;
import io.ycsbdrill.client.audit.journal.WriteHistory.KeyWrites;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Judges what the reads of one key have shown while the run went on, as those of an atomic {@link Register} for each field, and a row that only inserts make
 * and only deletes remove. What it learns of the writes is used after the run ({@link KeyJudge}). Pure.
 */
final class ReadJudge {
    /** What a read has shown that a database with strong reads never shows. */
    enum Fault {
        /** Neither a write that was acknowledged before the read began nor any that may have followed it. */
        STALE,
        /** Something that other reads contradict, or no row, though not older than what was acknowledged. */
        BACKWARDS,
        /** No row, though the load had made one. */
        MISSING,
        /** The value of a failed write, or a damaged one. */
        PHANTOM
    }

    /**
     * A read that must not have been.
     *
     * @param missed the newer write; empty when there is none, as for a phantom and for a row from before the run
     */
    record Finding(Fault fault, Read read, Optional<Write> missed) {}

    /**
     * Of one key.
     *
     * @param findings at most one for each read
     * @param history what is known of it now
     * @param partly whether there was not always a row, and too many orders of its calls to try them all
     */
    record Judged(List<Finding> findings, KeyHistory history, boolean partly) {}

    /** One that found no row, as only those say too little by themselves. */
    private static final Comparator<Read> LAST =
            Comparator.comparing((Read read) -> read.field() == Write.ROW).thenComparingLong(Read::startNanos);

    private final BooleanSupplier promised;
    private final Predicate<String> loaded;
    private final Optional<Rollback> rollback;

    /**
     * @param strong whether the engine promises that reads show the newest, so that their order counts after the run; asked with each key
     * @param loaded whether a row with this key is known to have been there before the run
     * @param rollback what a restore has taken back in the middle of it
     */
    ReadJudge(BooleanSupplier strong, Predicate<String> loaded, Optional<Rollback> rollback) {
        this.promised = strong;
        this.loaded = loaded;
        this.rollback = rollback;
    }

    /** Until the data was lost as if it never was, and from then on as if what was taken back may never have been there. */
    Judged judge(KeyWrites key) {
        if (rollback.isEmpty()) {
            return judgeAll(key);
        }
        Judged before = judgeAll(rollback.get().before(key));
        Judged after = judgeAll(rollback.get().after(key));
        List<Finding> findings = new ArrayList<>(before.findings());
        after.findings().stream()
                .filter(finding -> rollback.get().isAfter(finding.read()))
                .forEach(findings::add);
        return new Judged(findings, after.history(), before.partly() || after.partly());
    }

    /** How many of its reads are judged. */
    long judges(KeyWrites key) {
        return key.reads().stream()
                .filter(read -> rollback.map(of -> of.judges(read)).orElse(true))
                .count();
    }

    private Judged judgeAll(KeyWrites key) {
        boolean strong = promised.getAsBoolean();
        TreeMap<Integer, List<Read>> byField = new TreeMap<>();
        key.reads().stream().sorted(Comparator.comparingLong(Read::startNanos)).forEach(read -> byField.computeIfAbsent(
                        read.field(), field -> new ArrayList<>())
                .add(read));
        List<Read> missing = byField.remove(Write.ROW);
        List<Finding> findings = new ArrayList<>();
        Map<Integer, List<Zone>> fields = new HashMap<>();
        Row row = new Row(key.all(), loaded.test(key.key()));
        byField.forEach((field, reads) -> fields.put(field, judge(field, reads, key.all(), row, findings, strong)));
        if (missing != null) {
            row.judge(missing, findings);
        }
        if (!strong || !Orders.areNeeded(key)) {
            return new Judged(findings, history(key, fields, row, strong, Optional.empty()), false);
        }
        // What no order explains by itself would be found again in whatever is there in the end, as a loss.
        Optional<Orders> orders = Orders.of(key, row.wasLoaded);
        Optional<Answer> answer = orders.filter(all -> findings.isEmpty()).map(Orders::explain);
        Optional<Orders> explained = orders.filter(all -> answer.equals(Optional.of(Answer.EXPLAINED)));
        boolean contradictory = answer.equals(Optional.of(Answer.IMPOSSIBLE));
        if (contradictory && !key.reads().isEmpty()) {
            findings.add(
                    new Finding(Fault.BACKWARDS, key.reads().stream().max(LAST).orElseThrow(), Optional.empty()));
        }
        return new Judged(
                findings,
                // Nobody knows which of the reads is wrong, so that none proves anything.
                contradictory
                        ? history(key, Map.of(), row, false, Optional.empty())
                        : history(key, fields, row, true, explained),
                orders.isEmpty() || answer.equals(Optional.of(Answer.GAVE_UP)));
    }

    private static KeyHistory history(
            KeyWrites key, Map<Integer, List<Zone>> fields, Row row, boolean strong, Optional<Orders> orders) {
        return new KeyHistory(
                key.key(), key.writes(), fields, row.left(strong), strong ? row.absent : Row.NEVER, orders);
    }

    private List<Zone> judge(
            int field, List<Read> reads, List<Write> all, Row row, List<Finding> findings, boolean strong) {
        List<Write> writes = all.stream().filter(write -> write.concerns(field)).toList();
        Register register = new Register(writes);
        Acknowledged acknowledged = new Acknowledged(writes);
        for (Read read : reads) {
            Optional<Zone> shown = register.zone(read.found())
                    .filter(zone -> zone.write().leavesRow() && zone.write().startNanos() <= read.endNanos());
            if (shown.isEmpty()) {
                findings.add(new Finding(Fault.PHANTOM, read, Optional.empty()));
                continue;
            }
            Optional<Zone> conflict = register.show(read.found(), read.startNanos(), read.endNanos());
            if (conflict.isEmpty()) {
                row.shown(register.zone(read.found()).orElseThrow(), read);
                continue;
            }
            Optional<Write> newer = acknowledged
                    .before(read.startNanos())
                    .filter(write -> write.startNanos() > shown.get().firstEnd());
            findings.add(new Finding(
                    newer.isPresent() ? Fault.STALE : Fault.BACKWARDS, read, newer.or(() -> conflict.map(Zone::write)
                            .filter(write -> !write.equals(Zone.BEFORE_THE_RUN)))));
        }
        return register.left(strong);
    }

    /** The acknowledged write that began last, among those that had ended by some moment; asked for in ascending order. */
    private static final class Acknowledged {
        private final List<Write> byEnd;
        private Write last;
        private int next;

        Acknowledged(List<Write> writes) {
            byEnd = writes.stream()
                    .filter(Write::acknowledged)
                    .sorted(Comparator.comparingLong(Write::endNanos))
                    .toList();
        }

        Optional<Write> before(long nanos) {
            for (; next < byEnd.size() && byEnd.get(next).endNanos() < nanos; next++) {
                last = last == null || byEnd.get(next).startNanos() > last.startNanos() ? byEnd.get(next) : last;
            }
            return Optional.ofNullable(last);
        }
    }

    /** Whether there was a row. */
    private static final class Row {
        private static final long NEVER = Long.MIN_VALUE;

        private final List<Write> deletes;
        private final Acknowledged acknowledged;
        /** By the end of each read that has shown any value: what was shown by then, that which began last. */
        private final TreeMap<Long, Zone> shown = new TreeMap<>();
        /** When a field was seen to have the same value all the time, by the start of each. */
        private final TreeMap<Long, Long> held = new TreeMap<>();

        private Zone last;
        private boolean wasThere;
        private final boolean wasLoaded;
        private long absent = NEVER;

        Row(List<Write> writes, boolean loaded) {
            deletes =
                    writes.stream().filter(write -> write.kind() == Kind.DELETE).toList();
            acknowledged =
                    new Acknowledged(writes.stream().filter(Write::leavesRow).toList());
            wasThere = isMadeByNone(writes);
            wasLoaded = loaded && writes.stream().noneMatch(write -> write.kind() == Kind.INSERT);
        }

        /** An update has succeeded before any insert began. */
        private static boolean isMadeByNone(List<Write> writes) {
            long updated = writes.stream()
                    .filter(write -> write.kind() == Kind.UPDATE && write.acknowledged())
                    .mapToLong(Write::endNanos)
                    .min()
                    .orElse(NEVER);
            return writes.stream().noneMatch(write -> write.kind() == Kind.INSERT && write.startNanos() <= updated)
                    && updated != NEVER;
        }

        void shown(Zone zone, Read read) {
            wasThere |= zone.write().equals(Zone.BEFORE_THE_RUN);
            Zone now = new Zone(
                    zone.write(), Math.max(zone.write().startNanos(), read.startNanos()), read.endNanos(), true);
            last = later(last, now);
            Map.Entry<Long, Zone> known = shown.floorEntry(read.endNanos());
            if (known != null && known.getValue().lastStart() >= now.lastStart()) {
                return;
            }
            shown.put(read.endNanos(), now);
            var after = shown.tailMap(read.endNanos(), false).values().iterator();
            while (after.hasNext() && after.next().lastStart() <= now.lastStart()) {
                after.remove();
            }
            if (zone.holds()) {
                held.merge(zone.firstEnd(), zone.lastStart(), Math::max);
            }
        }

        private static Zone later(Zone one, Zone other) {
            return one == null || one.lastStart() < other.lastStart() ? other : one;
        }

        void judge(List<Read> missing, List<Finding> findings) {
            for (Read read : missing) {
                Optional<Write> made = acknowledged.before(read.startNanos());
                Map.Entry<Long, Zone> seen = shown.lowerEntry(read.startNanos());
                if (made.isPresent() && !isDeleted(made.get().startNanos(), read)) {
                    findings.add(new Finding(Fault.STALE, read, made));
                } else if (seen != null && !isDeleted(seen.getValue().lastStart(), read)
                        || wasThere && !isDeleted(NEVER, read)
                        || isHeld(read)) {
                    findings.add(new Finding(
                            Fault.BACKWARDS,
                            read,
                            Optional.ofNullable(seen)
                                    .map(entry -> entry.getValue().write())
                                    .filter(write -> !write.equals(Zone.BEFORE_THE_RUN))));
                } else if (wasLoaded && !isDeleted(NEVER, read)) {
                    findings.add(new Finding(Fault.MISSING, read, Optional.empty()));
                } else {
                    absent = Math.max(absent, read.startNanos());
                }
            }
        }

        /** Whether a delete may have come after this and before the read. */
        private boolean isDeleted(long sinceNanos, Read read) {
            return deletes.stream()
                    .anyMatch(delete -> delete.endNanos() >= sinceNanos && delete.startNanos() <= read.endNanos());
        }

        private boolean isHeld(Read read) {
            return held.headMap(read.startNanos(), false).values().stream().anyMatch(until -> read.endNanos() < until);
        }

        /** What says that there must be a row unless it was deleted later; null when nothing does. */
        Zone left(boolean strong) {
            Zone before = wasThere || wasLoaded ? Zone.ROW_BEFORE_THE_RUN : null;
            return strong && last != null ? last : before;
        }
    }
}
