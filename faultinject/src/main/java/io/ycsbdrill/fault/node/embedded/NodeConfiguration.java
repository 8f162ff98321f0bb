package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.embedded.ClusterSettings.Ports;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.logging.Logger;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cache.CacheMode;
import org.apache.ignite.cache.CacheWriteSynchronizationMode;
import org.apache.ignite.cache.PartitionLossPolicy;
import org.apache.ignite.cache.QueryEntity;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.configuration.ClientConnectorConfiguration;
import org.apache.ignite.configuration.DataRegionConfiguration;
import org.apache.ignite.configuration.DataStorageConfiguration;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.configuration.SqlConfiguration;
import org.apache.ignite.configuration.ThinClientConfiguration;
import org.apache.ignite.events.EventType;
import org.apache.ignite.failure.StopNodeOrHaltFailureHandler;
import org.apache.ignite.lifecycle.LifecycleBean;
import org.apache.ignite.logger.java.JavaLogger;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.apache.ignite.spi.discovery.tcp.TcpDiscoverySpi;
import org.apache.ignite.spi.discovery.tcp.ipfinder.vm.TcpDiscoveryVmIpFinder;

/** The engine's configuration; docs/embedded.md gives the reason for each value. */
final class NodeConfiguration {
    private static final long MEGABYTE = 1L << 20;
    /** The node attributes that hold address and port of the HTTP endpoint. */
    private static final String HTTP_HOST = "ycsbdrill.http.host";

    private static final String HTTP_PORT = "ycsbdrill.http.port";

    private static final int PARTITIONS = 64;
    private static final int WAL_SEGMENT_MEGABYTES = 16;
    private static final int WAL_SEGMENTS = 4;
    private static final int WAL_ARCHIVE_MEGABYTES = 256;
    private static final int CHECKPOINT_SECONDS = 30;

    static IgniteConfiguration of(Path directory, NodeFiles files, ClusterSettings settings, int index) {
        String host = IsolatedNetwork.address(directory, files.id());
        Ports ports = settings.ports().get(index);
        return new IgniteConfiguration()
                .setIgniteInstanceName(files.id())
                .setConsistentId(files.id())
                .setWorkDirectory(files.data().toString())
                .setLocalHost(host)
                .setGridLogger(new JavaLogger(Logger.getLogger(""), false))
                .setMetricsLogFrequency(0)
                .setPeerClassLoadingEnabled(false)
                .setConnectorConfiguration(null)
                .setFailureDetectionTimeout(settings.failureDetectionMillis())
                .setFailureHandler(new StopNodeOrHaltFailureHandler(false, 0))
                .setDiscoverySpi(new TcpDiscoverySpi()
                        .setLocalPort(ports.discovery())
                        .setLocalPortRange(0)
                        .setIpFinder(new TcpDiscoveryVmIpFinder().setAddresses(settings.discoveryAddresses(directory))))
                .setCommunicationSpi(new TcpCommunicationSpi()
                        .setLocalPort(ports.communication())
                        .setLocalPortRange(0))
                .setClientConnectorConfiguration(new ClientConnectorConfiguration()
                        .setHost(host)
                        .setPort(ports.client())
                        .setPortRange(0)
                        .setJdbcEnabled(false)
                        .setOdbcEnabled(false)
                        .setThreadPoolSize(8)
                        .setThinClientConfiguration(
                                new ThinClientConfiguration().setMaxActiveComputeTasksPerConnection(16)))
                // Tasks ask for the place of a table's partitions.
                .setPublicThreadPoolSize(4)
                .setSystemThreadPoolSize(4)
                .setStripedPoolSize(4)
                .setQueryThreadPoolSize(4)
                .setManagementThreadPoolSize(2)
                .setDataStreamerThreadPoolSize(2)
                .setServiceThreadPoolSize(2)
                .setBuildIndexThreadPoolSize(2)
                .setRebalanceThreadPoolSize(2)
                .setIncludeEventTypes(
                        EventType.EVT_NODE_JOINED,
                        EventType.EVT_NODE_LEFT,
                        EventType.EVT_NODE_FAILED,
                        EventType.EVT_CACHE_REBALANCE_STARTED,
                        EventType.EVT_CACHE_REBALANCE_STOPPED)
                .setDataStorageConfiguration(storage(settings))
                .setSqlConfiguration(new SqlConfiguration().setQueryEnginesConfiguration(new OrderedKeys.NoSql()))
                .setPluginProviders(new OrderedKeys())
                .setUserAttributes(Map.of(HTTP_HOST, host, HTTP_PORT, ports.http()))
                .setLifecycleBeans(companions())
                .setCacheConfiguration(tables(settings));
    }

    /** What the class path brings to run in each node: the HTTP endpoint of the embedded binding. */
    private static LifecycleBean[] companions() {
        return ServiceLoader.load(LifecycleBean.class).stream()
                .map(ServiceLoader.Provider::get)
                .toArray(LifecycleBean[]::new);
    }

    private static DataStorageConfiguration storage(ClusterSettings settings) {
        long region = settings.regionMegabytes() * MEGABYTE;
        return new DataStorageConfiguration()
                .setDefaultDataRegionConfiguration(new DataRegionConfiguration()
                        .setName("default")
                        .setPersistenceEnabled(true)
                        .setInitialSize(Math.min(region, 64 * MEGABYTE))
                        .setMaxSize(region)
                        .setCheckpointPageBufferSize(region / 4))
                .setWalMode(settings.walMode())
                .setWalSegments(WAL_SEGMENTS)
                .setWalSegmentSize((int) (WAL_SEGMENT_MEGABYTES * MEGABYTE))
                .setMaxWalArchiveSize(WAL_ARCHIVE_MEGABYTES * MEGABYTE)
                .setCheckpointFrequency(CHECKPOINT_SECONDS * 1000L)
                .setCheckpointThreads(2);
    }

    /** The template of every table: the name {@code *} stands for all of them. */
    private static CacheConfiguration<String, byte[]> tables(ClusterSettings settings) {
        return new CacheConfiguration<String, byte[]>("*")
                .setCacheMode(CacheMode.PARTITIONED)
                .setBackups(settings.backups())
                .setAtomicityMode(CacheAtomicityMode.ATOMIC)
                .setWriteSynchronizationMode(CacheWriteSynchronizationMode.FULL_SYNC)
                .setAffinity(new RendezvousAffinityFunction(false, PARTITIONS))
                .setPartitionLossPolicy(PartitionLossPolicy.READ_WRITE_SAFE)
                .setReadFromBackup(false)
                .setQueryEntities(List.of(new QueryEntity(String.class, byte[].class)));
    }
}
