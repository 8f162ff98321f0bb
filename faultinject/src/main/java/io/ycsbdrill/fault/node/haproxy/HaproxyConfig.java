package io.ycsbdrill.fault.node.haproxy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** HAProxy's configuration file. Stateless. */
final class HaproxyConfig {
    static final String LISTENER = "sql";

    /**
     * Connections go to the server that has fewest. One whose server is taken out is closed at once, so that its client does not
     * wait for an answer that will not come; one that cannot be made is tried on another server.
     *
     * @param port on the loopback interface, for clients
     * @param servers addresses by name: {@code host:port}
     * @param checked ports that are asked whether a server is well, by its name; its own where there is none
     */
    static String text(
            Path socket, int port, HealthCheck check, Map<String, String> servers, Map<String, Integer> checked) {
        List<String> lines = new ArrayList<>(List.of(
                "global",
                "    maxconn 2000",
                "    no strict-limits", // fewer connections where the system allows fewer
                "    stats socket " + socket + " mode 600 level admin",
                "defaults",
                "    mode tcp",
                "    timeout connect 1s",
                "    timeout client 1h",
                "    timeout server 1h",
                // Without it a busy server is taken out when it does not answer within the interval.
                "    timeout check 2s",
                "    option tcpka",
                "    option redispatch 1",
                "    retries 3",
                "listen " + LISTENER,
                "    bind 127.0.0.1:" + port,
                "    balance leastconn"));
        check.lines().forEach(line -> lines.add("    " + line));
        lines.add("    default-server inter 500ms fastinter 250ms fall 2 rise 2 on-marked-down shutdown-sessions");
        servers.forEach((name, server) -> lines.add("    server " + name + " " + server + " check"
                + (checked.containsKey(name) ? " port " + checked.get(name) : "")));
        return String.join("\n", lines) + "\n";
    }
}
