package io.ycsbdrill.binding.servers;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import site.ycsb.DBException;

/**
 * Shares a resource among the binding objects of one process that have equal settings. YCSB makes one object per thread and gives
 * them no common owner: the first user opens the resource, the last one closes it. Thread-safe.
 *
 * @param <K> the settings: equal ones share
 * @param <V> what is shared; closing it does not throw
 */
public final class Shared<K, V extends AutoCloseable> {
    private final Map<K, Entry> open = new HashMap<>();
    private final Opener<K, V> opener;

    /** Opens what is shared. */
    public interface Opener<K, V> {
        V open(K settings) throws DBException;
    }

    /** One user's part of what is shared, such as a connection. */
    public interface Part extends AutoCloseable {
        /** Called once, before anything else. */
        void open() throws DBException;

        @Override
        void close();
    }

    public Shared(Opener<K, V> opener) {
        this.opener = opener;
    }

    /** Opens the resource if it is not open; concurrent callers wait, and share a failure. */
    public V acquire(K settings) throws DBException {
        Entry entry;
        synchronized (open) {
            entry = open.computeIfAbsent(settings, key -> new Entry());
            entry.users++;
        }
        try {
            return entry.open(settings);
        } catch (Throwable e) {
            release(settings);
            throw e;
        }
    }

    /** Gives the resource back; once for each successful {@link #acquire}. */
    public void release(K settings) {
        Entry last;
        synchronized (open) {
            Entry entry = open.get(settings);
            entry.users--;
            if (entry.users > 0) {
                return;
            }
            last = open.remove(settings);
        }
        last.close();
    }

    /**
     * Acquires the resource and opens one user's part of it; when that fails, both are given back.
     *
     * @param part makes a part that is not open yet
     */
    public <P extends Part> P join(K settings, Function<V, P> part) throws DBException {
        P joined = part.apply(acquire(settings));
        try {
            joined.open();
            return joined;
        } catch (Throwable e) {
            leave(settings, joined);
            throw e;
        }
    }

    /** Closes the part; once for each successful {@link #join}. */
    public void leave(K settings, Part part) {
        part.close();
        release(settings);
    }

    private final class Entry {
        private int users;
        private V shared;
        private DBException failure;

        synchronized V open(K settings) throws DBException {
            if (failure != null) {
                throw new DBException(failure.getMessage(), failure);
            }
            if (shared == null) {
                try {
                    shared = opener.open(settings);
                } catch (DBException e) {
                    failure = e;
                    throw e;
                }
            }
            return shared;
        }

        synchronized void close() {
            if (shared == null) {
                return;
            }
            try {
                shared.close();
            } catch (Exception e) {
                throw new IllegalStateException("closing must not fail", e);
            } finally {
                shared = null;
            }
        }
    }
}
