package io.ycsbdrill.binding.ndb.client;

/** A set of a table's columns, ready for use. Immutable by convention: the arrays are shared, not copied. */
public final class ColumnSet {
    private final int[] numbers;
    private final byte[] mask;

    /**
     * @param numbers of the columns
     * @param tableColumns how many columns the table has
     */
    public ColumnSet(int[] numbers, int tableColumns) {
        this.numbers = numbers;
        this.mask = new byte[(tableColumns + 7) / 8];
        for (int number : numbers) {
            mask[number >> 3] |= (byte) (1 << (number & 7));
        }
    }

    /** The columns' numbers. */
    public int[] numbers() {
        return numbers;
    }

    /** One bit per column of the table, the lowest bit of the first byte for column 0. */
    public byte[] mask() {
        return mask;
    }
}
