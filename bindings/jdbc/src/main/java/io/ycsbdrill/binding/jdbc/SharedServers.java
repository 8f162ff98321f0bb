package io.ycsbdrill.binding.jdbc;

import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.DBException;

/**
 * The databases in use in this process, by settings. YCSB makes one binding object per thread and gives them no common owner,
 * so they find each other here: the first to come makes the table, the last to go closes.
 */
final class SharedServers {
    private static final Logger LOG = LoggerFactory.getLogger(SharedServers.class);
    private static final Map<JdbcSettings, Entry> OPEN = new HashMap<>();

    private SharedServers() {}

    /** Those who come while another prepares wait for it, and share its failure. */
    static Servers acquire(JdbcSettings settings) throws DBException {
        Entry entry;
        synchronized (OPEN) {
            entry = OPEN.computeIfAbsent(settings, key -> new Entry());
            entry.users++;
        }
        boolean acquired = false;
        try {
            Servers servers = entry.open(settings);
            acquired = true;
            return servers;
        } finally {
            if (!acquired) {
                release(settings);
            }
        }
    }

    /** Once for each successful {@link #acquire}. */
    static void release(JdbcSettings settings) {
        Entry last;
        synchronized (OPEN) {
            Entry entry = OPEN.get(settings);
            entry.users--;
            if (entry.users > 0) {
                return;
            }
            last = OPEN.remove(settings);
        }
        last.close();
    }

    private static final class Entry {
        private int users;
        private Servers servers;
        private DBException failure;

        synchronized Servers open(JdbcSettings settings) throws DBException {
            if (failure != null) {
                throw new DBException(failure.getMessage(), failure);
            }
            if (servers == null) {
                try {
                    servers = prepare(settings);
                } catch (DBException e) {
                    failure = e;
                    throw e;
                }
            }
            return servers;
        }

        synchronized void close() {
            if (servers != null) {
                servers.close();
                servers = null;
            }
        }
    }

    private static Servers prepare(JdbcSettings settings) throws DBException {
        settings.remarks().forEach(LOG::warn);
        Connector connector = new Connector(settings);
        String server = new TableSetup(settings).ensure(connector);
        LOG.info(
                "{}, connected to {} through {}",
                server,
                settings.urls().size() == 1 ? settings.url(0) : settings.urls().size() + " servers",
                connector.driverName());
        return new Servers(settings, connector);
    }
}
