package io.ycsbdrill.client.drill;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.binding.BindingPlugin;
import io.ycsbdrill.binding.ServerAddresses;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.Access;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.fault.net.ProxiedCluster;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/** The servers that a proxy can be placed in front of: those that properties of a binding name. */
public final class ProxiedServers {
    private ProxiedServers() {}

    /**
     * The servers, each as {@code host:port}.
     *
     * @throws ConfigException when there are none that a proxy can be placed in front of
     */
    static List<String> of(Access access, RunSpec.Builder spec) {
        Properties properties = spec.properties();
        ServerAddresses servers = addresses(properties)
                .orElseThrow(() -> new ConfigException(required() + ", whose servers are known by "
                        + proxied().stream()
                                .flatMap(binding -> binding.addresses().orElseThrow().properties().stream())
                                .collect(Collectors.joining(", "))
                        + "; the binding is " + access.binding()));
        ConfigException.from("", () -> servers.unproxied(properties)).ifPresent(reason -> {
            throw new ConfigException(reason);
        });
        return ConfigException.from("", () -> servers.in(properties));
    }

    /** Sends the binding to the proxies, and records in {@code run.json} which proxy is in front of which server. */
    static void replace(RunSpec.Builder spec, ProxiedCluster proxied) {
        List<String> addresses = List.copyOf(proxied.addresses().values());
        addresses(spec.properties()).orElseThrow().replace(spec.properties(), addresses);
        ArrayNode proxies = JsonNodeFactory.instance.arrayNode();
        for (NodeInfo server : proxied.servers()) {
            proxies.addObject()
                    .put("id", server.id())
                    .put("server", server.host())
                    .put("listens", proxied.addresses().get(server.id()));
        }
        spec.extra("proxies", proxies);
    }

    /** What faults of the network need, for messages. */
    public static String required() {
        return "network faults (" + FaultSchedule.networkFaults() + ") need the binding "
                + proxied().stream().map(BindingPlugin::name).collect(Collectors.joining(" or "));
    }

    /** By the properties and not by the binding's name: a class of the user's may be reached by them, too. */
    static Optional<ServerAddresses> addresses(Properties properties) {
        return proxied().stream()
                .flatMap(binding -> binding.addresses().stream())
                .filter(servers -> servers.areIn(properties))
                .findFirst();
    }

    private static List<BindingPlugin> proxied() {
        return BindingPlugin.installed().stream()
                .filter(binding -> binding.addresses().isPresent())
                .toList();
    }
}
