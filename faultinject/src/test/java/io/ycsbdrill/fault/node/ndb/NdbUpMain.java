package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Starts a cluster of one node in a process of its own: arguments are the state directory and the lifetime. */
final class NdbUpMain {
    private NdbUpMain() {}

    public static void main(String[] args) throws IOException {
        ClusterDirectory directory = new ClusterDirectory(Path.of(args[0]));
        LocalCluster cluster = new NdbEngine()
                .up(
                        directory.home("ndb").resolve("c"),
                        Map.of("data-nodes", "1", "sql-nodes", "0", "data-memory", "64M"),
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
