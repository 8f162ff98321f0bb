package io.ycsbdrill.client.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.audit.KeyJudge.Verdict;
import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.audit.journal.Write.Kind;
import io.ycsbdrill.client.audit.journal.WriteHistory.KeyWrites;
import io.ycsbdrill.client.audit.journal.WriteId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Against an oracle that knows nothing of the judge: all orders in which the writes of a key can have taken effect. */
class KeyJudgeTest {
    private static final List<String> FIELDS = List.of("field0", "field1");
    private static final Map<String, Integer> NUMBERS = Map.of("field0", 0, "field1", 1);

    /** A row that some order of the writes leaves behind; null values = no such field. */
    private record State(boolean present, Long first, Long second) {
        Long value(int field) {
            return field == 0 ? first : second;
        }
    }

    @Test
    void agreesWithAllOrdersOfTheWritesOverManyRandomHistories() {
        int wrong = 0;
        for (int seed = 0; seed < 5_000; seed++) {
            Random random = new Random(seed);
            List<Write> history = history(random);
            ReadRow found = anything(random, history);
            if (states(history).isEmpty()) {
                continue; // an acknowledged update of no row
            }

            Verdict verdict = judged(history, found);

            boolean possible = possible(history, found);
            if (!possible && mayNeedAnInsertTwice(history)) {
                continue;
            }
            assertThat(verdict.findings().isEmpty())
                    .as("seed %d: %s found %s: %s", seed, history, found, verdict)
                    .isEqualTo(possible);
            wrong += possible ? 0 : 1;
        }
        assertThat(wrong).as("both answers were asked for").isBetween(500, 4_500);
    }

    /** Of two writes that touch nobody knows which one was first. */
    @Test
    void aDeleteThatEndsAsTheWriteBeginsMayHaveFollowedIt() {
        for (int end = 9; end <= 10; end++) {
            List<Write> history = List.of(
                    new Write(Write.ROW, Kind.INSERT, true, WriteId.of(0, 0), 10, 12),
                    new Write(Write.ROW, Kind.DELETE, true, WriteId.of(1, 0), 5, end));

            assertThat(judged(history, found(new State(false, null, null))).findings())
                    .as("deleted until %s", end)
                    .hasSize(end == 10 ? 0 : 1);
        }
    }

    @Test
    void findsNothingInWhatAnyOrderLeavesBehind() {
        for (int seed = 0; seed < 1_000; seed++) {
            Random random = new Random(seed);
            List<Write> history = history(random);
            for (State state : states(history)) {
                assertThat(judged(history, found(state)).findings())
                        .as("seed %d: %s left %s", seed, history, state)
                        .isEmpty();
            }
        }
    }

    /** As the read-back does it. */
    private static Verdict judged(List<Write> history, ReadRow found) {
        return new KeyJudge(NUMBERS, FIELDS, id -> true)
                .judge(KeyHistory.ofWrites(new KeyWrites("user1", history, List.of())), found);
    }

    /** One to six writes of two writers, which overlap often. */
    private static List<Write> history(Random random) {
        List<Write> history = new ArrayList<>();
        int count = 1 + random.nextInt(6);
        long[] busyUntil = new long[2];
        for (int i = 0; i < count; i++) {
            int writer = random.nextInt(2);
            // Times are never equal, so that the oracle need not know what to do with them.
            long start = busyUntil[writer] + (1 + random.nextInt(8)) * 100L + 2 * i;
            long end = start + random.nextInt(12) * 100L + 1;
            busyUntil[writer] = end;
            boolean acknowledged = random.nextInt(4) > 0;
            Kind kind = Kind.values()[random.nextInt(3)];
            int field = kind == Kind.UPDATE ? random.nextInt(3) - 1 : Write.ROW;
            history.add(new Write(
                    field, kind, acknowledged, WriteId.of(writer, i), start, acknowledged ? end : Long.MAX_VALUE));
        }
        return history;
    }

