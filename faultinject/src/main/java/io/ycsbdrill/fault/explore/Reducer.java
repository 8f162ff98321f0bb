package io.ycsbdrill.fault.explore;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.fault.schedule.DrillFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a drill that shows something as small as it can while it still does: without steps, on fewer nodes, with shorter times and less load, in
 * this order, from the beginning again after each success. Not thread-safe.
 */
public final class Reducer {
    /** The most runs of one drill. */
    public static final int MOST_TRIES = 5;

    /** A candidate that shows it as often as the original does is believed not to when it is missed with this chance. */
    private static final double MISSED = 0.1;

    private static final Duration SHORTEST = Duration.ofMillis(500);
    private static final long LEAST_LOAD = 20;
    private static final List<String> TIMES = List.of("duration", "down", "delay", "at");
    private static final Pattern RATE = Pattern.compile("(\\d+)/s");
    private static final Pattern AIM = Pattern.compile("(.+) \\+ (\\S+)");

    private final Function<DrawnDrill, Seen> run;
    private final BooleanSupplier mayGoOn;
    private final Set<String> tried = new HashSet<>();
    private int tries = MOST_TRIES;

    /** What one run of a drill has shown of what is looked for. */
    public enum Seen {
        SHOWN,
        NOT_SHOWN,
        /** It says nothing. */
        NOT_JUDGED
    }

    /**
     * Not begun.
     *
     * @param run runs a drill once
     * @param mayGoOn whether another run is allowed
     */
    public Reducer(Function<DrawnDrill, Seen> run, BooleanSupplier mayGoOn) {
        this.run = run;
        this.mayGoOn = mayGoOn;
    }

    /**
     * How often a drill shows it.
     *
     * @param shown runs that did
     * @param runs all that were judged
     */
    public record Rate(int shown, int runs) {
        /** How often a smaller one is tried before it is believed not to: so often that one run in ten that does would be missed. */
        public int tries() {
            if (shown >= runs) {
                return 1;
            }
            double missed = 1 - shown / (double) runs;
            return Math.min(MOST_TRIES, (int) Math.ceil(Math.log(MISSED) / Math.log(missed)));
        }

        /** With one more run, which has shown it. */
        public Rate andOneThatDid() {
            return new Rate(shown + 1, runs + 1);
        }
    }

    /** Runs it again, so often, and counts these runs only. */
    public Rate again(DrawnDrill drill, int times) {
        int shown = 0;
        int runs = 0;
        for (int i = 0; i < times && mayGoOn.getAsBoolean(); i++) {
            Seen seen = run.apply(drill);
            shown += seen == Seen.SHOWN ? 1 : 0;
            runs += seen == Seen.NOT_JUDGED ? 0 : 1;
        }
        return new Rate(shown, runs);
    }

    /** The smallest that was found to show it; the drill itself when none did. */
    public DrawnDrill reduce(DrawnDrill found, Rate rate) {
        tries = rate.tries();
        DrawnDrill smallest = found;
        Optional<DrawnDrill> next = smaller(smallest);
        while (next.isPresent()) {
            smallest = next.get();
            next = smaller(smallest);
        }
        return smallest;
    }

    private Optional<DrawnDrill> smaller(DrawnDrill drill) {
        for (DrawnDrill candidate : candidates(drill)) {
            if (isDrill(candidate) && tried.add(candidate.text())) {
                for (int i = 0; i < tries && mayGoOn.getAsBoolean(); i++) {
                    if (run.apply(candidate) == Seen.SHOWN) {
                        return Optional.of(candidate);
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isDrill(DrawnDrill candidate) {
        try {
            candidate.file("explore");
            return true;
        } catch (DrillFileException e) {
            return false; // what it was made of did not fit together
        }
    }

    /** All that are smaller by one change, the largest changes first. */
    static List<DrawnDrill> candidates(DrawnDrill drill) {
        List<DrawnDrill> all = new ArrayList<>();
        List<DrawnStep> steps = drill.steps();
        for (int i = 0; i < steps.size() && steps.size() > 1; i++) {
            all.add(drill.steps(without(steps, i)));
        }
        String first = steps.get(0).name();
        for (int i = 1; i < steps.size(); i++) {
            DrawnStep sameNode = steps.get(i).with("node", "same-as:" + first);
            if (!steps.get(i).key("node").startsWith("same-as:")) {
                all.add(drill.steps(replaced(steps, i, sameNode)));
            }
        }
        for (int i = 0; i < steps.size(); i++) {
            for (String key : TIMES) {
                for (DrawnStep shorter : shorter(steps.get(i), key)) {
                    all.add(drill.steps(replaced(steps, i, shorter)));
                }
            }
        }
        Matcher rate = RATE.matcher(drill.load());
        if (rate.matches() && Long.parseLong(rate.group(1)) >= 2 * LEAST_LOAD) {
            all.add(drill.load(Long.parseLong(rate.group(1)) / 2));
        }
        return all;
    }

    private static List<DrawnStep> replaced(List<DrawnStep> steps, int index, DrawnStep by) {
        List<DrawnStep> changed = new ArrayList<>(steps);
        changed.set(index, by);
        return changed;
    }

    /** Those that refer to it take its place: its nodes, and its time. */
    private static List<DrawnStep> without(List<DrawnStep> steps, int index) {
        DrawnStep gone = steps.get(index);
        List<DrawnStep> left = new ArrayList<>();
        for (DrawnStep step : steps) {
            DrawnStep changed = step;
            if (step.key("node").equals("same-as:" + gone.name())) {
                changed = changed.with("node", gone.key("node"));
            }
            boolean waits = step.key("after").split("\\.")[0].equals(gone.name())
                    || !gone.key("node").isEmpty() && step.key("at").startsWith(gone.key("node") + ".");
            if (waits) {
                changed = changed.without("at", "after", "delay");
                for (String key : List.of("at", "after", "delay")) {
                    changed = gone.key(key).isEmpty() ? changed : changed.with(key, gone.key(key));
                }
            }
            if (step != gone) {
                left.add(changed);
            }
        }
        return left;
    }

    /** Nothing of a time that is added, else half of it. */
    private static List<DrawnStep> shorter(DrawnStep step, String key) {
        String text = step.key(key);
        Matcher aim = AIM.matcher(text);
        if (key.equals("at") && aim.matches()) {
            return shorter(aim.group(2), Duration.ZERO).stream()
                    .map(delay -> step.with(key, aim.group(1) + " + " + delay))
                    .toList();
        }
        boolean isTime = text.matches("[0-9.]+(us|ms|s|m|h)");
        return isTime
                ? shorter(text, key.equals("duration") ? SHORTEST : Duration.ZERO).stream()
                        .map(time -> step.with(key, time))
                        .toList()
                : List.of();
    }

    private static List<String> shorter(String time, Duration least) {
        Duration now = Durations.parse(time);
        if (now.compareTo(least) <= 0) {
            return List.of();
        }
        Duration half = Duration.ofMillis(Math.max(least.toMillis(), now.toMillis() / 200 * 100));
        return least.isZero() && !half.isZero()
                ? List.of(Durations.print(least), Durations.print(half))
                : List.of(Durations.print(half));
    }
}
