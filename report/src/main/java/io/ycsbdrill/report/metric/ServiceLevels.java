package io.ycsbdrill.report.metric;

import java.util.function.IntPredicate;

/**
 * Which slices of a stretch were out of service or degraded, and how much service each of them lost. Pure; docs/metrics.md has the
 * definitions. Slices are those of the run; the stretch is half-open.
 */
final class ServiceLevels {
    /** Below this share of the offered load there is no service. */
    static final double OUT = 0.01;

    /**
     * What may be chance.
     *
     * @param level below this share of the offered load the service is degraded
     * @param fewestDue with fewer operations due, none of them succeeding is no outage
     * @param deviations so many standard deviations of a count fewer successes are not fewer
     */
    record Chance(double level, double fewestDue, double deviations) {
        /** The chance for all operations together, of which many are due in each second. */
        static Chance of(double level) {
            return new Chance(level, 10, 0);
        }

        /** The fewest successes of operations that were due that are no degradation. */
        double least(double due) {
            return level * due - deviations * Math.sqrt(due);
        }
    }

    private final double[] ok;
    private final double[] due;
    private final Chance chance;
    private final int second;
    private final int from;
    private final int to;
    private final boolean[] stalled;
    private final boolean[] out;
    private final boolean[] slow;
    private final boolean[] late;
    private final double[] lost;

    /**
     * Looks at a stretch.
     *
     * @param ok successes by slice
     * @param due offered operations by slice
     * @param late slices whose latency is above the SLO
     * @param second slices in a second
     * @param noise what a slice without degradation loses anyway, 0 to 1: that of the baseline
     */
    ServiceLevels(
            double[] ok, double[] due, IntPredicate late, int second, int from, int to, double noise, Chance chance) {
        this.chance = chance;
        this.ok = ok;
        this.due = due;
        this.second = second;
        this.from = from;
        this.to = to;
        stalled = runs(i -> ok[i] < OUT * due[i], chance.fewestDue, 1);
        out = runs(i -> stalled[i - from], 0, Math.max(1, second / 2));
        slow = slow();
        this.late = new boolean[to - from];
        for (int i = from; i < to; i++) {
            this.late[i - from] = late.test(i);
        }
        lost = lost(noise);
    }

    /** Slices of runs that are long enough and in which enough operations were due. */
    private boolean[] runs(IntPredicate inside, double fewestDue, int shortest) {
        boolean[] flags = new boolean[to - from];
        int start = from;
        double sum = 0;
        for (int i = from; i <= to; i++) {
            if (i < to && inside.test(i)) {
                sum += due[i];
                continue;
            }
            for (int k = start; k < i && i - start >= shortest && sum >= fewestDue; k++) {
                flags[k - from] = true;
            }
            start = i + 1;
            sum = 0;
        }
        return flags;
    }

    /** Slices of which every second that contains them is below the level, and those beside them that are so themselves. */
    private boolean[] slow() {
        boolean[] core = new boolean[to - from];
        int first = Math.max(0, from - second + 1);
        boolean[] healthy = new boolean[Math.max(0, to - second + 1 - first)];
        for (int i = 0; i < healthy.length; i++) {
            healthy[i] = healthy(first + i, first + i + second);
        }
        for (int i = from; i < to; i++) {
            boolean any = false;
            boolean none = true;
            for (int k = Math.max(first, i - second + 1); k <= i && k - first < healthy.length; k++) {
                any |= healthy[k - first];
                none = false;
            }
            core[i - from] = !any && !none || out[i - from];
        }
        boolean[] slow = core.clone();
        for (int i = from + 1; i < to; i++) {
            slow[i - from] |= slow[i - from - 1] && below(i);
        }
        for (int i = to - 2; i >= from; i--) {
            slow[i - from] |= slow[i - from + 1] && below(i);
        }
        return slow;
    }

    private boolean below(int slice) {
        return !healthy(slice, slice + 1);
    }

    private boolean healthy(int first, int last) {
        double sum = 0;
        double wanted = 0;
        for (int i = first; i < last; i++) {
            sum += ok[i];
            wanted += due[i];
        }
        return sum >= chance.least(wanted);
    }

    private double share(int first, int last) {
        double sum = 0;
        double wanted = 0;
        for (int i = first; i < last; i++) {
            sum += ok[i];
            wanted += due[i];
        }
        return wanted > 0 ? sum / wanted : 1;
    }

    /** Slice by slice where service was bad, else second by second, less noise; what is above the offered load pays nothing back. */
    private double[] lost(double noise) {
        double[] lost = new double[to - from];
        int i = from;
        while (i < to) {
            int end = i + 1;
            boolean bad = bad(i);
            while (!bad && end < to && end - i < second && !bad(end)) {
                end++;
            }
            double each = 1 - Math.min(1, share(i, end)) - (bad ? 0 : noise);
            for (; i < end; i++) {
                lost[i - from] = each;
            }
        }
        return lost;
    }

    private boolean bad(int slice) {
        return stalled[slice - from] || slow[slice - from];
    }

    boolean out(int slice) {
        return out[slice - from];
    }

    boolean degraded(int slice) {
        return out[slice - from] || slow[slice - from] || late[slice - from];
    }

    /** Whether the latency of the slice is above the SLO. */
    boolean late(int slice) {
        return late[slice - from];
    }

    /** Whether service is being lost there. Latency is none of it: what succeeds late is served. */
    boolean losing(int slice) {
        return bad(slice);
    }

    /** How many slices of the stretch. */
    int count(IntPredicate which) {
        int count = 0;
        for (int i = from; i < to; i++) {
            count += which.test(i) ? 1 : 0;
        }
        return count;
    }

    /** The most of them in a row. */
    int longest(IntPredicate which) {
        int longest = 0;
        int length = 0;
        for (int i = from; i < to; i++) {
            length = which.test(i) ? length + 1 : 0;
            longest = Math.max(longest, length);
        }
        return longest;
    }

    /** Lost service, in slices; never negative. The noise of calm slices is taken off their own loss, and off no other. */
    double lost(IntPredicate which) {
        double bad = 0;
        double calm = 0;
        for (int i = from; i < to; i++) {
            if (which.test(i)) {
                bad += bad(i) ? lost[i - from] : 0;
                calm += bad(i) ? 0 : lost[i - from];
            }
        }
        return bad + Math.max(0, calm);
    }

    /**
     * What the slices lose that are not bad, each: noise, when the stretch is a baseline. Where a rate was set, only the scatter around it is
     * that; what they lack on average is a service that was sick before, too.
     */
    double noise(boolean atRate) {
        int calm = 0;
        double served = 0;
        double wanted = 0;
        for (int i = from; i < to; i++) {
            calm += bad(i) ? 0 : 1;
            served += bad(i) ? 0 : ok[i];
            wanted += bad(i) ? 0 : due[i];
        }
        double lacking = atRate && wanted > 0 ? Math.max(0, 1 - served / wanted) : 0;
        return calm == 0 ? 0 : Math.max(0, lost(i -> !bad(i)) / calm - lacking);
    }
}
