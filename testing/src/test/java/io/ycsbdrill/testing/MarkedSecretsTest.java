package io.ycsbdrill.testing;

import static io.ycsbdrill.testing.assertj.DrillAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.ycsbdrill.base.MarkedSecrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is given to a drill of a test is in nothing that the test, its log or the drill's directory is told. */
@Timeout(240)
class MarkedSecretsTest {
    @TempDir
    private Path folder;

    private final MarkedSecrets secrets = new MarkedSecrets();
    private final List<String> said = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        secrets.close();
    }

    private DrillClusterBuilder cluster(String store) {
        return Drills.cluster(store)
                .property("store.password", secrets.of("a property"))
                .directory(folder)
                .log(said::add);
    }

    @Test
    void ofADrillWhoseCommandRepeatsThem() throws Exception {
        Path file = Files.writeString(
                folder.resolve("d.yaml"), """
                name: told
                load: 100/s
                steady: off
                cooldown: 300ms
                steps:
                  - step: told
                    fault: run
                    node: node2
                    at: 100ms
                    command: [sh, -c, "echo 'denied: %s'; exit 3", sh, --password, %s]
                """.formatted(secrets.of("a property"), secrets.of("an option")));
        try (DrillCluster cluster = cluster("told").start()) {
            DrillResult drill = cluster.drill(file).records(20).run();

            assertThat(drill.reasons().toString()).contains("denied: ***");
            secrets.assertNotIn("the result", drill + " " + drill.reasons());
            Throwable failed = catchThrowable(() -> assertThat(drill).isValid());
            assertThat(failed).isInstanceOf(AssertionError.class);
            secrets.assertNotIn("the assertion", String.valueOf(failed.getMessage()));
        }
        secrets.assertNotIn("the log", said.toString());
        secrets.assertInNoFile(folder, Set.of("d.yaml"));
    }

    @Test
    void ofADatabaseThatRefusesTheLogin() throws Exception {
        String told;
        try (DrillCluster cluster =
                cluster("refused").property("refuses", "all").start()) {
            Throwable failed = catchThrowable(() -> said.add(
                    String.valueOf(Drills.crash(cluster).load(false).run().reasons())));
            told = said + " " + (failed == null ? "" : failed.getMessage());
        }

        assertThat(told).contains("denied: ***");
        secrets.assertNotIn("what was told", told);
        secrets.assertInNoFile(folder, Set.of());
    }
}
