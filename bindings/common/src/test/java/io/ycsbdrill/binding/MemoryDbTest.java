package io.ycsbdrill.binding;

import java.util.Properties;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import site.ycsb.DB;

/** The contract holds for the fake that other tests rely on. */
class MemoryDbTest extends BindingContract {
    private final ConcurrentNavigableMap<String, byte[]> rows = new ConcurrentSkipListMap<>();

    @Override
    protected DB newDb() {
        return new MemoryDb(rows);
    }

    @Override
    protected Properties properties() {
        return new Properties();
    }
}
