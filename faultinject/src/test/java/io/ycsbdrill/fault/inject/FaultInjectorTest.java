package io.ycsbdrill.fault.inject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.AddNode;
import io.ycsbdrill.fault.BackUp;
import io.ycsbdrill.fault.CommandFault;
import io.ycsbdrill.fault.InitialiseNode;
import io.ycsbdrill.fault.KillNode;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.Reconfigure;
import io.ycsbdrill.fault.RemoveNode;
import io.ycsbdrill.fault.StartNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.UpgradeNode;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.UserCommand;
import io.ycsbdrill.fault.node.UserCommands;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.SteadyState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The injector as somebody uses it who has no client of ours. */
@Timeout(60)
class FaultInjectorTest {
    private final FakeNodeController cluster = new FakeNodeController(NanoClock.SYSTEM, 3);
    private final List<Marker> markers = new CopyOnWriteArrayList<>();

    private static FaultSchedule.Builder killing(String node) {
        return FaultSchedule.named("kill-one")
                .cooldown(Duration.ZERO)
                .recoveryBound(Duration.ofSeconds(5))
                .step(ScheduledFault.step("kill", new KillNode()).on(new NodeSelector.Named(List.of(node))));
    }

    @Test
    void aScheduleRunsToItsEndAndLeavesTheClusterWhole() throws Exception {
        FaultSchedule schedule = killing("node2")
                .step(ScheduledFault.step("start", new StartNode())
                        .on(new NodeSelector.SameAs("kill"))
                        .after("kill", Phase.DOWN, Duration.ofMillis(10)))
                .build();

        DrillOutcome outcome;
        try (FaultInjector injector =
                FaultInjector.builder(cluster, schedule).onMarker(markers::add).build()) {
            injector.prepare();
            injector.start();
            outcome = injector.await();
        }

        assertThat(outcome.valid()).isTrue();
        assertThat(outcome.recoveries()).singleElement().satisfies(r -> assertThat(r.reachedNanos(Phase.RECOVERED))
                .isPresent());
        assertThat(cluster.calls()).containsExactly("kill node2", "start node2");
        assertThat(markers).extracting(Marker::kind).contains("fault-started", "fault-injected", "event", "phase");
    }

    private static FaultSchedule running(UserCommand command, UserCommand verify) {
        return FaultSchedule.named("mine").step(mine(command, verify)).build();
    }

    private static ScheduledFault mine(UserCommand command, UserCommand verify) {
        CommandFault run = new CommandFault(
                new UserCommands(command, UserCommand.NONE, verify, UserCommand.NONE, Duration.ofSeconds(5)),
                Optional.empty());
        return ScheduledFault.step("mine", run);
    }

    /** Names and hosts may come from the servers themselves. */
    @Test
    void aNodeWhoseHostAProgramWouldTakeForAnOptionIsRefusedBeforeAnythingRuns() {
        cluster.host("node3", "-oProxyCommand=id");
        UserCommand ssh = UserCommand.of(List.of("ssh", "{host}", "reboot"));

        try (FaultInjector injector =
                FaultInjector.builder(cluster, running(ssh, UserCommand.NONE)).build()) {
            assertThat(injector.problems())
                    .singleElement()
                    .asString()
                    .contains("step mine", "host of node node3", "-oProxyCommand=id");
        }
    }

    @Test
    void aVerifyThatSaysYesBeforeTheFaultProvesNothing() {
        UserCommand yes = UserCommand.of(List.of("test", "{node}", "!=", "node2"));

        try (FaultInjector injector =
                FaultInjector.builder(cluster, running(yes, yes)).build()) {
            assertThatThrownBy(injector::prepare)
                    .isInstanceOf(ScheduleNotPossibleException.class)
                    .hasMessageContaining("verify exits with code 0 for node node1 before anything was done")
                    .hasMessageContaining("node3")
                    .hasMessageNotContaining("node2");
        }
    }

    private static UserCommand yesFor(String node) {
        return UserCommand.of(List.of("test", "{node}", "=", node));
    }

    private FaultInjector verifying(String node, NodeSelector where) {
        FaultSchedule schedule = FaultSchedule.named("mine")
                .step(mine(yesFor(node), yesFor(node)).on(where))
                .step(ScheduledFault.step(
                                "same", mine(yesFor("node2"), yesFor("node2")).fault())
                        .on(new NodeSelector.SameAs("mine")))
                .build();
        return FaultInjector.builder(cluster, schedule).build();
    }