    private static ReadRow anything(Random random, List<Write> history) {
        if (random.nextInt(4) == 0) {
            return ReadRow.ABSENT;
        }
        Map<String, Long> values = new HashMap<>();
        for (int field = 0; field < FIELDS.size(); field++) {
            int number = field;
            List<Long> ids = new ArrayList<>(history.stream()
                    .filter(w -> w.leavesRow() && w.concerns(number))
                    .map(Write::id)
                    .toList());
            ids.add(Stamp.OTHER);
            int at = random.nextInt(ids.size() + 1);
            if (at < ids.size()) {
                values.put(FIELDS.get(field), ids.get(at));
            }
        }
        return new ReadRow(true, values);
    }

    private static ReadRow found(State state) {
        if (!state.present) {
            return ReadRow.ABSENT;
        }
        Map<String, Long> values = new HashMap<>();
        for (int field = 0; field < FIELDS.size(); field++) {
            if (state.value(field) != null) {
                values.put(FIELDS.get(field), state.value(field));
            }
        }
        return new ReadRow(true, values);
    }

    /** Whether the row may be there or not, and each field, by itself, have its value. */
    private static boolean possible(List<Write> history, ReadRow found) {
        Set<State> states = states(history);
        if (!found.present()) {
            return states.stream().anyMatch(state -> !state.present);
        }
        for (int field = 0; field < FIELDS.size(); field++) {
            int number = field;
            Long value = found.values().get(FIELDS.get(field));
            if (states.stream().noneMatch(state -> state.present && Objects.equals(state.value(number), value))) {
                return false;
            }
        }
        return true;
    }

    private static Set<State> states(List<Write> history) {
        Set<State> states = new HashSet<>();
        // Nothing is known of the row before the run.
        List<State> before = List.of(
                new State(false, null, null),
                new State(true, Stamp.OTHER, Stamp.OTHER),
                new State(true, Stamp.OTHER, null),
                new State(true, null, Stamp.OTHER),
                new State(true, null, null));
        before.forEach(initial -> collect(initial, history, new boolean[history.size()], states));
        return states;
    }

    /** Each write that may come next, in turn; one that is unknown need not come at all. */
    private static void collect(State state, List<Write> history, boolean[] done, Set<State> states) {
        boolean complete = true;
        for (int i = 0; i < done.length; i++) {
            Write next = history.get(i);
            complete &= done[i] || !next.acknowledged();
            if (!done[i] && mayBeNext(next, history, done) && mayBeIn(next, state)) {
                done[i] = true;
                collect(apply(next, state), history, done, states);
                done[i] = false;
            }
        }
        if (complete) {
            states.add(state);
        }
    }

    /** One insert can explain an update between two deletes, or the row after them, but not both: that is not looked for. */
    private static boolean mayNeedAnInsertTwice(List<Write> history) {
        return history.stream().anyMatch(write -> write.kind() == Kind.UPDATE && write.acknowledged())
                && history.stream().anyMatch(write -> write.kind() == Kind.INSERT)
                && history.stream().anyMatch(write -> write.kind() == Kind.DELETE);
    }

    /** Only an insert makes a row. */
    private static boolean mayBeIn(Write write, State state) {
        return write.kind() != Kind.UPDATE || state.present;
    }

    /** Nothing acknowledged that ended before its start is still to come. */
    private static boolean mayBeNext(Write write, List<Write> history, boolean[] done) {
        for (int i = 0; i < done.length; i++) {
            Write other = history.get(i);
            if (!done[i] && other.acknowledged() && other.endNanos() < write.startNanos()) {
                return false;
            }
        }
        return true;
    }

    private static State apply(Write write, State state) {
        if (write.kind() == Kind.DELETE) {
            return new State(false, null, null);
        }
        return new State(
                true,
                write.concerns(0) ? Long.valueOf(write.id()) : state.first,
                write.concerns(1) ? Long.valueOf(write.id()) : state.second);
    }
}
