package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.ProcessLock;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.inject.HealRecord;
import io.ycsbdrill.fault.inventory.HealJournal;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeController;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A cluster whose nodes a command can control: one of this machine, or one that is reached through its management servers.
 *
 * @param nodes closed with this
 * @param records folder in which open faults are recorded, so that a later command can heal what a killed one left
 * @param locked folder beside which the nodes' lock is, see {@link ClusterLock}
 * @param shared whether other commands find the cluster, too
 */
public record ControlledCluster(NodeController nodes, Path records, Path locked, boolean shared)
        implements AutoCloseable {

    /** One whose lock is where its records are. */
    public ControlledCluster(NodeController nodes, Path records, boolean shared) {
        this(nodes, records, records, shared);
    }

    /** A cluster of this machine; its own directory has the records. */
    public static ControlledCluster local(LocalCluster cluster, boolean shared) {
        return new ControlledCluster(cluster, cluster.descriptor().directory(), shared);
    }

    /**
     * Keeps the nodes to this process until the lock is closed.
     *
     * @return empty when no other command finds the cluster
     * @throws ConfigException naming the process that has them
     */
    public Optional<ProcessLock> lock() {
        return shared ? Optional.of(ClusterLock.take(locked)) : Optional.empty();
    }

    /**
     * Works on the nodes while no other command does.
     *
     * @throws ConfigException naming the process that has them
     */
    public <T> T during(Supplier<T> work) {
        return ClusterLock.during(locked, work);
    }

    /** Earlier faults that are still open, and where new ones are recorded. */
    public HealRecord healRecord() {
        return HealRecord.in(records);
    }

    /** Faults that are open by what the hosts of the nodes have recorded, whoever injected them. */
    public HealJournal journal() {
        return nodes.capability(HealJournal.class).orElse(HealJournal.NONE);
    }

    /** Stops every process of a cluster of this machine; one elsewhere is only released. */
    void down() {
        if (nodes instanceof LocalCluster local) {
            local.down();
        } else {
            close();
        }
    }

    /** Releases the cluster and leaves its nodes as they are. */
    @Override
    public void close() {
        nodes.close();
    }
}
