package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.patroni.PatroniEngine;
import io.ycsbdrill.fault.node.patroni.TestedPatroni;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Faults of disks need a C compiler, so they have a cluster of their own. */
@Tag("engine")
@Timeout(300)
class PatroniDiskIT {
    @TempDir
    private Path folder;

    /** The library is in each of a node's processes, and a backend writes its own commits. */
    @Test
    @Tag("soak")
    void aStalledDiskOfThePrimaryHoldsWritesUpAndLosesNone() throws Exception {
        Map<String, String> options = new HashMap<>(TestedPatroni.quick());
        options.put("disk-faults", "true");
        options.put("synchronous", "true");
        folder.toFile().setExecutable(true, false); // as root, another user runs the servers
        LocalCluster cluster = new PatroniEngine().up(folder.resolve("c"), options, Lifetime.OWNED, line -> {});
        try {
            LocalRuns runs = new LocalRuns(folder, cluster.descriptor(), new PatroniEngine(), "jdbc");
            runs.drill(
                    "disk-stall",
                    text -> text.replaceAll("node: random", "node: primary").replaceAll("duration: 5s", "duration: 3s"),
                    "--audit",
                    "-p",
                    "db.socket.timeout=10s");

            assertThat(runs.json("summary.json")
                            .at("/drill/overall/writeOutageSeconds")
                            .asDouble())
                    .isBetween(1.0, 8.0);
            Audits.assertNothingLost(runs.json("audit.json"));
            assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        } finally {
            cluster.down();
        }
    }
}
