package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.kit.Members;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a local cluster was started with, and its nodes are started with again. Node N listens on 127.0.0.N; the ports are the same
 * on each, as the nodes know each other by address only.
 *
 * @param home the installation
 * @param java the program that runs it
 * @param nodes number of nodes
 * @param replicas 1, or as many as nodes
 * @param heap of each node's JVM
 */
record FaunaDbSettings(
        FaunaDbHome home, Path java, int nodes, int replicas, String heap, int httpPort, int adminPort, int peerPort) {

    /** What its storage reaches by reflection. */
    private static final List<String> OPENED = List.of(
            "java.io",
            "java.lang",
            "java.math",
            "java.net",
            "java.util",
            "java.util.concurrent",
            "java.util.concurrent.atomic",
            "sun.net.www.protocol.http",
            "sun.net.www.protocol.https",
            "sun.nio.ch");

    /** @throws io.ycsbdrill.fault.node.NodeControlException when something is missing in the descriptor */
    static FaunaDbSettings of(ClusterDescriptor descriptor) {
        Map<String, String> state = descriptor.requireState(
                "home", "java", "nodes", "replicas", "heap", "httpPort", "adminPort", "peerPort");
        return new FaunaDbSettings(
                new FaunaDbHome(Path.of(state.get("home"))),
                Path.of(state.get("java")),
                Integer.parseInt(state.get("nodes")),
                Integer.parseInt(state.get("replicas")),
                state.get("heap"),
                Integer.parseInt(state.get("httpPort")),
                Integer.parseInt(state.get("adminPort")),
                Integer.parseInt(state.get("peerPort")));
    }

    /** The form that {@link #of} reads. */
    Map<String, String> state() {
        return Map.of(
                "home", home.root().toString(),
                "java", java.toString(),
                "nodes", Integer.toString(nodes),
                "replicas", Integer.toString(replicas),
                "heap", heap,
                "httpPort", Integer.toString(httpPort),
                "adminPort", Integer.toString(adminPort),
                "peerPort", Integer.toString(peerPort));
    }

    List<String> names() {
        return Members.numbered(nodes);
    }

    /** The command of a node. */
    List<String> command(FaunaDbFiles files, String node) {
        String lib = home.root().resolve("lib").toString();
        List<String> command = new ArrayList<>(List.of(
                java.toString(),
                "-javaagent:" + lib + "/jamm.jar",
                "-Xms256m",
                "-Xmx" + heap.toLowerCase(Locale.ROOT),
                "-Xss512k",
                // Most of a start was compiling; the figures of this build are nobody's anyway.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Duser.timezone=UTC", // of the stamps in its log
                "-Djava.net.preferIPv4Stack=true",
                "-Dio.netty.allocator.type=unpooled",
                "-Dio.netty.noPreferDirect=true",
                "-DLog4jContextSelector=org.apache.logging.log4j.core.async.AsyncLoggerContextSelector",
                // Nobody is to be waited for at a start: its storage's own membership is not used.
                "-Dcassandra.ring_delay_ms=1",
                "-Dcassandra.skip_wait_for_gossip_to_settle=0"));
        OPENED.forEach(name -> command.addAll(List.of("--add-opens", "java.base/" + name + "=ALL-UNNAMED")));
        command.addAll(List.of(
                "-cp",
                lib + "/*",
                "fauna.core.Service",
                "-c",
                files.configuration(node).toString()));
        return command;
    }

    static String address(String node) {
        return "127.0.0." + node.substring("node".length());
    }

    /** The replica that the node is in. */
    String replica(String node) {
        return "replica_" + (replicas == 1 ? "1" : node.substring("node".length()));
    }

    URI admin(String node, String path) {
        return URI.create("http://" + address(node) + ":" + adminPort + path);
    }

    URI http(String node, String path) {
        return URI.create("http://" + address(node) + ":" + httpPort + path);
    }

    /** What the binding {@code rest} needs to reach the nodes; the key stays in its file. */
    Map<String, String> access(FaunaDbFiles files) {
        return Map.of(
                "rest.dialect",
                FaunaDbEngine.NAME,
                "rest.endpoints",
                names().stream().map(node -> http(node, "").toString()).collect(Collectors.joining(",")),
                "rest.token.file",
                files.clientKey().toString());
    }

    /** {@code faunadb.yml} of a node. */
    String configuration(FaunaDbFiles files, String node, String rootKey) {
        return Formatted.of(
                """
                auth_root_key: %1$s
                cluster_name: ycsb
                network_broadcast_address: %2$s
                network_listen_address: %2$s
                network_admin_http_address: %2$s
                network_coordinator_http_address: %2$s
                network_coordinator_http_port: %3$d
                network_admin_http_port: %4$d
                network_peer_port: %5$d
                network_round_trip_time_ms: 150
                storage_data_path: %6$s
                storage_memtable_size_mb: 64
                log_path: %7$s
                log_queries: false
                flags_path: %8$s
                runtime_processors: 4
                shutdown_grace_period_seconds: 0
                transaction_log_backup: false
                """,
                rootKey,
                address(node),
                httpPort,
                adminPort,
                peerPort,
                files.data(node),
                files.logs(node),
                files.node(node).resolve("flags.json"));
    }
}
