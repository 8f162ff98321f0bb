package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.ndb.client.NdbClient;
import io.ycsbdrill.binding.ndb.client.NdbException;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.DBException;

/**
 * The clusters in use in this process, by settings. YCSB makes one binding object per thread and gives them no common owner,
 * so they find each other here: the first to come connects and makes the table, the last to go closes.
 */
final class SharedClusters {
    private static final Logger LOG = LoggerFactory.getLogger(SharedClusters.class);
    private static final Map<NdbSettings, Entry> OPEN = new HashMap<>();

    private SharedClusters() {}

    /** Those who come while another connects wait for it, and share its failure. */
    static NdbCluster acquire(NdbSettings settings) throws DBException {
        Entry entry;
        synchronized (OPEN) {
            entry = OPEN.computeIfAbsent(settings, key -> new Entry());
            entry.users++;
        }
        boolean acquired = false;
        try {
            NdbCluster cluster = entry.open(settings);
            acquired = true;
            return cluster;
        } finally {
            if (!acquired) {
                release(settings);
            }
        }
    }

    /** Once for each successful {@link #acquire}. */
    static void release(NdbSettings settings) {
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
        private NdbCluster cluster;
        private DBException failure;

        synchronized NdbCluster open(NdbSettings settings) throws DBException {
            if (failure != null) {
                throw new DBException(failure.getMessage(), failure);
            }
            if (cluster == null) {
                try {
                    cluster = connect(settings);
                } catch (DBException e) {
                    failure = e;
                    throw e;
                }
            }
            return cluster;
        }

        synchronized void close() {
            if (cluster != null) {
                cluster.close();
                cluster = null;
            }
        }
    }

    private static NdbCluster connect(NdbSettings settings) throws DBException {
        NdbInstallation installation;
        try {
            installation = NdbInstallation.find(settings.home(), System.getenv());
        } catch (NdbInstallation.NotFoundException e) {
            throw new DBException(e.getMessage(), e);
        }
        NdbClient client = ClientLibrary.of(installation);
        String name = "ycsb-drill-" + ManagementFactory.getRuntimeMXBean().getPid();
        try {
            NdbCluster cluster = new NdbCluster(
                    settings.connectString(),
                    timeout -> Connections.open(
                            settings.connections(),
                            settings.database(),
                            () -> client.connect(settings.connectString(), name, timeout)),
                    settings.connectTimeout());
            boolean ready = false;
            try {
                new TableSetup(settings, installation).ensure(cluster.current().first());
                ready = true;
            } finally {
                if (!ready) {
                    cluster.close();
                }
            }
            LOG.info(
                    "NDB client {} from {}, connected to {} as node {}",
                    installation.version().orElse("of unknown version"),
                    installation.home(),
                    settings.connectString(),
                    cluster.current().nodeIds());
            return cluster;
        } catch (NdbException e) {
            throw new DBException(
                    e.getMessage()
                            + "; is the cluster up (bin/ycsb cluster status ndb), and does its configuration have a"
                            + " free [api] slot for each of ndb.connections=" + settings.connections() + "?",
                    e);
        }
    }
}
