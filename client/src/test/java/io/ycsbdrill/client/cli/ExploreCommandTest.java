package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.trouble.Deceivable;
import io.ycsbdrill.fault.node.trouble.Impairable;
import io.ycsbdrill.fault.node.trouble.Partitionable;
import io.ycsbdrill.fault.node.trouble.Squeezable;
import io.ycsbdrill.fault.node.trouble.Starvable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ExploreCommandTest {
    @TempDir
    private Path root;

    private World world;

    @BeforeEach
    void world() {
        ScriptedEngine engine = new ScriptedEngine(root.toString());
        for (Class<?> lacking : List.of(
                Initialisable.class,
                Partitionable.class,
                Impairable.class,
                Squeezable.class,
                Starvable.class,
                Deceivable.class)) {
            engine.nodes.without(lacking);
        }
        world = new World(root)
                .with(engine)
                .file("w.properties", DrillCommandTest.WORKLOAD)
                .file("d.yaml", DrillCommandTest.DRILL);
    }

    private int explore(String out, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "explore",
                "native",
                "-P",
                "w.properties",
                "--out",
                out,
                "-target",
                "200",
                "-D",
                "d.yaml",
                "--for",
                "1s"));
        arguments.addAll(List.of(more));
        return world.execute(arguments.toArray(String[]::new));
    }

    private String text(String file) throws IOException {
        return Files.readString(world.directory().resolve(file));
    }

    private JsonNode json(String file) throws IOException {
        return new ObjectMapper().readTree(world.directory().resolve(file).toFile());
    }

    @Test
    void aLostWriteIsFoundAndTheDrillThatShowsItShowsItAgain() throws IOException {
        assertThat(explore("e", "--seed", "1", "-p", "store.losing=true"))
                .as(world.err())
                .isEqualTo(3);

        assertThat(world.err()).contains("faults kill, pause, stop, abort on 3 nodes", "FOUND lost write: ");
        assertThat(json("e/explore.json").path("state").asText()).isEqualTo("found");
        assertThat(text("e/explore.html")).contains("Found: lost write");
        assertThat(text("e/001/report.html")).contains("Audit of writes");
        assertThat(world.execute(
                        "drill",
                        "native",
                        "-P",
                        "w.properties",
                        "--out",
                        "again",
                        "-D",
                        "e/finding.yaml",
                        "-target",
                        "200",
                        "--audit",
                        "-p",
                        "store.losing=true"))
                .isEqualTo(3);
    }

    @Test
    void theSameSeedRunsTheSameDrills() throws IOException {
        assertThat(explore("one", "--seed", "2")).as(world.err()).isZero();
        assertThat(explore("two", "--seed", "2")).as(world.err()).isZero();

        assertThat(text("two/001.yaml")).isEqualTo(text("one/001.yaml")).contains("steady: off", "cooldown: 500ms");
        assertThat(json("one/explore.json").path("state").asText()).isEqualTo("nothing found");
        assertThat(json("one/explore.json").path("coverage")).isNotEmpty();
    }

    @Test
    void whatIsWrongIsSaidBeforeAnythingStarts() {
        assertThat(explore("e", "--seed", "x", "--for", "5")).isEqualTo(2);
        assertThat(world.err()).contains("--seed=x is not a whole number", "--for: \"5\" has no unit");
        assertThat(explore("e", "--spare", "4")).isEqualTo(2);
        assertThat(world.err()).contains("--spare=4");
        assertThat(world.directory().resolve("e")).doesNotExist();
    }

    /** The drill names no limit on lost writes; each would have been refused, on a cluster that was started for it. */
    @Test
    void whatCannotBeAuditedIsRefusedBeforeAnythingStarts() {
        assertThat(explore("e", "-p", "fieldlength=3")).isEqualTo(2);
        assertThat(world.err()).contains("fieldlength=3 is too short");
        assertThat(world.directory().resolve("e")).doesNotExist();
    }
}
