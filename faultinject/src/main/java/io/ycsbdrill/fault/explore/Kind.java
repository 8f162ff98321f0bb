package io.ycsbdrill.fault.explore;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.Effect;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.NodeChange;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.inject.ScheduleCheck;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.schedule.DrillFileException;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A kind of fault that can be drawn.
 *
 * @param name in coverage
 * @param weight how often it is drawn beside others, positive
 * @param keys of its step: a value, or a range {@code 1s..10s} or {@code 5%..50%} of which one is drawn
 * @param alone a schedule of nothing else, with the least of each range
 * @param whileStarting whether it can be done while a node starts
 */
public record Kind(String name, int weight, Map<String, String> keys, FaultSchedule alone, boolean whileStarting) {
    /**
     * All, with the weights that are used. What takes the data of a node is none of them: how many copies there are of these is not known here, and
     * nobody has named it.
     */
    static final List<Kind> ALL = List.of(
            kind("kill", 4, "fault: restart, mode: kill, down: 0s..5s"),
            kind("pause", 3, "fault: pause, duration: 1s..10s"),
            kind("stop", 2, "fault: restart, mode: graceful, down: 0s..5s"),
            kind("isolate", 2, "fault: isolate, duration: 1s..10s"),
            kind("starve", 2, "fault: starve, share: 50%..95%, duration: 2s..10s"),
            kind("abort", 1, "fault: restart, mode: abort, down: 0s..5s"),
            kind("memory", 1, "fault: memory, share: 60%..95%, duration: 2s..8s"),
            kind("one-way", 1, "fault: one-way, to: nodes, duration: 1s..10s"),
            kind("flaky", 1, "fault: flaky, up: 1s, down: 500ms, duration: 3s..10s"),
            kind("link-loss", 1, "fault: link-loss, share: 5%..50%, duration: 3s..10s"),
            kind("link-duplicate", 1, "fault: link-duplicate, share: 5%..50%, duration: 3s..10s"),
            kind("link-delay", 1, "fault: link-delay, latency: 100ms..500ms, duration: 3s..10s"),
            kind("clock-jump", 1, "fault: clock-jump, ahead: 1s..60s, duration: 3s..10s"),
            kind("clock-skew", 1, "fault: clock-skew, ahead: 100ms..900ms, duration: 3s..10s"),
            kind("clock-strobe", 1, "fault: clock-strobe, behind: 200ms..5s, period: 500ms, duration: 3s..10s"),
            kind("disk-slow", 1, "fault: disk-slow, latency: 100ms..300ms, duration: 3s..10s"),
            kind("disk-stall", 1, "fault: disk-stall, duration: 1s..8s"),
            kind("disk-error", 1, "fault: disk-error, duration: 1s..5s"),
            kind("disk-full", 1, "fault: disk-full, duration: 1s..5s"));

    private static final String RANGE = "..";
    private static final long STEP = 100;

    private static Kind kind(String name, int weight, String keys) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String pair : keys.split(", ")) {
            String[] parts = pair.split(": ");
            all.put(parts[0], parts[1]);
        }
        DrawnStep step = new DrawnStep("first", name, drawn(all, () -> 0))
                .with("node", "random")
                .with("at", "0s");
        try {
            return new Kind(
                    name,
                    weight,
                    all,
                    new DrawnDrill(Map.of(), List.of(step)).file("explore").schedule(),
                    true);
        } catch (DrillFileException e) {
            throw new IllegalStateException("kind " + name + " is no fault: " + e.getMessage(), e);
        }
    }

    /** Those that the nodes can do, as a drill of that one step would be checked. */
    public static List<Kind> of(NodeController nodes) {
        boolean stops = nodes.capability(Stoppable.class)
                .map(Stoppable::stopsWhileStarting)
                .orElse(true);
        return ALL.stream()
                .filter(kind -> ScheduleCheck.problems(kind.alone(), nodes).isEmpty())
                .map(kind -> new Kind(
                        kind.name,
                        kind.weight,
                        kind.keys,
                        kind.alone,
                        stops || !StopMode.GRACEFUL.label().equals(kind.keys.get("mode"))))
                .toList();
    }

    /** Its keys, of each range a value that is drawn. */
    Map<String, String> drawn(RandomGenerator random) {
        return drawn(keys, random);
    }

    private static Map<String, String> drawn(Map<String, String> keys, RandomGenerator random) {
        Map<String, String> drawn = new LinkedHashMap<>();
        keys.forEach((key, value) -> drawn.put(key, value.contains(RANGE) ? within(value, random) : value));
        return drawn;
    }

    private static String within(String range, RandomGenerator random) {
        String least = range.substring(0, range.indexOf(RANGE));
        String most = range.substring(range.indexOf(RANGE) + RANGE.length());
        if (least.endsWith("%")) {
            int from = Integer.parseInt(least.substring(0, least.length() - 1));
            int to = Integer.parseInt(most.substring(0, most.length() - 1));
            return from + random.nextInt(to - from + 1) + "%";
        }
        long from = Durations.parse(least).toMillis() / STEP;
        long to = Durations.parse(most).toMillis() / STEP;
        return Durations.print(Duration.ofMillis((from + random.nextLong(to - from + 1)) * STEP));
    }

    Fault fault() {
        return alone.steps().get(0).fault();
    }

    /** The phases of its node that a second fault can be aimed at. */
    List<Phase> phases() {
        boolean downAndUp = fault().injected() == Effect.NODE_DOWN && fault().ended() == Effect.PROCESS_STARTED;
        // A fault that only troubles its node lasts for its time; whether the node is ejected is the engine's choice.
        return downAndUp ? Phase.unhealthy() : List.of(Phase.FAULT);
    }

    /** Whether it can be aimed at the phase of another node. */
    boolean fits(Phase phase) {
        return whileStarting || phase.compareTo(Phase.LOCAL_RECOVERY) < 0;
    }

    /** Whether it can be aimed at the phase of the same node that the other one has brought about. */
    boolean canFollow(Kind first, Phase phase) {
        return phase.compareTo(Phase.LOCAL_RECOVERY) >= 0 && whileStarting
                || phase == Phase.FAULT
                        && first.fault().changes() == NodeChange.NONE
                        && fault().conflict(first.fault()).isEmpty();
    }
}
