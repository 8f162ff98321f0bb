package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.JdbcProperties;
import io.ycsbdrill.fault.node.galera.GaleraEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Commands on a Galera cluster through {@code jdbc}. */
final class GaleraRuns extends LocalRuns {
    private static final Pattern PORT = Pattern.compile("(?m)^port=(\\d+)$");

    /** @param cluster as the commands are to find it */
    GaleraRuns(Path folder, ClusterDescriptor cluster) {
        super(folder, cluster, new GaleraEngine(), "jdbc");
    }

    /** The cluster without the proxy before it, if there is one. */
    static ClusterDescriptor direct(ClusterDescriptor cluster) throws IOException {
        return new ClusterDescriptor(
                cluster.engine(),
                cluster.directory(),
                cluster.createdAt(),
                cluster.engineVersion(),
                Map.of("jdbc", JdbcProperties.of(ports(cluster))),
                cluster.engineState());
    }

    /** The servers' ports, in the order of the nodes. */
    static List<Integer> ports(ClusterDescriptor cluster) throws IOException {
        List<Integer> ports = new ArrayList<>();
        int nodes = Integer.parseInt(cluster.engineState().get("nodes"));
        for (int node = 1; node <= nodes; node++) {
            Matcher port = PORT.matcher(Files.readString(cluster.directory().resolve("node" + node + ".cnf")));
            assertThat(port.find()).isTrue();
            ports.add(Integer.valueOf(port.group(1)));
        }
        return ports;
    }
}
