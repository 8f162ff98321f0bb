package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.OptionReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One thing that surrounds the data nodes of a local cluster so that drills can trouble them: their network, their disks, their
 * memory. It knows no engine: the kit gives its options to {@code cluster up}, starts each node through it, offers its capability and
 * removes it with the cluster. Stateless; what is made for a cluster is recorded in the cluster's directory, so that every
 * process that controls the cluster finds it.
 */
public interface SandboxFeature {

    /** What it adds to the options of {@code cluster up}; none for a feature that every cluster has. */
    default List<Option> options() {
        return List.of();
    }

    /** Whether the options ask for it; what is wrong with their values is reported through the reader. */
    default boolean wanted(OptionReader reader) {
        List<Boolean> given =
                options().stream().map(option -> reader.flag(option.name())).toList();
        return given.contains(true);
    }

    /** Called before anything of a cluster that wants it is made. */
    default void require() {}

    /**
     * Makes it for a new cluster, before its files are written and its first node is started.
     *
     * @throws io.ycsbdrill.fault.node.NodeControlException when it cannot be had on this machine
     */
    default void make(Ground ground) {}

    /** What to put before the command of a node; nothing for a cluster without it. */
    default List<String> enter(Path cluster, String node) {
        return List.of();
    }

    /**
     * Changes the variables of a node that is about to be started; does nothing for a cluster without it.
     *
     * @param data directory of what the node stores
     */
    default void environment(Path cluster, String node, Path data, Map<String, String> environment) {}

    /**
     * The capability of a cluster that has it, asked for once; it may be {@link AutoCloseable}, and is closed with the controller then.
     * Empty when the cluster was started without it.
     */
    Optional<?> attach(SandboxedNodes nodes);

    /** Removes what is outside the cluster's directory, when the cluster's processes have ended; does nothing when there is nothing. */
    default void end(Path cluster) {}

    /**
     * A cluster that is being made.
     *
     * @param cluster its directory, which is there
     * @param nodes its data nodes, spare ones included, in their order
     * @param lifetime whether it ends with this process
     * @param loopback whether its nodes must have addresses that programs take for loopback ones
     */
    record Ground(Path cluster, List<String> nodes, Lifetime lifetime, boolean loopback) {
        public Ground {
            nodes = List.copyOf(nodes);
        }
    }
}
