package io.ycsbdrill.client.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.client.audit.ledger.MemoryBudget;
import io.ycsbdrill.client.audit.ledger.SettledWrites;
import io.ycsbdrill.client.audit.ledger.Stripe;
import io.ycsbdrill.client.audit.ledger.Write;
import io.ycsbdrill.client.audit.ledger.WriteNumbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Tells a stripe the writes of one key, each as it begins and as it ends, and settles what can be at any moment. */
public final class History {
    private static final String KEY = "user1";
    private static final long LAST_NANOS = 1_000_000;

    /** Something that a writer tells; an end when there are writes, which are the fields of one call. */
    private record Event(long nanos, Long startNanos, List<Write> writes) {}

    private final MemoryBudget memory = new MemoryBudget(Long.MAX_VALUE);
    private final WriteNumbers numbers = new WriteNumbers(memory, WriteNumbers.MOST);
    private final Random random;
    private final Stripe stripe;
    /** When the writes that are not told yet began. */
    private final List<Long> open = new ArrayList<>();

    private long nowNanos;

    /** @param fields that can be settled by themselves */
    public History(int fields, Random random) {
        this.random = random;
        stripe = new Stripe(memory, numbers, fields, () -> open.stream()
                .mapToLong(Long::longValue)
                .min()
                .orElse(nowNanos));
    }

    /** Those of one id are of one call. One of unknown outcome is told at any time after its start, or as the last of all. */
    public void play(List<Write> history) {
        Map<Long, List<Write>> calls = new LinkedHashMap<>();
        history.forEach(write ->
                calls.computeIfAbsent(write.id(), id -> new ArrayList<>()).add(write));
        List<Event> events = new ArrayList<>();
        calls.values().forEach(writes -> {
            Write first = writes.get(0);
            events.add(new Event(first.startNanos(), first.startNanos(), List.of()));
            long told = first.acknowledged()
                    ? first.endNanos()
                    : random.nextInt(4) == 0 ? LAST_NANOS : first.startNanos() + 100L * random.nextInt(30) + 1;
            events.add(new Event(told, first.startNanos(), writes));
        });
        events.sort(Comparator.comparingLong(Event::nanos));
        boolean often = random.nextBoolean();
        for (Event event : events) {
            nowNanos = event.nanos;
            settle(often);
            tell(event);
            settle(often);
        }
        nowNanos++;
        settle(often);
    }

    private void settle(boolean often) {
        if (often || random.nextInt(6) == 0) {
            stripe.sweep();
        }
    }

    private void tell(Event event) {
        if (event.writes.isEmpty()) {
            open.add(event.startNanos);
            return;
        }
        int number = random.nextInt(50) == 0
                ? WriteNumbers.NONE
                : numbers.reserve(event.writes.get(0).id(), 1 + random.nextInt(3));
        assertThat(stripe.end(KEY, number, event.writes)).isTrue();
        open.remove(event.startNanos);
    }

    public List<Write> kept() {
        return stripe.writes(0);
    }

    public static boolean isSettled(Write write) {
        return write.startNanos() <= SettledWrites.NEWEST_NANOS;
    }
}
