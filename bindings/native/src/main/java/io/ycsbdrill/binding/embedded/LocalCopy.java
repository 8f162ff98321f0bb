package io.ycsbdrill.binding.embedded;

import org.apache.ignite.Ignite;
import org.apache.ignite.cache.CachePeekMode;
import org.apache.ignite.cluster.ClusterNode;

/** A node's own copy of a row, primary or backup; used in that node. */
final class LocalCopy {
    /** In place of a row: the node should have a copy, and has none. No row is empty. */
    static final byte[] NONE = {};

    private LocalCopy() {}

    /** Null when the node is not to have a copy, {@link #NONE} when it is and has none. */
    static byte[] of(Ignite ignite, String table, String key) {
        ClusterNode self = ignite.cluster().localNode();
        if (!ignite.<String>affinity(table).isPrimaryOrBackup(self, key)) {
            return null;
        }
        byte[] row = ignite.<String, byte[]>cache(table).localPeek(key, CachePeekMode.PRIMARY, CachePeekMode.BACKUP);
        return row == null ? NONE : row;
    }
}
