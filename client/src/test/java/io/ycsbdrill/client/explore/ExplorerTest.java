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
import io.ycsbdrill.fault.node.NodeControlException;
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
    private static final Duration HOURS = Duration.ofHours(2);

    @TempDir
    private Path root;

    private final ManualClock clock = new ManualClock(0);
    private final List<String> said = new ArrayList<>();
    private final List<DrillFile> ran = new ArrayList<>();
    private boolean stopped;

    private int explore(Duration length, Explorer.Drills drills) {
        Facts facts = Facts.of(new FakeNodeController(new ManualClock(0), 3), 2);
        return new Explorer(
                        (file, directory) -> {
                            ran.add(file);
                            clock.advance(DRILL);
                            return drills.run(file, directory);
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
                        () -> stopped,
                        said::add)
                .execute(length);
    }

    private static Explored outcome(Path directory, Optional<String> invalid, Kind... kinds) {
        return new Explored(
                directory,
                List.of(kinds).stream()
                        .map(kind -> new Trouble(kind, "see " + kind.label()))
                        .toList(),
                invalid,
                false,
                List.of(new Begun("first", "node1", 1), new Begun("second", "node2", 3)),
                List.of(new Entered("node1", Phase.SYNCHRONISE, 2)),
                OptionalLong.of(800),
                0);
    }

    private static Explored judged(Path directory, Kind... kinds) {
        return outcome(directory, Optional.empty(), kinds);
    }

    private static Explored unjudged(Path directory, Kind... kinds) {
        return outcome(directory, Optional.of("not steady"), kinds);
    }

    private static Explored refused(Path directory) {
        return TroubleFinder.refused(directory, new NodeControlException("node2 does not start"));
    }

    private static Explorer.Drills showing(Predicate<DrillFile> shows, Kind... kinds) {
        return (file, directory) -> shows.test(file) ? judged(directory, kinds) : judged(directory);
    }

    private static boolean pauses(DrillFile file) {
        return file.text().contains("fault: pause");
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(root.resolve("e/explore.json").toFile());
    }

    private String finding() throws IOException {
        return Files.readString(root.resolve("e/finding.yaml"));
    }

    @Test
    void drillAfterDrillIsRunUntilTimeIsUp() throws IOException {
        assertThat(explore(Duration.ofMinutes(5), showing(drill -> false))).isZero();

        assertThat(ran).hasSize(10);
        assertThat(json().path("state").asText()).isEqualTo("nothing found");
        assertThat(json().path("drills")).hasSize(10);
        assertThat(json().at("/coverage/0/phase").asText()).isEqualTo("synchronise");
        assertThat(json().at("/pairs/hit").asInt())
                .isBetween(1, json().at("/pairs/of").asInt());
        assertThat(Files.readString(root.resolve("e/explore.html")))
                .contains("Nothing found: 10 of 10 drills judged", "Coverage");
        assertThat(said).last().isEqualTo("explore: nothing found: 10 of 10 drills judged");
    }

    /** Each would take a quarter of a minute for it. */
    @Test
    void onlyTheFirstDrillIsCalibrated() {
        explore(Duration.ofMinutes(2), showing(drill -> false));

        assertThat(ran).extracting(DrillFile::text).first().asString().contains("load: 60%");
        assertThat(ran.subList(1, 4)).allMatch(drill -> drill.text().contains("load: 800/s"));
    }

    @Test
    void whatIsFoundIsMadeSmallerAndWrittenDown() throws IOException {
        int drawn = drawnUntilOnePauses();

        assertThat(explore(HOURS, showing(ExplorerTest::pauses, Kind.NOT_RESTORED, Kind.LOST_WRITE)))
                .isEqualTo(3);

        assertThat(json().path("state").asText()).isEqualTo("found");
        assertThat(json().at("/finding/kind").asText()).as("the worst").isEqualTo("lost write");
        assertThat(json().at("/finding/shown").asInt()).isEqualTo(4);
        assertThat(json().at("/finding/runs").asInt()).isEqualTo(4);
        assertThat(ran.get(ran.size() - 1).schedule().steps()).hasSize(1);
        assertThat(finding())
                .startsWith("# Found by ycsb explore: lost write: see lost write\n# In 3 of 3 further runs; "
                        + "in 4 of 4 runs as it was drawn; made smaller")
                .contains("# Seed 7, ycsb-drill 1, fake 1\n# Of: ycsb explore\n")
                .contains("duration: 500ms", "load: 25/s");
        assertThat(said).anyMatch(line -> line.contains("FOUND lost write"));
        assertThat(json().path("coverage").findValues("count").stream().mapToInt(JsonNode::asInt))
                .as("only what is drawn covers anything")
                .satisfies(counts -> assertThat(
                                counts.stream().mapToInt(Integer::intValue).sum())
                        .isEqualTo(drawn));
    }

    private static int drawnUntilOnePauses() {
        Facts facts = Facts.of(new FakeNodeController(new ManualClock(0), 3), 2);
        Drawer drawer = new Drawer(7, facts, Head.STANDARD);
        int number = 1;
        while (!drawer.next().text().contains("fault: pause")) {
            number++;
        }
        return number;
    }

    /** It was found there already, and every drill on this table would have shown it. */
    @Test
    void whatADrillWithoutFaultsShowsIsNotMadeSmaller() throws IOException {
        assertThat(explore(HOURS, showing(drill -> true, Kind.COPIES_DIFFER))).isEqualTo(3);

        assertThat(ran).hasSize(2);
        assertThat(ran.get(1).text()).contains("fault: none");
        assertThat(finding())
                .contains("# Not made smaller: a drill without faults shows it too: it stays in the table");
        assertThat(Files.readString(root.resolve("e/explore.html")))
                .contains("not made smaller: a drill without faults");
    }

    @Test
    void whatStaysInTheTableSinceASmallerDrillIsNotBelieved() throws IOException {
        assertThat(explore(
                        HOURS,
                        showing(drill -> ran.size() > 6 || ran.size() != 2 && pauses(drill), Kind.COPIES_DIFFER)))
                .isEqualTo(3);

        assertThat(ran.get(ran.size() - 1).text()).contains("fault: none");
        assertThat(finding()).contains("since a run of a smaller drill it stays in the table");
    }

    @Test
    void aClusterThatLetsNoDrillBeginIsNoFinding() throws IOException {
        assertThat(explore(HOURS, (file, directory) -> refused(directory))).isEqualTo(1);

        assertThat(ran).hasSize(1);
        assertThat(root.resolve("e/finding.yaml")).doesNotExist();
        assertThat(said).last().isEqualTo("explore: no drill could be begun: node2 does not start");
        assertThat(json().path("state").asText()).isEqualTo("no drill could be begun");
    }

    @Test
    void aClusterThatLetsNoFurtherDrillBeginIsWhatTheLastOneLeft() throws IOException {
        assertThat(explore(HOURS, (file, directory) -> ran.size() > 2 ? refused(directory) : judged(directory)))
                .isEqualTo(3);

        assertThat(ran).hasSize(3);
        assertThat(finding())
                .contains(
                        "leftover: after 002 no further drill can be begun: node2 does not start",
                        "a run that shows it is 002");
    }

    /** Each candidate would have been refused, too, and the drill have been "shown" in 4 of 4 runs and reduced to nothing. */
    @Test
    void aRunThatNeverBeganShowsNothingAndEndsTheReduction() throws IOException {
        assertThat(explore(
                        HOURS,
                        (file, directory) ->
                                ran.size() == 1 ? unjudged(directory, Kind.NOT_RECOVERED) : refused(directory)))
                .isEqualTo(3);

        assertThat(ran).hasSize(2);
        assertThat(json().at("/finding/runs").asInt()).isEqualTo(1);
        assertThat(finding()).contains("not made smaller: the cluster does not come back: node2 does not start");
    }

    @Test
    void whatIsSeenOnceAndMayBeNoiseIsRecordedAndNotFollowed() throws IOException {
        assertThat(explore(Duration.ofMinutes(5), showing(drill -> ran.size() == 1, Kind.LIMIT_MISSED)))
                .isZero();

        assertThat(root.resolve("e/finding.yaml")).doesNotExist();
        assertThat(json().path("finding").isMissingNode()).isTrue();
        assertThat(json().at("/drills/0/result").asText()).startsWith("seen once in 4 runs: FOUND limit missed");
        assertThat(said).last().asString().contains("nothing found: ", "1 of them showed what was not seen again");
    }

    @Test
    void whatIsWorseAndSeenMeanwhileIsFollowedInstead() throws IOException {
        assertThat(explore(
                        HOURS,
                        (file, directory) -> ran.size() == 1
                                ? judged(directory, Kind.LIMIT_MISSED)
                                : pauses(file) || ran.size() == 2
                                        ? judged(directory, Kind.LOST_WRITE)
                                        : judged(directory)))
                .isEqualTo(3);

        assertThat(json().at("/finding/kind").asText()).isEqualTo("lost write");
    }

    /** With noise most candidates are accepted once by chance. */
    @Test
    void aSmallestDrillThatIsNotShownAgainIsNotTheFinding() throws IOException {
        assertThat(explore(
                        HOURS,
                        showing(
                                drill -> drill.schedule().steps().size() == 2
                                                && !drill.text().contains("fault: none")
                                        || ran.size() == 6,
                                Kind.LOST_WRITE)))
                .isEqualTo(3);

        assertThat(ran.get(ran.size() - 1).text())
                .isEqualTo(ran.get(ran.size() - 2).text());
        assertThat(finding()).contains("did so in none of 3 further runs");
        assertThat(json().at("/finding/directory").asText()).isEqualTo("001");
    }

    @Test
    void whatIsInterruptedKeepsWhatItHasFound() throws IOException {
        assertThat(explore(HOURS, (file, directory) -> {
                    stopped = true;
                    return unjudged(directory, Kind.LOST_WRITE, Kind.LEFTOVER);
                }))
                .isEqualTo(3);

        assertThat(ran).hasSize(1);
        assertThat(finding()).startsWith("# Found by ycsb explore: lost write").contains("interrupted");
    }

    @Test
    void aDrillThatWasCutOffHasLeftNodesDownByThat() {
        assertThat(explore(HOURS, (file, directory) -> {
                    stopped = true;
                    return unjudged(directory, Kind.LEFTOVER);
                }))
                .isEqualTo(1);
    }

    @Test
    void aCandidateThatWasCutOffShowsNothing() throws IOException {
        explore(HOURS, (file, directory) -> {
            stopped = ran.size() == 5;
            return unjudgedWhen(stopped, directory);
        });

        assertThat(ran).hasSize(5);
        assertThat(finding()).contains("not made smaller: interrupted");
    }

    private static Explored unjudgedWhen(boolean cutOff, Path directory) {
        return cutOff ? unjudged(directory, Kind.LEFTOVER) : judged(directory, Kind.LEFTOVER);
    }

    @Test
    void theFindingIsWrittenBeforeItIsMadeSmaller() {
        List<Boolean> there = new ArrayList<>();
        explore(HOURS, (file, directory) -> {
            there.add(Files.exists(root.resolve("e/finding.yaml")));
            return pauses(file) ? judged(directory, Kind.LEFTOVER) : judged(directory);
        });

        int first = there.indexOf(true);
        assertThat(first).isPositive();
        assertThat(ran.get(first - 1)).as("the one that has shown it").matches(ExplorerTest::pauses);
    }

    @Test
    void whenNoDrillCouldBeJudgedThatIsNoSuccess() {
        assertThat(explore(HOURS, (file, directory) -> unjudged(directory))).isEqualTo(1);

        assertThat(ran).as("it does not go on for ever").hasSize(5);
        assertThat(said.subList(0, 5)).allMatch(line -> line.contains("not judged: not steady"));
        assertThat(said).last().asString().contains("nothing could be judged: 0 of 5 drills judged");
    }

    @Test
    void whenNoneCanBeJudgedAnyMoreItEnds() {
        assertThat(explore(HOURS, (file, directory) -> ran.size() == 1 ? judged(directory) : unjudged(directory)))
                .isZero();

        assertThat(ran).hasSize(6);
        assertThat(said)
                .last()
                .asString()
                .contains("nothing found: 1 of 6 drills judged", "none of the last 5 could be");
    }
}
