package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.NodeReads.Node;
import io.ycsbdrill.binding.NodeReads.Nodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.cluster.ClusterNode;

/** Reads each node of the embedded cluster on its own. */
final class LiveNodes {
    private LiveNodes() {}

    /** The live nodes, whether they are among the endpoints or not, and the endpoints where none is. */
    static Nodes of(String table, List<String> endpoints, IgniteClient client) {
        Map<String, String> names = new TreeMap<>();
        endpoints.forEach(endpoint -> names.put(endpoint, endpoint));
        String first = endpoints.get(0);
        String host = first.substring(0, first.lastIndexOf(':') + 1);
        for (ClusterNode node : client.cluster().forServers().nodes()) {
            Integer port = node.attribute(PrimariesTask.CLIENT_PORT);
            if (port != null) {
                names.put(host + port, node.consistentId().toString());
            }
        }
        List<Node> nodes = new ArrayList<>();
        names.forEach((endpoint, name) -> nodes.add(new Node(
                name,
                Map.of(
                        "embedded.endpoints",
                        endpoint,
                        "embedded.read.local",
                        "true",
                        "embedded.create.table",
                        "false"))));
        nodes.sort((a, b) -> a.name().compareTo(b.name()));
        int backups = client.cache(table).getConfiguration().getBackups();
        return new Nodes(nodes, Math.min(backups + 1, nodes.size()), Duration.ZERO, "");
    }
}
