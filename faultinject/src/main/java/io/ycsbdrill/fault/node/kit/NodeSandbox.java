package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.LocalEngine.Option;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.os.ClockShim;
import io.ycsbdrill.fault.node.os.DiskShim;
import io.ycsbdrill.fault.node.os.FileDamage;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.MemoryGroups;
import io.ycsbdrill.fault.node.os.SandboxFeature;
import io.ycsbdrill.fault.node.os.SandboxFeature.Ground;
import io.ycsbdrill.fault.node.os.SandboxedNodes;
import io.ycsbdrill.fault.node.os.Starver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What surrounds the data nodes of one local cluster so that drills can trouble them, the same for every engine: a new feature is its
 * class and a line of {@link #ALL}. Engines only start their nodes through it. Thread-safe.
 */
public final class NodeSandbox implements AutoCloseable {
    /** In the order in which they are made. */
    private static final List<SandboxFeature> ALL = List.of(
            IsolatedNetwork.FEATURE,
            DiskShim.FEATURE,
            DiskShim.JOURNAL,
            ClockShim.FEATURE,
            MemoryGroups.FEATURE,
            Starver.FEATURE,
            FileDamage.FEATURE);

    private final SandboxedNodes nodes;
    private List<Object> attached;

    /** That of a cluster, whatever it was started with. */
    public NodeSandbox(SandboxedNodes nodes) {
        this.nodes = nodes;
    }

    /**
     * What a new cluster is to have.
     *
     * @param features in the order in which they are made
     */
    public record Wanted(List<SandboxFeature> features) {
        public Wanted {
            features = List.copyOf(features);
        }

        /**
         * What the options ask for; what is wrong with them is reported through the reader.
         *
         * @param without those that the engine's clusters cannot have
         */
        public static Wanted read(OptionReader reader, Collection<SandboxFeature> without) {
            return new Wanted(ALL.stream()
                    .filter(each -> !without.contains(each) && each.wanted(reader))
                    .toList());
        }

        /** Whether each node is to have a network of its own. */
        public boolean isolated() {
            return features.contains(IsolatedNetwork.FEATURE);
        }

        /** Called before anything is made. */
        public void require() {
            features.forEach(SandboxFeature::require);
        }

        /** Makes it, before the cluster's files are written. */
        public void make(Ground ground) {
            features.forEach(feature -> feature.make(ground));
        }
    }

    /** Those that a cluster has only when its options say so. */
    public static Set<SandboxFeature> optional() {
        return ALL.stream().filter(each -> !each.options().isEmpty()).collect(Collectors.toSet());
    }

    /** What all features add to the options of an engine, but for those that its clusters cannot have. */
    public static List<Option> options(Collection<SandboxFeature> without) {
        return ALL.stream()
                .filter(each -> !without.contains(each))
                .flatMap(each -> each.options().stream())
                .toList();
    }

    /** Removes what is outside the cluster's directory, when the cluster's processes have ended. */
    public static void end(Path cluster) {
        ALL.forEach(feature -> feature.end(cluster));
    }

    /** What to put before the command of a data node that is about to be started. */
    public static List<String> enter(Path cluster, String node) {
        List<SandboxFeature> inwards = new ArrayList<>(ALL);
        Collections.reverse(inwards);
        return inwards.stream()
                .flatMap(feature -> feature.enter(cluster, node).stream())
                .toList();
    }

    /**
     * Changes the variables of a data node that is about to be started.
     *
     * @param data directory of what the node stores
     */
    public static void environment(Path cluster, String node, Path data, Map<String, String> environment) {
        ALL.forEach(feature -> feature.environment(cluster, node, data, environment));
    }

    /** The capability, if the cluster was started with what it needs. */
    public <C> Optional<C> capability(Class<C> type) {
        return attached().stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /** One of each for as long as a cluster is attached to: some have threads. */
    private synchronized List<Object> attached() {
        if (attached == null) {
            List<Object> all = new ArrayList<>();
            ALL.stream().filter(feature -> !nodes.without().contains(feature)).forEach(feature -> feature.attach(nodes)
                    .ifPresent(all::add));
            attached = List.copyOf(all);
        }
        return attached;
    }

    /** Lets go of what must not outlive this process. */
    @Override
    public synchronized void close() {
        for (Object each : attached == null ? List.of() : attached) {
            if (each instanceof AutoCloseable open) {
                try {
                    open.close();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}
