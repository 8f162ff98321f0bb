package io.ycsbdrill.fault.node.trouble;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which links of a node are troubled and how, given all data nodes. Immutable. */
public sealed interface Partition {

    /** The name of the fault: {@code isolate}. */
    String name();

    /**
     * What troubles one node.
     *
     * @param nodes all data nodes, in their order
     * @return empty when none of its links is concerned
     */
    Optional<? extends LinkTrouble> of(String node, List<String> nodes);

    /** Whether a node keeps its links to the others of its zone. */
    default boolean outsideZone() {
        return false;
    }

    /** Whether all other nodes include servers without data that have a network of their own. */
    default boolean amongHelpers() {
        return false;
    }

    /** Why it cannot be applied to these nodes; empty when it can. */
    default Optional<String> problem(List<String> nodes) {
        return Optional.empty();
    }

    /**
     * The other ends of links.
     *
     * @param all whether every other data node is one
     * @param clients whether clients, management and SQL servers are
     * @param ids further nodes, by id or by their place in the order, from 1
     */
    record Ends(boolean all, boolean clients, List<String> ids) {
        /** All other data nodes. */
        public static final Ends NODES = new Ends(true, false, List.of());
        /** The clients only. */
        public static final Ends CLIENTS = new Ends(false, true, List.of());
        /** Both. */
        public static final Ends EVERYTHING = new Ends(true, true, List.of());

        public Ends {
            ids = List.copyOf(ids);
            if (!all && !clients && ids.isEmpty()) {
                throw new IllegalArgumentException("no other end of a link is named");
            }
        }

        private Set<String> others(String node, List<String> nodes) {
            Set<String> others = new LinkedHashSet<>(
                    all ? nodes : ids.stream().map(id -> resolved(id, nodes)).toList());
            others.remove(node);
            return others;
        }

        private Optional<String> problem(List<String> nodes) {
            return unknown(ids, nodes);
        }
    }

    /**
     * Nothing passes between a node and the ends.
     *
     * @param outsideZone whether it keeps its links to the others of its zone
     */
    record Isolate(Ends from, boolean outsideZone) implements Partition {

        /** From all ends, wherever they are. */
        public Isolate(Ends from) {
            this(from, false);
        }

        @Override
        public String name() {
            return "isolate";
        }

        @Override
        public boolean amongHelpers() {
            return true;
        }

        @Override
        public Optional<LinkCut> of(String node, List<String> nodes) {
            Set<String> others = from.others(node, nodes);
            return others.isEmpty() && !from.clients()
                    ? Optional.empty()
                    : Optional.of(LinkCut.both(others, from.clients()));
        }

        @Override
        public Optional<String> problem(List<String> nodes) {
            return from.problem(nodes);
        }
    }

    /**
     * Nothing passes in one direction of each link.
     *
     * @param to where nothing of the node arrives; empty when all of it arrives everywhere
     * @param from of where nothing arrives at the node; empty when everything does
     */
    record OneWay(Optional<Ends> to, Optional<Ends> from) implements Partition {
        public OneWay {
            if (to.isEmpty() && from.isEmpty()) {
                throw new IllegalArgumentException("neither direction is cut");
            }
        }

        @Override
        public String name() {
            return "one-way";
        }

        @Override
        public Optional<LinkCut> of(String node, List<String> nodes) {
            Set<String> receivers = to.map(ends -> ends.others(node, nodes)).orElse(Set.of());
            Set<String> senders = from.map(ends -> ends.others(node, nodes)).orElse(Set.of());
            boolean toClients = to.filter(Ends::clients).isPresent();
            boolean fromClients = from.filter(Ends::clients).isPresent();
            return receivers.isEmpty() && senders.isEmpty() && !toClients && !fromClients
                    ? Optional.empty()
                    : Optional.of(new LinkCut(receivers, senders, toClients, fromClients));
        }

        @Override
        public Optional<String> problem(List<String> nodes) {
            return to.flatMap(ends -> ends.problem(nodes)).or(() -> from.flatMap(ends -> ends.problem(nodes)));
        }
    }

    /**
     * Nothing passes between nodes of different groups; a node in none of them keeps all of its links.
     *
     * @param groups at least two, of nodes by id or by their place in the order, from 1
     */
    record Groups(List<List<String>> groups) implements Partition {
        public Groups {
            groups = groups.stream().map(List::copyOf).toList();
            if (groups.size() < 2 || groups.stream().anyMatch(List::isEmpty)) {
                throw new IllegalArgumentException("expected two groups or more, each with a node: " + groups);
            }
        }

        @Override
        public String name() {
            return "partition";
        }

        @Override
        public Optional<LinkCut> of(String node, List<String> nodes) {
            Set<String> others = new LinkedHashSet<>();
            boolean concerned = false;
            for (List<String> group : groups) {
                List<String> members =
                        group.stream().map(id -> resolved(id, nodes)).toList();
                if (members.contains(node)) {
                    concerned = true;
                } else {
                    others.addAll(members);
                }
            }
            return concerned ? Optional.of(LinkCut.both(others, false)) : Optional.empty();
        }

        @Override
        public Optional<String> problem(List<String> nodes) {
            List<String> all = groups.stream().flatMap(List::stream).toList();
            List<String> resolved = all.stream().map(id -> resolved(id, nodes)).toList();
            return unknown(all, nodes)
                    .or(() -> new HashSet<>(resolved).size() == resolved.size()
                            ? Optional.empty()
                            : Optional.of("a node is in two groups of " + groups));
        }
    }

    /** A node reaches its two neighbours in the order of nodes only, the first being the last one's. */
    record Ring() implements Partition {
        private static final int LEAST = 4;

        @Override
        public String name() {
            return "ring";
        }

        @Override
        public Optional<LinkCut> of(String node, List<String> nodes) {
            int place = nodes.indexOf(node);
            List<String> others = new ArrayList<>(nodes);
            others.removeAll(List.of(
                    node, nodes.get((place + 1) % nodes.size()), nodes.get((place + nodes.size() - 1) % nodes.size())));
            return others.isEmpty() ? Optional.empty() : Optional.of(LinkCut.both(new HashSet<>(others), false));
        }

        @Override
        public Optional<String> problem(List<String> nodes) {
            return nodes.size() >= LEAST
                    ? Optional.empty()
                    : Optional.of("a ring of " + nodes.size() + " nodes has no link to cut; it needs " + LEAST
                            + " data nodes or more");
        }
    }

    /**
     * Everything that a node sends and receives, whoever is at the other end.
     *
     * @param name as in drill files: {@code link-loss}
     */
    record Cable(String name, LinkTrouble trouble) implements Partition {
        @Override
        public Optional<LinkTrouble> of(String node, List<String> nodes) {
            return Optional.of(trouble);
        }
    }

    /** The node that is meant by its id, or else by its place in the order; itself when there is none. */
    private static String resolved(String id, List<String> nodes) {
        if (!nodes.contains(id) && id.matches("[1-9]\\d{0,3}") && Integer.parseInt(id) <= nodes.size()) {
            return nodes.get(Integer.parseInt(id) - 1);
        }
        return id;
    }

    private static Optional<String> unknown(List<String> ids, List<String> nodes) {
        List<String> unknown =
                ids.stream().filter(id -> !nodes.contains(resolved(id, nodes))).toList();
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.of("no node " + String.join(", ", unknown) + "; the nodes are " + String.join(", ", nodes)
                        + ", or 1 to " + nodes.size());
    }
}
