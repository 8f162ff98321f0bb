package io.ycsbdrill.client.explore;

import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.client.explore.Explored.Begun;
import io.ycsbdrill.fault.explore.Coverage;
import io.ycsbdrill.fault.explore.Coverage.Hit;
import io.ycsbdrill.fault.explore.Drawer;
import io.ycsbdrill.fault.explore.DrawnDrill;
import io.ycsbdrill.fault.explore.DrawnStep;
import io.ycsbdrill.fault.explore.Reducer;
import io.ycsbdrill.fault.explore.Reducer.Rate;
import io.ycsbdrill.fault.schedule.DrillFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Runs what is drawn until time is up or a drill shows something, and then makes that one smaller. Used by one thread, once. */
public final class Explorer {
    /** When none of so many could be judged, none will be. */
    private static final int MOST_UNJUDGED = 5;

    /** How often a drill that has shown something is run again, to know how often it does. */
    static final int AGAIN = 3;

    private final Drills drills;
    private final Drawer drawer;
    private final ExploreFiles files;
    private final NanoClock clock;
    private final BooleanSupplier stopped;
    private final Consumer<String> say;
    private final Coverage coverage = new Coverage();
    private OptionalLong rate = OptionalLong.empty();

    /** Runs one drill as {@code ycsb drill} does. */
    public interface Drills {
        /** What came of it; its run directory is the one given. */
        Explored run(DrillFile drill, Path directory);
    }

    /**
     * Not begun.
     *
     * @param stopped whether the user has asked to stop
     * @param say notified by a line for each drill
     */
    public Explorer(
            Drills drills,
            Drawer drawer,
            ExploreFiles files,
            NanoClock clock,
            BooleanSupplier stopped,
            Consumer<String> say) {
        this.drills = drills;
        this.drawer = drawer;
        this.files = files;
        this.clock = clock;
        this.stopped = stopped;
        this.say = say;
    }

    /**
     * Does it.
     *
     * @param length no drill is begun later; when one has shown something, as long again to make it smaller
     * @return the exit code: 0 nothing found, 1 nothing judged, 3 found
     */
    public int execute(Duration length) {
        long end = clock.nanoTime() + length.toNanos();
        files.pairs(drawer.pairs());
        int judged = 0;
        int number = 0;
        while (!stopped.getAsBoolean() && clock.nanoTime() < end && (judged > 0 || number < MOST_UNJUDGED)) {
            DrawnDrill drill = loaded(drawer.next());
            Explored outcome = run(String.format(Locale.ROOT, "%03d", ++number), drill);
            rate = rate.isPresent() ? rate : outcome.rate();
            judged += outcome.invalid().isEmpty() ? 1 : 0;
            if (outcome.worst().isPresent() && !stopped.getAsBoolean()) {
                reduce(drill, outcome, length);
                return 3;
            }
        }
        files.ended(
                stopped.getAsBoolean() ? "interrupted" : judged == 0 ? "nothing could be judged" : "nothing found",
                coverage);
        return judged == 0 ? 1 : 0;
    }

    /** Calibrated once: what the cluster can do is measured by the first drill. */
    private DrawnDrill loaded(DrawnDrill drill) {
        return rate.isPresent() && drill.load().endsWith("%") ? drill.load(rate.getAsLong()) : drill;
    }

    private Explored run(String name, DrawnDrill drill) {
        long begin = clock.nanoTime();
        DrillFile file = files.write(name, drill);
        Explored outcome = drills.run(file, files.directory().resolve(name)).took((clock.nanoTime() - begin) / 1e9);
        Map<String, String> kinds = drill.steps().stream().collect(Collectors.toMap(DrawnStep::name, DrawnStep::kind));
        coverage.add(outcome.begun().stream().map(begun -> hit(begun, kinds)).toList(), outcome.phases());
        files.ran(name, drill, outcome, coverage);
        say.accept(String.format(
                Locale.ROOT, "%s: %s: %s (%.0f s)", name, drill.brief(), outcome.text(), outcome.seconds()));
        return outcome;
    }

    private static Hit hit(Begun begun, Map<String, String> kinds) {
        return new Hit(kinds.getOrDefault(begun.step(), begun.step()), begun.node(), begun.atSeconds());
    }

    private void reduce(DrawnDrill drill, Explored found, Duration length) {
        Trouble trouble = found.worst().orElseThrow();
        files.found(trouble, drill);
        long end = clock.nanoTime() + length.toNanos();
        Smallest smallest = new Smallest(found);
        int[] number = {0};
        Reducer reducer = new Reducer(
                candidate -> {
                    Explored outcome = run(String.format(Locale.ROOT, "reduce-%03d", ++number[0]), candidate);
                    boolean shows = outcome.shows(trouble.kind());
                    if (shows) {
                        smallest.take(outcome);
                    }
                    return shows;
                },
                () -> !stopped.getAsBoolean() && clock.nanoTime() < end);
        DrawnDrill known = loaded(drill);
        Rate shown = reducer.again(known, AGAIN);
        say.accept(trouble.kind().label() + " in " + shown.shown() + " of " + shown.runs()
                + " runs of this drill; it is made smaller, each" + " candidate in up to " + shown.tries()
                + (shown.tries() == 1 ? " run" : " runs"));
        DrawnDrill reduced = reducer.reduce(known, shown);
        files.reduced(reduced, shown, smallest.directory(), coverage);
        say.accept("smallest drill that shows it: " + files.finding() + ": " + reduced.brief());
    }

    /** The shortest of the runs that have shown it. */
    private static final class Smallest {
        private Explored shortest;

        Smallest(Explored first) {
            shortest = first;
        }

        void take(Explored another) {
            shortest = another.seconds() < shortest.seconds() ? another : shortest;
        }

        Path directory() {
            return shortest.directory();
        }
    }
}
