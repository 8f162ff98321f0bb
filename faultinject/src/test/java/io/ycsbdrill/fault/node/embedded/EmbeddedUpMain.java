package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Starts a cluster of two nodes in a process of its own: arguments are the state directory and the lifetime. */
final class EmbeddedUpMain {
    private EmbeddedUpMain() {}

    public static void main(String[] args) throws IOException {
        ClusterDirectory directory = new ClusterDirectory(Path.of(args[0]));
        LocalCluster cluster = new EmbeddedEngine()
                .up(
                        directory.home("embedded").resolve("c"),
                        Map.of("data-nodes", "2", "backups", "1"),
                        Lifetime.valueOf(args[1]),
                        line -> {});
        directory.write(cluster.descriptor());
        System.out.println("up");
        if (args[1].equals("OWNED")) {
            int end = System.in.read(); // until it is killed
            System.out.println("not killed: " + end);
        }
        cluster.close();
    }
}
