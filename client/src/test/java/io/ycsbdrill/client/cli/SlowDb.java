package io.ycsbdrill.client.cli;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.locks.LockSupport;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** A database whose calls take some milliseconds, or with {@code slow.hang=true} never return, whatever interrupts them. */
public final class SlowDb extends DB {
    /** Said on standard error by a call that will never return. */
    static final String HANGS = "this call will not return";

    private static final long TAKES_NANOS = 5_000_000;

    private Status call() {
        boolean hang = Boolean.parseBoolean(getProperties().getProperty("slow.hang"));
        if (hang) {
            System.err.println(HANGS);
        }
        long end = System.nanoTime() + TAKES_NANOS;
        while (hang || System.nanoTime() < end) {
            LockSupport.parkNanos(TAKES_NANOS);
        }
        return Status.OK;
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return call();
    }

    @Override
    public Status scan(
            String table, String start, int count, Set<String> fields, Vector<HashMap<String, ByteIterator>> result) {
        return call();
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return call();
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return call();
    }

    @Override
    public Status delete(String table, String key) {
        return call();
    }
}
