package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.embedded.ClusterSettings.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Finds ports that are free now. They lie below the range from which the kernel takes ports for outgoing connections: a node
 * that is down for a while must find its ports free when it comes back.
 */
final class FreePorts {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST = 32_000;
    private static final int PER_NODE = 4;
    private static final int TRIES = 2_000;

    private FreePorts() {}

    static List<Ports> forNodes(int nodes, Random random) {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int tries = 0; held.size() < nodes * PER_NODE && tries < TRIES; tries++) {
                ServerSocket socket = new ServerSocket();
                try {
                    socket.bind(new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), LOWEST + random.nextInt(HIGHEST - LOWEST)));
                    held.add(socket);
                } catch (IOException e) {
                    socket.close();
                }
            }
            if (held.size() < nodes * PER_NODE) {
                throw new NodeControlException("no " + nodes * PER_NODE + " free ports between " + LOWEST + " and "
                        + HIGHEST + " on the loopback interface");
            }
            List<Ports> ports = new ArrayList<>();
            for (int i = 0; i < nodes; i++) {
                ports.add(new Ports(
                        held.get(PER_NODE * i).getLocalPort(),
                        held.get(PER_NODE * i + 1).getLocalPort(),
                        held.get(PER_NODE * i + 2).getLocalPort(),
                        held.get(PER_NODE * i + 3).getLocalPort()));
            }
            return ports;
        } catch (IOException e) {
            throw new NodeControlException("free ports cannot be found: " + e, e);
        } finally {
            for (ServerSocket socket : held) {
                try {
                    socket.close();
                } catch (IOException e) {
                    // It was free a moment ago and is not in use: nothing to close.
                }
            }
        }
    }
}
