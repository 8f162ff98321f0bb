package io.ycsbdrill.client.explore;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.base.ManualClock;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.client.explore.Explored.Begun;
import io.ycsbdrill.client.explore.Trouble.Kind;
import io.ycsbdrill.fault.explore.Coverage.Entered;
import io.ycsbdrill.fault.explore.Drawer;
import io.ycsbdrill.fault.explore.Facts;
import io.ycsbdrill.fault.explore.Head;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.schedule.DrillFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplorerTest {
    private static final Duration DRILL = Duration.ofSeconds(30);

    @TempDir
    private Path root;

    private final ManualClock clock = new ManualClock(0);
    private final List<String> said = new ArrayList<>();
    private final List<DrillFile> ran = new ArrayList<>();

    private int explore(Duration length, Predicate<DrillFile> loses, Optional<String> invalid) {
        Facts facts = Facts.of(new FakeNodeController(new ManualClock(0), 3), 2);
        return new Explorer(
                        (file, directory) -> {
                            ran.add(file);
                            clock.advance(DRILL);
                            List<Trouble> troubles = loses.test(file)
                                    ? List.of(
                                            new Trouble(Kind.NOT_RESTORED, "it is out"),
                                            new Trouble(Kind.LOST_WRITE, "3 of 9 acknowledged writes are lost"))
                                    : List.of();
                            return new Explored(
                                    directory,
                                    troubles,
                                    invalid,
                                    List.of(new Begun("first", "node1", 1), new Begun("second", "node2", 3)),
                                    List.of(new Entered("node1", Phase.SYNCHRONISE, 2)),
                                    OptionalLong.of(800),
                                    0);
                        },
                        new Drawer(7, facts, Head.STANDARD),
                        new ExploreFiles(
                                root.resolve("e"),
                                JsonNodeFactory.instance
                                        .objectNode()
                                        .put("seed", 7)
                                        .put("tool", "ycsb-drill 1")
                                        .put("engine", "fake 1")
                                        .put("command", "ycsb explore")),
                        clock,
                        () -> false,
                        said::add)
                .execute(length);
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(root.resolve("e/explore.json").toFile());
    }

    @Test
    void drillAfterDrillIsRunUntilTimeIsUp() throws IOException {
        assertThat(explore(Duration.ofMinutes(5), drill -> false, Optional.empty()))
                .isZero();

        assertThat(ran).hasSize(10);
        assertThat(json().path("state").asText()).isEqualTo("nothing found");
        assertThat(json().path("drills")).hasSize(10);
        assertThat(json().at("/coverage/0/phase").asText()).isEqualTo("synchronise");
        assertThat(json().at("/pairs/hit").asInt())
                .isBetween(1, json().at("/pairs/of").asInt());
        assertThat(Files.readString(root.resolve("e/explore.html"))).contains("nothing found", "Coverage");
    }

    /** Each would take a quarter of a minute for it. */
    @Test
    void onlyTheFirstDrillIsCalibrated() {
        explore(Duration.ofMinutes(2), drill -> false, Optional.empty());

        assertThat(ran).extracting(DrillFile::text).first().asString().contains("load: 60%");
        assertThat(ran.subList(1, 4)).allMatch(drill -> drill.text().contains("load: 800/s"));
    }

    @Test
    void whatIsFoundIsMadeSmallerAndWrittenDown() throws IOException {
        Predicate<DrillFile> loses = drill -> drill.text().contains("fault: pause");

        assertThat(explore(Duration.ofHours(2), loses, Optional.empty())).isEqualTo(3);

        assertThat(json().path("state").asText()).isEqualTo("found");
        assertThat(json().at("/finding/kind").asText()).as("the worst").isEqualTo("lost write");
        assertThat(json().at("/finding/shown").asInt()).isEqualTo(4);
        assertThat(json().at("/finding/runs").asInt()).isEqualTo(4);
        DrillFile smallest =
                ran.stream().filter(loses).reduce((earlier, later) -> later).orElseThrow();
        assertThat(smallest.schedule().steps()).hasSize(1);
        assertThat(root.resolve("e/finding.yaml"))
                .content()
                .startsWith(
                        "# Found by ycsb explore: lost write: 3 of 9 acknowledged writes are lost\n# In 4 of 4 runs")
                .contains("# Seed 7, ycsb-drill 1, fake 1\n# Of: ycsb explore\n")
                .contains("duration: 500ms", "load: 25/s");
        assertThat(said).anyMatch(line -> line.contains("FOUND lost write"));
    }

    @Test
    void whenNoDrillCouldBeJudgedThatIsNoSuccess() {
        assertThat(explore(Duration.ofHours(1), drill -> false, Optional.of("not steady")))
                .isEqualTo(1);

        assertThat(ran).as("it does not go on for ever").hasSize(5);
        assertThat(said).allMatch(line -> line.contains("not judged: not steady"));
    }
}
