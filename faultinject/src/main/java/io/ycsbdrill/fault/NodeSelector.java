package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Which nodes a fault is injected into; resolved at the moment of injection. */
public sealed interface NodeSelector {

    /** The form in drill files. */
    String text();

    /**
     * The ids of the nodes meant, at least one.
     *
     * @throws NodeControlException when there is none now
     */
    List<String> resolve(Choice from);

    /** The ids that the drill file names; empty when it names none. */
    default List<String> named() {
        return List.of();
    }

    /** How many data nodes there must be, one of which is primary; 0 when it does not matter which one is. */
    default int leastAroundPrimary() {
        return 0;
    }

    /** Whether it is for clusters in which a commit waits for replicas. */
    default boolean needsSynchronous() {
        return false;
    }

    /**
     * What there is to choose from.
     *
     * @param nodes all data nodes, in the controller's order
     * @param eligible those in the state that the fault expects: started, or down or paused for a fault that brings a node back
     * @param primary finds the coordinating node, if any; not asked unless it matters, as the answer may take its time
     * @param zones finds the zone of each node by its id
     * @param synchronous finds the replicas that a commit waits for; asked only when it matters, too
     * @param occurrence 1 for the first injection of the step
     * @param random seeded by run, step and occurrence
     * @param targetsOf the nodes of the latest injection of a step, by its name; empty when there was none
     */
    record Choice(
            List<NodeInfo> nodes,
            List<String> eligible,
            Supplier<Optional<String>> primary,
            Supplier<Map<String, String>> zones,
            Supplier<List<String>> synchronous,
            int occurrence,
            RandomGenerator random,
            Function<String, List<String>> targetsOf) {

        private String anyOf(List<String> ids, String what) {
            if (ids.isEmpty()) {
                throw new NodeControlException("there is no " + what + " now; eligible nodes: " + eligible);
            }
            return ids.get(random.nextInt(ids.size()));
        }
    }

    /**
     * Nodes by id.
     *
     * @param ids at least one, each once
     */
    record Named(List<String> ids) implements NodeSelector {
        public Named {
            ids = List.copyOf(ids);
            if (ids.isEmpty()) {
                throw new IllegalArgumentException("no node is named");
            }
            if (new LinkedHashSet<>(ids).size() != ids.size()) {
                throw new IllegalArgumentException("a node is named twice in " + ids);
            }
        }

        @Override
        public String text() {
            return String.join(" ", ids);
        }

        @Override
        public List<String> resolve(Choice from) {
            return ids;
        }

        @Override
        public List<String> named() {
            return ids;
        }
    }

    /** One node, by the seeded random generator. */
    record AnyNode() implements NodeSelector {
        @Override
        public String text() {
            return "random";
        }

        @Override
        public List<String> resolve(Choice from) {
            return List.of(from.anyOf(from.eligible(), "eligible node"));
        }
    }

    /** The coordinating node. */
    record PrimaryNode() implements NodeSelector {
        @Override
        public String text() {
            return "primary";
        }

        @Override
        public int leastAroundPrimary() {
            return 1;
        }

        @Override
        public List<String> resolve(Choice from) {
            return List.of(from.primary().get().orElseThrow(() -> new NodeControlException("no node is primary now")));
        }
    }

    /** One node that is not the coordinating one, by the seeded random generator. */
    record NotPrimaryNode() implements NodeSelector {
        @Override
        public String text() {
            return "not-primary";
        }

        @Override
        public int leastAroundPrimary() {
            return 2;
        }

        @Override
        public List<String> resolve(Choice from) {
            String primary = from.primary().get().orElseThrow(() -> new NodeControlException("no node is primary now"));
            return List.of(from.anyOf(
                    from.eligible().stream().filter(n -> !n.equals(primary)).toList(),
                    "eligible node that is not primary"));
        }
    }

    /** Every node but the coordinating one, at the same time. */
    record EveryReplica() implements NodeSelector {
        @Override
        public String text() {
            return "replicas";
        }

        @Override
        public int leastAroundPrimary() {
            return 2;
        }

