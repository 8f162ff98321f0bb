package io.ycsbdrill.fault.node.embedded;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.LocalPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.ignite.configuration.WALMode;

/**
 * Settings of a cluster, kept in its directory so that nodes and later controllers agree.
 *
 * @param id marks the cluster's processes on their command lines
 * @param backups copies of each row beside the primary one
 * @param heapMegabytes heap of one node's JVM
 * @param regionMegabytes page memory of one node
 * @param failureDetectionMillis silence after which the others drop a node
 * @param walMode when the write-ahead log is synced
 * @param ports per node: discovery, communication, client, http
 * @param table created at the first start
 * @param lifetime whether the nodes end with their owner
 * @param ownerPid the process that started the cluster
 * @param ownerStart when that process was started, in the kernel's clock ticks, so that a reused pid is not taken for it
 * @param bootId this boot of the machine, empty when the system has none
 * @param java the java program that runs the nodes
 * @param classPath of the nodes
 */
record ClusterSettings(
        String id,
        int backups,
        int heapMegabytes,
        int regionMegabytes,
        int failureDetectionMillis,
        WALMode walMode,
        List<Ports> ports,
        String table,
        Lifetime lifetime,
        long ownerPid,
        long ownerStart,
        String bootId,
        String java,
        String classPath) {

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

    /** The file of the settings. */
    static final String FILE = "settings.json";

    /** The settings of a cluster that an earlier version has made. */
    private static final String EARLIER = "cluster.properties";

    /** The file that records that all nodes were up once. */
    private static final String COMPLETE = "complete";

    /** One node's ports. */
    record Ports(int discovery, int communication, int client, int http) {

        /** Those of each node, all free now. */
        static List<Ports> free(int nodes, Path cluster) {
            return NodeIo.get("free ports cannot be found", () -> {
                List<Integer> free = LocalPorts.free(nodes * 4, cluster);
                return IntStream.range(0, nodes)
                        .map(node -> node * 4)
                        .mapToObj(i -> new Ports(free.get(i), free.get(i + 1), free.get(i + 2), free.get(i + 3)))
                        .toList();
            });
        }
    }

    ClusterSettings {
        ports = List.copyOf(ports);
    }

    /** Spare ones included. */
    int nodes() {
        return ports.size();
    }

    static String nodeId(int index) {
        return "node" + (index + 1);
    }

    String endpoint(Path directory, String node) {
        return IsolatedNetwork.address(directory, node) + ":" + portsOf(node).client();
    }

    /** The address of the node's HTTP endpoint, which is there when the binding's server-side code is on the nodes' class path. */
    String httpEndpoint(Path directory, String node) {
        return "http://" + IsolatedNetwork.address(directory, node) + ":"
                + portsOf(node).http();
    }

    /** Those by which the nodes find each other, spare ones included. */
    List<String> discoveryAddresses(Path directory) {
        return nodeIds().stream()
                .map(node -> IsolatedNetwork.address(directory, node) + ":"
                        + portsOf(node).discovery())
                .toList();
    }

    private Ports portsOf(String node) {
        return ports.get(nodeIds().indexOf(node));
    }

    /** Members and spare nodes, in their order. */
    List<String> nodeIds() {
        return Members.numbered(nodes());
    }

    /** What each command line of this cluster contains, and no other. */
    String marker() {
        return "-Dycsbdrill.cluster=" + id;
    }

    /** What the command line of the node's process contains, and no other. */
    String mark(String node) {
        return marker() + " -Dycsbdrill.node=" + node + " ";
    }

    void write(Path directory) {
        NodeIo.run("cannot write " + file(directory), () -> Files.write(file(directory), JSON.writeValueAsBytes(this)));
    }

    /** Notes that all nodes are up. */
    static void setComplete(Path directory) {
        NodeIo.run("cannot write " + directory.resolve(COMPLETE), () -> Files.createFile(directory.resolve(COMPLETE)));
    }

    /** Whether all nodes were up once. */
    static boolean complete(Path directory) {
        return Files.exists(directory.resolve(COMPLETE));
    }

    /** Whether a cluster, also one of an earlier version, was begun in the directory: nodes of it may run. */
    static boolean writtenIn(Path directory) {
        return Files.exists(file(directory)) || isEarlier(directory);
    }

    private static boolean isEarlier(Path directory) {
        return !Files.exists(file(directory)) && Files.exists(directory.resolve(EARLIER));
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws NodeControlException when the file is not there, is damaged, or is of an earlier version
     */
    static ClusterSettings read(Path directory) {
        if (isEarlier(directory)) {
            throw new NodeControlException("the embedded cluster in " + directory
                    + " was made by an earlier version of ycsb-drill; stop it with that one: `cluster down`");
        }
        try {
            return JSON.readValue(file(directory).toFile(), ClusterSettings.class);
        } catch (IOException e) {
            throw new NodeControlException(
                    "no embedded cluster is left in " + directory + ": "
                            + file(directory).getFileName()
                            + " cannot be read (" + FileReason.of(e)
                            + "); was the directory removed? Forget it with `cluster down`, then `cluster up`",
                    e);
        }
    }

    private static Path file(Path directory) {
        return directory.resolve(FILE);
    }
}
