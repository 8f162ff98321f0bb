package io.ycsbdrill.fault.inventory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.fault.host.SshHosts;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeStatus.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Inventories of real servers that are reached by ssh. */
public final class TestedInventory {
    private TestedInventory() {}

    /**
     * An inventory of data nodes.
     *
     * @param folder for the journal
     * @param nodes entries of the list
     */
    public static Inventory of(String engine, SshHosts hosts, Path folder, List<Map<String, Object>> nodes)
            throws JsonProcessingException {
        List<String> entries = new ArrayList<>();
        for (Map<String, Object> node : nodes) {
            entries.add(new ObjectMapper().writeValueAsString(node));
        }
        return Inventory.parse(
                "i.yaml",
                "engine: %s\ndefaults: {transport: ssh, ssh_config: %s}\njournal: %s/heal\ndata_nodes:\n- %s\n"
                        .formatted(engine, hosts.config(), folder, String.join("\n- ", entries)),
                Engine.installed(),
                new Properties());
    }

    /** A node's state as the cluster tells it. */
    public static State state(NodeController cluster, String node) {
        return cluster.status().stream()
                .filter(status -> status.id().equals(node))
                .findFirst()
                .orElseThrow()
                .state();
    }
}
