package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.Orders.Answer;
import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.audit.journal.Write.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * Judges one key: what was read back against what is known of its writes. Only what real time implies counts: of two writes that
 * overlapped either may be the last one. Pure.
 *
 * @param fields numbers by name
 * @param rowFields those that every row must have
 * @param mayExist whether a write of this id was sent and did not fail
 */
record KeyJudge(Map<String, Integer> fields, List<String> rowFields, LongPredicate mayExist) {
    /** What became of a write of unknown outcome. */
    enum Resolution {
        APPLIED,
        NOT_APPLIED,
        /** Another write that was not before it has covered it, so nothing depends on it any more. */
        OVERWRITTEN
    }

    /** Something that must not be. */
    sealed interface Finding permits Lost, Phantom {}

    /**
     * A write that was applied is not there, nor anything that may have followed it.
     *
     * @param write the last acknowledged one on its field or row; without any the last one that a read had shown, and {@link Zone#BEFORE_THE_RUN} for a row that
     *     only was there before
     * @param field where it was missed first; empty = the row
     * @param found id of the older write that is there instead, {@link Stamp#OTHER}, or nothing
     */
    record Lost(Write write, String field, Optional<Long> found) implements Finding {}

    /**
     * A value that should not exist.
     *
     * @param field empty for a row that a read had rightly not found, and that nothing can have made since
     * @param found id of a failed write or of one that was never sent, or {@link Stamp#DAMAGED}
     */
    record Phantom(String field, long found) implements Finding {}

    /**
     * @param findings none when all is well; at most one for each write
     * @param resolved writes of unknown outcome, by id
     * @param gone acknowledged writes that a {@link io.ycsbdrill.client.audit.journal.Rollback} has taken, each once
     * @param last acknowledged writes that would have been found missing
     * @param partly whether there are too many orders of the row's calls to try them all
     */
    record Verdict(
            List<Finding> findings, Map<Long, Resolution> resolved, List<Write> gone, int last, boolean partly) {}

    Verdict judge(KeyHistory history, ReadRow found) {
        List<Write> writes = history.writes();
        List<Finding> findings = new ArrayList<>();
        Set<Long> last = new HashSet<>();
        if (found.present()) {
            present(history, found, findings, last);
        } else {
            absent(history, findings, last);
        }
        Answer answer = history.orders()
                .filter(all -> findings.isEmpty())
                .map(all -> all.explain(found, fields))
                .orElse(Answer.EXPLAINED);
        if (answer == Answer.IMPOSSIBLE) {
            findings.add(contradicted(history, found));
        }
        Map<Long, Resolution> resolved = new LinkedHashMap<>();
        Map<Long, Write> rolledBack = new LinkedHashMap<>();
        for (Write write : writes) {
            if (!write.acknowledged()) {
                // One that wrote several fields is applied when any of them shows it.
                resolved.merge(write.id(), resolution(write, history, found), (a, b) -> a.compareTo(b) < 0 ? a : b);
            }
            if (write.rolledBack()) {
                rolledBack.put(write.id(), write);
            }
        }
        rolledBack.keySet().removeIf(id -> resolved.remove(id) != Resolution.NOT_APPLIED);
        return new Verdict(
                List.copyOf(findings),
                resolved,
                List.copyOf(rolledBack.values()),
                last.size(),
                answer == Answer.GAVE_UP);
    }

    /** Something says that there was a row; only a delete that may have come after it takes it away. */
    private static void absent(KeyHistory history, List<Finding> findings, Set<Long> last) {
        List<Write> deletes = deletes(history);
        note(last(deletes.stream().map(Zone::of).toList()), last);
        last(history.rows().stream()
                        .filter(row -> deletes.stream().noneMatch(delete -> delete.endNanos() >= row.lastStart()))
                        .toList())
                .ifPresent(row -> {
                    note(Optional.of(row), last);
                    findings.add(new Lost(row.write(), "", Optional.empty()));
                });
    }

    /**
     * What only all calls of a row that was not always there make impossible together: a row that is there should not be, and of one that is gone
     * that is missing which it had at last, acknowledged or not.
     */
    private static Finding contradicted(KeyHistory history, ReadRow found) {
        if (found.present()) {
            return new Phantom("", any(found).orElse(Stamp.OTHER));
        }
        return history.rows().stream()
                .max(Comparator.comparingLong(Zone::lastStart))
                .map(row -> new Lost(row.write(), "", Optional.empty()))
                .orElseGet(() -> new Lost(Zone.BEFORE_THE_RUN, "", Optional.empty()));
    }

    private static Optional<Long> any(ReadRow found) {
        return found.values().values().stream().max(Comparator.naturalOrder());
    }

