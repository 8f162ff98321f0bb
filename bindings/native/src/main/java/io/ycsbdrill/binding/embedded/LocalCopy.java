package io.ycsbdrill.binding.embedded;

import org.apache.ignite.Ignite;
import org.apache.ignite.cache.CachePeekMode;
import org.apache.ignite.cluster.ClusterNode;

/** A node's own copy of a row, primary or backup; used in that node. */
final class LocalCopy {
    /** Stands for a copy that the node should have but does not. No row is empty. */
    static final byte[] NONE = {};

    private LocalCopy() {}

    /** Null when the node is not assigned a copy, {@link #NONE} when it is but has none. */
    static byte[] of(Ignite ignite, String table, String key) {
        ClusterNode self = ignite.cluster().localNode();
        if (!ignite.<String>affinity(table).isPrimaryOrBackup(self, key)) {
            return null;
        }
        byte[] row = ignite.<String, byte[]>cache(table).localPeek(key, CachePeekMode.PRIMARY, CachePeekMode.BACKUP);
        return row == null ? NONE : row;
    }
}
