package io.ycsbdrill.report.stat;

/** How it was decided how many pairs there are, which intervals and tests have to follow. */
public enum PairCount {
    /** Before the first one: all of them say how much they scatter. */
    PLANNED(Integer.MAX_VALUE),
    /** By the scatter of the first {@value TwoStageRatio#PILOT}, as {@link TwoStageRatio} has it: only these say how much they scatter. */
    PILOTED(TwoStageRatio.PILOT);

    private final int most;

    PairCount(int most) {
        this.most = most;
    }

    /** How many of so many pairs say how much they scatter. */
    public int scatterOf(int pairs) {
        return Math.min(most, pairs);
    }
}
