package io.ycsbdrill.client.drill;

import io.ycsbdrill.base.ProcessLock;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.cluster.AlterableCluster;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.fault.inject.FaultInjector;
import io.ycsbdrill.fault.inject.HealRecord;
import io.ycsbdrill.fault.inject.ScheduleNotPossibleException;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.net.ProxiedCluster;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.NoNodes;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.schedule.DrillFile;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A drill that has been checked against its healthy cluster, has the nodes to itself, and can accompany one run. To be
 * closed after the run; used by one thread.
 */
public final class PreparedDrill implements AutoCloseable {
    private final DrillCompanion companion;
    private final Optional<ProxiedCluster> proxied;
    private final Optional<ProcessLock> lock;

    private PreparedDrill(DrillCompanion companion, Optional<ProxiedCluster> proxied, Optional<ProcessLock> lock) {
        this.companion = companion;
        this.proxied = proxied;
        this.lock = lock;
    }

    /**
     * Checks the drill, puts proxies in front of the servers if it disturbs the network, and heals what an earlier drill has left.
     * Writes the drill's section, and the proxies' addresses, into the specification.
     *
     * @param say notified of what happens before the run
     * @param along notified by a line for each fault and phase during the run, from several threads
     * @throws ConfigException when the drill cannot be done on this cluster, or another process works on its nodes
     * @throws NodeControlException when the cluster is not healthy and cannot be healed
     */
    public static PreparedDrill of(
            DrillFile file, Access access, RunSpec.Builder spec, Consumer<String> say, Consumer<String> along) {
        Optional<ProcessLock> lock = access.cluster().flatMap(ControlledCluster::lock);
        try {
            return locked(file, access, spec, say, along, lock);
        } catch (RuntimeException e) {
            lock.ifPresent(ProcessLock::close);
            throw e;
        }
    }

    private static PreparedDrill locked(
            DrillFile file,
            Access access,
            RunSpec.Builder spec,
            Consumer<String> say,
            Consumer<String> along,
            Optional<ProcessLock> lock) {
        HealRecord record = access.cluster().map(ControlledCluster::healRecord).orElseGet(HealRecord::inMemory);
        Optional<NodeController> nodes = access.cluster()
                .map(each -> AlterableCluster.of(each, System.getenv(), spec.properties()))
                .or(() -> NamedNodes.of(file, access, spec));
        Optional<ProxiedCluster> proxied = Optional.empty();
        long seed = spec.build().seed();
        if (file.schedule().disturbsNetwork()) {
            proxied = Optional.of(ProxiedCluster.of(
                    nodes.orElseGet(() -> new NoNodes(access.binding())),
                    ProxiedServers.of(access, spec),
                    file.schedule().seed().orElse(seed)));
        }
        NodeController cluster = proxied.<NodeController>map(p -> p)
                .or(() -> nodes)
                .orElseThrow(() -> uncontrolled(spec.build().properties()));
        try {
            proxied.ifPresent(p -> through(p, file, spec, say));
            prepare(file, cluster, record, say);
            spec.extra("drill", DrillSection.of(file, seed));
            boolean calibrating = spec.build().calibration().isPresent();
            return new PreparedDrill(
                    new DrillCompanion(
                            cluster,
                            file.schedule(),
                            record,
                            seed,
                            calibrating,
                            spec.build().part().of(),
                            along),
                    proxied,
                    lock);
        } catch (RuntimeException e) {
            proxied.ifPresent(ProxiedCluster::close);
            throw e;
        }
    }

    /** Why no drill is possible: there are no nodes, or those of an inventory did not answer, which has been said. */
    private static ConfigException uncontrolled(Properties properties) {
        String inventory = properties.getProperty(Inventory.PROPERTY);
        if (inventory != null) {
            return unanswered(inventory, "doctor --inventory " + inventory);
        }
        Optional<String> elsewhere = Engine.installed().stream()
                .flatMap(engine -> engine.remoteProperties().stream())
                .filter(key -> properties.containsKey(key.name()))
                .map(key -> key.name() + "=" + properties.getProperty(key.name()))
                .findFirst();
        if (elsewhere.isPresent()) {
            return unanswered(elsewhere.get(), "cluster status -p " + elsewhere.get());
        }
        return new ConfigException("a drill needs a cluster whose nodes it can control: one started by"
                + " ycsb cluster up or for this command, one whose hosts are in an inventory (ycsb init"
                + " ENGINE --hosts HOST,... writes it; then --on inventory.yaml), "
                + Engine.installed().stream()
                        .flatMap(engine -> engine.remoteHint().stream())
                        .collect(Collectors.joining(", or "))
                + "; without one, steps of the fault run are possible on servers that "
                + NamedNodes.PROPERTY
                + "=host:port[,host:port] names, and faults of the network: "
                + ProxiedServers.required());
    }

    private static ConfigException unanswered(String cluster, String again) {
        return new ConfigException("a drill needs the nodes of " + cluster
                + ", and they cannot be asked: the note above says why; ycsb " + again + " asks again");
    }

    private static void through(ProxiedCluster proxied, DrillFile file, RunSpec.Builder spec, Consumer<String> say) {
        ProxiedServers.replace(spec, proxied);
        say.accept("drill " + file.schedule().name() + ": clients connect through a proxy in front of each server ("
                + proxied.servers().stream().map(s -> s.id() + " = " + s.host()).collect(Collectors.joining(", "))
                + ")");
    }

    private static void prepare(DrillFile file, NodeController cluster, HealRecord record, Consumer<String> say) {
        try {
            FaultInjector.prepare(cluster, file.schedule(), record, line -> say.accept("healing: " + line));
        } catch (ScheduleNotPossibleException e) {
            throw new ConfigException(
                    e.problems().stream().map(p -> file.file() + ": " + p).toList());
        }
    }

    /** Accompanies the run. */
    public DrillCompanion companion() {
        return companion;
    }

    /** Ends the proxies, if there are any, and leaves the cluster, as it is, to other commands. */
    @Override
    public void close() {
        try {
            proxied.ifPresent(ProxiedCluster::close);
        } finally {
            lock.ifPresent(ProcessLock::close);
        }
    }
}
