package io.ycsbdrill.client.group;

import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.fault.schedule.ServedSecond;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** What all clients of a run have seen of each of its newest seconds, for the steady state of a drill. Thread-safe. */
final class GroupSeconds {
    private static final long SECOND = 1_000_000_000L;
    /** As many as of one client. */
    private static final int MOST = 1200;

    private final TreeMap<Long, Map<Integer, ServedSecond>> seconds = new TreeMap<>();
    private final Set<Integer> running = new HashSet<>();

    GroupSeconds(int clients) {
        IntStream.rangeClosed(1, clients).forEach(running::add);
    }

    /** The second of a client that ends with this interval, which its run has just been notified of; empty when none does, or it is not judged. */
    static Optional<ServedSecond> ending(IntervalTotals interval, RunControl run) {
        List<ServedSecond> newest =
                interval.endNanos() % SECOND == 0 ? run.ownSeconds(Duration.ofSeconds(1)) : List.of();
        return newest.stream().findFirst();
    }

    /** @param interval that it ends with */
    synchronized void add(int client, IntervalTotals interval, ServedSecond second) {
        seconds.computeIfAbsent(interval.endNanos() / SECOND, none -> new HashMap<>())
                .put(client, second);
        if (seconds.size() > MOST) {
            seconds.pollFirstEntry();
        }
    }

    /** Its seconds are not waited for any more. */
    synchronized void over(int client) {
        running.remove(client);
    }

    /** The newest that every client has sent that still runs, oldest first, at most {@code length} of them. */
    synchronized List<ServedSecond> recent(Duration length) {
        List<ServedSecond> whole = seconds.values().stream()
                .filter(parts -> parts.keySet().containsAll(running))
                .map(parts -> parts.values().stream().reduce(ServedSecond::with).orElseThrow())
                .toList();
        return whole.subList((int) Math.max(0, whole.size() - length.toSeconds()), whole.size());
    }
}
