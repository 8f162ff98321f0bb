package io.ycsbdrill.client.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.audit.ReadJudge.Fault;
import io.ycsbdrill.client.audit.ReadJudge.Finding;
import io.ycsbdrill.client.audit.journal.Read;
import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.audit.journal.Write.Kind;
import io.ycsbdrill.client.audit.journal.WriteHistory.KeyWrites;
import io.ycsbdrill.client.audit.journal.WriteId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Against a register that is known to be strong, and against one that sometimes answers from an older state. */
class ReadJudgeTest {
    private static final long NEVER = Long.MAX_VALUE;

    /** A write or a read with the moment at which it took effect; a write of unknown outcome may take effect late, or never. */
    private record Call(boolean isRead, long start, long moment, long end, Kind kind, int field, long id, boolean ok) {}

    private final List<Write> writes = new ArrayList<>();
    private final List<Read> reads = new ArrayList<>();

    /** Plays a history of overlapping calls on one row of two fields; each read shows the row as it was {@code age} effects ago. */
    private Map<Fault, Integer> play(Random random, int staleOf) {
        writes.clear();
        reads.clear();
        List<Call> calls = new ArrayList<>();
        long[] busyUntil = new long[4];
        for (int i = 0; i < 60; i++) {
            int client = random.nextInt(4);
            long start = busyUntil[client] + 10 * (1 + random.nextInt(40)) + 1;
            long end = start + 10 * (2 + random.nextInt(40));
            busyUntil[client] = end;
            long moment = start + 1 + random.nextInt((int) (end - start - 1));
            boolean read = random.nextBoolean();
            boolean ok = random.nextInt(10) > 0;
            if (!read && !ok) {
                moment = random.nextBoolean() ? NEVER : start + 1 + random.nextInt(3_000);
            }
            Kind kind = Kind.values()[random.nextInt(8) == 0 ? 2 : random.nextInt(2)];
            int field = kind == Kind.UPDATE && random.nextInt(3) > 0 ? random.nextInt(2) : Write.ROW;
            calls.add(new Call(
                    read, start, moment, end, kind, read ? random.nextInt(2) : field, WriteId.of(client, i), ok));
        }
        List<Map<Integer, Long>> states = new ArrayList<>();
        Set<Long> none = new HashSet<>();
        states.add(Map.of(0, Stamp.OTHER, 1, Stamp.OTHER));
        calls.stream().sorted(Comparator.comparingLong(Call::moment)).forEach(call -> {
            Map<Integer, Long> now = states.get(states.size() - 1);
            if (call.isRead) {
                if (staleOf > 0 && random.nextInt(staleOf) == 0) {
                    now = states.get(random.nextInt(states.size()));
                }
                reads.add(
                        now.isEmpty()
                                ? new Read(Write.ROW, Stamp.OTHER, call.start, call.end)
                                : now.containsKey(call.field)
                                        ? new Read(call.field, now.get(call.field), call.start, call.end)
                                        : new Read(Write.ROW + 100, Stamp.OTHER, call.start, call.end));
            } else if (call.moment != NEVER && call.kind == Kind.UPDATE && now.isEmpty()) {
                none.add(call.id); // only an insert makes a row
            } else if (call.moment != NEVER) {
                Map<Integer, Long> next = new HashMap<>(now);
                if (call.kind == Kind.DELETE) {
                    next.clear();
                } else if (call.field == Write.ROW) {
                    next.put(0, call.id);
                    next.put(1, call.id);
                } else {
                    next.put(call.field, call.id);
                }
                states.add(next);
            }
        });
        reads.removeIf(read -> read.field() > 1);
        calls.stream()
                .filter(call -> !call.isRead && !none.contains(call.id))
                .forEach(call -> writes.add(
                        new Write(call.field, call.kind, call.ok, call.id, call.start, call.ok ? call.end : NEVER)));
        Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
        findings().forEach(finding -> counts.merge(finding.fault(), 1, Integer::sum));
        return counts;
    }

    private List<Finding> findings() {
        return new ReadJudge(() -> true, key -> false, Optional.empty())
                .judge(new KeyWrites("user1", writes, reads))
                .findings();
    }

