package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.fault.inventory.EngineDefaults;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.inventory.Inventory;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * Servers on the hosts of an inventory: data nodes, and those of its management as helpers. Ports are properties, {@code
 * ENGINE.port.NAME}: one for all servers, or one for each with commas between them.
 */
final class HostedSite {
    private static final int MOST_PORT = 65_535;

    private HostedSite() {}

    /**
     * A file says nothing of how its servers are run elsewhere: the inventory does. What helpers are called by, such as Sentinels, are no
     * nodes, and neither is what asks them.
     */
    static EngineDefaults defaults(EngineFile file) {
        String server = file.nodes().command().get(0);
        String helper = file.helpers().map(group -> group.command().get(0)).orElse(server);
        String asking = file.nodes().probe().question().get(0);
        List<String> programs = file.programs().stream()
                .filter(each -> each.equals(server) || each.equals(helper) || !each.equals(asking))
                .map(each -> each.equals(helper) && !each.equals(server) ? EngineDefaults.NOT + each : each)
                .sorted((a, b) -> Boolean.compare(a.startsWith(EngineDefaults.NOT), b.startsWith(EngineDefaults.NOT)))
                .toList();
        return new EngineDefaults("", programs, "", "", List.of(), List.of());
    }

    /** @throws IllegalArgumentException when the nodes cannot be asked as the file says */
    static void check(EngineFile file, Programs programs) {
        Probe probe = file.nodes().probe();
        String asks = probe.question().get(0);
        if (probe.kind() == Probe.Kind.COMMAND
                && file.programs().contains(asks)
                && programs.find(asks).isEmpty()) {
            throw new IllegalArgumentException("nodes.probe of engine " + file.engine() + " needs the program " + asks
                    + " on this machine, which asks the nodes: install it, or set " + file.variable()
                    + " to the folder of an installation");
        }
        if (probe.position().isPresent() && probe.primary().isEmpty()) {
            throw new IllegalArgumentException("nodes.probe of engine " + file.engine()
                    + " has position and no primary, whose position counts: on other hosts logs do not say who that is;"
                    + " add primary, a regular expression for the primary's answer");
        }
    }

    /**
     * The servers and the file's templates.
     *
     * @param properties in effect, those of the inventory among them
     */
    static Places places(EngineFile file, Path folder, Inventory inventory, Properties properties) {
        file.helpers().stream()
                .flatMap(group -> group.ports().stream())
                .filter(file.nodes().ports()::contains)
                .findFirst()
                .ifPresent(port -> {
                    throw new IllegalArgumentException(
                            "port " + port + " of engine " + file.engine()
                                    + " is one of nodes and of helpers, and on other hosts one property: call them differently");
                });
        Places.Site site = (id, hole) -> {
            HostedNode node = inventory.node(id).orElseThrow();
            return switch (hole) {
                case "address" -> node.host().reachedBy().get(0);
                case "data" -> node.dataDirectory();
                case "home" ->
                    throw new IllegalArgumentException(
                            "{home} of node " + id
                                    + " is not known on other hosts; it can be in files and commands only, which are for this machine");
                case Places.START -> EngineFile.Text.Kind.START.other; // somebody else has made the cluster
                default -> port(file.engine() + "." + hole, id, ids(inventory, node.role()), properties);
            };
        };
        return new Places(file, site, folder, ids(inventory, Role.DATA), ids(inventory, Role.MANAGEMENT));
    }

    private static List<String> ids(Inventory inventory, Role role) {
        return inventory.nodes(role).stream().map(HostedNode::id).toList();
    }

    private static String port(String key, String id, List<String> ids, Properties properties) {
        String given = properties.getProperty(key, "").strip();
        String[] ports = given.split("\\s*,\\s*");
        String port = ports.length == 1 ? ports[0] : ports.length == ids.size() ? ports[ids.indexOf(id)] : "";
        if (!port.matches("[1-9]\\d{0,4}") || Integer.parseInt(port) > MOST_PORT) {
            throw new IllegalArgumentException(key + "=" + given + " is not a port, or one for each of "
                    + String.join(", ", ids) + "; give it in the inventory, properties: {" + key + ": \"PORT\"}");
        }
        return port;
    }
}
