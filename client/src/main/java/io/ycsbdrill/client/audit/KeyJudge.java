package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.audit.journal.Write.Kind;
import io.ycsbdrill.client.audit.journal.WriteHistory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * Judges one key: what was read back against what is known of its writes. Only what real time implies counts: of two writes that
 * overlapped either may be the last one. Pure.
 */
public final class KeyJudge {
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
     * An acknowledged write is not there, nor anything that may have followed it.
     *
     * @param write the last acknowledged one on its field or row
     * @param field where it was missed first; empty = the row
     * @param found id of the older write that is there instead, {@link Stamp#OTHER}, or nothing
     */
    public record Lost(Write write, String field, Optional<Long> found) implements Finding {}

    /**
     * A value that should not exist.
     *
     * @param found id of a failed write or of one that was never sent, or {@link ReadRow#DAMAGED}
     */
    record Phantom(String field, long found) implements Finding {}

    /**
     * @param findings none when all is well; at most one for each write
     * @param resolved writes of unknown outcome, by id
     */
    public record Verdict(List<Finding> findings, Map<Long, Resolution> resolved) {}

    private final Map<String, Integer> fields;
    private final List<String> rowFields;
    private final LongPredicate mayExist;

    /**
     * @param fields numbers by name
     * @param rowFields those that every row must have
     * @param mayExist whether a write of this id was sent and did not fail
     */
    public KeyJudge(Map<String, Integer> fields, List<String> rowFields, LongPredicate mayExist) {
        this.fields = fields;
        this.rowFields = rowFields;
        this.mayExist = mayExist;
    }

    /** @param writes without those that others have covered, see {@link WriteHistory#undominated} */
    public Verdict judge(List<Write> writes, ReadRow found) {
        List<Finding> findings = new ArrayList<>();
        if (found.present()) {
            present(writes, found, findings);
        } else {
            absent(writes, findings);
        }
        Map<Long, Resolution> resolved = new LinkedHashMap<>();
        for (Write write : writes) {
            if (!write.acknowledged()) {
                // One that wrote several fields is applied when any of them shows it.
                resolved.merge(write.id(), resolution(write, writes, found), (a, b) -> a.compareTo(b) < 0 ? a : b);
            }
        }
        return new Verdict(List.copyOf(findings), resolved);
    }

    /** An acknowledged write says that there was a row; only a delete that may have come after it takes it away. */
    private static void absent(List<Write> writes, List<Finding> findings) {
        last(writes.stream().filter(Write::leavesRow).toList()).ifPresent(row -> {
            boolean deleted = writes.stream()
                    .anyMatch(write -> write.kind() == Kind.DELETE && write.endNanos() >= row.startNanos());
            if (!deleted) {
                findings.add(new Lost(row, "", Optional.empty()));
            }
        });
    }

    private void present(List<Write> writes, ReadRow found, List<Finding> findings) {
        Optional<Write> delete =
                last(writes.stream().filter(w -> w.kind() == Kind.DELETE).toList());
        if (delete.isPresent()
                && writes.stream()
                        .noneMatch(w ->
                                w.leavesRow() && w.endNanos() >= delete.get().startNanos())) {
            findings.add(
                    new Lost(delete.get(), "", found.values().values().stream().max(Comparator.naturalOrder())));
            return;
        }
        TreeSet<String> names = new TreeSet<>(found.values().keySet());
        names.addAll(rowFields);
        fields.forEach((name, number) -> {
            if (writes.stream().anyMatch(w -> w.field() == number)) {
                names.add(name);
            }
        });
        for (String name : names) {
            finding(name, writes, found.values().get(name)).ifPresent(finding -> {
                if (findings.stream().noneMatch(known -> same(known, finding))) {
                    findings.add(finding);
                }
            });
        }
    }

    private Optional<Finding> finding(String name, List<Write> writes, Long value) {
        if (value != null && value == Stamp.DAMAGED) {
            return Optional.of(new Phantom(name, value));
        }
        int field = fields.getOrDefault(name, Integer.MAX_VALUE);
        List<Write> concerned = writes.stream().filter(w -> w.concerns(field)).toList();
        Optional<Write> last = last(concerned);
        if (value != null && value != Stamp.OTHER) {
            Optional<Write> shown = concerned.stream()
                    .filter(w -> w.id() == value && w.leavesRow())
                    .findFirst();
            if (shown.isPresent()) {
                return last.filter(w -> w.startNanos() > shown.get().endNanos())
                        .map(w -> new Lost(w, name, Optional.of(value)));
            }
            if (!mayExist.test(value) || last.isEmpty()) {
                return Optional.of(new Phantom(name, value));
            }
        }
        if (value == null && last.isPresent() && mayBeWithout(field, last.get(), writes)) {
            return Optional.empty();
        }
        return last.map(w -> new Lost(w, name, Optional.ofNullable(value)));
    }

    /** A row lacks a field when it was deleted and made again by a write of other fields only. */
    private static boolean mayBeWithout(int field, Write last, List<Write> writes) {
        return writes.stream()
                .filter(delete -> delete.kind() == Kind.DELETE && delete.endNanos() >= last.startNanos())
                .anyMatch(delete -> writes.stream()
                        .anyMatch(w -> w.leavesRow() && !w.concerns(field) && w.endNanos() >= delete.startNanos()));
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

    /** The acknowledged write that began last: no acknowledged one is known to be after it. */
    private static Optional<Write> last(List<Write> writes) {
        return writes.stream().filter(Write::acknowledged).max(Comparator.comparingLong(Write::startNanos));
    }

    private Resolution resolution(Write unknown, List<Write> writes, ReadRow found) {
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
        return covered ? Resolution.OVERWRITTEN : Resolution.NOT_APPLIED;
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
