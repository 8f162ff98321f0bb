package io.ycsbdrill.binding.rest.dialect;

import io.ycsbdrill.binding.NodeReads.Node;
import io.ycsbdrill.binding.NodeReads.Nodes;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Endpoints as nodes that are read one by one. */
final class EndpointNodes {
    /**
     * @param copies of each row, at most as many as there are endpoints
     * @param more properties that a read of one node needs
     */
    static Nodes of(List<String> endpoints, int copies, Duration settle, Map<String, String> more) {
        if (endpoints.size() < 2) {
            return Nodes.none("rest.endpoints names one server; name all of them to have their copies compared");
        }
        return new Nodes(
                endpoints.stream()
                        .map(endpoint -> new Node(endpoint, only(endpoint, more)))
                        .toList(),
                Math.min(copies, endpoints.size()),
                settle,
                "");
    }

    private static Map<String, String> only(String endpoint, Map<String, String> more) {
        Map<String, String> properties = new HashMap<>(more);
        properties.put("rest.endpoints", endpoint);
        return properties;
    }
}