    @Test
    void findsNothingInAStrongDatabase() {
        for (int seed = 0; seed < 3_000; seed++) {
            assertThat(play(new Random(seed), 0))
                    .as("seed %d: %s", seed, findings())
                    .isEmpty();
        }
    }

    @Test
    void findsStaleReadsAndThoseThatGoBackwards() {
        Map<Fault, Integer> all = new EnumMap<>(Fault.class);
        for (int seed = 0; seed < 500; seed++) {
            play(new Random(seed), 3).forEach((fault, count) -> all.merge(fault, count, Integer::sum));
        }
        assertThat(all.get(Fault.STALE)).isGreaterThan(500);
        assertThat(all.get(Fault.BACKWARDS)).isPositive();
        assertThat(all).doesNotContainKey(Fault.PHANTOM);
    }

    @Test
    void namesTheWriteThatAReadHasMissed() {
        Write old = write(1, Kind.INSERT, Write.ROW, 10, 20);
        Write newer = write(2, Kind.UPDATE, 0, 30, 40);
        writes.addAll(List.of(old, newer));
        reads.add(new Read(0, old.id(), 35, 50));
        reads.add(new Read(0, old.id(), 41, 50));
        reads.add(new Read(1, old.id(), 41, 50));

        assertThat(findings()).containsExactly(new Finding(Fault.STALE, reads.get(1), Optional.of(newer)));
    }

    @Test
    void whatAnEarlierReadHasShownIsNotTakenBack() {
        Write old = write(1, Kind.INSERT, Write.ROW, 10, 20);
        Write underWay = write(2, Kind.UPDATE, 0, 30, 200);
        writes.addAll(List.of(old, underWay));
        reads.add(new Read(0, underWay.id(), 40, 50));
        reads.add(new Read(0, old.id(), 45, 70));
        reads.add(new Read(1, old.id(), 60, 70));
        assertThat(findings()).isEmpty();

        reads.add(new Read(0, old.id(), 60, 70));
        assertThat(findings()).containsExactly(new Finding(Fault.BACKWARDS, reads.get(3), Optional.of(underWay)));
    }

    /** A failover may drop a write that nobody has acknowledged, but not one that a read has shown. */
    @Test
    void aValueFromBeforeTheRunIsBackwardsOnceAReadHasShownAWriteOfUnknownOutcome() {
        Write unknown = new Write(0, Kind.UPDATE, false, WriteId.of(0, 1), 10, NEVER);
        writes.add(unknown);
        reads.add(new Read(0, Stamp.OTHER, 11, 15));
        reads.add(new Read(0, unknown.id(), 20, 30));
        reads.add(new Read(0, Stamp.OTHER, 30, 50));
        reads.add(new Read(1, Stamp.OTHER, 40, 50));
        assertThat(findings()).isEmpty();

        reads.add(new Read(0, Stamp.OTHER, 40, 50));
        assertThat(findings()).containsExactly(new Finding(Fault.BACKWARDS, reads.get(4), Optional.of(unknown)));
    }

    @Test
    void aRowThatIsGoneIsBackwardsOnceAReadHasShownAWriteOfUnknownOutcome() {
        Write unknown = new Write(0, Kind.UPDATE, false, WriteId.of(0, 1), 10, NEVER);
        writes.add(unknown);
        writes.add(write(2, Kind.DELETE, Write.ROW, 5, 9));
        writes.add(new Write(Write.ROW, Kind.INSERT, false, WriteId.of(0, 3), 10, NEVER));
        reads.add(new Read(Write.ROW, Stamp.OTHER, 11, 15));
        reads.add(new Read(0, unknown.id(), 20, 30));
        reads.add(new Read(Write.ROW, Stamp.OTHER, 30, 50));
        assertThat(findings()).isEmpty();

        reads.add(new Read(Write.ROW, Stamp.OTHER, 40, 50));
        assertThat(findings()).containsExactly(new Finding(Fault.BACKWARDS, reads.get(3), Optional.of(unknown)));
    }