    /** A front end was not asked, and the others were, though the step never hits them. */
    @Test
    void theNodesThatAStepMayHitAreAskedWhetherItHasBeenDoneBefore() {
        cluster.frontEnd("sql1");
        NodeSelector sql = new NodeSelector.Named(List.of("sql1"));

        try (FaultInjector injector = verifying("sql1", sql)) {
            assertThatThrownBy(injector::prepare)
                    .isInstanceOf(ScheduleNotPossibleException.class)
                    .hasMessageContaining("step mine: verify exits with code 0 for node sql1 before")
                    .hasMessageNotContaining("step same");
        }
        try (FaultInjector injector = verifying("node1", sql)) {
            assertThatCode(injector::prepare).doesNotThrowAnyException();
        }
        try (FaultInjector injector = verifying("sql1", new NodeSelector.AnyNode())) {
            assertThatThrownBy(injector::prepare)
                    .isInstanceOf(ScheduleNotPossibleException.class)
                    .hasMessageContaining("step same: verify exits with code 0 for node node2 before")
                    .hasMessageNotContaining("sql1");
        }
    }

    @Test
    void allNodesAreLostAndComeBack() throws Exception {
        FaultSchedule schedule = FaultSchedule.named("loss")
                .cooldown(Duration.ZERO)
                .recoveryBound(Duration.ofSeconds(5))
                .step(ScheduledFault.step("loss", new KillNode()).on(new NodeSelector.EveryNode()))
                .step(ScheduledFault.step("return", new StartNode())
                        .on(new NodeSelector.SameAs("loss"))
                        .after("loss", Phase.FAILURE_HANDLING, Duration.ofMillis(10)))
                .build();

        DrillOutcome outcome;
        try (FaultInjector injector =
                FaultInjector.builder(cluster, schedule).onMarker(markers::add).build()) {
            injector.start();
            outcome = injector.await();
        }

        assertThat(outcome.failures()).isEmpty();
        assertThat(outcome.recoveries()).hasSize(3).allSatisfy(r -> assertThat(r.reachedNanos(Phase.RECOVERED))
                .isPresent());
        assertThat(cluster.calls())
                .containsExactlyInAnyOrder(
                        "kill node1", "kill node2", "kill node3", "start node1", "start node2", "start node3");
    }

    @Test
    void closingHealsWhatTheScheduleLeftDown() throws Exception {
        try (FaultInjector injector = FaultInjector.builder(
                        cluster, killing("node2").build())
                .onMarker(markers::add)
                .build()) {
            injector.start();
            assertThat(injector.await().valid()).isTrue();
            assertThat(cluster.status().get(1).state()).isEqualTo(State.DOWN);
        }

        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(markers).last().satisfies(m -> assertThat(m.kind()).isEqualTo("fault-ended"));
    }

    /** One that has begun, and whose first fault is in force. */
    private FaultInjector injected(FaultSchedule schedule) throws InterruptedException {
        CountDownLatch injected = new CountDownLatch(1);
        FaultInjector injector = FaultInjector.builder(cluster, schedule)
                .onMarker(m -> {
                    if (m.kind().equals("fault-injected")) {
                        injected.countDown();
                    }
                })
                .build();
        injector.start();
        assertThat(injected.await(30, TimeUnit.SECONDS)).isTrue();
        return injector;
    }

    @Test
    void closingInTheMiddleStopsAndHeals() throws Exception {
        FaultInjector injector =
                injected(killing("node2").cooldown(Duration.ofHours(1)).build());

        injector.close();
        injector.close();

        assertThat(injector.await().valid()).isFalse();
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
    }

    /** A step that came after the release of a process that was ending stayed in force. */
    @Test
    void nothingIsBegunAfterTheReleaseOfAProcessThatEnds() throws Exception {
        FaultInjector injector = injected(killing("node2")
                .step(ScheduledFault.step("later", new KillNode())
                        .on(new NodeSelector.Named(List.of("node3")))
                        .after("kill", Phase.DOWN, Duration.ofSeconds(1)))
                .build());

        injector.releaseAtTheEnd();
        DrillOutcome outcome = injector.await();

        assertThat(outcome.stopped()).isTrue();
        assertThat(cluster.calls()).containsExactly("kill node2", "start node2");
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        injector.leave();
    }

