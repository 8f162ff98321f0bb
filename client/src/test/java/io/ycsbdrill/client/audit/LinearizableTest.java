package io.ycsbdrill.client.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.audit.journal.Read;
import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.audit.journal.Write.Kind;
import io.ycsbdrill.client.audit.journal.WriteHistory.KeyWrites;
import io.ycsbdrill.client.audit.journal.WriteId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Writes, reads of the run and the read-back of one field together, against an oracle that tries all orders. */
class LinearizableTest {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long AFTER = 1_000;
    /** In place of a value: there is no row. */
    private static final long NOTHING = -7;

    /** @param end {@link #NEVER} for a write that may come at any time, or not at all */
    private record Op(boolean isRead, Kind kind, long value, long start, long end) {}

    private record State(Set<Integer> done, long value) {}

    private final List<Write> writes = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();

    @Test
    void agreesWithAllOrdersOnUpdatesOverManyRandomHistories() {
        int clean = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            long last = history(random, 0);

            boolean possible = possible(last);

            assertThat(isClean(last))
                    .as("seed %d: %s %s, at the end %d", seed, writes, reads, last)
                    .isEqualTo(possible);
            clean += possible ? 1 : 0;
        }
        assertThat(clean).isBetween(2_000, 18_000);
    }

    /** Each value is written once, but "no row" by every delete, so a read that finds none does not say which of them it has seen. */
    @Test
    void agreesWithAllOrdersAlsoWithDeletesAndInserts() {
        int clean = 0;
        int deleted = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            long last = history(random, 3);

            boolean possible = possible(last);

            assertThat(isClean(last))
                    .as("seed %d: %s %s, at the end %d", seed, writes, reads, last)
                    .isEqualTo(possible);
            clean += possible ? 1 : 0;
            deleted += writes.stream().anyMatch(write -> write.kind() == Kind.DELETE) ? 1 : 0;
        }
        assertThat(clean).isBetween(2_000, 18_000);
        assertThat(deleted).isGreaterThan(2_000);
    }

    /** Else it is counted twice, and as something that it is not. */
    @Test
    void whatOnlyAReadOfTheRunContradictsIsNoFindingOfTheReadBack() {
        int wrong = 0;
        for (int seed = 0; seed < 20_000; seed++) {
            long last = history(new Random(seed), 3);
            List<Read> all = List.copyOf(reads);
            ReadJudge.Judged judged = new ReadJudge(() -> true, key -> false, Optional.empty())
                    .judge(new KeyWrites("user1", List.copyOf(writes), all));
            judged.findings().forEach(finding -> reads.remove(finding.read()));
            if (judged.findings().isEmpty() || !possible(last)) {
                continue;
            }
            wrong++;
            reads.clear();
            reads.addAll(all);

            assertThat(findings(last))
                    .as("seed %d: %s %s, at the end %d", seed, writes, reads, last)
                    .hasSameSizeAs(judged.findings());
        }
        assertThat(wrong).isGreaterThan(500);
    }

    @Test
    void anUnknownWriteThatAReadHasShownEndedThenAndALaterOneIsLost() {
        unknown(1, 0);
        read(1, 5, 6);
        write(2, 20, 30);
        read(2, 40, 41);
        assertThat(findings(1)).containsExactly("lost 2");
        assertThat(findings(2)).isEmpty();

        read(1, 50, 51);
        assertThat(findings(2)).containsExactly("read STALE");
    }

    @Test
    void anUnknownWriteThatAReadHasShownIsNotTakenBack() {
        unknown(1, 0);
        assertThat(findings(Stamp.OTHER)).isEmpty();

        read(1, 5, 6);
        assertThat(findings(Stamp.OTHER)).containsExactly("lost 1");
        unknown(2, 7);
        read(2, 10, 11);
        assertThat(findings(1)).containsExactly("lost 2");
        assertThat(findings(2)).isEmpty();
    }

    @Test
    void readsThatFlipBetweenTwoOverlappingWritesAreAFinding() {
        write(1, 1, 10);
        write(2, 2, 9);
        read(1, 20, 21);
        assertThat(findings(1)).isEmpty();
        read(2, 30, 31);
        read(1, 40, 41);

        assertThat(findings(1)).containsExactly("read BACKWARDS");
        assertThat(findings(2)).containsExactly("read BACKWARDS", "lost 1");
    }

    @Test
    void aRowThatWasOnlyUpdatedIsNotGone() {
        unknown(1, 0);
        assertThat(findings(NOTHING)).isEmpty();
        read(Stamp.OTHER, 5, 6);
        assertThat(findings(NOTHING)).containsExactly("lost -1");
        read(1, 7, 8);
        assertThat(findings(NOTHING)).containsExactly("lost 1");
    }

    /** A copy that lags says nothing of the order of writes, but it cannot show what was not yet written. */
    @Test
    void whereReadsMayBeStaleTheirOrderProvesNothing() {
        unknown(1, 0);
        read(1, 5, 6);
        assertThat(findings(Stamp.OTHER, false)).isEmpty();
        write(2, 20, 30);
        assertThat(findings(1, false)).containsExactly("lost 2");
        write(3, 20, 30);
        read(2, 40, 41);
        read(3, 50, 51);
        assertThat(findings(2, false)).isEmpty();
        assertThat(findings(2)).containsExactly("read BACKWARDS");
    }

    private void write(long id, long start, long end) {
        writes.add(new Write(0, Kind.UPDATE, true, id, start, end));
    }

    private void unknown(long id, long start) {
        writes.add(new Write(0, Kind.UPDATE, false, id, start, NEVER));
    }

    private void read(long value, long start, long end) {
        reads.add(value == NOTHING ? new Read(Write.ROW, Stamp.OTHER, start, end) : new Read(0, value, start, end));
    }

    private List<String> findings(long last) {
        return findings(last, true);
    }

    private boolean isClean(long last) {
        return findings(last).isEmpty();
    }

    private List<String> findings(long last, boolean strong) {
        ReadJudge.Judged judged = new ReadJudge(() -> strong, key -> false, Optional.empty())
                .judge(new KeyWrites("user1", List.copyOf(writes), reads));
        List<String> findings = new ArrayList<>();
        if (strong) {
            judged.findings().forEach(finding -> findings.add("read " + finding.fault()));
        }
        ReadRow found = last == NOTHING ? ReadRow.ABSENT : new ReadRow(true, Map.of("field0", last));
        new KeyJudge(Map.of("field0", 0), List.of("field0"), id -> true)
                .judge(judged.history(), found)
                .findings()
                .forEach(finding -> findings.add(
                        finding instanceof KeyJudge.Lost lost
                                ? "lost " + lost.write().id()
                                : finding.toString()));
        return findings;
    }

    /** Up to seven calls of three clients, each read showing about what it may. */
    private long history(Random random, int others) {
        writes.clear();
        reads.clear();
        long[] busyUntil = new long[3];
        List<Long> values = new ArrayList<>(List.of(Stamp.OTHER));
        if (others > 0) {
            values.add(NOTHING);
        }
        int count = 2 + random.nextInt(6);
        for (int i = 0; i < count; i++) {
            int client = random.nextInt(3);
            long start = busyUntil[client] + 1 + random.nextInt(12);
            long end = start + random.nextInt(12);
            busyUntil[client] = end;
            if (random.nextInt(5) < 2) {
                boolean ok = random.nextInt(3) > 0;
                int dice = random.nextInt(6);
                Kind kind = dice < others ? dice == 0 ? Kind.DELETE : Kind.INSERT : Kind.UPDATE;
                long id = WriteId.of(client, i);
                int field = kind == Kind.UPDATE ? 0 : Write.ROW;
                writes.add(new Write(field, kind, ok, id, start, ok ? end : NEVER));
                if (kind != Kind.DELETE) {
                    values.add(id);
                }
            } else {
                read(values.get(values.size() - 1 - random.nextInt(Math.min(3, values.size()))), start, end);
            }
        }
        return values.get(random.nextInt(values.size()));
    }

    private boolean possible(long last) {
        List<Op> ops = new ArrayList<>();
        writes.forEach(write -> ops.add(new Op(false, write.kind(), write.id(), write.startNanos(), write.endNanos())));
        reads.forEach(read -> ops.add(new Op(
                true, null, read.field() == Write.ROW ? NOTHING : read.found(), read.startNanos(), read.endNanos())));
        ops.add(new Op(true, null, last, AFTER, AFTER));
        // What was there before is not known.
        return search(ops, new State(Set.of(), Stamp.OTHER), new HashSet<>())
                || search(ops, new State(Set.of(), NOTHING), new HashSet<>());
    }

    private static boolean search(List<Op> ops, State state, Set<State> tried) {
        long bound = NEVER;
        boolean complete = true;
        for (int i = 0; i < ops.size(); i++) {
            if (!state.done.contains(i) && ops.get(i).end < NEVER) {
                complete = false;
                bound = Math.min(bound, ops.get(i).end);
            }
        }
        if (complete) {
            return true;
        }
        if (!tried.add(state)) {
            return false;
        }
        for (int i = 0; i < ops.size(); i++) {
            Op op = ops.get(i);
            if (!state.done.contains(i) && op.start <= bound && mayBeIn(op, state.value)) {
                Set<Integer> done = new HashSet<>(state.done);
                done.add(i);
                long value = op.isRead ? state.value : op.kind == Kind.DELETE ? NOTHING : op.value;
                if (search(ops, new State(done, value), tried)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean mayBeIn(Op op, long value) {
        return op.isRead ? op.value == value : op.kind != Kind.UPDATE || value != NOTHING;
    }
}
