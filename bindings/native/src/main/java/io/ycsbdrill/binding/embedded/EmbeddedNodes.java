package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.KeyOwners.Owners;
import io.ycsbdrill.binding.NodeReads.Node;
import io.ycsbdrill.binding.NodeReads.Nodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.cluster.ClusterNode;

/** Which nodes an embedded cluster has, and which of them is primary for what. */
final class EmbeddedNodes {
    private EmbeddedNodes() {}

    /** The live nodes, whether they are among the endpoints or not, and the endpoints where none is. */
    static Nodes of(ClusterLinks links, EmbeddedSettings settings, String table) {
        IgniteClient client = links.any().orElseThrow().connection().client();
        Map<String, String> names = new TreeMap<>();
        settings.endpoints().forEach(endpoint -> names.put(endpoint, endpoint));
        live(client)
                .forEach((port, node) -> names.put(
                        settings.endpointOf(node.addresses(), port),
                        node.consistentId().toString()));
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
        nodes.sort(Comparator.comparing(Node::name));
        int backups = client.cache(table).getConfiguration().getBackups();
        return new Nodes(nodes, Math.min(backups + 1, nodes.size()), Duration.ZERO, "");
    }

    /** By the port of its clients. */
    private static Map<Integer, ClusterNode> live(IgniteClient client) {
        Map<Integer, ClusterNode> nodes = new HashMap<>();
        for (ClusterNode node : client.cluster().forServers().nodes()) {
            Integer port = node.attribute(PrimariesTask.CLIENT_PORT);
            if (port != null) {
                nodes.put(port, node);
            }
        }
        return nodes;
    }

    static Owners owners(ClusterLinks links, String table) {
        Optional<Routes> routes = links.freshRoutes(table);
        if (routes.isEmpty()) {
            return Owners.unknown("table " + table + " does not exist");
        }
        Map<Integer, ClusterNode> nodes =
                live(links.any(table).orElseThrow().connection().client());
        return Owners.of(Arrays.stream(routes.get().primaries())
                .mapToObj(port ->
                        nodes.containsKey(port) ? nodes.get(port).consistentId().toString() : "")
                .toList());
    }
}
