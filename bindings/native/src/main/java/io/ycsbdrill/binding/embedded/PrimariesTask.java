package io.ycsbdrill.binding.embedded;

import java.util.List;
import java.util.Map;
import org.apache.ignite.Ignite;
import org.apache.ignite.cluster.ClusterNode;
import org.apache.ignite.compute.ComputeJob;
import org.apache.ignite.compute.ComputeJobAdapter;
import org.apache.ignite.compute.ComputeJobResult;
import org.apache.ignite.compute.ComputeTaskAdapter;
import org.apache.ignite.resources.IgniteInstanceResource;

/**
 * Runs in the node that the client asks: reports for each partition of a table the client port of its primary node, as that
 * node sees it. The result is the {@link Routes.Version} (ring, then topology), the number of live nodes, their client ports,
 * and then one port (0 for none) per partition; null when the table does not exist.
 */
public final class PrimariesTask extends ComputeTaskAdapter<String, long[]> {
    private static final long serialVersionUID = 1L;
    /** The node attribute in which Ignite publishes the port of its client connector. */
    static final String CLIENT_PORT = "clientListenerPort";

    @IgniteInstanceResource
    private transient Ignite ignite;

    @Override
    public Map<? extends ComputeJob, ClusterNode> map(List<ClusterNode> nodes, String table) {
        return Map.of(new Look(table), ignite.cluster().localNode());
    }

    @Override
    public long[] reduce(List<ComputeJobResult> results) {
        return results.get(0).getData();
    }

    private static final class Look extends ComputeJobAdapter {
        private static final long serialVersionUID = 1L;

        @IgniteInstanceResource
        private transient Ignite ignite;

        Look(String table) {
            super(table);
        }

        @Override
        public long[] execute() {
            String table = argument(0);
            if (!ignite.cacheNames().contains(table)) {
                return null;
            }
            List<ClusterNode> live = List.copyOf(ignite.cluster().forServers().nodes());
            int partitions = ignite.affinity(table).partitions();
            long[] answer = new long[3 + live.size() + partitions];
            answer[0] = ignite.configuration().getDiscoverySpi().getGridStartTime();
            answer[1] = ignite.cluster().topologyVersion();
            answer[2] = live.size();
            for (int i = 0; i < live.size(); i++) {
                answer[3 + i] = port(live.get(i));
            }
            for (int p = 0; p < partitions; p++) {
                ClusterNode primary = ignite.affinity(table).mapPartitionToNode(p);
                answer[3 + live.size() + p] = primary == null ? 0 : port(primary);
            }
            return answer;
        }

        private static long port(ClusterNode node) {
            Integer port = node.attribute(CLIENT_PORT);
            return port == null ? 0 : port;
        }
    }
}
