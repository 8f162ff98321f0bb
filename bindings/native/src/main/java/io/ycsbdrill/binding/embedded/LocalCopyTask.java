package io.ycsbdrill.binding.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cache.CachePeekMode;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.compute.ComputeJob;
import org.apache.ignite.compute.ComputeJobAdapter;
import org.apache.ignite.compute.ComputeJobResult;
import org.apache.ignite.compute.ComputeTaskAdapter;
import org.apache.ignite.resources.IgniteInstanceResource;

/**
 * Runs in the node that the client asks: gives that node's own copies of rows. The arguments are the table and their keys; the result has for
 * each key the row, an empty array when the node should have one and has none, or null when it is not to have one. It ends with the row that fills
 * it.
 */
public final class LocalCopyTask extends ComputeTaskAdapter<String[], Object[]> {
    private static final long serialVersionUID = 1L;
    /** So much is in one answer, and in the node's memory, but for its last row. */
    private static final int MOST_BYTES = 1 << 20;
    /** Stands for a copy that the node should have but does not. No row is empty. */
    static final byte[] NONE = {};

    @IgniteInstanceResource
    private transient Ignite ignite;

    /** This node's own copy, primary or backup: null when it is not assigned one, {@link #NONE} when it is but has none. */
    static byte[] copy(Ignite ignite, String table, String key) {
        ClusterNode self = ignite.cluster().localNode();
        if (!ignite.<String>affinity(table).isPrimaryOrBackup(self, key)) {
            return null;
        }
        byte[] row = ignite.<String, byte[]>cache(table).localPeek(key, CachePeekMode.PRIMARY, CachePeekMode.BACKUP);
        return row == null ? NONE : row;
    }

    @Override
    public Map<? extends ComputeJob, ClusterNode> map(List<ClusterNode> nodes, String[] arguments) {
        return Map.of(new Look(arguments), ignite.cluster().localNode());
    }

    @Override
    public Object[] reduce(List<ComputeJobResult> results) {
        return results.get(0).getData();
    }

    private static final class Look extends ComputeJobAdapter {
        private static final long serialVersionUID = 1L;

        @IgniteInstanceResource
        private transient Ignite ignite;

        private final String[] arguments;

        Look(String[] arguments) {
            this.arguments = arguments;
        }

        @Override
        public Object[] execute() {
            String table = arguments[0];
            if (!ignite.cacheNames().contains(table)) {
                throw new IgniteException("table " + table + " does not exist");
            }
            List<byte[]> rows = new ArrayList<>();
            int bytes = 0;
            for (int i = 1; i < arguments.length && bytes < MOST_BYTES; i++) {
                byte[] row = copy(ignite, table, arguments[i]);
                rows.add(row);
                bytes += row == null ? 0 : row.length;
            }
            return rows.toArray();
        }
    }
}
