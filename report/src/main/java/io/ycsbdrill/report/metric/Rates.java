package io.ycsbdrill.report.metric;

import java.util.Optional;
import java.util.OptionalDouble;

/** Arithmetic on a column of counts per slice. Pure; indices are slice numbers, ranges half-open. */
public final class Rates {
    /** Throughput must hold for this long to count as reached. */
    static final int HOLD_SECONDS = 5;

    private final double[] ok;
    private final double[] sums;
    private final double sliceSeconds;
    private final int perSecond;

    public Rates(double[] ok, double sliceSeconds, int perSecond) {
        this.ok = ok;
        this.sliceSeconds = sliceSeconds;
        this.perSecond = perSecond;
        sums = new double[ok.length + 1];
        for (int i = 0; i < ok.length; i++) {
            sums[i + 1] = sums[i] + ok[i];
        }
    }

    double sum(int from, int to) {
        return sums[to] - sums[from];
    }

    /** Operations per second. */
    public double mean(int from, int to) {
        return sum(from, to) / ((to - from) * sliceSeconds);
    }

    /** Throughput of the second that begins with a slice. */
    double second(int from) {
        return mean(from, from + perSecond);
    }

    /** Whole seconds counted backwards from the end of a range. */
    double[] secondsBefore(int from, int to) {
        double[] seconds = new double[Math.max(0, to - from) / perSecond];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = second(to - (i + 1) * perSecond);
        }
        return seconds;
    }

    /** Lowest throughput of any second of the range, wherever it begins; empty when the range is shorter than a second. */
    OptionalDouble lowestSecond(int from, int to) {
        OptionalDouble lowest = OptionalDouble.empty();
        for (int i = from; i + perSecond <= to; i++) {
            double rate = second(i);
            if (lowest.isEmpty() || rate < lowest.getAsDouble()) {
                lowest = OptionalDouble.of(rate);
            }
        }
        return lowest;
    }

    int emptySlices(int from, int to) {
        int empty = 0;
        for (int i = from; i < to; i++) {
            empty += ok[i] == 0 ? 1 : 0;
        }
        return empty;
    }

    /** The longest stretch without a success that begins in the range; it is followed beyond the range's end, up to {@code limit}. */
    Gap longestGap(int from, int to, int limit) {
        int bestStart = from;
        int best = 0;
        int start = from;
        for (int i = from; i <= limit; i++) {
            if (i == limit || ok[i] > 0) {
                if (i - start > best && start < to) {
                    best = i - start;
                    bestStart = start;
                }
                start = i + 1;
            }
        }
        boolean open = best > 0 && bestStart + best == limit;
        return new Gap(bestStart * sliceSeconds, (best + 1) * sliceSeconds, sliceSeconds, open);
    }

    /**
     * When throughput is back at a level.
     *
     * @param never true when it was never below it: both times are 0
     * @param first slice at which it was back for {@link #HOLD_SECONDS} seconds; -1 when that never happened
     * @param forGood slice from which on it stayed; -1 when it did not
     */
    record Return(boolean never, int first, int forGood) {}

    /**
     * A level is held at a slice when the mean of the {@link #HOLD_SECONDS} seconds from there is at least the level, and none
     * of the seconds within is below both the level and the lowest second of the baseline. A return never begins with an
     * empty slice.
     *
     * @return empty when the range is too short to say
     */
    Optional<Return> backAt(double level, double lowestBaselineSecond, int from, int to) {
        int hold = HOLD_SECONDS * perSecond;
        int last = to - hold;
        if (last < from) {
            return Optional.empty();
        }
        double floor = Math.min(level, lowestBaselineSecond);
        boolean[] low = new boolean[Math.max(0, to - perSecond + 1)];
        int dropped = -1;
        for (int i = from; i < low.length; i++) {
            low[i] = second(i) < floor;
            if (low[i] && dropped < 0) {
                dropped = i;
            }
        }
        boolean[] held = new boolean[last + 1];
        int lastLow = nextLow(low, last, last + hold - perSecond);
        int lastMissed = -1;
        for (int i = last; i >= from; i--) {
            lastLow = low[i] ? i : lastLow;
            boolean lowWithin = lastLow >= i && lastLow <= i + hold - perSecond;
            held[i] = mean(i, i + hold) >= level && !lowWithin;
            if (!held[i] && lastMissed < 0) {
                lastMissed = i;
            }
        }
        if (lastMissed < 0) {
            return Optional.of(new Return(true, from, from));
        }
        int begin = dropped >= 0 ? dropped : from;
        while (dropped < 0 && held[begin]) {
            begin++;
        }
        int first = -1;
        for (int i = begin; i <= last && first < 0; i++) {
            first = held[i] && ok[i] > 0 ? i : -1;
        }
        int forGood = lastMissed + 1;
        while (forGood <= last && ok[forGood] == 0) {
            forGood++;
        }
        return Optional.of(new Return(false, first, forGood > last ? -1 : forGood));
    }

    private static int nextLow(boolean[] low, int from, int to) {
        for (int i = from; i <= to && i < low.length; i++) {
            if (low[i]) {
                return i;
            }
        }
        return Integer.MAX_VALUE;
    }
}
