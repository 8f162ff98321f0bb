package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.Reconfigurable;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.kit.Reconfiguration;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Settings of a local cluster's data nodes. They are in the one {@code config.ini}, which the management server takes up when
 * it is started again, and hands out to each data node at its start; what a node has, it says itself in {@code ndbinfo}, which
 * a SQL node reads. Thread-safe.
 */
final class NdbSettings implements Reconfigurable {
    private static final Duration ASK_BOUND = Duration.ofSeconds(20);
    private static final Duration WATCH_BOUND = Duration.ofSeconds(30);
    private static final String SECTION = "[ndbd default]";

    /** What {@link NdbConfig} makes the cluster with, in canonical form. */
    private static final Set<String> OURS = Set.of(
            "nodeid",
            "hostname",
            "datadir",
            "filesystempath",
            "noofreplicas",
            "nodegroup",
            "locationdomainid",
            "serverport",
            "portnumber");

    private final NdbCluster cluster;
    private final NdbPrograms programs;
    private final NdbFiles files;
    private final Reconfiguration reconfiguration;

    NdbSettings(NdbCluster cluster, NdbPrograms programs, NdbFiles files) {
        this.cluster = cluster;
        this.programs = programs;
        this.files = files;
        this.reconfiguration = new Reconfiguration(node -> programs.worker(Integer.parseInt(node)));
    }

    @Override
    public List<String> refusals(Map<String, String> settings) {
        if (!sql().available()) {
            return List.of("the data nodes' settings are read through a SQL node, and the cluster has none, or its"
                    + " installation no program mysql; start it with cluster up ndb --sql-nodes 1");
        }
        return Reconfiguration.refusals(
                settings,
                OURS,
                () -> reported(settings.keySet()),
                "SELECT param_name FROM ndbinfo.config_params lists them");
    }

    @Override
    public Runnable configure(String node, Map<String, String> settings) {
        reconfiguration.begin(node);
        synchronized (this) {
            return NodeIo.get(files.config() + " cannot be changed", () -> {
                String former = Files.readString(files.config());
                String next = Reconfiguration.changed(former, SECTION, settings);
                if (!next.equals(former)) {
                    takeUp(next, former);
                }
                return () -> putBack(former);
            });
        }
    }

    private synchronized void putBack(String former) {
        NodeIo.run(files.config() + " cannot be put back", () -> takeUp(former, former));
    }

    /** Restarts the management server on another configuration, and on the former one when it refuses that. */
    private void takeUp(String next, String former) throws IOException {
        AtomicFile.write(files.config(), next);
        try {
            restartManagement();
        } catch (NodeControlException e) {
            if (!next.equals(former) && !Thread.currentThread().isInterrupted()) {
                AtomicFile.write(files.config(), former);
                restartManagement();
            }
            throw e;
        }
    }

    /** Returns when the server answers, its events flow again, and it has contact with the nodes: one may be stopped then. */
    void restartManagement() {
        long connections = cluster.watch().map(NdbWatch::connections).orElse(0L);
        programs.restartManagement();
        NdbStarter.awaitManagement(cluster, programs);
        cluster.watch()
                .ifPresent(watch -> NodeLocks.await(
                        WATCH_BOUND,
                        () -> watch.connections() > connections,
                        () -> "the events of the management server do not flow again " + WATCH_BOUND.toSeconds()
                                + " s after its restart"));
        NodeLocks.await(
                WATCH_BOUND,
                () -> cluster.client().dataNodes().stream().noneMatch(this::runsWithoutContact),
                () -> "the management server has no contact with every data node that runs " + WATCH_BOUND.toSeconds()
                        + " s after its restart");
    }

    private boolean runsWithoutContact(MgmNode node) {
        return node.unknown()
                || node.noContact() && cluster.processRuns(node.id()).orElse(false);
    }

    @Override
    public Sight look(String node, Map<String, String> settings) {
        return reconfiguration.look(
                node, settings, () -> reported(settings.keySet()).getOrDefault(node, Map.of()));
    }

    /** What each data node has, by canonical name; a node that is down is missing, and so is a name that there is not. */
    private Map<String, Map<String, String>> reported(Set<String> names) {
        String list = names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(","));
        Map<String, Map<String, String>> values = new LinkedHashMap<>();
        cluster.nodes().stream().map(NodeInfo::id).forEach(id -> values.put(id, new HashMap<>()));
        sql()
                .rows(
                        "SELECT v.node_id, p.param_name, v.config_value FROM ndbinfo.config_params p"
                                + " JOIN ndbinfo.config_values v ON v.config_param = p.param_number WHERE p.param_name IN ("
                                + list + ")",
                        ASK_BOUND)
                .stream()
                .filter(row -> values.containsKey(row[0]))
                .forEach(row -> values.get(row[0]).put(Reconfiguration.canonical(row[1]), row[2]));
        return values;
    }

    private NdbSql sql() {
        return new NdbSql(cluster.descriptor());
    }
}
