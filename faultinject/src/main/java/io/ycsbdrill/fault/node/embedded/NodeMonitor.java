package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.embedded.NodeEvent.Kind;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.ignite.IgniteCheckedException;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.configuration.IgniteConfiguration;
import org.apache.ignite.events.CacheRebalancingEvent;
import org.apache.ignite.events.DiscoveryEvent;
import org.apache.ignite.events.Event;
import org.apache.ignite.events.EventType;
import org.apache.ignite.internal.IgniteEx;
import org.apache.ignite.internal.processors.affinity.AffinityTopologyVersion;
import org.apache.ignite.internal.processors.cache.CacheGroupContext;
import org.apache.ignite.internal.processors.cache.GridCacheSharedContext;
import org.apache.ignite.internal.processors.cache.distributed.dht.preloader.GridDhtPartitionsExchangeFuture;
import org.apache.ignite.internal.processors.cache.distributed.dht.preloader.PartitionsExchangeAware;
import org.apache.ignite.internal.processors.cache.distributed.dht.topology.GridDhtPartitionState;
import org.apache.ignite.internal.processors.cache.persistence.GridCacheDatabaseSharedManager;
import org.apache.ignite.internal.processors.cache.persistence.checkpoint.CheckpointListener;
import org.apache.ignite.internal.processors.cluster.BaselineTopology;
import org.apache.ignite.internal.processors.metric.impl.MetricUtils;
import org.apache.ignite.lang.IgnitePredicate;
import org.apache.ignite.spi.metric.LongMetric;
import org.apache.ignite.spi.metric.ReadOnlyMetricRegistry;

/**
 * Listens inside a node to what the engine does, and reports it. Its methods are called by the engine's own threads and by
 * the node's main thread; everything that touches the phases is under this object's lock, and writing a line is all that is
 * done there.
 */
final class NodeMonitor implements PartitionsExchangeAware, CheckpointListener {
    private final NodeEventWriter events;
    private final BooleanSupplier aside;
    private final RecoveryPhases phases;
    private IgniteEx ignite;

    NodeMonitor(NodeEventWriter events, BooleanSupplier aside) {
        this.aside = aside;
        this.events = events;
        this.phases = new RecoveryPhases(events::write);
    }

    /** Listens from the first event on. */
    IgniteConfiguration listeningTo(IgniteConfiguration configuration) {
        IgnitePredicate<Event> joined = this::joined;
        IgnitePredicate<Event> left = this::left;
        IgnitePredicate<Event> rebalance = this::rebalance;
        return configuration.setLocalEventListeners(Map.of(
                joined, new int[] {EventType.EVT_NODE_JOINED},
                left, new int[] {EventType.EVT_NODE_LEFT, EventType.EVT_NODE_FAILED},
                rebalance, new int[] {EventType.EVT_CACHE_REBALANCE_STARTED, EventType.EVT_CACHE_REBALANCE_STOPPED}));
    }

    /** A step of the engine's, from its log; of interest until the node has recovered. */
    void step(String text) {
        if (!recovered()) {
            events.write(Kind.STEP, Map.of("text", text));
        }
    }

    /** The node is a member of the cluster. */
    void joined(IgniteEx started) {
        long now = System.nanoTime();
        GridCacheSharedContext<?, ?> caches = started.context().cache().context();
        caches.exchange().registerExchangeAwareComponent(this);
        if (caches.database() instanceof GridCacheDatabaseSharedManager) {
            ((GridCacheDatabaseSharedManager) caches.database()).addCheckpointListener(this);
        }
        events.write(
                now,
                Kind.JOINED,
                Map.of(
                        "order",
                        Long.toString(started.localNode().order()),
                        "version",
                        started.version().major() + "." + started.version().minor() + "."
                                + started.version().maintenance(),
                        "text",
                        "joined the cluster"));
        synchronized (this) {
            ignite = started;
            phases.joined(now);
        }
        sample();
    }

    synchronized boolean recovered() {
        return phases.done();
    }

