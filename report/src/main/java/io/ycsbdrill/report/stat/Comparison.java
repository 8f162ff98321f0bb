package io.ycsbdrill.report.stat;

/** What a paired ratio says about the second of two variants. */
public enum Comparison {
    BETTER("better"),
    WORSE("worse"),
    /** The interval of the ratio contains 1, or there is none, or a variant differed from itself by as much. */
    NOT_DISTINGUISHABLE("not distinguishable");

    private final String label;

    Comparison(String label) {
        this.label = label;
    }

    /** The words for tables. */
    public String label() {
        return label;
    }

    /**
     * Judges the ratio of a figure.
     *
     * @param ratio of the second variant to the first, as {@link PairedRatio} gives it
     * @param floor by how much a variant differed from itself
     * @param moreIsBetter whether the second is better when the ratio is above 1, as of throughput; otherwise when it is below, as of latency
     */
    public static Comparison of(Estimate ratio, NoiseFloor floor, boolean moreIsBetter) {
        if (!ratio.excludes(1) || floor.covers(ratio.value())) {
            return NOT_DISTINGUISHABLE;
        }
        return ratio.value() > 1 == moreIsBetter ? BETTER : WORSE;
    }
}
