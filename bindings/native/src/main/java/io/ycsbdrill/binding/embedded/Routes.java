package io.ycsbdrill.binding.embedded;

import java.util.Arrays;
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
     * A version of the topology. Those of different rings have no order: when all nodes were down, Ignite counts from 1 again.
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
