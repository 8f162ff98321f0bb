package io.ycsbdrill.fault.recovery;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.marker.PhaseEntered;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns what was seen of the nodes into recoveries and their phases. It reads no clock and does nothing: the same
 * observations always give the same recoveries, in whatever order they arrive, so a recorded run can be replayed.
 *
 * <p>A late observation corrects the recoveries; phase changes reported earlier are not taken back. Not thread-safe: owned by the
 * thread that feeds it.
 */
public final class RecoveryTracker {

    /**
     * An engine whose clock or time resolution is a little off may date the death of a node before the fault that caused it. An
     * observation that arrives after a fault but is dated up to this much earlier is taken to be of the fault's time.
     */
    private static final long SKEW_NANOS = 1_000_000_000L;

    private final Map<String, List<Observation>> observations = new LinkedHashMap<>();
    private final Map<String, List<Recovery>> recoveries = new LinkedHashMap<>();
    private final Map<Reported, Long> reported = new HashMap<>();

    /** A phase of a recovery, for the n-th time. */
    private record Reported(String node, Occurrence of, Phase phase, int time) {}

    /** Takes one observation in; returns the phase changes that follow from it, oldest first, often none. */
    public List<PhaseEntered> observe(Observation observation) {
        List<Observation> all = observations.computeIfAbsent(observation.node(), n -> new ArrayList<>());
        all.add(afterItsFault(all, observation));
        all.sort(Comparator.comparingLong(Observation::atNanos));
        List<Recovery> now = NodeHistory.of(observation.node(), all);
        recoveries.put(observation.node(), now);
        return now.stream().flatMap(r -> news(r).stream()).toList();
    }

    /**
     * The phases of a recovery that have not been reported yet. When a late observation dates a phase back, it is not reported again:
     * the recoveries have the right time, and two markers for one change would be wrong.
     */
    private List<PhaseEntered> news(Recovery recovery) {
        List<PhaseEntered> news = new ArrayList<>();
        Map<Phase, Integer> times = new EnumMap<>(Phase.class);
        for (PhaseSpan span : recovery.spans()) {
            int time = times.merge(span.phase(), 1, Integer::sum);
            Reported key = new Reported(recovery.node(), recovery.of(), span.phase(), time);
            Long before = reported.get(key);
            if (before == null || span.startNanos() > before) {
                reported.put(key, span.startNanos());
                news.add(new PhaseEntered(span.startNanos(), recovery.node(), recovery.of(), span.phase()));
            }
        }
        return news;
    }

    private static Observation afterItsFault(List<Observation> all, Observation o) {
        return all.stream()
                .filter(f -> f instanceof Observation.Begun)
                .filter(f -> o.atNanos() < f.atNanos() && f.atNanos() - o.atNanos() <= SKEW_NANOS)
                .findFirst()
                .map(f -> o.at(f.atNanos()))
                .orElse(o);
    }

    /** All recoveries so far, in order of their beginning. */
    public List<Recovery> recoveries() {
        return recoveries.values().stream()
                .flatMap(List::stream)
                .sorted(Comparator.comparingLong(Recovery::startNanos))
                .toList();
    }

    /** The latest recovery of a node. */
    public Optional<Recovery> latest(String node) {
        List<Recovery> all = recoveries.getOrDefault(node, List.of());
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(all.size() - 1));
    }

    /** The latest recovery of a node that the given injection began. */
    public Optional<Recovery> of(Occurrence occurrence, String node) {
        return recoveries.getOrDefault(node, List.of()).stream()
                .filter(r -> r.of().equals(occurrence))
                .reduce((earlier, later) -> later);
    }

    /** Recoveries that are under way, in order of their beginning. */
    public List<Recovery> active() {
        return recoveries().stream().filter(Recovery::active).toList();
    }

    /**
     * One phase for the whole cluster: of its recoveries under way the phase that is farthest from recovered; {@code
     * recovered} when all are over; {@code steady} before the first.
     *
     * @param underWay those of {@link #active()} that are of nodes of the cluster
     */
    public Phase phase(List<Recovery> underWay) {
        return underWay.stream()
                .map(Recovery::phase)
                .min(Comparator.naturalOrder())
                .orElse(recoveries().isEmpty() ? Phase.STEADY : Phase.RECOVERED);
    }
}
