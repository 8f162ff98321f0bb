package io.ycsbdrill.binding.embedded;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.ignite.Ignite;
import org.apache.ignite.cache.CacheAtomicityMode;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.compute.ComputeJob;
import org.apache.ignite.compute.ComputeJobAdapter;
import org.apache.ignite.compute.ComputeJobResult;
import org.apache.ignite.compute.ComputeTaskAdapter;
import org.apache.ignite.configuration.CacheConfiguration;
import org.apache.ignite.resources.IgniteInstanceResource;

/**
 * Runs in one node: makes a table with transactions from the cluster's template of tables, unless the table is there. The result says
 * whether the table has transactions.
 */
public final class TransactionalTableTask extends ComputeTaskAdapter<String, Boolean> {
    private static final long serialVersionUID = 1;

    @Override
    public Map<? extends ComputeJob, ClusterNode> map(List<ClusterNode> nodes, String table) {
        return Map.of(new Job(table), nodes.get(0));
    }

    @Override
    public Boolean reduce(List<ComputeJobResult> results) {
        return results.get(0).getData();
    }

    private static final class Job extends ComputeJobAdapter {
        private static final long serialVersionUID = 1;

        @IgniteInstanceResource
        private transient Ignite ignite;

        Job(String table) {
            super(table);
        }

        @Override
        @SuppressWarnings("unchecked")
        public Boolean execute() {
            String table = argument(0);
            if (ignite.cache(table) == null) {
                CacheConfiguration<String, byte[]> template = Arrays.stream(
                                ignite.configuration().getCacheConfiguration())
                        .filter(each -> each.getName().equals("*"))
                        .findFirst()
                        .orElseThrow();
                ignite.getOrCreateCache(new CacheConfiguration<>(template)
                        .setName(table)
                        .setAtomicityMode(CacheAtomicityMode.TRANSACTIONAL));
            }
            return ignite.cache(table)
                            .getConfiguration(CacheConfiguration.class)
                            .getAtomicityMode()
                    == CacheAtomicityMode.TRANSACTIONAL;
        }
    }
}
