package io.ycsbdrill.binding.embedded;

import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;

/**
 * The primary node of each partition of one table, as one node saw it. Immutable.
 *
 * @param version of the topology, in which it holds
 * @param live client ports of the live nodes
 * @param primaries client port of the primary node, per partition; 0 for none
 */
record Routes(Version version, Set<Integer> live, int[] primaries) {

    /**
     * A version of the topology. Those of different rings have no order: when all nodes were down, Ignite counts from 1
     * again. Nor have those of the sides of a partition, which {@link Routes#newer} knows.
     *
     * @param ring when its first node was started, by that node's clock; it stays when that node leaves
     * @param topology counts the nodes that have joined or left the ring
     */
    record Version(long ring, long topology) {
        /** That of no ring. */
        static final Version UNKNOWN = new Version(-1, -1);

        boolean isBefore(Version other) {
            return ring == other.ring && topology < other.topology;
        }
    }

    /** Reads the answer of {@link PrimariesTask}. */
    static Routes of(long[] answer) {
        int nodes = (int) answer[2];
        Set<Integer> live = Arrays.stream(answer, 3, 3 + nodes)
                .mapToObj(port -> (int) port)
                .collect(Collectors.toUnmodifiableSet());
        int[] primaries = Arrays.stream(answer, 3 + nodes, answer.length)
                .mapToInt(port -> (int) port)
                .toArray();
        return new Routes(new Version(answer[0], answer[1]), live, primaries);
    }

    /**
     * Which of two views of the cluster holds. Versions have an order only within one cluster: each side of a partition
     * counts on by itself, and the one that has lost the most nodes counts furthest. Of two sides the larger one holds,
     * and of two that are equally large the one with the first node, as for the injector; when neither has it, the one
     * that is known.
     *
     * @param known what holds so far
     * @param fresh another one
     * @param by client port of the node that sees the cluster so
     * @param connected client ports of the nodes with a connection
     * @param first client port of the first node
     */
    static Routes newer(Routes known, Routes fresh, int by, Set<Integer> connected, int first) {
        boolean older = fresh.version.isBefore(known.version);
        if (known.live.contains(by)) {
            return older ? known : fresh;
        }
        boolean joined = !older && fresh.live.containsAll(known.live);
        if (joined || Collections.disjoint(known.live, connected)) {
            return fresh;
        }
        // The node is on another side, or does not know yet that those who are known have left it.
        long others =
                fresh.live.stream().filter(node -> !known.live.contains(node)).count();
        return others > known.live.size() || fresh.isFirstHalf(known, first) ? fresh : known;
    }

    /**
     * Whether these are views of two sides that are equally large, and this is the one with the first node.
     *
     * @param first its client port
     */
    boolean isFirstHalf(Routes other, int first) {
        return live.size() == other.live.size() && live.contains(first) && Collections.disjoint(live, other.live);
    }

    /**
     * Whether most of these nodes are live, or half of them and the first one.
     *
     * @param nodes their client ports
     * @param first client port of the first node
     */
    boolean hasMost(Set<Integer> nodes, int first) {
        long there = nodes.stream().filter(live::contains).count();
        return 2 * there > nodes.size() || 2 * there == nodes.size() && live.contains(first);
    }

    /** Client port of the node that is primary for the key; 0 when none is. */
    int primary(String key) {
        return primaries[partition(key)];
    }

    /** The partition of the key, from 0. */
    int partition(String key) {
        int partitions = primaries.length;
        int mask = Integer.bitCount(partitions) == 1 ? partitions - 1 : -1;
        return RendezvousAffinityFunction.calculatePartition(key, mask, partitions);
    }
}
