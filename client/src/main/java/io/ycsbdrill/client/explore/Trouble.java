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
        NOT_RECOVERED("node not recovered"),
        LEFTOVER("leftover"),
        NOT_RESTORED("service not restored"),
        LIMIT_MISSED("limit missed");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** The name in files and messages. */
        public String label() {
            return label;
        }
    }
}