    /** Looks at the partitions. Called now and then, so that nothing depends on an event that an engine thread missed. */
    synchronized void sample() {
        if (ignite == null || phases.done()) {
            return;
        }
        boolean active = ignite.context().state().publicApiActiveState(false);
        int moving = 0;
        int left = 0;
        int tables = 0;
        boolean primary = true;
        if (active && !inBaseline()) {
            return; // it has no share of the data yet, or no more
        }
        if (active) {
            UUID self = ignite.context().localNodeId();
            for (CacheGroupContext group : ignite.context().cache().cacheGroups()) {
                if (group.systemCache() || !group.affinityNode()) {
                    continue;
                }
                AffinityTopologyVersion version = group.affinity().lastVersion();
                if (version.topologyVersion() <= 0) {
                    return;
                }
                tables++;
                moving += (int) group.topology().localPartitions().stream()
                        // What was lost stays lost, whoever comes back; a node that has such partitions has not
                        // recovered.
                        .filter(p ->
                                p.state() == GridDhtPartitionState.MOVING || p.state() == GridDhtPartitionState.LOST)
                        .count();
                left += left(group);
                primary &= !group.affinity().primaryPartitions(self, version).isEmpty();
            }
        }
        phases.partitions(System.nanoTime(), active, moving, left, primary && tables > 0);
    }

    private boolean inBaseline() {
        return baseline().contains(ignite.localNode().consistentId().toString());
    }

    /** The nodes that are to have the data; none before the cluster's first activation. */
    private Set<String> baseline() {
        BaselineTopology baseline = ignite.context().state().clusterState().baselineTopology();
        return baseline == null
                ? Set.of()
                : baseline.consistentIds().stream()
                        .map(Object::toString)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether every copy of every table is where it is to be, on all nodes. */
    synchronized boolean balanced() {
        AffinityTopologyVersion version =
                ignite.context().cache().context().exchange().readyAffinityVersion();
        return ignite.context().cache().cacheGroups().stream()
                .filter(group -> !group.systemCache() && group.affinityNode())
                .allMatch(group -> group.topology().rebalanceFinished(version));
    }

    /** Partitions that the group's rebalance has still to copy. */
    private int left(CacheGroupContext group) {
        ReadOnlyMetricRegistry metrics =
                ignite.context().metric().registry(MetricUtils.cacheGroupMetricsRegistryName(group.cacheOrGroupName()));
        LongMetric left = metrics.findMetric("RebalancingPartitionsLeft");
        return left == null ? 0 : (int) Math.max(0, left.value());
    }

    private boolean joined(Event event) {
        ClusterNode joined = ((DiscoveryEvent) event).eventNode();
        events.write(
                Kind.NODE_JOINED,
                Map.of("node", joined.consistentId().toString(), "order", Long.toString(joined.order())));
        return true;
    }

    private boolean left(Event event) {
        DiscoveryEvent left = (DiscoveryEvent) event;
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("node", left.eventNode().consistentId().toString());
        fields.put("order", Long.toString(left.eventNode().order()));
        fields.put("topology", Long.toString(left.topologyVersion()));
        fields.put("text", left.name() + " " + left.eventNode().consistentId());
        if (aside.getAsBoolean()) {
            fields.put("aside", "true");
        }
        events.write(Kind.NODE_LEFT, fields);
        return true;
    }

    private boolean rebalance(Event event) {
        long now = System.nanoTime();
        CacheRebalancingEvent rebalance = (CacheRebalancingEvent) event;
        if (rebalance.cacheName().startsWith("ignite-sys")) {
            return true;
        }
        boolean started = event.type() == EventType.EVT_CACHE_REBALANCE_STARTED;
        synchronized (this) {
            if (!phases.done()) {
                events.write(
                        now,
                        Kind.STEP,
                        Map.of("text", "rebalance of " + rebalance.cacheName() + (started ? " started" : " stopped")));
            }
            if (started) {
                phases.rebalanceStarted(rebalance.cacheName(), now);
            } else {
                phases.rebalanceStopped(rebalance.cacheName(), now);
            }
        }
        return true;
    }

    @Override
    public void onDoneAfterTopologyUnlock(GridDhtPartitionsExchangeFuture exchange) {
        long now = System.nanoTime();
        AffinityTopologyVersion version = exchange.topologyVersion();
        boolean known;
        synchronized (this) {
            known = ignite != null;
        }
        events.write(
                now,
                Kind.EXCHANGE_DONE,
                Map.of(
                        "topology", Long.toString(version.topologyVersion()),
                        "minor", Integer.toString(version.minorTopologyVersion()),
                        "baseline", known ? String.join(",", baseline()) : ""));
        sample();
    }

    @Override
    public void onMarkCheckpointBegin(Context context) {}

    @Override
    public void onCheckpointBegin(Context context) {
        sample();
        step("checkpoint started");
    }

    @Override
    public void beforeCheckpointBegin(Context context) {}

    @Override
    public void afterCheckpointEnd(Context context) throws IgniteCheckedException {
        step("checkpoint ended");
        sample();
    }
}
