package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.patroni.PatroniEngine;
import io.ycsbdrill.fault.node.patroni.TestedPatroni;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What asynchronous replication loses with a real PostgreSQL under Patroni, and that the audit finds it. */
@Tag("engine")
@Tag("soak")
@Timeout(300)
class PatroniLossIT {
    @TempDir
    Path folder;

    /** Two servers take writes, and what the old one has acknowledged is thrown away. */
    @Test
    void whatAPrimaryAcknowledgesWithoutItsPatroniIsLostAndFound() throws IOException {
        Map<String, String> options = TestedPatroni.quick();
        folder.toFile().setExecutable(true, false); // as root, another user runs the servers
        LocalCluster cluster = new PatroniEngine().up(folder.resolve("c"), options, Lifetime.OWNED, line -> {});
        try {
            String primary = cluster.primary().orElseThrow();
            LocalRuns runs = new LocalRuns(folder, cluster.descriptor(), new PatroniEngine(), "jdbc");

            runs.drill(
                    "patroni-kill",
                    text -> text.replaceAll(
                                    "duration: 90s", "duration: " + 3 * Integer.parseInt(options.get("ttl")) + "s")
                            .replaceAll("acked_lost: 0", "acked_lost: any"),
                    "--audit",
                    "-p",
                    "db.socket.timeout=3s");

            assertThat(runs.phases().get(primary))
                    .startsWith("fault", "failure-handling", "down")
                    .contains("synchronise");
            assertThat(runs.json("audit.json").at("/ackedLost").asLong()).isPositive();
            assertThat(cluster.primary()).isPresent().get().isNotEqualTo(primary);
        } finally {
            cluster.down();
        }
    }
}
