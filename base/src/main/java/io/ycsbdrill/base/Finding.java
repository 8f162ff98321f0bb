package io.ycsbdrill.base;

/**
 * What a check of this machine or of a server found, as one line of {@code ycsb doctor}.
 *
 * @param verdict what the line means for the user
 * @param text what was seen and, unless all is well, what to do next; no secrets
 */
public record Finding(Verdict verdict, String text) {

    /** How serious a finding is. */
    public enum Verdict {
        OK,
        /** Something is missing or unusual, but not needed for everything. */
        NOTE,
        /** Something that was configured does not work; the doctor's exit code says so. */
        BAD,
        /** A continuation of the previous finding. */
        DETAIL
    }

    public static Finding ok(String text) {
        return new Finding(Verdict.OK, text);
    }

    public static Finding note(String text) {
        return new Finding(Verdict.NOTE, text);
    }

    public static Finding bad(String text) {
        return new Finding(Verdict.BAD, text);
    }

    public static Finding detail(String text) {
        return new Finding(Verdict.DETAIL, text);
    }

    /** {@link #ok} or {@link #note}. */
    public static Finding okIf(boolean good, String text) {
        return good ? ok(text) : note(text);
    }
}
