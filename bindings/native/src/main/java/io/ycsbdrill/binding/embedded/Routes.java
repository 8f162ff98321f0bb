package io.ycsbdrill.binding.embedded;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.ignite.cache.affinity.rendezvous.RendezvousAffinityFunction;

/**
 * The primary node of each partition of one table, as one node saw it. Immutable.
 *
 * @param topology version of the topology in which it holds
 * @param live client ports of the live nodes
 * @param primaries client port of the primary node, per partition; 0 for none
 */
record Routes(long topology, Set<Integer> live, int[] primaries) {

    /** Reads the answer of {@link PrimariesTask}. */
    static Routes of(long[] answer) {
        int nodes = (int) answer[1];
        Set<Integer> live = Arrays.stream(answer, 2, 2 + nodes)
                .mapToObj(port -> (int) port)
                .collect(Collectors.toUnmodifiableSet());
        int[] primaries = Arrays.stream(answer, 2 + nodes, answer.length)
                .mapToInt(port -> (int) port)
                .toArray();
        return new Routes(answer[0], live, primaries);
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