    /** By whoever closes the drill and by the hook of the process that ends, at the same time. */
    @Test
    void aHealCommandIsRunOnceWhenTheProcessEnds(@TempDir Path folder) throws Exception {
        Path healed = folder.resolve("healed");
        CommandFault run = new CommandFault(
                List.of("true"),
                List.of("sh", "-c", "sleep 1; echo healed >>" + healed),
                Optional.empty(),
                Duration.ofSeconds(30));
        FaultInjector injector = injected(FaultSchedule.named("mine")
                .step(ScheduledFault.step("mine", run).on(new NodeSelector.Named(List.of("node2"))))
                .build());

        Thread hook = new Thread(injector::releaseAtTheEnd);
        hook.start();
        injector.close();
        hook.join();

        assertThat(healed).hasContent("healed");
    }

    /** What the cluster answers then is no news for a drill that is being stopped. */
    @Test
    void nothingIsBegunByADrillThatIsStoppedWhileTheClusterIsAsked() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        cluster.duringStatus(() -> {
            asked.countDown();
            try {
                answer.await();
            } catch (InterruptedException e) {
                throw NodeLocks.interrupted(e);
            }
        });
        FaultInjector injector = FaultInjector.builder(cluster, killing("node2").build())
                .onMarker(markers::add)
                .build();

        injector.start();
        asked.await();
        Thread stopping = new Thread(injector::stop);
        stopping.start();
        NodeLocks.await(
                Duration.ofSeconds(30),
                () -> stopping.getState() == Thread.State.TIMED_WAITING,
                () -> "it is not being stopped: " + stopping.getState());
        answer.countDown();
        stopping.join();
        DrillOutcome outcome = injector.await();
        injector.close();

