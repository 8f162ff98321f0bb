package io.ycsbdrill.fault.node.harper;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.kit.ClusterPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a local server was started with, and is started with again. Ports are on the loopback interface.
 *
 * @param home the installation
 * @param node the Node.js that runs it
 * @param tables names of the tables that it offers over REST
 * @param ttl how long their rows stay after their last write, in whole seconds; zero for ever
 */
record HarperSettings(
        HarperHome home,
        Path node,
        List<String> tables,
        Duration ttl,
        int threads,
        int restPort,
        int operationsPort,
        int mqttPort,
        int mqttSecurePort) {
    HarperSettings {
        tables = List.copyOf(tables);
    }

    /** How many ports it has. */
    static final int PORTS = 4;

    static HarperSettings of(HarperHome home, Path node, ClusterPlan<HarperOptions> plan) {
        HarperOptions options = plan.options();
        return new HarperSettings(
                home,
                node,
                options.tables(),
                options.ttl(),
                options.threads(),
                plan.sharedPort(0),
                plan.sharedPort(1),
                plan.sharedPort(2),
                plan.sharedPort(3));
    }

    /** @throws io.ycsbdrill.fault.node.NodeControlException when something is missing in the descriptor */
    static HarperSettings of(ClusterDescriptor descriptor) {
        Map<String, String> state = descriptor.requireState(
                "home", "node", "tables", "ttl", "threads", "restPort", "operationsPort", "mqttPort", "mqttSecurePort");
        return new HarperSettings(
                new HarperHome(Path.of(state.get("home"))),
                Path.of(state.get("node")),
                List.of(state.get("tables").split(",")),
                Durations.parse(state.get("ttl")),
                Integer.parseInt(state.get("threads")),
                Integer.parseInt(state.get("restPort")),
                Integer.parseInt(state.get("operationsPort")),
                Integer.parseInt(state.get("mqttPort")),
                Integer.parseInt(state.get("mqttSecurePort")));
    }

    /** The form that {@link #of(ClusterDescriptor)} reads. */
    Map<String, String> state() {
        return Map.of(
                "home", home.root().toString(),
                "node", node.toString(),
                "tables", String.join(",", tables),
                "ttl", Durations.print(ttl),
                "threads", Integer.toString(threads),
                "restPort", Integer.toString(restPort),
                "operationsPort", Integer.toString(operationsPort),
                "mqttPort", Integer.toString(mqttPort),
                "mqttSecurePort", Integer.toString(mqttSecurePort));
    }

    /** What the binding {@code rest} needs to reach the server; the password stays in its file. */
    Map<String, String> access(HarperFiles files) {
        Map<String, String> access = new HashMap<>(Map.of(
                "rest.dialect",
                "harperdb",
                "rest.endpoints",
                "http://127.0.0.1:" + restPort,
                "rest.harperdb.operations.port",
                Integer.toString(operationsPort),
                "rest.user",
                HarperServer.USER,
                "rest.password.file",
                files.password().toString()));
        if (!ttl.isZero()) {
            access.put("record.ttl", Durations.print(ttl));
        }
        return Map.copyOf(access);
    }
}