    /** A node that serves an empty table for a while shows nothing of what was loaded, either. */
    @Test
    void aRowFromBeforeTheRunThatIsGoneIsBackwards() {
        writes.add(new Write(0, Kind.UPDATE, false, WriteId.of(0, 1), 100, NEVER));
        reads.add(new Read(Write.ROW, Stamp.OTHER, 20, 40));
        assertThat(findings()).isEmpty();

        // Also while the other read goes on: nobody made the row, so it was there all the time.
        reads.add(new Read(0, Stamp.OTHER, 10, 20));
        assertThat(findings()).containsExactly(new Finding(Fault.BACKWARDS, reads.get(0), Optional.empty()));

        writes.add(write(2, Kind.DELETE, Write.ROW, 35, 60));
        assertThat(findings()).isEmpty();
    }

    @Test
    void aDeleteThatMayHaveBeenMeanwhileExplainsThatTheRowIsGone() {
        Write unknown = new Write(0, Kind.UPDATE, false, WriteId.of(0, 1), 10, NEVER);
        reads.add(new Read(0, unknown.id(), 20, 30));
        reads.add(new Read(Write.ROW, Stamp.OTHER, 40, 50));
        Write overlapping = write(2, Kind.DELETE, Write.ROW, 45, 60);
        Write ofUnknownOutcome = new Write(Write.ROW, Kind.DELETE, false, WriteId.of(0, 2), 5, NEVER);
        for (Write delete : List.of(overlapping, ofUnknownOutcome)) {
            writes.clear();
            writes.addAll(List.of(unknown, delete, write(3, Kind.INSERT, Write.ROW, 48, 70)));

            assertThat(findings()).as("%s", delete).isEmpty();
        }
    }

    @Test
    void aRowThatIsNotThereThoughNobodyDeletedItIsStale() {
        writes.add(write(1, Kind.INSERT, Write.ROW, 10, 20));
        reads.add(new Read(Write.ROW, Stamp.OTHER, 15, 25));
        reads.add(new Read(Write.ROW, Stamp.OTHER, 21, 25));
        assertThat(findings()).extracting(Finding::read).containsExactly(reads.get(1));

        writes.add(write(2, Kind.DELETE, Write.ROW, 24, 50));
        assertThat(findings()).isEmpty();
    }

    @Test
    void aDeleteThatBeganAfterTheReadHadEndedExplainsNothing() {
        writes.add(write(1, Kind.INSERT, Write.ROW, 10, 20));
        writes.add(write(2, Kind.DELETE, Write.ROW, 30, 50));
        reads.add(new Read(Write.ROW, Stamp.OTHER, 21, 25));

        assertThat(findings()).extracting(Finding::fault).containsExactly(Fault.STALE);
    }

    /** What ends as the other begins may have been after it. */
    @Test
    void aValueFromBeforeTheRunIsStaleOnceAWriteWasAcknowledged() {
        Write update = write(1, Kind.UPDATE, 0, 10, 20);
        writes.add(update);
        reads.add(new Read(0, Stamp.OTHER, 15, 25));
        reads.add(new Read(0, Stamp.OTHER, 20, 25));
        assertThat(findings()).isEmpty();

        reads.add(new Read(0, Stamp.OTHER, 21, 25));
        assertThat(findings()).containsExactly(new Finding(Fault.STALE, reads.get(2), Optional.of(update)));
    }

    @Test
    void aReadThatBeginsAsAnotherEndsMayHaveBeenBeforeIt() {
        Write old = write(1, Kind.INSERT, Write.ROW, 10, 20);
        Write underWay = write(2, Kind.UPDATE, 0, 30, 200);
        writes.addAll(List.of(old, underWay));
        reads.add(new Read(0, underWay.id(), 40, 50));
        reads.add(new Read(0, old.id(), 50, 70));

        assertThat(findings()).isEmpty();
    }

    @Test
    void aDamagedValueAndOneOfAFailedWriteArePhantoms() {
        writes.add(write(1, Kind.INSERT, Write.ROW, 10, 20));
        reads.add(new Read(0, Stamp.DAMAGED, 30, 40));
        reads.add(new Read(0, WriteId.of(7, 7), 30, 40));

        assertThat(findings()).extracting(Finding::fault).containsExactly(Fault.PHANTOM, Fault.PHANTOM);
    }

    private static Write write(int number, Kind kind, int field, long start, long end) {
        return new Write(field, kind, true, WriteId.of(0, number), start, end);
    }
}
