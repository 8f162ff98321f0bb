package io.ycsbdrill.fault.node.galera;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Dates the events of a log. Its lines have whole seconds, of which three sources make more, the best first: a line that has
 * milliseconds itself; the status file, when it has the same change in the same second; the moment at which the line was
 * seen, when it lies in that second. A line that was seen later is dated at the end of its second: nearest to what is known.
 */
final class EventTime {
    private static final Duration SECOND = Duration.ofNanos(999_999_999);

    /**
     * The times of lines that were read together, in their order. A line was written before the next one, so it is not dated
     * later, and not earlier than the lines before.
     *
     * @param seen when they were read
     * @param changes what the status file said lately, oldest first
     * @param earlier the time of the line before them
     */
    static List<Instant> of(List<LogEvent> events, Instant seen, List<StatusFile> changes, Instant earlier) {
        Instant[] times = new Instant[events.size()];
        for (int i = events.size() - 1; i >= 0; i--) {
            times[i] = of(events.get(i), seen, changes);
            if (i < times.length - 1 && times[i + 1].isBefore(times[i])) {
                times[i] = later(times[i + 1], events.get(i).stamp());
            }
        }
        // One that is still to come is of before the clock was set back.
        Instant floor = earlier.isAfter(seen) ? Instant.EPOCH : earlier;
        for (int i = 0; i < times.length; i++) {
            times[i] = later(times[i], i == 0 ? floor : times[i - 1]);
        }
        return List.of(times);
    }

    private static Instant later(Instant a, Instant b) {
        return a.isBefore(b) ? b : a;
    }

    private static Instant of(LogEvent event, Instant seen, List<StatusFile> changes) {
        Instant from = event.stamp();
        if (event.exact()) {
            return from;
        }
        Instant to = from.plus(SECOND);
        Optional<Instant> reported = changes.stream()
                .filter(change -> change.state().equals(state(event.kind())))
                .flatMap(change -> change.changed().stream())
                .filter(at -> !at.isBefore(from) && !at.isAfter(to))
                .findFirst();
        if (reported.isPresent()) {
            return reported.get();
        }
        return seen.isBefore(from) ? from : seen.isAfter(to) ? to : seen;
    }

    /** The state that the status file shows for the same change; empty when it shows none. */
    private static String state(LogEvent.Kind kind) {
        return switch (kind) {
            case TRANSFER -> "JOINING";
            case JOINED -> "JOINED";
            case SYNCED -> "SYNCED";
            default -> "";
        };
    }
}
