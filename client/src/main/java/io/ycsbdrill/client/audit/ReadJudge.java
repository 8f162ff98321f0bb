package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.journal.Read;
import io.ycsbdrill.client.audit.journal.Stamp;
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
import java.util.function.LongPredicate;

/**
 * Judges what the reads of one key have shown while the run went on. Only what real time implies counts, as in {@link KeyJudge}: for each session
 * guarantee see Terry et al., "Session Guarantees for Weakly Consistent Replicated Data" (1994), here for all clients as one session. Pure.
 */
final class ReadJudge {
    /** What a read has shown that a database with strong reads never shows. */
    enum Fault {
        /** Neither a write that was acknowledged before the read began nor any that may have followed it. */
        STALE,
        /** Something older than what an earlier read had shown, or no row, though not older than what was acknowledged. */
        BACKWARDS,
        /** The value of a failed write, or a damaged one. */
        PHANTOM
    }

    /**
     * A read that must not have been.
     *
     * @param missed the newer write; empty when there is none, as for a phantom and for a row from before the run
     */
    record Finding(Fault fault, Read read, Optional<Write> missed) {}

    /** In place of the writes that were before the run: the row was there. */
    private static final Write BEFORE =
            new Write(Write.ROW, Kind.INSERT, false, Stamp.OTHER, Long.MIN_VALUE, Long.MIN_VALUE);

    private final LongPredicate mayExist;

    /** @param mayExist whether a write of this id was sent and did not fail */
    ReadJudge(LongPredicate mayExist) {
        this.mayExist = mayExist;
    }

    /** At most one finding for each read. */
    List<Finding> judge(KeyWrites key) {
        Map<Long, Write> byId = new HashMap<>();
        key.all().forEach(write -> byId.put(write.id(), write));
        // The row comes last: what reads have shown of any field was in it.
        TreeMap<Integer, List<Read>> byField = new TreeMap<>(Comparator.reverseOrder());
        key.reads().forEach(read -> byField.computeIfAbsent(read.field(), field -> new ArrayList<>())
                .add(read));
        Shown inRow = new Shown();
        List<Finding> findings = new ArrayList<>();
        byField.forEach((field, reads) -> judge(field, reads, key.all(), byId, inRow, findings));
        return findings;
    }

    private void judge(
            int field,
            List<Read> reads,
            List<Write> writes,
            Map<Long, Write> byId,
            Shown inRow,
            List<Finding> findings) {
        // Those that are applied, in the order in which that became known.
        List<Write> applied = writes.stream()
                .filter(Write::acknowledged)
                .filter(field == Write.ROW ? Write::leavesRow : write -> write.concerns(field))
                .sorted(Comparator.comparingLong(Write::endNanos))
                .toList();
        List<Write> deletes =
                writes.stream().filter(write -> write.kind() == Kind.DELETE).toList();
        Shown shown = new Shown();
        Write last = null;
        int next = 0;
        for (Read read : reads.stream()
                .sorted(Comparator.comparingLong(Read::startNanos))
                .toList()) {
            for (; next < applied.size() && applied.get(next).endNanos() < read.startNanos(); next++) {
                last = last == null || applied.get(next).startNanos() > last.startNanos() ? applied.get(next) : last;
            }
            Write found = byId.get(read.found());
            if (read.found() == Stamp.DAMAGED
                    || read.found() != Stamp.OTHER && found == null && !mayExist.test(read.found())) {
                findings.add(new Finding(Fault.PHANTOM, read, Optional.empty()));
            } else if (last != null && (field == Write.ROW ? isMissing(last, read, deletes) : isAfter(last, found))) {
                findings.add(new Finding(Fault.STALE, read, Optional.of(last)));
            } else if (field == Write.ROW) {
                inRow.before(read.startNanos())
                        .filter(write -> isMissing(write, read, deletes))
                        .ifPresent(write -> findings.add(new Finding(
                                Fault.BACKWARDS, read, Optional.of(write).filter(missed -> !missed.equals(BEFORE)))));
            } else if (found != null || read.found() == Stamp.OTHER) {
                shown.before(read.startNanos())
                        .filter(write -> isAfter(write, found))
                        .ifPresent(write -> findings.add(new Finding(Fault.BACKWARDS, read, Optional.of(write))));
                if (found != null) {
                    shown.add(read.endNanos(), found);
                }
                inRow.add(read.endNanos(), found == null ? BEFORE : found);
            }
        }
    }

    /** Whether no delete that may be after the write explains that there was no row. */
    private static boolean isMissing(Write write, Read read, List<Write> deletes) {
        return deletes.stream()
                .noneMatch(delete -> delete.endNanos() >= write.startNanos() && delete.startNanos() <= read.endNanos());
    }

    /** @param found null when it is from before the run */
    private static boolean isAfter(Write write, Write found) {
        return found == null || write.startNanos() > found.endNanos();
    }

    /** Of one field or of the row, by the end of each read, the write that began last of those that reads had shown by then. */
    private static final class Shown {
        private final TreeMap<Long, Write> latest = new TreeMap<>();

        Optional<Write> before(long nanos) {
            return Optional.ofNullable(latest.lowerEntry(nanos)).map(Map.Entry::getValue);
        }

        void add(long endNanos, Write write) {
            Optional<Write> known = before(endNanos + 1);
            if (known.isPresent() && known.get().startNanos() >= write.startNanos()) {
                return;
            }
            latest.put(endNanos, write);
            var later = latest.tailMap(endNanos, false).entrySet().iterator();
            while (later.hasNext() && later.next().getValue().startNanos() <= write.startNanos()) {
                later.remove();
            }
        }
    }
}