        assertThat(outcome.failures()).isEmpty();
        assertThat(outcome.stopped()).isTrue();
        assertThat(markers).isEmpty();
        assertThat(cluster.calls()).isEmpty();
    }

    @Test
    void aClusterThatIsNotWholeIsHealedFirst() {
        cluster.state("node3", State.DOWN);

        FaultInjector.builder(cluster, killing("node2").build()).build().prepare();

        assertThat(cluster.calls()).containsExactly("start node3", "awaitStarted node3");
    }

    /** Else the second cycle fails, minutes later. */
    @Test
    void anUpgradeIsRefusedInADrillOfSeveralCycles() {
        FaultSchedule once = FaultSchedule.named("upgrade")
                .steady(SteadyState.DEFAULT)
                .step(ScheduledFault.step("move", new UpgradeNode(Path.of("/opt/next")))
                        .on(new NodeSelector.AnyNode()))
                .build();
        String onlyThroughput = "the schedule waits for steady throughput, but no throughput source is configured";

        assertThat(FaultInjector.builder(cluster, once).build().problems()).containsExactly(onlyThroughput);
        assertThat(FaultInjector.builder(cluster, once.repeated(1)).build().problems())
                .containsExactly(onlyThroughput);
        assertThat(FaultInjector.builder(cluster, once.repeated(3)).build().problems())
                .containsExactly(
                        "step move: cannot be done in each of 3 cycles: after it the nodes run from /opt/next, and nothing is"
                                + " left to upgrade; to repeat it, run the drill again with another installation",
                        onlyThroughput);
    }

    private List<String> problems(FaultSchedule schedule) {
        return FaultInjector.builder(cluster, schedule).build().problems().stream()
                .filter(problem -> problem.startsWith("step "))
                .toList();
    }

    private static FaultSchedule.Builder steady() {
        return FaultSchedule.named("often").steady(SteadyState.DEFAULT);
    }

    /** Else all cycles but the first restart nodes that have the value already, and pass for changes. */
    @Test
    void aChangeOfConfigurationIsRefusedInADrillOfSeveralCycles() {
        FaultSchedule once = steady().step(ScheduledFault.step("change", new Reconfigure(Map.of("threads", "8")))
                        .on(new NodeSelector.Rolling()))
                .build();

        assertThat(problems(once)).isEmpty();
        assertThat(problems(once.repeated(1))).isEmpty();
        assertThat(problems(once.repeated(3)))
                .containsExactly(
                        "step change: cannot be done in each of 3 cycles: it leaves {threads=8} behind, so a later cycle"
                                + " would not repeat the change of the first; repeat the run instead: an experiment with"
                                + " repeats has a new cluster for each");
    }

    /** Else the second cycle fails, when there is no spare node left. */
    @Test
    void aDrillThatOnlyAddsNodesOrOnlyRemovesThemNeedsEnoughOfThemForAllCycles() {
        ScheduledFault add = ScheduledFault.step("add", new AddNode());
        ScheduledFault remove = ScheduledFault.step("remove", new RemoveNode());

        assertThat(problems(steady().step(add).build().repeated(1))).isEmpty();
        assertThat(problems(steady().step(add).build().repeated(2)))
                .containsExactly("step add: cannot be done in each of 2 cycles: a node that has joined stays, and there"
                        + " are not enough spare nodes (1); remove it again in a later step");
        assertThat(problems(steady().step(remove).build().repeated(2)))
                .containsExactly("step remove: cannot be done in each of 2 cycles: a node that has left stays away, and"
                        + " at least 2 of the 3 members have to stay; add it again in a later step");
        assertThat(problems(steady().step(add)
                        .step(remove.on(new NodeSelector.SameAs("add")))
                        .build()
                        .repeated(9)))
                .isEmpty();
        cluster.remove("node3");
        assertThat(problems(steady().step(add).build().repeated(2))).isEmpty();
        assertThat(problems(steady().step(add.on(new NodeSelector.EveryNode()))
                        .build()
                        .repeated(2)))
                .containsExactly("step add: cannot be done in each of 2 cycles: it takes the same nodes each time;"
                        + " remove them again in a later step");
        assertThat(problems(steady().step(remove.on(new NodeSelector.Named(List.of("node2"))))
                        .build()
                        .repeated(2)))
                .containsExactly("step remove: cannot be done in each of 2 cycles: it takes the same nodes each time;"
                        + " add them again in a later step");
        assertThat(problems(steady().step(add.on(new NodeSelector.Rolling(List.of("spare1", "node3"))))
                        .build()
                        .repeated(2)))
                .isEmpty();
        assertThat(problems(steady().step(add.on(new NodeSelector.Rolling(List.of("spare1"))))
                        .build()
                        .repeated(2)))
                .containsExactly("step add: cannot be done in each of 2 cycles: it takes nodes of its list once more;"
                        + " remove them again in a later step");
    }

    /** Else that is found out in the middle of it, with "random" perhaps in its last cycle. */
    @Test
    void aBackupOfANodeThatCannotMakeOneIsRefused() {
        cluster.cannotBackUp("node2");
        ScheduledFault save = ScheduledFault.step("save", new BackUp());

        assertThat(problems(steady().step(save.on(new NodeSelector.AnyNode())).build()))
                .isEmpty();
        assertThat(problems(steady().step(save.on(new NodeSelector.Named(List.of("node2"))))
                        .build()))
                .containsExactly("step save: no node node2; the nodes are node1, node3");
        assertThat(new BackUp().targets(cluster)).extracting(NodeInfo::id).containsExactly("node1", "node3");
    }

    @Test
    void everythingThatTheClusterCannotDoIsToldBeforeAnythingStarts() {
        cluster.without(Initialisable.class).primary(Optional.empty());
        FaultSchedule schedule = FaultSchedule.named("impossible")
                .steady(SteadyState.DEFAULT)
                .step(ScheduledFault.step("init", new InitialiseNode(StopMode.KILL, Duration.ZERO))
                        .on(new NodeSelector.Named(List.of("node9"))))
                .step(ScheduledFault.step("kill", new KillNode()).on(new NodeSelector.PrimaryNode()))
                .build();
        FaultInjector injector = FaultInjector.builder(cluster, schedule).build();

        assertThat(injector.problems())
                .containsExactly(
                        "step init: fault initialise needs nodes that are initialisable; those of fake are not",
                        "step init: no node node9; the nodes are node1, node2, node3",
                        "step kill: node primary: no node of fake is primary; use random or a node's id",
                        "the schedule waits for steady throughput, but no throughput source is configured");
        assertThatThrownBy(injector::prepare).isInstanceOf(NodeControlException.class);
        assertThatThrownBy(() -> FaultInjector.prepare(cluster, schedule, HealRecord.inMemory(), text -> {}))
                .isInstanceOfSatisfying(ScheduleNotPossibleException.class, e -> assertThat(e.problems())
                        .as("what the throughput is, is not known yet")
                        .isEqualTo(injector.problems().subList(0, 3)));
        assertThat(cluster.calls()).isEmpty();
    }

    @Test
    void aListenerThatFailsFailsTheDrillAndTheClusterIsHealed() throws Exception {
        FaultInjector injector = FaultInjector.builder(cluster, killing("node2").build())
                .onPhase((at, phase) -> {
                    if (phase == Phase.DOWN) {
                        throw new IllegalStateException("disk full");
                    }
                })
                .build();

        injector.start();
        DrillOutcome outcome = injector.await();
        injector.close();

        assertThat(outcome.failures()).singleElement().asString().contains("disk full");
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
    }
}
