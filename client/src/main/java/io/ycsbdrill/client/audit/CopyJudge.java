package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.KeyJudge.Finding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Judges the copies of one key: each by itself against what is known of its writes, and against each other byte by byte. Pure.
 */
record CopyJudge(KeyJudge judge) {
    /** Something that is wrong with one copy. */
    sealed interface Fault permits Judged, Differs {}

    /** The copy shows what no user may be shown. */
    record Judged(Finding finding) implements Fault {}

    /**
     * The copy is not what most of the others are; where no content has the most copies, not what the first one is.
     *
     * @param field where they differ first; empty when only one of them is there
     * @param found what the copy has; empty for nothing
     * @param others what the others have
     */
    record Differs(String field, Optional<Long> found, Optional<Long> others) implements Fault {}

    /**
     * What became of it.
     *
     * @param faults by number of the copy, for each that has any
     * @param differ whether not all copies that were read are equal
     * @param copies how many nodes are to have one, of those that answered
     * @param unreadable how many did not answer
     * @param expected how many nodes are to have one
     */
    record Comparison(Map<Integer, List<Fault>> faults, boolean differ, int copies, int unreadable, int expected) {
        /** Too many, or too few even if those that did not answer have one. */
        boolean miscounted() {
            return copies > expected || copies + unreadable < expected;
        }

        boolean suspect() {
            return differ || miscounted() || !faults.isEmpty();
        }
    }

    /** @param copies of the same key, of each node one */
    Comparison judge(KeyHistory history, List<RowCopy> copies, int expected) {
        Map<Integer, List<Fault>> faults = new LinkedHashMap<>();
        Map<Integer, RowCopy> right = new LinkedHashMap<>();
        List<RowCopy> all = copies.stream().filter(RowCopy::says).toList();
        for (int i = 0; i < copies.size(); i++) {
            RowCopy copy = copies.get(i);
            if (copy.says()) {
                List<Finding> findings = judge.judge(history, copy.found()).findings();
                if (findings.isEmpty()) {
                    right.put(i, copy);
                } else {
                    faults.put(i, List.copyOf(findings.stream().map(Judged::new).toList()));
                }
            }
        }
        different(right, faults);
        int unreadable = (int) copies.stream()
                .filter(copy -> copy.state() == RowCopy.State.UNREADABLE)
                .count();
        boolean differ = all.stream().anyMatch(copy -> !same(copy, all.get(0)));
        return new Comparison(faults, differ, all.size(), unreadable, expected);
    }

    /** If the copies may each be right, names those that are in the minority; without a majority all. */
    private static void different(Map<Integer, RowCopy> copies, Map<Integer, List<Fault>> faults) {
        List<List<Integer>> groups = new ArrayList<>();
        copies.forEach((number, copy) -> groups.stream()
                .filter(group -> same(copies.get(group.get(0)), copy))
                .findFirst()
                .orElseGet(() -> {
                    groups.add(new ArrayList<>());
                    return groups.get(groups.size() - 1);
                })
                .add(number));
        if (groups.size() < 2) {
            return;
        }
        groups.sort((a, b) -> b.size() - a.size());
        boolean tie = groups.get(0).size() == groups.get(1).size();
        RowCopy first = copies.get(groups.get(0).get(0));
        RowCopy second = copies.get(groups.get(1).get(0));
        for (List<Integer> group : groups) {
            boolean most = group == groups.get(0);
            if (!most || tie) {
                group.forEach(
                        number -> faults.put(number, List.of(differs(copies.get(number), most ? second : first))));
            }
        }
    }

    private static Differs differs(RowCopy copy, RowCopy other) {
        if (copy.state() != other.state()) {
            return new Differs("", any(copy), any(other));
        }
        TreeSet<String> fields = new TreeSet<>(copy.row().keySet());
        fields.addAll(other.row().keySet());
        String field = fields.stream()
                .filter(name -> !Arrays.equals(copy.row().get(name), other.row().get(name)))
                .findFirst()
                .orElseThrow();
        return new Differs(
                field,
                Optional.ofNullable(copy.found().values().get(field)),
                Optional.ofNullable(other.found().values().get(field)));
    }

    /** The newest value in a row, to name it by. */
    private static Optional<Long> any(RowCopy copy) {
        return copy.found().values().values().stream().max(Long::compare);
    }

    private static boolean same(RowCopy a, RowCopy b) {
        return a.state() == b.state()
                && a.row().keySet().equals(b.row().keySet())
                && a.row().entrySet().stream()
                        .allMatch(entry ->
                                Objects.deepEquals(entry.getValue(), b.row().get(entry.getKey())));
    }
}
