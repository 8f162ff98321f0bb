package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.ndb.client.NdbClient;
import io.ycsbdrill.binding.ndb.client.NdbConnection;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.servers.Shared;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.DBException;

/** The clusters in use in this process, by settings; the first user connects and creates the table. */
final class SharedClusters {
    private static final Logger LOG = LoggerFactory.getLogger(SharedClusters.class);

    private static final Duration OWN_SLOT_TIMEOUT = Duration.ofSeconds(2);
    /** Begins anywhere, as processes in containers all have the same id; a process that connects again goes on to the next one. */
    private static final AtomicLong SLOT = new AtomicLong(new SecureRandom().nextInt(Integer.MAX_VALUE));

    static final Shared<NdbProperties, SharedNdbCluster> OPEN = new Shared<>(SharedClusters::connect);

    /** @throws DBException when there is none, saying where it was looked for */
    static NdbInstallation installation(NdbProperties settings) throws DBException {
        try {
            return NdbInstallation.find(settings.home(), System.getenv());
        } catch (NdbInstallation.NotFoundException e) {
            throw new DBException(e.getMessage(), e);
        }
    }

    /**
     * The first connection of a cluster's, by a node id that the one before has most likely not had: the management server chooses the
     * same one again and again, and one that was released a moment ago is let in only after three seconds.
     */
    static NdbConnection first(NdbClient client, NdbProperties settings, long number, String name, Duration timeout)
            throws NdbException {
        String own = settings.connectString(number);
        if (own.equals(settings.connectString()) || timeout.compareTo(OWN_SLOT_TIMEOUT) <= 0) {
            return client.connect(settings.connectString(), name, timeout);
        }
        try {
            return client.connect(own, name, OWN_SLOT_TIMEOUT);
        } catch (NdbException e) {
            LOG.debug("the node id of {} is not free, or was released a moment ago", own, e);
            return client.connect(settings.connectString(), name, timeout.minus(OWN_SLOT_TIMEOUT));
        }
    }

    private static SharedNdbCluster connect(NdbProperties settings) throws DBException {
        NdbInstallation installation = installation(settings);
        NdbClient client = ClientLoader.client(installation);
        String name = "ycsb-drill-" + ManagementFactory.getRuntimeMXBean().getPid();
        AtomicBoolean first = new AtomicBoolean(true);
        try {
            SharedNdbCluster cluster = new SharedNdbCluster(
                    settings.connectString(),
                    timeout -> Connections.open(
                            settings.connections(),
                            settings.database(),
                            () -> first.getAndSet(false)
                                    ? first(client, settings, SLOT.getAndIncrement(), name, timeout)
                                    : client.connect(settings.connectString(), name, timeout)),
                    settings.connectTimeout());
            try {
                new NdbTableSetup(settings, installation)
                        .ensure(cluster.current().first());
                if (settings.readNode().isPresent()) {
                    NearestProof proof = new NearestProof(
                            settings, installation, settings.readNode().get());
                    proof.begin(cluster.current());
                    cluster.nearest(proof);
                }
            } catch (Throwable e) {
                cluster.close();
                throw e;
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
                            + "; is the cluster up (ycsb cluster status -p ndb.connectstring="
                            + settings.connectString()
                            + "), and does its configuration have a free [api] slot for each of ndb.connections="
                            + settings.connections() + "?",
                    e);
        }
    }
}
