package io.ycsbdrill.client.explore;

/**
 * What a drill has shown and a cluster must not do.
 *
 * @param kind which of them
 * @param text in a sentence
 */
public record Trouble(Kind kind, String text) {

    /** All of them, the worst first. */
    public enum Kind {
        LOST_WRITE("lost write"),
        IMPOSSIBLE_VALUE("impossible value"),
        COPIES_DIFFER("copies differ"),
        /** A row of the load is gone, or a write that was only shown to a reader. */
        ROW_LOST("row lost"),
        NOT_RECOVERED("node not recovered"),
        LEFTOVER("leftover"),
        NOT_RESTORED("service not restored"),
        LIMIT_MISSED("limit missed");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** Whether it is about the rows, so that a later drill on the same table may show it, whatever that one does. */
        boolean ofTheTable() {
            return compareTo(ROW_LOST) <= 0;
        }

        /** Whether a machine that has other things to do shows it now and then. */
        boolean mayBeNoise() {
            return this == NOT_RESTORED || this == LIMIT_MISSED;
        }

        /** The name in files and messages. */
        public String label() {
            return label;
        }
    }
}
