package io.ycsbdrill.client.audit.ledger;

import static io.ycsbdrill.client.audit.ledger.LedgerTest.TEN;
import static io.ycsbdrill.client.audit.ledger.LedgerTest.kept;
import static io.ycsbdrill.client.audit.ledger.LedgerTest.key;
import static io.ycsbdrill.client.audit.ledger.LedgerTest.sweep;
import static io.ycsbdrill.client.audit.ledger.LedgerTest.write;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.audit.History;
import io.ycsbdrill.client.audit.ledger.Write.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** That the ledger waits for the writes that it does not know of yet. */
class PendingWritesTest {
    @Test
    void nothingIsSettledThatAWriteInFlightMayOverlap() {
        Ledger ledger = new Ledger(TEN, Long.MAX_VALUE);
        Writer writer = new Writer(0, ledger);
        Writer hanging = new Writer(1, ledger);
        write(writer, "user1", Kind.INSERT, TEN);
        sweep(ledger, writer);
        assertThat(kept(ledger)).allMatch(History::isSettled);

        hanging.begin("user1", Kind.DELETE, List.of());
        write(writer, "user1", Kind.UPDATE, List.of("field3"));
        sweep(ledger, writer, hanging);

        assertThat(kept(ledger)).hasSize(2).filteredOn(History::isSettled).hasSize(1);
        hanging.end(Outcome.UNKNOWN);
        sweep(ledger, hanging);
        assertThat(kept(ledger)).hasSize(3).filteredOn(History::isSettled).hasSize(1);

        write(writer, "user1", Kind.UPDATE, TEN);
        sweep(ledger, writer);
        assertThat(kept(ledger)).as("all but the unknown one overwritten").hasSize(2);
    }

    @Test
    void nothingIsSettledThatAWriteMayOverlapWhichHasEndedAndIsNotToldYet() {
        Ledger ledger = new Ledger(TEN, Long.MAX_VALUE);
        Writer writer = new Writer(0, ledger);
        Writer late = new Writer(1, ledger);
        write(writer, "user1", Kind.INSERT, TEN);
        sweep(ledger, writer);
        late.begin("user1", Kind.UPDATE, List.of("field3"));
        write(writer, "user1", Kind.UPDATE, List.of("field3"));
        late.end(Outcome.OK);
        sweep(ledger, writer);
        assertThat(kept(ledger)).hasSize(2).filteredOn(History::isSettled).hasSize(1);

        sweep(ledger, late);

        assertThat(kept(ledger)).hasSize(3).filteredOn(History::isSettled).hasSize(1);
        write(writer, "user1", Kind.UPDATE, List.of("field3"));
        sweep(ledger, writer);
        assertThat(kept(ledger)).hasSize(2).allMatch(History::isSettled);
    }

    @Test
    void aWriteIsPendingBeforeTheClockIsReadForItsStart() {
        AtomicLong now = new AtomicLong(100);
        AtomicLong asked = new AtomicLong();
        AtomicReference<PendingWrites> pending = new AtomicReference<>();
        pending.set(new PendingWrites(
                () -> {
                    asked.set(pending.get().sinceNanos(7));
                    return now.get();
                },
                () -> {}));

        assertThat(pending.get().begin(7)).isEqualTo(100);
        assertThat(asked).hasValueLessThanOrEqualTo(100);
        now.set(200);
        assertThat(pending.get().begin(7)).isEqualTo(200);
        assertThat(pending.get().sinceNanos(7)).isEqualTo(100);
        assertThat(pending.get().sinceNanos(8)).isEqualTo(Long.MAX_VALUE);
        pending.get().clear();
        now.set(300);
        assertThat(pending.get().begin(7)).isEqualTo(300);
        assertThat(asked).hasValueLessThanOrEqualTo(300);
        assertThat(pending.get().sinceNanos(7)).isEqualTo(300);
    }

    @Test
    void nothingIsSettledThatAWriteOverlapsWhichIsBeingTold() {
        for (int others = 0; others < 1_500; others += 7) {
            Ledger ledger = new Ledger(TEN, Long.MAX_VALUE);
            Writer writer = new Writer(0, ledger);
            Writer late = new Writer(1, ledger);
            late.begin(key(0), Kind.INSERT, TEN);
            for (int i = 0; i <= others; i++) {
                write(writer, key(i), Kind.INSERT, TEN);
            }
            writer.flush();
            late.end(Outcome.OK);
            late.flush();

            assertThat(kept(ledger).stream().filter(write -> !History.isSettled(write)))
                    .as("after %d others", others)
                    .extracting(Write::id)
                    .contains(WriteId.of(0, 0), WriteId.of(1, 0));
        }
    }

    @Test
    void aThreadTellsItsWritesNowAndThenAndAllInTheEnd() {
        Ledger ledger = new Ledger(TEN, Long.MAX_VALUE);
        Writer writer = new Writer(0, ledger);
        List<Integer> known = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            write(writer, key(i), Kind.INSERT, TEN);
            writer.flushSome();
            known.add(kept(ledger).size());
        }
        assertThat(known.stream().distinct()).as("writes flushed together").hasSizeBetween(3, 500);
        assertThat(known.get(999)).isLessThan(1_000);

        writer.flush();

        assertThat(kept(ledger)).hasSize(1_000);
    }

    @Test
    void aCallThatHangsKeepsOnlyItsOwnStripeFromBeingSettled() {
        Ledger ledger = new Ledger(TEN, Long.MAX_VALUE);
        Writer writer = new Writer(0, ledger);
        Writer hanging = new Writer(1, ledger);
        for (int i = 0; i < 20; i++) {
            write(hanging, key(1_000 + i), Kind.INSERT, TEN);
        }
        hanging.begin(key(0), Kind.UPDATE, TEN);
        for (int i = 0; i < 1_000; i++) {
            write(writer, key(i), Kind.INSERT, TEN);
        }
        sweep(ledger, writer);
        long before = settled(ledger);

        ledger.flushOverdue(System.nanoTime() + 2_000_000_000L);
        sweep(ledger);

        long others = IntStream.range(0, 1_020)
                .filter(i -> Ledger.stripe(key(i)) != Ledger.stripe(key(0)))
                .count();
        assertThat(before).isLessThan(others);
        assertThat(kept(ledger)).hasSize(1_020);
        assertThat(settled(ledger)).isBetween(others, others + 20);
        hanging.end(Outcome.OK);
        sweep(ledger, hanging);
        assertThat(kept(ledger)).hasSize(1_021);
        assertThat(settled(ledger)).isEqualTo(1_019);
    }

    private static long settled(Ledger ledger) {
        return kept(ledger).stream().filter(History::isSettled).count();
    }
}
