package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.FieldCodec;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;

/**
 * Runs in the node that is primary for the key: replaces the fields of the changes, an encoded row, in the row, as one
 * atomic step. The result says whether there was a row.
 */
public final class MergeFields implements EntryProcessor<String, byte[], Boolean> {

    @Override
    public Boolean process(MutableEntry<String, byte[]> entry, Object... arguments) {
        byte[] row = entry.getValue();
        if (row == null) {
            return false;
        }
        entry.setValue(FieldCodec.merge(row, (byte[]) arguments[0]));
        return true;
    }
}
