package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Drills whose acknowledged writes are read back, and what their limits say of it. */
@Timeout(120)
class AuditedDrillTest {
    @TempDir
    private Path root;

    private World world;

    @BeforeEach
    void world() {
        world = new World(root)
                .with(new ScriptedEngine(root.toString()))
                .file("w.properties", DrillCommandTest.WORKLOAD);
    }

    private int drill(String... more) {
        return drillInto("r", more);
    }

    private int drillInto(String directory, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("drill", "native", "-P", "w.properties", "--out", directory, "-target", "200"));
        arguments.addAll(List.of("-D", "d.yaml"));
        arguments.addAll(List.of(more));
        return world.execute(arguments.toArray(String[]::new));
    }

    /** The drill with this in place of its limits' end. */
    private void limits(String end) {
        world.file("d.yaml", DrillCommandTest.DRILL.replace("20s}", end));
    }

    private JsonNode json(String file) throws IOException {
        return new ObjectMapper().readTree(world.directory().resolve(file).toFile());
    }

    private String text(String file) throws IOException {
        return Files.readString(world.directory().resolve(file));
    }

    @Test
    void aLimitOnLostWritesTurnsTheAuditOn() throws IOException {
        limits("20s, acked_lost: 0}");

        assertThat(drill("--junit", "verdict.xml")).as(world.err()).isZero();

        assertThat(world.out()).contains("Acknowledged writes lost 0 writes, at most 0 writes allowed");
        assertThat(json("r/audit.json").at("/keys/judged").asLong()).isPositive();
        assertThat(text("r/report.html")).contains("Audit of writes");
        assertThat(text("verdict.xml")).contains("ackedLost");
    }

    private String lastLine() {
        return world.out().lines().reduce("", (one, later) -> later);
    }

    /** Once it said PASS, and below "error: 1,710 acknowledged writes lost". */
    @Test
    void lossesOfAnAuditedDrillAreInItsVerdictWhichIsTheLastLine() throws IOException {
        limits("20s}");

        assertThat(drill("--audit", "--junit", "verdict.xml", "-p", "store.losing=true"))
                .isEqualTo(3);

        assertThat(lastLine())
                .startsWith("Verdict: FAIL: 2 of 4 limits kept, 1 not applicable; missed: Acknowledged writes lost ");
        assertThat(text("verdict.xml")).contains("failures=\"1\"", "ackedLost");
    }

    @Test
    void loadedRowsThatAreGoneAreExitCode3OfALaterAuditThoughTheRunOnlyReadThem() throws IOException {
        world.file(
                "c.properties",
                DrillCommandTest.WORKLOAD
                        .replace("readproportion=0.5", "readproportion=1")
                        .replace("updateproportion=0.5", "updateproportion=0"));
        assertThat(world.execute("run", "native", "-P", "c.properties", "--audit", "--out", "c"))
                .as(world.err())
                .isZero();
        var rows = StoreDb.store(root.toString());
        rows.keySet().retainAll(rows.keySet().stream().limit(25).toList());

        assertThat(world.execute("audit", "c")).isEqualTo(3);

        assertThat(world.err()).contains("50 of the 50 rows of the load, that the run did not write: 25 not found");
        assertThat(json("c/audit.json").at("/rowsLost").asLong()).isEqualTo(25);
    }

    /** It would be sent to the server that stands there, too. */
    @Test
    void anAuditTakesNoSecretFromARunDirectory() throws IOException {
        assertThat(world.execute("run", "native", "-P", "w.properties", "--audit", "--out", "c"))
                .as(world.err())
                .isZero();
        Path run = world.directory().resolve("c/run.json");
        Files.writeString(
                run,
                Files.readString(run)
                        .replaceFirst("(\"properties\" : \\{)", "$1 \"rest.password.file\" : \"/etc/hostname\","));

        assertThat(world.execute("audit", "c")).isEqualTo(2);

        assertThat(world.err()).contains("the value of rest.password.file was not recorded, as it is a secret");
    }

    @Test
    void aDrillThatAllowsLossesPassesWithThem() {
        limits("20s, acked_lost: any}");

        assertThat(drill("--audit", "-p", "store.losing=true")).as(world.err()).isZero();

        assertThat(lastLine()).isEqualTo("Verdict: PASS: 2 of 3 limits kept, 1 not applicable");
        assertThat(world.err()).contains("acknowledged writes lost").doesNotContain("error: audit");
    }

    @Test
    void aLimitOnTheAgeOfLossesTurnsTheAuditOnAndAllowingAllOfThemDoesNot() throws IOException {
        limits("20s, max_rpo: 5s}");
        assertThat(drill()).as(world.err()).isZero();
        assertThat(world.out()).contains("RPO 0 s, at most 5 s allowed");
        assertThat(json("r/run.json").at("/drill/limits/maxRpoSeconds").asDouble())
                .isEqualTo(5);

        limits("20s, acked_lost: any}");
        assertThat(drillInto("r2")).as(world.err()).isZero();
        assertThat(json("r2/run.json").at("/windowNanos").asLong()).isEqualTo(1_000_000_000L);
        assertThat(json("r2/run.json").at("/drill/limits/ackedLost").asText()).isEqualTo("any");
        assertThat(world.directory().resolve("r2/audit.json")).doesNotExist();
    }
}
