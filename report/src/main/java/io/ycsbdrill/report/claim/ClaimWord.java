package io.ycsbdrill.report.claim;

/** What is said of a claim; there are no other words. */
public enum ClaimWord {
    /** The whole interval agrees with the claim. */
    REPRODUCED("reproduced"),
    /** The whole interval contradicts it. */
    NOT_REPRODUCED("not reproduced"),
    /** Measured, but nothing follows for the claim; the reason says why. */
    NOT_COMPARABLE("not comparable"),
    /** There is no figure; the reason says why. */
    NOT_MEASURED("not measured");

    private final String label;

    ClaimWord(String label) {
        this.label = label;
    }

    /** Whether it answers the question of the claim, whichever way. */
    public boolean decides() {
        return this == REPRODUCED || this == NOT_REPRODUCED;
    }

    public String label() {
        return label;
    }
}