    private void present(KeyHistory history, ReadRow found, List<Finding> findings, Set<Long> last) {
        Optional<Zone> delete = last(deletes(history).stream().map(Zone::of).toList());
        if (delete.isPresent() && !isMadeSince(delete.get().lastStart(), history)) {
            note(delete, last);
            findings.add(new Lost(delete.get().write(), "", any(found)));
            return;
        }
        if (history.absentNanos() > Long.MIN_VALUE && !isMadeSince(history.absentNanos(), history)) {
            findings.add(new Phantom("", any(found).orElse(Stamp.OTHER)));
            return;
        }
        TreeSet<String> names = new TreeSet<>(found.values().keySet());
        names.addAll(rowFields);
        fields.forEach((name, number) -> {
            if (history.writes().stream().anyMatch(w -> w.field() == number)) {
                names.add(name);
            }
        });
        for (String name : names) {
            List<Zone> zones = history.field(fields.getOrDefault(name, Integer.MAX_VALUE));
            note(last(zones), last);
            finding(name, zones, found.values().get(name)).ifPresent(finding -> {
                if (findings.stream().noneMatch(known -> same(known, finding))) {
                    findings.add(finding);
                }
            });
        }
    }

    private static void note(Optional<Zone> zone, Set<Long> last) {
        zone.filter(found -> found.write().acknowledged())
                .ifPresent(found -> last.add(found.write().id()));
    }

    private static List<Write> deletes(KeyHistory history) {
        return history.writes().stream()
                .filter(write -> write.kind() == Kind.DELETE)
                .toList();
    }

    /** Only an insert makes a row: an update of one that is not there does nothing. */
    private static boolean isMadeSince(long nanos, KeyHistory history) {
        return history.writes().stream().anyMatch(write -> write.kind() == Kind.INSERT && write.endNanos() >= nanos);
    }

    private Optional<Finding> finding(String name, List<Zone> zones, Long value) {
        if (value != null && value == Stamp.DAMAGED) {
            return Optional.of(new Phantom(name, value));
        }
        if (value != null && value != Stamp.OTHER) {
            Optional<Zone> shown = zones.stream()
                    .filter(zone -> zone.write().id() == value && zone.write().leavesRow())
                    .findFirst();
            if (shown.isPresent()) {
                return last(zones.stream()
                                .filter(zone ->
                                        zone != shown.get() && shown.get().precedes(zone))
                                .toList())
                        .map(zone -> new Lost(zone.write(), name, Optional.of(value)));
            }
            if (!mayExist.test(value) || last(zones).isEmpty()) {
                return Optional.of(new Phantom(name, value));
            }
        }
        return last(zones).map(zone -> new Lost(zone.write(), name, Optional.ofNullable(value)));
    }

    private static boolean same(Finding one, Finding other) {
        if (one instanceof Lost a && other instanceof Lost b) {
            return a.write().id() == b.write().id();
        }
        return one instanceof Phantom a
                && other instanceof Phantom b
                && a.found() == b.found()
                && a.found() != Stamp.DAMAGED;
    }

    /** The write, among those applied, that nothing is known to be after; an acknowledged one when there is any. */
    private static Optional<Zone> last(List<Zone> zones) {
        return zones.stream()
                .filter(Zone::applied)
                .max(Comparator.comparing((Zone zone) -> zone.write().acknowledged())
                        .thenComparingLong(Zone::lastStart));
    }

    private Resolution resolution(Write unknown, KeyHistory history, ReadRow found) {
        List<Write> writes = history.writes();
        if (unknown.kind() == Kind.DELETE) {
            return resolvedDelete(unknown, writes, found);
        }
        boolean shown = false;
        boolean covered = true;
        for (Map.Entry<String, Long> value : found.values().entrySet()) {
            int field = fields.getOrDefault(value.getKey(), Integer.MAX_VALUE);
            if (unknown.concerns(field)) {
                if (value.getValue() == unknown.id()) {
                    return Resolution.APPLIED;
                }
                shown = true;
                covered &= notBefore(unknown, writes, value.getValue());
            }
        }
        if (!shown) {
            covered = writes.stream().anyMatch(w -> w.kind() == Kind.DELETE && w.endNanos() >= unknown.startNanos());
        }
        if (covered) {
            return Resolution.OVERWRITTEN;
        }
        boolean seen = history.fields().values().stream()
                .flatMap(List::stream)
                .anyMatch(zone -> zone.write().id() == unknown.id() && zone.applied());
        return seen ? Resolution.APPLIED : Resolution.NOT_APPLIED;
    }

    private static Resolution resolvedDelete(Write unknown, List<Write> writes, ReadRow found) {
        if (!found.present()) {
            boolean another = writes.stream()
                    .anyMatch(w ->
                            w.kind() == Kind.DELETE && w.id() != unknown.id() && w.endNanos() >= unknown.startNanos());
            return another ? Resolution.OVERWRITTEN : Resolution.APPLIED;
        }
        boolean writtenAgain = found.values().values().stream().anyMatch(id -> notBefore(unknown, writes, id));
        return writtenAgain ? Resolution.OVERWRITTEN : Resolution.NOT_APPLIED;
    }

    private static boolean notBefore(Write unknown, List<Write> writes, long id) {
        return writes.stream().anyMatch(w -> w.id() == id && w.endNanos() >= unknown.startNanos());
    }
}
