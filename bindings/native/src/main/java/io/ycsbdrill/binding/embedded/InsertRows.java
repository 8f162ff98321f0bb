package io.ycsbdrill.binding.embedded;

import java.util.Map;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.MutableEntry;

/**
 * Runs in the node that is primary for the key: inserts the row that the argument, a map of encoded rows by key, has for it, unless there
 * is one. The result says whether it did.
 */
public final class InsertRows implements EntryProcessor<String, byte[], Boolean> {

    @Override
    public Boolean process(MutableEntry<String, byte[]> entry, Object... arguments) {
        if (entry.exists()) {
            return false;
        }
        entry.setValue((byte[]) ((Map<?, ?>) arguments[0]).get(entry.getKey()));
        return true;
    }
}
