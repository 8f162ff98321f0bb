package io.ycsbdrill.binding;

import java.util.List;

/**
 * A binding ({@link site.ycsb.DB}) of an engine that divides its keys among the nodes, which may know which node has the primary
 * copy of a key: the one that serves it, and whose failure its users notice. Engines whose nodes all serve all keys do not have
 * it. Like the binding itself an instance is used by one thread at a time.
 */
public interface KeyOwners {

    /**
     * The owner of each partition of a table.
     *
     * @param byPartition the node with its primary copy, by the name that node has in drills; empty for a partition without one
     * @param reason why the owners are not known; empty when they are
     */
    record Owners(List<String> byPartition, String reason) {
        /** @throws IllegalArgumentException when there are neither owners nor a reason, or both */
        public Owners {
            byPartition = List.copyOf(byPartition);
            if (byPartition.isEmpty() == reason.isEmpty()) {
                throw new IllegalArgumentException(byPartition.size() + " partitions, \"" + reason + "\"");
            }
        }

        public static Owners of(List<String> byPartition) {
            return new Owners(byPartition, "");
        }

        /** They are not known. */
        public static Owners unknown(String reason) {
            return new Owners(List.of(), reason);
        }
    }

    /**
     * The owners as the cluster is now. To be asked after {@link site.ycsb.DB#init}; asks the cluster.
     *
     * @throws Exception when the cluster does not say now
     */
    Owners owners(String table) throws Exception;

    /**
     * The partition of a key, the same whether there is such a row or not, and as long as the table has as many partitions. To be asked before
     * every operation: it is computed, not asked of the cluster. An instance may have to be asked for the {@link #owners}, or to have
     * used the table, before it can tell.
     *
     * @return its place in {@link Owners#byPartition}; -1 when it is not known
     */
    int partition(String table, String key);
}
