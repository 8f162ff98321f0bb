package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.journal.Stamp;
import io.ycsbdrill.client.audit.journal.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One field of one row as an atomic register, of which each value is written once: whether one order of all its writes and reads explains them all. That is so
 * when no two {@link Zone zones} each have something before the other. Zones that {@link Zone#holds hold} the register are therefore apart from each other, and
 * none contains another zone, so each read is judged in logarithmic time. Not thread-safe.
 */
final class Register {
    private final Map<Long, Zone> zones = new HashMap<>();
    /** Writes in the order of their first end. */
    private final TreeMap<Long, Zone> holding = new TreeMap<>();
    /** Applied, but known of one moment only. */
    private final TreeSet<Zone> passing = new TreeSet<>(Comparator.comparingLong(Zone::lastStart)
            .thenComparingLong(zone -> zone.write().id()));

    private final Map<Long, Long> firstShown = new HashMap<>();

    /** @param writes that concern it and did not fail */
    Register(Collection<Write> writes) {
        put(Zone.of(Zone.BEFORE_THE_RUN));
        writes.forEach(write -> put(Zone.of(write)));
    }

    private void put(Zone zone) {
        zones.put(zone.write().id(), zone);
        if (zone.holds()) {
            holding.put(zone.firstEnd(), zone);
        } else if (zone.applied()) {
            passing.add(zone);
        }
    }

    /** A write of it, or that of {@link Stamp#OTHER}. */
    Optional<Zone> zone(long id) {
        return Optional.ofNullable(zones.get(id));
    }

    /**
     * Takes what a read has shown, when that can be.
     *
     * @param id of a zone
     * @return what contradicts it; then it is not taken
     */
    Optional<Zone> show(long id, long startNanos, long endNanos) {
        firstShown.merge(id, endNanos, Math::min);
        Zone old = zones.get(id);
        Zone grown = old.shown(startNanos, endNanos);
        Optional<Zone> conflict = conflict(grown);
        if (conflict.isEmpty()) {
            holding.remove(old.firstEnd(), old);
            passing.remove(old);
            put(grown);
        }
        return conflict;
    }

    private Optional<Zone> conflict(Zone zone) {
        // Of those that began to hold before its last start, the last one held longest.
        Map.Entry<Long, Zone> other = holding.lowerEntry(zone.lastStart());
        if (other != null && other.getValue().write().id() == zone.write().id()) {
            other = holding.lowerEntry(other.getKey());
        }
        if (other != null && zone.precedes(other.getValue())) {
            return Optional.of(other.getValue());
        }
        if (zone.holds()) {
            Zone after = new Zone(Zone.BEFORE_THE_RUN, zone.firstEnd() + 1, 0, true);
            for (Zone inside : passing.tailSet(after, true)) {
                if (inside.lastStart() >= zone.lastStart()) {
                    break;
                }
                if (inside.precedes(zone) && inside.write().id() != zone.write().id()) {
                    return Optional.of(inside);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * What a read may show, and must not miss, after all this.
     *
     * @param strong whether the order of reads tells anything; else only that what was shown had been written
     */
    List<Zone> left(boolean strong) {
        List<Zone> all = new ArrayList<>();
        zones.forEach((id, zone) -> {
            if (id != Stamp.OTHER) {
                all.add(strong ? zone : weak(zone.write()));
            }
        });
        return last(all);
    }

    private Zone weak(Write write) {
        long shown = firstShown.getOrDefault(write.id(), Long.MAX_VALUE);
        return new Zone(write, write.startNanos(), Math.min(write.endNanos(), shown), write.acknowledged());
    }

    /** Without those that cannot be the last one, except the ones that say so. */
    private static List<Zone> last(List<Zone> zones) {
        Zone last = null;
        Zone acknowledged = null;
        for (Zone zone : zones) {
            if (zone.applied()) {
                last = last == null || last.lastStart() < zone.lastStart() ? zone : last;
                if (zone.write().acknowledged()) {
                    acknowledged =
                            acknowledged == null || acknowledged.lastStart() < zone.lastStart() ? zone : acknowledged;
                }
            }
        }
        List<Zone> left = new ArrayList<>();
        for (Zone zone : zones) {
            if (zone == last || zone == acknowledged || last == null || !zone.precedes(last)) {
                left.add(zone);
            }
        }
        return left;
    }
}