        @Override
        public List<String> resolve(Choice from) {
            String primary = from.primary().get().orElseThrow(() -> new NodeControlException("no node is primary now"));
            List<String> replicas =
                    from.eligible().stream().filter(n -> !n.equals(primary)).toList();
            if (replicas.isEmpty()) {
                throw new NodeControlException("there is no eligible node now that is not primary");
            }
            return replicas;
        }
    }

    /** One of the replicas that a commit waits for, by the seeded random generator. */
    record SynchronousStandby() implements NodeSelector {
        @Override
        public String text() {
            return "sync-standby";
        }

        @Override
        public boolean needsSynchronous() {
            return true;
        }

        @Override
        public List<String> resolve(Choice from) {
            return List.of(from.anyOf(
                    from.synchronous().get().stream()
                            .filter(from.eligible()::contains)
                            .toList(),
                    "eligible replica that a commit waits for"));
        }
    }

    /** One node of each node group, by the seeded random generator. */
    record OnePerGroup() implements NodeSelector {
        @Override
        public String text() {
            return "one-per-group";
        }

        @Override
        public List<String> resolve(Choice from) {
            Map<Integer, List<String>> groups = new LinkedHashMap<>();
            from.nodes().forEach(n -> groups.computeIfAbsent(n.group(), g -> new ArrayList<>()));
            from.nodes().stream().filter(n -> from.eligible().contains(n.id())).forEach(n -> groups.get(n.group())
                    .add(n.id()));
            return groups.entrySet().stream()
                    .map(g -> from.anyOf(g.getValue(), "eligible node in group " + g.getKey()))
                    .toList();
        }
    }

    /** Every node in the state that the fault expects, at the same time: the whole cluster. */
    record EveryNode() implements NodeSelector {
        @Override
        public String text() {
            return "all";
        }

        @Override
        public List<String> resolve(Choice from) {
            if (from.eligible().isEmpty()) {
                throw new NodeControlException("there is no eligible node now");
            }
            return from.eligible();
        }
    }

    /**
     * Every node of a zone in the state that the fault expects, at the same time.
     *
     * @param zone its name
     */
    record Zone(String zone) implements NodeSelector {

        /** Begins the form in drill files. */
        public static final String PREFIX = "zone:";

        @Override
        public String text() {
            return PREFIX + zone;
        }

        @Override
        public List<String> resolve(Choice from) {
            List<String> ids = from.eligible().stream()
                    .filter(id -> zone.equals(from.zones().get().get(id)))
                    .toList();
            if (ids.isEmpty()) {
                throw new NodeControlException("there is no eligible node in zone " + zone + " now");
            }
            return ids;
        }
    }

    /**
     * Nodes in turn: the next one at each occurrence.
     *
     * @param ids of the nodes, each once; empty for every node
     */
    record Rolling(List<String> ids) implements NodeSelector {

        /** Its name in drill files, also as the key of a list of ids. */
        public static final String WORD = "rolling";

        public Rolling {
            ids = List.copyOf(ids);
            if (new LinkedHashSet<>(ids).size() != ids.size()) {
                throw new IllegalArgumentException("a node is named twice in " + ids);
            }
        }

        /** Every node in turn. */
        public Rolling() {
            this(List.of());
        }

        @Override
        public String text() {
            return ids.isEmpty() ? WORD : WORD + " " + String.join(" ", ids);
        }

        @Override
        public List<String> resolve(Choice from) {
            List<String> all =
                    ids.isEmpty() ? from.nodes().stream().map(NodeInfo::id).toList() : ids;
            if (all.isEmpty()) {
                throw new NodeControlException("there is no node to choose from now");
            }
            return List.of(all.get((from.occurrence() - 1) % all.size()));
        }

        @Override
        public List<String> named() {
            return ids;
        }
    }

    /**
     * The nodes of an earlier step.
     *
     * @param step its name
     */
    record SameAs(String step) implements NodeSelector {

        /** Begins the form in drill files. */
        public static final String PREFIX = "same-as:";

        @Override
        public String text() {
            return PREFIX + step;
        }

        @Override
        public List<String> resolve(Choice from) {
            List<String> targets = from.targetsOf().apply(step);
            if (targets.isEmpty()) {
                throw new NodeControlException("step " + step + " has not been injected yet");
            }
            return targets;
        }
    }
}
