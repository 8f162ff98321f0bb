package io.ycsbdrill.rundir;

/**
 * Something in a run's files that is not as it should be.
 *
 * @param file name within the run directory
 * @param line from 1; 0 when it is about the file as a whole
 * @param kind how bad it is
 * @param text what was seen and what was expected
 */
public record Problem(String file, int line, Kind kind, String text) {

    /** How bad a problem is. */
    public enum Kind {
        /** A line does not match its schema: figures made from the file are invalid. */
        DAMAGED,
        /** The last line of a run that was killed ends in the middle; everything before it is valid. */
        CUT_OFF,
        /** Worth knowing; nothing is lost. */
        NOTE
    }

    @Override
    public String toString() {
        return file + (line > 0 ? " line " + line : "") + ": " + text;
    }
}
