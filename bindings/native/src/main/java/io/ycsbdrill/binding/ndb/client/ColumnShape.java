package io.ycsbdrill.binding.ndb.client;

/**
 * A column of a table that is there.
 *
 * @param number its place in the table, from 0
 * @param kind how its values are stored
 * @param capacity bytes that a value may have; only meaningful for the kinds that the binding can use
 * @param charset MySQL's name of its character set; {@code binary} when it has none
 * @param javaCharset Java's name of it, or null when there is none or Java has none
 */
public record ColumnShape(
        String name,
        int number,
        Kind kind,
        int capacity,
        String charset,
        String javaCharset,
        boolean primaryKey,
        boolean disk) {

    /** How values are stored. */
    public enum Kind {
        /** One byte of length, then the value. */
        SHORT_VARIABLE(1),
        /** Two bytes of length, then the value. */
        LONG_VARIABLE(2),
        /** Anything else; the binding cannot use it. */
        OTHER(0);

        private final int lengthBytes;

        Kind(int lengthBytes) {
            this.lengthBytes = lengthBytes;
        }

        /** Number of length bytes before the value. */
        public int lengthBytes() {
            return lengthBytes;
        }
    }

    boolean usable() {
        return kind != Kind.OTHER;
    }
}
