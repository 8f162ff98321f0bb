package io.ycsbdrill.binding.embedded;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.cache.Cache;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.cache.affinity.Affinity;
import org.apache.ignite.cache.query.IndexQuery;
import org.apache.ignite.cache.query.IndexQueryCriteriaBuilder;
import org.apache.ignite.cache.query.QueryCursor;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.compute.ComputeJob;
import org.apache.ignite.compute.ComputeJobAdapter;
import org.apache.ignite.compute.ComputeJobResult;
import org.apache.ignite.compute.ComputeJobResultPolicy;
import org.apache.ignite.compute.ComputeTaskAdapter;
import org.apache.ignite.resources.IgniteInstanceResource;

/**
 * Runs in the node that the client asks, with one job in every node: each takes the first rows from the start key on of the
 * partitions for which it is primary, from its sorted index, and the task merges them. The arguments are table, start key
 * and limit; the result is the rows' values in key order.
 *
 * <p>The result is given only if every partition was read by exactly one node, so that no row is missed or found twice while
 * the cluster changes; otherwise the task fails.
 */
public final class ScanTask extends ComputeTaskAdapter<Object[], Object[]> {
    private static final long serialVersionUID = 1L;

    private int limit;

    /** The rows that one node found. Not a record: Ignite cannot pass records from node to node. */
    private static final class Part implements Serializable {
        private static final long serialVersionUID = 1L;

        private final int allPartitions;
        private final int[] partitions;
        private final String[] keys;
        private final byte[][] values;

        Part(int allPartitions, int[] partitions, String[] keys, byte[][] values) {
            this.allPartitions = allPartitions;
            this.partitions = partitions;
            this.keys = keys;
            this.values = values;
        }
    }

    @Override
    public Map<? extends ComputeJob, ClusterNode> map(List<ClusterNode> nodes, Object[] arguments) {
        limit = (Integer) arguments[2];
        Map<ComputeJob, ClusterNode> jobs = new HashMap<>();
        for (ClusterNode node : nodes) {
            if (!node.isClient()) {
                jobs.put(new Look((String) arguments[0], (String) arguments[1], limit), node);
            }
        }
        return jobs;
    }

    /** A job that failed is not given to another node, which would read that one's partitions, not the lost one's. */
    @Override
    public ComputeJobResultPolicy result(ComputeJobResult result, List<ComputeJobResult> received) {
        if (result.getException() != null) {
            throw result.getException();
        }
        return ComputeJobResultPolicy.WAIT;
    }

    @Override
    public Object[] reduce(List<ComputeJobResult> results) {
        TreeMap<String, byte[]> rows = new TreeMap<>();
        int[] readers = null;
        for (ComputeJobResult result : results) {
            Part part = result.getData();
            readers = readers == null ? new int[part.allPartitions] : readers;
            for (int partition : part.partitions) {
                readers[partition]++;
            }
            for (int i = 0; i < part.keys.length; i++) {
                rows.put(part.keys[i], part.values[i]);
            }
        }
        for (int partition = 0; readers != null && partition < readers.length; partition++) {
            if (readers[partition] != 1) {
                throw new IgniteException("partition " + partition + " has " + readers[partition]
                        + " primary nodes at the moment, expected 1; the scan would be incomplete");
            }
        }
        return rows.values().stream().limit(limit).toArray();
    }

    private static final class Look extends ComputeJobAdapter {
        private static final long serialVersionUID = 1L;

        @IgniteInstanceResource
        private transient Ignite ignite;

        Look(String table, String start, int limit) {
            super(table, start, limit);
        }

        @Override
        public Part execute() {
            String table = argument(0);
            int limit = this.<Integer>argument(2);
            if (!ignite.cacheNames().contains(table)) {
                throw new IgniteException("table " + table + " does not exist");
            }
            if (!ignite.cache(table).lostPartitions().isEmpty()) {
                throw new IgniteException(
                        "partition data has been lost: " + ignite.cache(table).lostPartitions());
            }
            Affinity<String> affinity = ignite.affinity(table);
            ClusterNode self = ignite.cluster().localNode();
            int[] before = affinity.primaryPartitions(self);
            boolean[] mine = new boolean[affinity.partitions()];
            for (int partition : before) {
                mine[partition] = true;
            }
            List<String> keys = new ArrayList<>(limit);
            List<byte[]> values = new ArrayList<>(limit);
            IndexQuery<String, byte[]> query = new IndexQuery<String, byte[]>(byte[].class)
                    .setCriteria(IndexQueryCriteriaBuilder.gte("_KEY", this.<String>argument(1)));
            query.setLocal(true).setPageSize(limit);
            try (QueryCursor<Cache.Entry<String, byte[]>> cursor =
                    ignite.<String, byte[]>cache(table).query(query)) {
                for (Cache.Entry<String, byte[]> row : cursor) {
                    if (keys.size() == limit) {
                        break;
                    }
                    if (mine[affinity.partition(row.getKey())]) {
                        keys.add(row.getKey());
                        values.add(row.getValue());
                    }
                }
            }
            if (!java.util.Arrays.equals(before, affinity.primaryPartitions(self))) {
                throw new IgniteException("the partitions moved during the scan");
            }
            return new Part(mine.length, before, keys.toArray(new String[0]), values.toArray(new byte[0][]));
        }
    }
}
