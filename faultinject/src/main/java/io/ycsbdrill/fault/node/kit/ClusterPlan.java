package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A cluster that is being made.
 *
 * @param directory the cluster's own
 * @param options the engine's own
 * @param common those that the kit has read
 * @param members members and spare nodes
 * @param portsPerNode how many of the ports each node has
 * @param ports those of the nodes, in their order, then the shared ones
 * @param proxyPort that of the HAProxy, if there is one
 * @param progress receives one short line per step
 */
public record ClusterPlan<O>(
        Path directory,
        O options,
        CommonOptions common,
        Members members,
        int portsPerNode,
        List<Integer> ports,
        Optional<Integer> proxyPort,
        Consumer<String> progress) {
    public ClusterPlan {
        ports = List.copyOf(ports);
    }

    /** Ids of all nodes, spare ones included, in their order. */
    public List<String> nodes() {
        return members.all();
    }

    /** A port of a node, by its place. */
    public int port(String node, int place) {
        return ports.get(nodes().indexOf(node) * portsPerNode + place);
    }

    /** A port that is no node's, by its place. */
    public int sharedPort(int place) {
        return ports.get(nodes().size() * portsPerNode + place);
    }

    /** Where a node listens: its own address in an isolated network, else that of the loopback interface. */
    public String address(String node) {
        return IsolatedNetwork.address(directory, node);
    }

    /** Address and port of each member, for clients, by member in their order. */
    public Map<String, String> servers(int place) {
        Map<String, String> servers = new LinkedHashMap<>();
        members.members().forEach(node -> servers.put(node, address(node) + ":" + port(node, place)));
        return servers;
    }

    /** Whether the servers run as root: in its own network every process does, be it in a user namespace. */
    public boolean asRoot() {
        return common.sandbox().isolated() || "root".equals(System.getProperty("user.name"));
    }
}
