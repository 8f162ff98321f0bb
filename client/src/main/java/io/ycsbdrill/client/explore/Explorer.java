package io.ycsbdrill.client.explore;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.client.explore.Explored.Begun;
import io.ycsbdrill.fault.explore.Coverage;
import io.ycsbdrill.fault.explore.Coverage.Hit;
import io.ycsbdrill.fault.explore.Drawer;
import io.ycsbdrill.fault.explore.DrawnDrill;
import io.ycsbdrill.fault.explore.DrawnStep;
import io.ycsbdrill.fault.schedule.DrillFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Runs what is drawn until time is up or a drill shows something, and then makes that one smaller. Used by one thread, once. */
public final class Explorer {
    /** When none of so many in a row could be judged, none will be. */
    private static final int MOST_UNJUDGED = 5;

    private final Drills drills;
    private final Drawer drawer;
    private final ExploreFiles files;
    private final NanoClock clock;
    private final BooleanSupplier stopped;
    private final Consumer<String> say;
    private final Coverage coverage = new Coverage();
    private OptionalLong rate = OptionalLong.empty();
    private int drawn;
    private int judged;
    private int seenOnce;
    private int reducing;

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
     * @return the exit code: 0 nothing found, 1 nothing begun or judged, 3 found
     */
    public int execute(Duration length) {
        long end = clock.nanoTime() + length.toNanos();
        files.pairs(drawer.pairs());
        int unjudged = 0;
        Optional<Shown> last = Optional.empty();
        while (!stopped.getAsBoolean() && clock.nanoTime() < end && unjudged < MOST_UNJUDGED) {
            DrawnDrill drill = loaded(drawer.next());
            Explored outcome = run(Formatted.of("%03d", ++drawn), drill, true);
            rate = rate.isPresent() ? rate : outcome.rate();
            if (outcome.blocked() && !stopped.getAsBoolean()) {
                return blocked(outcome.invalid().orElse(""), last);
            }
            last = outcome.hasRun() ? Optional.of(new Shown(drill, outcome)) : last;
            judged += outcome.invalid().isEmpty() ? 1 : 0;
            unjudged = outcome.invalid().isEmpty() ? 0 : unjudged + 1;
            if (Shown.in(outcome, stopped) && found(new Shown(loaded(drill), outcome), length)) {
                return 3;
            }
        }
        return nothing(unjudged);
    }

    private int nothing(int unjudged) {
        String counts = judged + " of " + Counted.of(drawn, "drill") + " judged"
                + (seenOnce > 0 ? "; " + seenOnce + " of them showed what was not seen again" : "")
                + (unjudged >= MOST_UNJUDGED ? "; ended, as none of the last " + unjudged + " could be" : "");
        String state =
                stopped.getAsBoolean() ? "interrupted" : judged == 0 ? "nothing could be judged" : "nothing found";
        files.ended(state, counts, coverage);
        say.accept("explore: " + state + ": " + counts);
        return judged == 0 ? 1 : 0;
    }

    /** A cluster that no drill has touched yet shows nothing; else the last one has left it so. */
    private int blocked(String why, Optional<Shown> last) {
        if (last.isEmpty()) {
            files.ended("no drill could be begun", why, coverage);
            say.accept("explore: no drill could be begun: " + why);
            return 1;
        }
        Explored outcome = last.get().outcome();
        Trouble trouble = new Trouble(
                Trouble.Kind.LEFTOVER,
                "after " + outcome.directory().getFileName() + " no further drill can be begun: " + why);
        files.found(trouble, last.get().drill(), outcome, coverage);
        files.kept(last.get().drill(), outcome.directory(), "the cluster does not come back", coverage);
        say.accept("FOUND " + trouble.kind().label() + ": " + trouble.text() + "; the drill: " + files.finding());
        return 3;
    }

    /** Whether it is one, and not only seen once. */
    private boolean found(Shown first, Duration length) {
        long end = clock.nanoTime() + length.toNanos();
        Optional<Shown> next = Optional.of(first);
        boolean found = true;
        while (next.isPresent()) {
            Reduction reduction = new Reduction(
                    next.get(),
                    files,
                    coverage,
                    drill -> run(Formatted.of("reduce-%03d", ++reducing), drill, false),
                    () -> clock.nanoTime() < end,
                    stopped,
                    say);
            found = reduction.execute();
            next = reduction.worse();
        }
        seenOnce += found ? 0 : 1;
        return found;
    }

    /** Calibrated once: what the cluster can do is measured by the first drill. */
    private DrawnDrill loaded(DrawnDrill drill) {
        return rate.isPresent() && drill.load().endsWith("%") ? drill.load(rate.getAsLong()) : drill;
    }

    /** @param counts whether it is drawn, and so covers something */
    private Explored run(String name, DrawnDrill drill, boolean counts) {
        long begin = clock.nanoTime();
        DrillFile file = files.write(name, drill);
        Explored outcome = drills.run(file, files.directory().resolve(name)).took((clock.nanoTime() - begin) / 1e9);
        if (counts) {
            Map<String, String> kinds =
                    drill.steps().stream().collect(Collectors.toMap(DrawnStep::name, DrawnStep::kind));
            coverage.add(
                    outcome.begun().stream().map(begun -> hit(begun, kinds)).toList(), outcome.phases());
        }
        files.ran(name, drill, outcome, coverage);
        say.accept(Formatted.of("%s: %s: %s (%.0f s)", name, drill.brief(), outcome.text(), outcome.seconds()));
        return outcome;
    }

    private static Hit hit(Begun begun, Map<String, String> kinds) {
        return new Hit(kinds.getOrDefault(begun.step(), begun.step()), begun.node(), begun.atSeconds());
    }
}
