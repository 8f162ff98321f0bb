package io.ycsbdrill.fault.node.os;

import io.ycsbdrill.fault.node.NodeControlException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Finds free ports of the loopback interface for servers that are started later, or again. Stateless. */
public final class LocalPorts {

    private LocalPorts() {}

    /**
     * Free ports below the range from which the kernel takes those of outgoing connections, since a node that comes back must
     * find its ports free. All are held at once, so that they differ.
     *
     * @throws NodeControlException when too few are free
     */
    public static List<Integer> free(int count) throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        try {
            for (int tries = 0; held.size() < count && tries < 2_000; tries++) {
                int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
                try {
                    held.add(new ServerSocket(port, 1, InetAddress.getLoopbackAddress()));
                } catch (BindException e) {
                    // taken: another one
                }
            }
            if (held.size() < count) {
                throw new NodeControlException(
                        "no " + count + " free ports between 20000 and 32000 on the loopback interface");
            }
            return held.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : held) {
                socket.close();
            }
        }
    }
}
