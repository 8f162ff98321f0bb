package io.ycsbdrill.client.explore;

import io.ycsbdrill.client.explore.Trouble.Kind;
import io.ycsbdrill.fault.explore.Coverage;
import io.ycsbdrill.fault.explore.DrawnDrill;
import io.ycsbdrill.fault.explore.Reducer;
import io.ycsbdrill.fault.explore.Reducer.Rate;
import io.ycsbdrill.fault.explore.Reducer.Seen;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** Finds out how often a finding shows, whether it needs faults at all, and the smallest drill that shows it. Used by one thread, once. */
final class Reduction {
    /** How often a drill is run again, to know how often it shows it. */
    static final int AGAIN = 3;

    private final Shown found;
    private final ExploreFiles files;
    private final Coverage coverage;
    private final Function<DrawnDrill, Explored> runs;
    private final BooleanSupplier stopped;
    private final Consumer<String> say;
    private final Reducer reducer;
    private boolean timeCounts = true;
    private Shown smallest;
    private Optional<String> blocked = Optional.empty();
    private Optional<Shown> worse = Optional.empty();

    /**
     * Not begun.
     *
     * @param found its drill with the load that is used from now on
     * @param inTime whether there is time for another candidate
     */
    Reduction(
            Shown found,
            ExploreFiles files,
            Coverage coverage,
            Function<DrawnDrill, Explored> runs,
            BooleanSupplier inTime,
            BooleanSupplier stopped,
            Consumer<String> say) {
        this.found = found;
        this.files = files;
        this.coverage = coverage;
        this.runs = runs;
        this.stopped = stopped;
        this.say = say;
        smallest = found;
        reducer = new Reducer(this::seen, () -> whyNot().isEmpty() && (!timeCounts || inTime.getAsBoolean()));
    }

    /**
     * Does it, unless something worse is seen meanwhile.
     *
     * @return whether it is a finding; else it was seen once only and may be noise
     */
    boolean execute() {
        Kind kind = found.kind();
        files.found(found.trouble(), found.drill(), found.outcome(), coverage);
        if (whyNot().isPresent() && !kind.mayBeNoise()) {
            return kept(whyNot().get());
        }
        if (kind.ofTheTable() && withoutFaults()) {
            return kept("a drill without faults shows it too: it stays in the table, or needs no fault");
        }
        Rate rate = reducer.again(found.drill(), AGAIN).andOneThatDid();
        if (worse.isPresent()) {
            return true;
        }
        if (kind.mayBeNoise() && rate.shown() < 2) {
            say.accept(kind.label() + " was seen once in " + rate.runs() + " runs of this drill; it is not followed");
            files.seenOnce(found.outcome().directory().getFileName().toString(), rate, coverage);
            return false;
        }
        files.shown(rate);
        say.accept(kind.label() + " in " + rate.shown() + " of " + rate.runs()
                + " runs of this drill; it is made smaller, each candidate in up to " + rate.tries()
                + (rate.tries() == 1 ? " run" : " runs"));
        DrawnDrill reduced = reducer.reduce(found.drill(), rate);
        return worse.isPresent() || ended(reduced);
    }

    /** What was seen instead, which is to be followed first. */
    Optional<Shown> worse() {
        return worse;
    }

    private boolean ended(DrawnDrill reduced) {
        if (reduced.equals(found.drill())) {
            return kept(whyNot().orElse("no smaller drill has shown it"));
        }
        boolean mayHaveStayed = found.kind().ofTheTable() && found.kind() != Kind.LOST_WRITE;
        if (mayHaveStayed && whyNot().isEmpty() && withoutFaults()) {
            return kept("since a run of a smaller drill it stays in the table");
        }
        timeCounts = false;
        Rate again = reducer.again(reduced, AGAIN);
        if (worse.isPresent()) {
            return true;
        }
        if (again.runs() > 0 && again.shown() == 0) {
            return kept("the smallest drill that has shown it, " + reduced.brief() + ", did so in none of "
                    + again.runs() + " further runs");
        }
        files.reduced(reduced, again, smallest.outcome().directory(), coverage);
        say.accept("smallest drill that shows it, in " + again.shown() + " of " + again.runs() + " further runs: "
                + files.finding() + ": " + reduced.brief());
        return true;
    }

    private boolean kept(String why) {
        files.kept(found.drill(), found.outcome().directory(), why, coverage);
        say.accept("not made smaller: " + why + "; the drill: " + files.finding());
        return true;
    }

    /** Why no further drill is run; empty when one may be. */
    private Optional<String> whyNot() {
        return stopped.getAsBoolean()
                ? Optional.of("interrupted")
                : blocked.or(
                        () -> worse.map(other -> "there is a " + other.kind().label()));
    }

    /** Whether a drill that does nothing shows it. */
    private boolean withoutFaults() {
        return run(found.drill().withoutFaults()).shows(found.kind());
    }

    private Seen seen(DrawnDrill drill) {
        Explored outcome = run(drill);
        if (outcome.blocked() || stopped.getAsBoolean()) {
            return Seen.NOT_JUDGED;
        }
        if (!outcome.shows(found.kind())) {
            return outcome.invalid().isPresent() ? Seen.NOT_JUDGED : Seen.NOT_SHOWN;
        }
        boolean longer = drill.equals(smallest.drill())
                && outcome.seconds() >= smallest.outcome().seconds();
        smallest = longer ? smallest : new Shown(drill, outcome);
        return Seen.SHOWN;
    }

    private Explored run(DrawnDrill drill) {
        Explored outcome = runs.apply(drill);
        if (outcome.blocked() && !stopped.getAsBoolean()) {
            blocked = outcome.invalid().map(why -> "the cluster does not come back: " + why);
        }
        if (Shown.in(outcome, stopped)) {
            Shown seen = new Shown(drill, outcome);
            worse = seen.kind().compareTo(found.kind()) < 0 && !seen.kind().mayBeNoise() ? Optional.of(seen) : worse;
        }
        return outcome;
    }
}
