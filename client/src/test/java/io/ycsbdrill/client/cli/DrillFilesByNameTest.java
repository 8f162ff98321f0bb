package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drills by their names, what there is of them, and what one would do. */
class DrillFilesByNameTest {
    private static final String SHIPPED = """
            # Question: what do clients notice, and for
            # how long? Another sentence.
            # More.
            name: quick
            steady: {after: 5s, window: 3s, within: 60s}
            cooldown: 5s
            recovery_timeout: 30s
            steps:
              - {step: crash, fault: restart, node: node2, mode: kill, down: 2s, at: 1s}
            limits: {max_recovery: 20s, acked_lost: 0}
            """;
    private static final String NETWORK = """
            name: cut-off
            steps:
              - {step: alone, fault: isolate, node: node1, from: all, duration: 5s, at: 0s}
            """;

    @TempDir
    private Path root;

    private World world;
    private ScriptedEngine engine;

    @BeforeEach
    void world() {
        engine = new ScriptedEngine(root.toString());
        world = new World(root)
                .with(engine)
                .file("w", DrillCommandTest.WORKLOAD)
                .homeFile("workloads/drills/quick.yaml", SHIPPED)
                .homeFile("workloads/drills/cut-off.yaml", NETWORK);
    }

    @Test
    void theListHasNamesQuestionsAndNeeds() {
        assertThat(world.execute("drill", "--list")).isZero();

        assertThat(world.out())
                .contains("quick\n    what do clients notice, and for how long?\n")
                .contains("cut-off   [cluster up --network isolated]\n");
        assertThat(world.err()).isEmpty();
    }

    @Test
    void aNameIsTheShippedDrill() {
        assertThat(world.execute("drill", "--check", "quick")).isZero();
        assertThat(world.err()).contains("workloads/drills/quick.yaml is valid: drill quick, 1 step");
    }

    @Test
    void aFileOfExactlyThisNameCountsFirst() {
        world.file("quick", SHIPPED.replace("name: quick", "name: mine"));

        assertThat(world.execute("drill", "--check", "quick")).isZero();
        assertThat(world.err()).contains("quick is valid: drill mine");
    }

    @Test
    void aNameThatIsAlsoAFileHereIsRefused() {
        world.file("quick.yaml", SHIPPED);

        assertThat(world.execute("drill", "--check", "quick")).isEqualTo(2);
        assertThat(world.err()).contains("say which: -D quick.yaml, or -D workloads/drills/quick.yaml");
    }

    @Test
    void aMisspeltNameHasTheNearestOne() {
        assertThat(world.execute("drill", "native", "-P", "w", "-D", "quik")).isEqualTo(2);
        assertThat(world.err()).contains("drill file quik is not there; did you mean \"quick\"?; ycsb drill --list");
    }

    @Test
    void thePlanOfADrillStartsNothing() {
        assertThat(world.execute("drill", "native", "-P", "w", "-D", "quick", "--plan"))
                .as(world.err())
                .isZero();

        assertThat(world.out())
                .contains(
                        "drill      quick (workloads/drills/quick.yaml)",
                        "load       60% of the maximum",
                        "two windows of 3s, not before 5s of this load, within 60s",
                        "step       crash: restart node2, 1s after the start of the schedule, for 2s",
                        "recovery   each node within 30s",
                        "limit      max_recovery: 20s",
                        "limit      acked_lost: 0",
                        "audit      yes",
                        "started for this drill and stopped after it");
        assertThat(engine.nodes.calls()).isEmpty();
        assertThat(Files.exists(world.directory().resolve("results"))).isFalse();
    }

    @Test
    void thePlanIsOfWhatIsTyped() {
        world.homeFile("workloads/drills/quick.yaml", SHIPPED.replace(", acked_lost: 0", ""));

        assertThat(world.execute("drill", "native", "-P", "w", "-D", "quick", "--plan", "-target", "200", "--audit"))
                .as(world.err())
                .isZero();
        assertThat(world.out())
                .contains(
                        "load       the target 200; that of the drill file, 60%, is not used",
                        "audit      yes, as --audit says");

        assertThat(world.execute("drill", "native", "-P", "w", "-D", "quick", "--plan", "--rate", "100@0s"))
                .isZero();
        assertThat(world.out()).contains("load       --rate 100@0s; that", "audit      only with --audit");
    }

    @Test
    void aFolderOfTheNameIsNoDrill() throws IOException {
        Files.createDirectory(world.directory().resolve("quick"));

        assertThat(world.execute("drill", "--check", "quick")).as(world.err()).isZero();
        assertThat(world.err()).contains("workloads/drills/quick.yaml is valid");
    }

    @Test
    void thePlanSaysWhatTheEngineDoesNotHave() {
        assertThat(world.execute("drill", "native", "-P", "w", "-D", "cut-off", "--plan"))
                .isEqualTo(2);

        assertThat(world.out()).contains("missing    --network isolated, which");
        assertThat(engine.nodes.calls()).isEmpty();
    }

    @Test
    void thePlanRefusesWhatTheDrillWould() {
        assertThat(world.execute("drill", "native", "-P", "w", "-D", "quick", "--plan", "-threads", "x"))
                .isEqualTo(2);
        assertThat(world.err()).contains("threadcount=x");
        assertThat(world.out()).isEmpty();
    }
}
