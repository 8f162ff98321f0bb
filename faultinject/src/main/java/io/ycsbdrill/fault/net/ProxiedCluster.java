package io.ycsbdrill.fault.net;

import io.ycsbdrill.fault.node.ForwardingController;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A cluster with a proxy before each of its servers: everything that the cluster's own controller can do, and
 * {@link Networked}. Closing it ends the proxies and leaves the controller open.
 */
public final class ProxiedCluster extends ForwardingController implements Networked {
    private final Map<String, FaultProxy> proxies = new LinkedHashMap<>();

    private ProxiedCluster(NodeController cluster) {
        super(cluster);
    }

    /**
     * Starts a proxy before each server.
     *
     * @param servers {@code host:port} each, at least one; they become {@code server1}, {@code server2}, ...
     * @param seed of the jitter of delays
     * @throws IllegalArgumentException when one has no port
     * @throws NodeControlException when a proxy cannot listen
     */
    public static ProxiedCluster of(NodeController cluster, List<String> servers, long seed) {
        ProxiedCluster proxied = new ProxiedCluster(cluster);
        try {
            for (String server : servers) {
                int colon = server.lastIndexOf(':');
                if (colon < 1 || !server.substring(colon + 1).matches("\\d{1,5}")) {
                    throw new IllegalArgumentException("server \"" + server + "\" is not host:port");
                }
                String host = server.substring(0, colon).replaceAll("^\\[|]$", "");
                int port = Integer.parseInt(server.substring(colon + 1));
                int number = proxied.proxies.size() + 1;
                InetSocketAddress free = new InetSocketAddress("127.0.0.1", 0);
                proxied.proxies.put("server" + number, FaultProxy.before(host, port, free, seed + number));
            }
            return proxied;
        } catch (RuntimeException e) {
            proxied.close();
            throw e;
        }
    }

    /** By server, where clients are to connect: {@code host:port}. */
    public Map<String, String> addresses() {
        Map<String, String> addresses = new LinkedHashMap<>();
        proxies.forEach((id, proxy) -> addresses.put(
                id,
                proxy.address().getAddress().getHostAddress() + ":"
                        + proxy.address().getPort()));
        return addresses;
    }

    @Override
    public List<NodeInfo> servers() {
        List<NodeInfo> servers = new ArrayList<>();
        proxies.forEach((id, proxy) -> servers.add(new NodeInfo(id, proxy.server(), 0)));
        return servers;
    }

    @Override
    public void disturb(String server, Disturbance disturbance) {
        proxy(server).disturb(disturbance);
    }

    @Override
    public Sight look(String server, Disturbance disturbance) {
        return proxy(server).look(disturbance);
    }

    @Override
    public void restore(String server, Disturbance disturbance) {
        proxy(server).restore(disturbance);
    }

    @Override
    public void restoreAll() {
        proxies.values().forEach(FaultProxy::restoreAll);
    }

    private FaultProxy proxy(String server) {
        FaultProxy proxy = proxies.get(server);
        if (proxy == null) {
            throw new NodeControlException(
                    "there is no " + server + "; the servers are " + String.join(", ", proxies.keySet()));
        }
        return proxy;
    }

    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return type == Networked.class ? Optional.of(type.cast(this)) : super.capability(type);
    }

    @Override
    public void close() {
        proxies.values().forEach(FaultProxy::close);
    }
}
