package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.audit.journal.Write.Kind;
import io.ycsbdrill.client.audit.journal.WriteHistory.KeyWrites;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tries all orders of what was done to one row and seen of it until one explains everything (Wing and Gong, "Testing and Verifying Concurrent Objects", 1993).
 * For rows that were deleted or not found: no {@link Register} knows which delete such a read has seen, nor that an update which succeeded had a row. Immutable.
 *
 * @param wasThere whether there is known to have been a row before them
 */
record Orders(List<Call> calls, Set<Integer> fields, boolean wasThere) {
    /** No orders of more are tried; with one of the read-back they are the bits of a long. */
    private static final int MOST_CALLS = 50;

    /** What takes more to try is given up. */
    private static final int MOST_STATES = 10_000;

    /** In place of a value: there is no row. */
    private static final long NOTHING = Long.MIN_VALUE;

    private static final long AT_THE_END = Long.MAX_VALUE - 1;

    /** A field that no write concerns, not even one of the row: to have seen it is to have seen that there is a row. */
    private static final int ANY = Integer.MIN_VALUE;

    /** Whether an order explains all. */
    enum Answer {
        EXPLAINED,
        /** None of those tried does, and there are too many to try them all. */
        GAVE_UP,
        IMPOSSIBLE
    }

    /** A write, or without a kind a read; one that ends at {@link Long#MAX_VALUE} may come at any time, or never. */
    record Call(Kind kind, int field, long value, long start, long end) {
        /** What is in a field after it; empty when this cannot have been with {@code now} there. */
        Optional<Long> after(long now, int of) {
            boolean same = field == of || field == Write.ROW;
            boolean can = kind == null
                    ? value == NOTHING ? now == NOTHING : now != NOTHING && (!same || now == value)
                    : kind != Kind.UPDATE || now != NOTHING;
            long then = kind == null || !same ? now : kind == Kind.DELETE ? NOTHING : value;
            return can ? Optional.of(then) : Optional.empty();
        }
    }

    private record State(long done, long value) {}

    /** Whether a row needs it, as there was not always one. */
    static boolean areNeeded(KeyWrites key) {
        return key.all().stream().anyMatch(write -> write.kind() == Kind.DELETE)
                || !key.all().isEmpty() && key.reads().stream().anyMatch(read -> read.field() == Write.ROW);
    }

    /** Those of a row that needs them; empty when there are too many calls. */
    static Optional<Orders> of(KeyWrites key, boolean wasThere) {
        if (!areNeeded(key) || key.all().size() + key.reads().size() > MOST_CALLS) {
            return Optional.empty();
        }
        List<Call> calls = new ArrayList<>();
        Set<Integer> fields = new HashSet<>(Set.of(Integer.MAX_VALUE));
        key.all()
                .forEach(w -> calls.add(new Call(
                        w.kind(),
                        w.field(),
                        w.id(),
                        w.startNanos(),
                        w.acknowledged() ? w.endNanos() : Long.MAX_VALUE)));
        key.reads().forEach(read -> {
            long value = read.field() == Write.ROW ? NOTHING : read.found();
            calls.add(new Call(null, read.field(), value, read.startNanos(), read.endNanos()));
            fields.add(read.field());
        });
        return Optional.of(new Orders(calls, fields, wasThere));
    }

    /** Whether they explain all that was seen while the run went on. */
    Answer explain() {
        return worst(fields.stream().map(field -> search(field, List.of())).toList());
    }

    /** Whether they explain that, and what is there in the end, with the numbers of fields. */
    Answer explain(ReadRow found, Map<String, Integer> numbers) {
        List<Answer> answers = new ArrayList<>();
        Set<Integer> others = new HashSet<>(fields);
        found.values().forEach((name, value) -> {
            int field = numbers.getOrDefault(name, Integer.MAX_VALUE);
            others.remove(field);
            answers.add(search(field, List.of(atTheEnd(field, value))));
        });
        Call row = found.present() ? atTheEnd(ANY, 0) : atTheEnd(Write.ROW, NOTHING);
        others.forEach(field -> answers.add(search(field, List.of(row))));
        return worst(answers);
    }

    private static Call atTheEnd(int field, long value) {
        return new Call(null, field, value, AT_THE_END, AT_THE_END);
    }

    private static Answer worst(List<Answer> answers) {
        return answers.stream().max(Comparator.naturalOrder()).orElse(Answer.EXPLAINED);
    }

    private Answer search(int field, List<Call> atTheEnd) {
        List<Call> all = new ArrayList<>(calls);
        all.addAll(atTheEnd);
        Set<Long> seen = all.stream()
                .filter(call -> call.kind == null && call.field == field)
                .map(Call::value)
                .collect(Collectors.toSet());
        // An update that may never have come explains nothing but its own value.
        all.removeIf(call -> call.kind == Kind.UPDATE && call.end == Long.MAX_VALUE && !seen.contains(call.value));
        all.sort(Comparator.comparingLong(Call::end));
        Answer answer = new Search(all, field, new HashSet<>()).from(Stamp.OTHER);
        return answer == Answer.EXPLAINED || wasThere
                ? answer
                : Collections.min(List.of(answer, new Search(all, field, new HashSet<>()).from(NOTHING)));
    }

    private record Search(List<Call> calls, int field, Set<State> tried) {
        Answer from(long value) {
            return explains(new State(0, value))
                    ? Answer.EXPLAINED
                    : tried.size() > MOST_STATES ? Answer.GAVE_UP : Answer.IMPOSSIBLE;
        }

        private boolean explains(State state) {
            long bound = Long.MAX_VALUE;
            for (int i = 0; i < calls.size(); i++) {
                bound = (state.done >> i & 1) != 0 ? bound : Math.min(bound, calls.get(i).end);
            }
            if (bound == Long.MAX_VALUE || tried.size() > MOST_STATES || !tried.add(state)) {
                return bound == Long.MAX_VALUE;
            }
            for (int i = 0; i < calls.size(); i++) {
                Call call = calls.get(i);
                Optional<Long> after = (state.done >> i & 1) != 0 || call.start > bound
                        ? Optional.empty()
                        : call.after(state.value, field);
                if (after.isPresent() && explains(new State(state.done | 1L << i, after.get()))) {
                    return true;
                }
            }
            return false;
        }
    }
}
