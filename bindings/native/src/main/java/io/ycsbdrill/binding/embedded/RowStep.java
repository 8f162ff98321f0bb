package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.FieldCodec;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;

/**
 * One step of a pessimistic transaction on one row, which is locked for it until the transaction ends. Arguments: the name of a {@link Kind},
 * and an encoded row or null. The result is the row as it was before, or null. Every access that locks is such a step, as Ignite accepts no
 * plain write to a row after a processor was applied to it, and a plain read in the isolation READ_COMMITTED locks nothing.
 */
public final class RowStep implements EntryProcessor<String, byte[], byte[]> {

    /** What is done to the row. */
    enum Kind {
        LOCK,
        /** If there is none. */
        INSERT,
        /** The fields of the argument are replaced, if there is a row. */
        UPDATE,
        DELETE
    }

    @Override
    public byte[] process(MutableEntry<String, byte[]> entry, Object... arguments) {
        byte[] row = entry.getValue();
        byte[] argument = (byte[]) arguments[1];
        switch (Kind.valueOf((String) arguments[0])) {
            case INSERT:
                if (row == null) {
                    entry.setValue(argument);
                }
                break;
            case UPDATE:
                if (row != null) {
                    entry.setValue(FieldCodec.merge(row, argument));
                }
                break;
            case DELETE:
                if (row != null) {
                    entry.remove();
                }
                break;
            default:
                break;
        }
        return row;
    }
}
