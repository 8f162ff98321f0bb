package io.ycsbdrill.fault.explore;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.explore.Coverage.Pair;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Draws drill after drill; the same ones for the same seed and facts. The first fault begins a recovery, and the second is aimed at a phase of it:
 * each kind at each phase and place once before any comes again, the ones of more weight sooner. Not thread-safe.
 */
public final class Drawer {
    private static final List<String> DELAYS = List.of("0s", "100ms", "300ms", "500ms", "1s", "1500ms");
    private static final String FIRST = "first";
    private static final String SECOND = "second";
    private static final int THIRDS = 4;
    private static final int RECOVERY = 3;

    private final Facts facts;
    private final Map<String, String> head;
    private final Random random;
    private final List<Second> all = new ArrayList<>();
    private List<Second> deck = List.of();

    /** Where second faults are aimed at. */
    private record Aim(Phase phase, Place place) {}

    /** A second fault; engines break in recoveries, so what is aimed at these has more weight. */
    private record Second(Aim aim, Kind kind) {
        double weight() {
            return kind.weight() * (aim.phase().compareTo(Phase.LOCAL_RECOVERY) >= 0 ? RECOVERY : 1);
        }
    }

    /**
     * Begins.
     *
     * @param head of each drill, see {@link DrawnDrill}
     */
    public Drawer(long seed, Facts facts, Map<String, String> head) {
        this.facts = facts;
        this.head = new LinkedHashMap<>(head);
        random = new Random(seed);
        for (Phase phase : Phase.unhealthy()) {
            for (Place place : Place.values()) {
                Aim aim = new Aim(phase, place);
                seconds(aim).forEach(kind -> all.add(new Second(aim, kind)));
            }
        }
    }

    /** What there is to cover. */
    public Set<Pair> pairs() {
        return all.stream()
                .map(second -> new Pair(second.aim().phase(), second.kind().name()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private List<Kind> firsts(Aim aim, Kind second) {
        return facts.kinds().stream()
                .filter(first -> first.phases().contains(aim.phase()))
                .filter(first ->
                        aim.place() == Place.OTHER ? second.fits(aim.phase()) : second.canFollow(first, aim.phase()))
                .toList();
    }

    private List<Kind> seconds(Aim aim) {
        boolean spared =
                aim.place() == Place.SAME || facts.spare() > 1 && facts.nodes().size() > 1;
        return spared
                ? facts.kinds().stream()
                        .filter(second -> !firsts(aim, second).isEmpty())
                        .toList()
                : List.of();
    }

    /** The next one. */
    public DrawnDrill next() {
        if (all.isEmpty()) {
            Kind only = weighted(facts.kinds());
            return new DrawnDrill(
                    seeded(), List.of(step(FIRST, only).with("node", role()).with("at", start())));
        }
        deck = deck.isEmpty() ? shuffled() : deck;
        Second next = deck.remove(0);
        Aim aim = next.aim();
        Kind second = next.kind();
        Kind first = weighted(firsts(aim, second));
        List<DrawnStep> steps = new ArrayList<>(pair(aim, step(FIRST, first), step(SECOND, second)));
        if (random.nextInt(THIRDS) == 0) {
            third(second).ifPresent(steps::add);
        }
        return new DrawnDrill(seeded(), steps);
    }

    /** Its own choices of nodes are those of its file, too. */
    private Map<String, String> seeded() {
        Map<String, String> all = new LinkedHashMap<>(Map.of("seed", "" + random.nextInt(1_000_000)));
        all.putAll(head);
        return all;
    }

    /** All of them, as if drawn by weight one after the other without putting any back. */
    private List<Second> shuffled() {
        Map<Second, Double> keys = new LinkedHashMap<>();
        all.forEach(second -> keys.put(second, -Math.log(1 - random.nextDouble()) / second.weight()));
        List<Second> order = new ArrayList<>(all);
        order.sort(Comparator.comparing(keys::get));
        return order;
    }

    private List<DrawnStep> pair(Aim aim, DrawnStep first, DrawnStep second) {
        String delay = delay(aim.phase(), aim.place());
        String label = aim.phase().label();
        String after = FIRST + "." + label;
        if (aim.place() == Place.SAME) {
            return List.of(
                    first.with("node", role()).with("at", start()),
                    second.with("node", "same-as:" + FIRST).with("after", after).with("delay", delay));
        }
        if (facts.roles() && random.nextInt(THIRDS) == 0) {
            return List.of(
                    first.with("node", "not-primary").with("at", start()),
                    second.with("node", "primary").with("after", after).with("delay", delay));
        }
        List<String> nodes = new ArrayList<>(facts.nodes());
        Collections.shuffle(nodes, random);
        return List.of(
                first.with("node", nodes.get(0)).with("at", start()),
                second.with("node", nodes.get(1)).with("at", nodes.get(0) + "." + label + " + " + delay));
    }

    /** One more on the node of the second, so that no further node is in trouble. */
    private Optional<DrawnStep> third(Kind second) {
        List<Phase> phases = second.phases();
        Phase phase = phases.get(random.nextInt(phases.size()));
        List<Kind> kinds = facts.kinds().stream()
                .filter(third -> third.canFollow(second, phase))
                .toList();
        return kinds.isEmpty()
                ? Optional.empty()
                : Optional.of(step("third", weighted(kinds))
                        .with("node", "same-as:" + SECOND)
                        .with("after", SECOND + "." + phase.label())
                        .with("delay", delay(phase, Place.SAME)));
    }

    /** A fault that is followed on its node at once would have no time to show its effect, and one on another node soon leaves its phase. */
    private String delay(Phase phase, Place place) {
        int half = DELAYS.size() / 2;
        return DELAYS.get(
                phase != Phase.FAULT
                        ? random.nextInt(DELAYS.size())
                        : random.nextInt(half) + (place == Place.SAME ? half : 0));
    }

    private DrawnStep step(String name, Kind kind) {
        return new DrawnStep(name, kind.name(), kind.drawn(random));
    }

    private String start() {
        return 1 + random.nextInt(3) + "s";
    }

    private String role() {
        List<String> roles = facts.roles() && facts.nodes().size() > 1
                ? List.of("random", "random", "primary", "not-primary")
                : List.of("random");
        return roles.get(random.nextInt(roles.size()));
    }

    private Kind weighted(List<Kind> kinds) {
        int left = random.nextInt(kinds.stream().mapToInt(Kind::weight).sum());
        for (Kind kind : kinds) {
            left -= kind.weight();
            if (left < 0) {
                return kind;
            }
        }
        throw new IllegalStateException("no kind among none");
    }
}
