package io.ycsbdrill.fault.schedule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;

/**
 * How often a whole schedule is repeated within one run, because one fault says nothing about chance. Immutable.
 *
 * @param faults cycles in which the steps are injected, 1 to {@value #MOST}
 * @param wantedNulls how many {@link #nulls} there are to be, 0 to {@value #MOST}; empty for one for every three with faults
 * @param pause the longest random pause before a cycle, so that faults do not fall in step with anything periodic; not negative
 */
public record Cycles(int faults, OptionalInt wantedNulls, Duration pause) {
    /** The most cycles of either kind. */
    public static final int MOST = 1000;

    /** Used when a drill does not say. */
    public static final Duration DEFAULT_PAUSE = Duration.ofSeconds(20);

    /** Random choices of the plan must not repeat those of the targets, which have the same seed. */
    private static final long SALT = 0x6379636c6573L;

    public Cycles {
        if (faults < 1 || faults > MOST) {
            throw new IllegalArgumentException("cycles " + faults + " is not within 1 to " + MOST);
        }
        wantedNulls.ifPresent(nulls -> {
            if (nulls < 0 || nulls > MOST) {
                throw new IllegalArgumentException("null cycles " + nulls + " is not within 0 to " + MOST);
            }
        });
        Rules.notNegative("pause", pause);
    }

    /** @param nulls as many are wanted */
    public Cycles(int faults, int nulls, Duration pause) {
        this(faults, OptionalInt.of(nulls), pause);
    }

    /** So many with faults, a null cycle for every three of them (rounded up), and pauses of up to 20 s. */
    public static Cycles of(int faults) {
        return new Cycles(faults, OptionalInt.empty(), DEFAULT_PAUSE);
    }

    /** Cycles in which nothing is injected and everything is measured: what they show is noise. */
    public int nulls() {
        return wantedNulls.orElse((faults + 2) / 3);
    }

    /**
     * One cycle of the plan.
     *
     * @param number from 1, in order of time
     * @param isNull whether nothing is injected
     * @param pause from steady throughput to its beginning
     */
    public record Cycle(int number, boolean isNull, Duration pause) {}

    /**
     * The order of the cycles and their pauses, uniform from 0 to the longest; the same for the same seed. The first is never a null
     * cycle, because those last as long as the ones with faults before them; all other positions are equally likely.
     */
    public List<Cycle> plan(long seed) {
        Random random = new Random(seed ^ SALT);
        List<Boolean> isNull = new ArrayList<>(Collections.nCopies(faults - 1, false));
        isNull.addAll(Collections.nCopies(nulls(), true));
        Collections.shuffle(isNull, random);
        isNull.add(0, false);
        List<Cycle> plan = new ArrayList<>();
        for (boolean nothing : isNull) {
            long nanos = (long) (random.nextDouble() * pause.toNanos());
            plan.add(new Cycle(plan.size() + 1, nothing, Duration.ofNanos(nanos)));
        }
        return List.copyOf(plan);
    }
}
