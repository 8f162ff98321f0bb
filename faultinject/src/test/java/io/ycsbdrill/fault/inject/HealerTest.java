package io.ycsbdrill.fault.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.ManualClock;
import io.ycsbdrill.fault.CommandFault;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.trouble.Damageable.Damage;
import io.ycsbdrill.fault.node.trouble.LinkCut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class HealerTest {
    private final List<String> progress = new ArrayList<>();
    private final FakeNodeController cluster = new FakeNodeController(new ManualClock(0), 3);

    @TempDir
    Path directory;

    private Healer healer(HealRecord record) {
        return new Healer(cluster, record, Duration.ofSeconds(1), text -> {});
    }

    /** Of a fault without a question. */
    private static HealRecord.Entry entry(String node, String step, String fault, List<String> command) {
        return new HealRecord.Entry(node, step, fault, command, List.of(), Duration.ofSeconds(60));
    }

    @Test
    void healingAWholeClusterDoesNothing() {
        assertThat(healer(HealRecord.inMemory()).heal()).isEmpty();
        assertThat(cluster.calls()).isEmpty();
    }

    @Test
    void whatIsDownIsStartedAndHealingAgainIsHarmless() {
        cluster.state("node2", State.DOWN);
        Healer healer = healer(HealRecord.inMemory());

        assertThat(healer.heal()).isEmpty();
        assertThat(healer.heal()).isEmpty();

        assertThat(cluster.calls()).containsExactly("start node2", "awaitStarted node2");
    }

    /** Whether another node has its data, only the user can know. */
    @Test
    void aNodeWithDamagedFilesIsStartedWithThemAndSaid() {
        cluster.damage("node2", new Damage(Damage.Kind.TRUNCATE, 1, "**", 1));
        cluster.state("node2", State.DOWN);

        assertThat(new Healer(cluster, HealRecord.inMemory(), Duration.ofSeconds(1), progress::add).heal())
                .isEmpty();

        assertThat(cluster.calls()).containsExactly("truncate node2", "start node2", "awaitStarted node2");
        assertThat(progress)
                .contains("node2 has damaged files since 1970-01-01T00:00:00Z: initialise it (cluster initialise"
                        + " node2), or take the cluster down");
    }

    @Test
    void oneThatDoesNotComeUpWithDamagedFilesIsLeftAsItIsAndReported() {
        cluster.damage("node2", new Damage(Damage.Kind.FLIP, 1, "**", 1));
        cluster.state("node2", State.STARTING).failing("awaitStarted node2", "node2 has not recovered");

        assertThat(healer(HealRecord.inMemory()).heal()).anySatisfy(problem -> assertThat(problem)
                .contains("node2 has not recovered; node2 has damaged files since ", "initialise it"));

        assertThat(cluster.calls()).doesNotContain("kill node2", "startInitial node2");
    }

    @Test
    void aNodeThatCannotBeStartedIsReportedAndTheOthersAreHealed() {
        cluster.state("node1", State.DOWN).state("node2", State.DOWN).failing("start node1", "node1: disk is gone");

        assertThat(healer(HealRecord.inMemory()).heal()).contains("node1: disk is gone");

        assertThat(cluster.status().get(1).state()).isEqualTo(State.STARTED);
    }

    /** It is tried in each pass. */
    @Test
    void aStartIsSaidAgainOnlyWhenTheOneBeforeItWorked() {
        cluster.state("node1", State.DOWN).failing("start node1", "node1: disk is gone");

        assertThat(new Healer(cluster, HealRecord.inMemory(), Duration.ofSeconds(1), progress::add).heal())
                .containsExactly("node1: disk is gone");

        assertThat(cluster.calls()).filteredOn("start node1"::equals).hasSizeGreaterThan(1);
        assertThat(progress).containsExactly("starting node1");
    }

    @Test
    void aNodeThatGoesDownAgainIsStartedAgainAndThatIsSaid() {
        cluster.state("node1", State.DOWN).duringCall(() -> {
            if (cluster.calls().size() == 2) {
                cluster.state("node1", State.DOWN);
            }
        });

        assertThat(new Healer(cluster, HealRecord.inMemory(), Duration.ofSeconds(1), progress::add).heal())
                .isEmpty();

        assertThat(progress).containsExactly("starting node1", "starting node1");
    }

    /** As one that the others have thrown out, and that notices a moment later. */
    @Test
    void aNodeThatGoesDownMeanwhileIsHealedToo() {
        cluster.state("node2", State.DOWN).duringCall(() -> {
            if (cluster.calls().size() == 2) {
                cluster.state("node3", State.DOWN);
            }
        });

        assertThat(healer(HealRecord.inMemory()).heal()).isEmpty();

        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(cluster.calls())
                .containsExactly("start node2", "awaitStarted node2", "start node3", "awaitStarted node3");
    }

    @Test
    void aNodeThatEndsItselfWhenItsLinksAreMendedIsHealedToo() {
        cluster.trouble("node2", new LinkCut(Set.of("node1", "node3"), Set.of(), false, false));

        aNodeThatEndsItselfAMomentLaterIsHealedToo(Duration.ZERO, Duration.ofSeconds(1));
    }

    @Test
    void aNodeThatEndsItselfWhenAProcessOfItIsResumedIsHealedToo() {
        cluster.pause("node3", "server");

        aNodeThatEndsItselfAMomentLaterIsHealedToo(Duration.ofSeconds(1), Duration.ZERO);

        assertThat(progress).containsExactly("resumed server of node3", "starting node3");
    }

    private void aNodeThatEndsItselfAMomentLaterIsHealedToo(Duration afterResume, Duration afterMending) {
        CompletableFuture<Void> later = CompletableFuture.runAsync(
                () -> cluster.state("node3", State.DOWN),
                CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));

        Healer healer = new Healer(
                cluster, HealRecord.inMemory(), Duration.ofSeconds(1), afterResume, afterMending, progress::add);
        assertThat(healer.heal()).isEmpty();
        later.join();

        assertThat(cluster.calls()).contains("start node3", "awaitStarted node3");
    }

    /** Else it is found paused, and is stopped again as soon as it is resumed. */
    @Test
    void aStarvedNodeIsRelieved() {
        cluster.starve("node2", 0.8);

        assertThat(healer(HealRecord.inMemory()).heal()).isEmpty();

        assertThat(cluster.calls()).containsExactly("starve node2", "relieve node2");
        assertThat(cluster.disturbances()).isEmpty();
    }

    @Test
    void releaseResumesAndStartsButDoesNotWait() {
        cluster.state("node1", State.DOWN).state("node2", State.PAUSED);

        assertThat(healer(HealRecord.inMemory()).release()).isEmpty();

        assertThat(cluster.calls()).containsExactly("start node1", "resume node2");
    }

    /** Until a node was called healed, nothing else was ended when the process was asked to end. */
    @Test
    @Timeout(60)
    void whoeverWaitsUntilANodeIsHealedKeepsNothingInForce() throws Exception {
        Path asked = directory.resolve("asked");
        Path trace = directory.resolve("healed");
        HealRecord record = HealRecord.inMemory();
        record.add(new HealRecord.Entry(
                "node1",
                "cut",
                "run",
                List.of("sh", "-c", "echo once >>" + trace),
                List.of("sh", "-c", "touch " + asked + "; test -f " + directory.resolve("well")),
                Duration.ofSeconds(30)));
        record.add(entry("node2", "slow", "run", List.of("sh", "-c", "echo twice >>" + trace)));
        cluster.state("node3", State.PAUSED);
        CompletableFuture<List<String>> waiting =
                CompletableFuture.supplyAsync(() -> healer(record).heal());
        while (!Files.exists(asked)) {
            Thread.sleep(10);
        }

        assertThat(healer(record).release()).isEmpty();

        assertThat(trace).hasContent("once\ntwice");
        assertThat(cluster.calls()).containsExactly("resume node3");
        assertThat(record.open()).isEmpty();
        Files.createFile(directory.resolve("well"));
        assertThat(waiting.get()).isEmpty();
        assertThat(trace).hasContent("once\ntwice");
    }

    @Test
    void aLaterProcessFindsWhatAKilledOneLeftOpen() throws Exception {
        Path trace = directory.resolve("healed");
        HealRecord left = HealRecord.in(directory);
        left.add(entry("node1", "cut", "run", List.of("touch", trace.toString())));
        left.add(entry("node2", "kill", "kill", List.of()));

        HealRecord found = HealRecord.in(directory);
        assertThat(found.open()).isEqualTo(left.open());
        assertThat(healer(found).heal()).isEmpty();

        assertThat(trace).exists();
        assertThat(HealRecord.in(directory).open()).isEmpty();
        assertThat(directory.resolve("heal.json")).doesNotExist();
    }

    @Test
    void aHealCommandMayRunAsLongAsItsStepSays() {
        HealRecord record = HealRecord.inMemory();
        record.add(
                new HealRecord.Entry("node1", "cut", "run", List.of("sleep", "5"), List.of(), Duration.ofMillis(200)));

        assertThat(healer(record).heal()).singleElement().asString().contains("sleep 5 did not end within 200 ms");
    }

    /** What it was to lift may still be in force, though every node is up. */
    @Test
    void aHealCommandThatHasFailedIsRunAgain() throws Exception {
        HealRecord record = HealRecord.in(directory);
        Path fixed = directory.resolve("fixed");
        record.add(new HealRecord.Entry(
                "node1", "cut", "run", List.of("test", "-f", fixed.toString()), List.of(), Duration.ofSeconds(5)));
        record.add(entry("node2", "slow", "disk-slow", List.of()));

        assertThat(healer(record).heal())
                .singleElement()
                .asString()
                .contains("test -f")
                .endsWith("; it stays recorded in " + directory.resolve("heal.json")
                        + " and is run again; when node1 is healed, remove that file");
        assertThat(record.open()).extracting(HealRecord.Entry::node).containsExactly("node1");

        Files.createFile(fixed);
        assertThat(healer(record).heal()).isEmpty();
        assertThat(record.open()).isEmpty();
    }

    @Test
    void whatCannotBeLiftedDoesNotKeepTheRestInForce() {
        cluster.failing("restoreAll", "the proxy is gone");
        cluster.starve("node2", 0.8);
        cluster.state("node3", State.DOWN);

        assertThat(healer(HealRecord.inMemory()).heal()).contains("the proxy is gone");

        assertThat(cluster.calls())
                .as("nobody waits for what may not come back")
                .contains("relieve node2", "start node3")
                .doesNotContain("awaitStarted node3");
    }

    @Test
    void howLongACommandMayRunIsRecorded() {
        CommandFault command =
                new CommandFault(List.of("cut"), List.of("mend"), Optional.empty(), Duration.ofMinutes(5));
        HealRecord.Entry entry =
                HealRecord.Entry.of(cluster.nodes().get(0), new Occurrence("cut", 1, "run", "run"), command);
        HealRecord.in(directory).add(entry);

        assertThat(HealRecord.in(directory).open())
                .containsExactly(entry)
                .extracting(HealRecord.Entry::bound)
                .containsExactly(Duration.ofMinutes(5));
    }

    @Test
    void aRecordOfAnEarlierVersionHasTheBoundOfThatVersion() throws Exception {
        Files.writeString(directory.resolve("heal.json"), """
                {"schema": 1, "open": [{"node": "node1", "step": "cut", "fault": "run", "heal": ["mend"], "healed": []}]}
                """);

        assertThat(HealRecord.in(directory).open())
                .extracting(HealRecord.Entry::bound)
                .containsExactly(Duration.ofSeconds(60));
    }

    /** Its commands are run as this user. */
    @Test
    void aRecordThatIsALinkToAnotherFileIsNotRead() throws IOException {
        Path planted = Files.writeString(directory.resolve("planted"), """
                {"schema":1,"open":[{"node":"node2","step":"gone","fault":"run","heal":["touch","/tmp/x"]}]}
                """);
        Files.createSymbolicLink(directory.resolve("heal.json"), planted);

        assertThatThrownBy(() -> HealRecord.in(directory))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("it is a link, no file, or another user's");
    }

    /** As of a cluster that somebody else runs: its nodes come up by the user's own command only. */
    private Healer healerOfWatched(HealRecord record) {
        cluster.without(Startable.class);
        return new Healer(cluster, record, Duration.ofMillis(1500), progress::add);
    }

    @Test
    void aNodeThatTheUsersCommandHasStartedIsHealedWhenTheEngineSaysSo() {
        cluster.state("node2", State.DOWN);
        HealRecord record = HealRecord.inMemory();
        record.add(entry("node2", "gone", "run", List.of("true")));
        Thread recovery = new Thread(() -> {
            NodeLocks.pause(Duration.ofMillis(300));
            cluster.state("node2", State.STARTED);
        });

        recovery.start();

        assertThat(healerOfWatched(record).heal()).isEmpty();
        assertThat(record.open()).isEmpty();
    }

    @Test
    void aNodeThatStaysDownAfterTheUsersCommandIsReportedAsTheEngineReportsIt() {
        cluster.state("node2", State.DOWN);
        HealRecord record = HealRecord.inMemory();
        record.add(entry("node2", "gone", "run", List.of("true")));

        assertThat(healerOfWatched(record).heal())
                .containsExactly(
                        "node node2 has not recovered within 1 s after its heal command; fake reports it as DOWN");
    }

    @Test
    void theUsersOwnQuestionDecidesWhetherANodeIsHealed() {
        cluster.state("node2", State.DOWN);
        HealRecord record = HealRecord.inMemory();
        record.add(new HealRecord.Entry(
                "node2",
                "gone",
                "run",
                List.of("touch", directory.resolve("up").toString()),
                List.of("test", "-f", directory.resolve("up").toString()),
                Duration.ofSeconds(60)));

        assertThat(healerOfWatched(record).heal()).isEmpty();

        cluster.state("node2", State.STARTED);
        record.add(new HealRecord.Entry(
                "node3", "gone", "run", List.of("true"), List.of("false"), Duration.ofSeconds(60)));
        assertThat(healerOfWatched(record).heal())
                .singleElement()
                .asString()
                .contains("command false did not exit with code 0 within 1 s");
    }

    @Test
    void aNodeThatNobodyHereCanStartIsSaidToBeTheUsers() {
        cluster.state("node2", State.DOWN);

        assertThat(healerOfWatched(HealRecord.inMemory()).heal())
                .containsExactly(
                        "node node2 is down, and fake nodes are started by you; no heal command for it is left to run");
    }

    @Test
    void aHealCommandThatHasFailedIsLeftToRun() {
        cluster.state("node2", State.DOWN);
        HealRecord record = HealRecord.inMemory();
        record.add(entry("node2", "gone", "run", List.of("false")));

        assertThat(healerOfWatched(record).heal())
                .hasSize(2)
                .contains("node node2 is down, and fake nodes are started by you");
    }

    @Test
    void theRecordIsForItsOwnerOnlyAndProgressHasNoSecrets() throws Exception {
        HealRecord record = HealRecord.in(directory);
        record.add(entry("node1", "cut", "run", List.of("true", "--password=hunter2")));

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("heal.json"))))
                .isEqualTo("rw-------");
        assertThat(new Healer(cluster, HealRecord.in(directory), Duration.ofSeconds(1), progress::add).heal())
                .isEmpty();
        assertThat(progress).contains("healing run of node1: true --password=***");
    }

    @Test
    void aDamagedRecordIsNotTakenForAnEmptyOne() throws Exception {
        Files.writeString(directory.resolve("heal.json"), "{\"open\":[");

        assertThatThrownBy(() -> HealRecord.in(directory))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("heal.json cannot be read: Unexpected end-of-input")
                .hasMessageNotContaining("\n");
    }
}
