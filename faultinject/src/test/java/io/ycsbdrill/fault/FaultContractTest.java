package io.ycsbdrill.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.ManualClock;
import io.ycsbdrill.base.TableSchema.Change;
import io.ycsbdrill.fault.net.Direction;
import io.ycsbdrill.fault.net.Disturbance;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.UserCommand;
import io.ycsbdrill.fault.node.UserCommands;
import io.ycsbdrill.fault.node.trouble.Damageable.Damage;
import io.ycsbdrill.fault.node.trouble.Deceivable.Clock;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.Partition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every fault. */
public class FaultContractTest {
    private final FakeNodeController cluster = new FakeNodeController(new ManualClock(0), 3);
    private final NodeInfo node = cluster.nodes().get(1);
    private final List<List<String>> commands = new ArrayList<>();
    private final FaultContext context = new FaultContext() {
        @Override
        public Duration stopBound() {
            return Duration.ofSeconds(1);
        }

        @Override
        public void run(List<String> command, Duration bound) {
            commands.add(command);
        }

        @Override
        public int ask(List<String> command, Duration bound) {
            return commands.contains(List.of("cut", node.id())) ? 0 : 1;
        }

        @Override
        public void await(List<String> command, Duration bound) {
            commands.add(command);
        }
    };

    static Stream<Fault> faults() {
        return faults(Duration.ofSeconds(1));
    }

    /** Faults of every kind; those that last, and what a restart waits for, for so long. */
    public static Stream<Fault> faults(Duration lasting) {
        return Stream.of(
                new KillNode(),
                new StopNode(StopMode.GRACEFUL),
                new StopNode(StopMode.ABORT),
                new StartNode(),
                new RestartNode(StopMode.KILL, Duration.ZERO),
                new RestartNode(StopMode.GRACEFUL, lasting),
                new InitialiseNode(StopMode.KILL, lasting),
                new DamageFiles(new Damage(Damage.Kind.FLIP, 3, "**", 1), lasting),
                new DamageFiles(new Damage(Damage.Kind.TRUNCATE, 1, "**", 1), lasting),
                new PauseNode(lasting, true),
                new ProcessFault(ProcessFault.Kind.KILL, "server", lasting),
                new ProcessFault(ProcessFault.Kind.PAUSE, "supervisor", lasting),
                new ResumeNode(),
                new StarveNode(0.8, lasting),
                new SqueezeNode(0.8, lasting),
                network(lasting, new Disturbance.Cut()),
                new NetworkFault(new Disturbance.Reset(), Optional.empty()),
                network(lasting, new Disturbance.Blackhole(Direction.TO_SERVER)),
                network(lasting, new Disturbance.Delay(Duration.ofMillis(5), Duration.ofMillis(1), Direction.BOTH)),
                network(lasting, new Disturbance.Throttle(1000, Direction.TO_CLIENT)),
                partition(lasting, new Partition.Isolate(Partition.Ends.EVERYTHING)),
                partition(lasting, new Partition.OneWay(Optional.empty(), Optional.of(Partition.Ends.NODES))),
                partition(lasting, new Partition.Groups(List.of(List.of("1"), List.of("2", "3")))),
                disk(lasting, new DiskTrouble(DiskTrouble.Kind.SLOW, Duration.ofMillis(5), Duration.ZERO)),
                disk(lasting, DiskTrouble.of(DiskTrouble.Kind.STALL)),
                disk(lasting, DiskTrouble.of(DiskTrouble.Kind.ERROR)),
                disk(lasting, DiskTrouble.of(DiskTrouble.Kind.FULL)),
                clock(lasting, Clock.Kind.JUMP, Duration.ZERO),
                clock(lasting, Clock.Kind.SKEW, Duration.ZERO),
                clock(lasting, Clock.Kind.STROBE, Duration.ofMillis(100)),
                new PowerLoss(),
                new CommandFault(
                        new UserCommands(
                                UserCommand.of(List.of("cut", "{node}")),
                                UserCommand.of(List.of("mend", "{host}")),
                                UserCommand.of(List.of("is-cut", "{node}")),
                                UserCommand.of(List.of("is-mended", "{node}")),
                                Duration.ofSeconds(1)),
                        Optional.of(lasting)),
                new BackUp(),
                new BackUp.Restore(lasting),
                new AlterTable(Change.ADD_COLUMN),
                new Reconfigure(Map.of("threads", "8")),
                new UpgradeNode(Path.of("/next")),
                new AddNode(),
                new RemoveNode(),
                new Rebalance(),
                new Switchover(),
                new Failover(),
                new NoFault(lasting));
    }

    private static Fault network(Duration lasting, Disturbance disturbance) {
        return new NetworkFault(disturbance, Optional.of(lasting));
    }

    private static Fault partition(Duration lasting, Partition partition) {
        return new PartitionFault(partition, lasting);
    }

    private static Fault disk(Duration lasting, DiskTrouble trouble) {
        return new DiskFault(trouble, lasting);
    }

    private static Fault clock(Duration lasting, Clock.Kind kind, Duration period) {
        return new ClockFault(new Clock(kind, Duration.ofMillis(500), period), lasting);
    }

    @Test
    void everyFaultIsHere() {
        assertThat(faults().map(Fault::getClass)).contains(classes());
    }

    /** The records among the permitted subclasses, those of sealed interfaces in between included. */
    @SuppressWarnings("unchecked")
    private static Class<? extends Fault>[] classes() {
        return records(Fault.class).toArray(Class[]::new);
    }

    public static Stream<Class<?>> records(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type)
                : Stream.of(type.getPermittedSubclasses()).flatMap(FaultContractTest::records);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void healingWithoutInjectionIsHarmless(Fault fault) {
        fault.heal(cluster, node, context);
        fault.heal(cluster, node, context);

        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void healingUndoesAnInjectionHoweverOften(Fault fault) {
        fault.inject(cluster, node, context);
        fault.inject(cluster, node, context);
        fault.heal(cluster, node, context);
        fault.heal(cluster, node, context);

        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(cluster.disturbances()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void theEffectIsSeenAfterTheInjectionAndNotBefore(Fault fault) {
        cluster.primary(Optional.of(fault instanceof Failover ? "node1" : node.id()));
        boolean nothing = fault instanceof NoFault;
        boolean momentary =
                fault instanceof NetworkFault network && network.disturbance().momentary();
        fault.leadsTo()
                .ifPresent(s ->
                        assertThat(fault.look(cluster, node, context).effect()).isFalse());
        if (fault.bringsBack()) {
            cluster.state(node.id(), fault.expects());
        }
        assertThat(fault.look(cluster, node, context).effect()).isEqualTo(nothing || momentary);

        fault.inject(cluster, node, context);

        Sight sight = fault.look(cluster, node, context);
        assertThat(sight.effect()).isTrue();
        assertThat(sight.text()).isNotEmpty();
    }

    @Test
    void whichProcessItWasIsInTheLabel() {
        assertThat(faults().filter(ProcessFault.class::isInstance).map(Fault::label))
                .containsExactly("kill server", "pause supervisor");
    }

    /** A look before that would find what an earlier cut has taken. */
    @Test
    void aPowerLossIsSeenOnlyWhenItIsConfirmed() {
        assertThat(new PowerLoss().showsWhenInjected()).isTrue();
    }

    /** A look before that would find the traces of an earlier disturbance. */
    @Test
    void aDisturbanceIsSeenOnlyWhenItIsConfirmed() {
        assertThat(network(Duration.ofSeconds(1), new Disturbance.Cut()).showsWhenInjected())
                .isTrue();
    }

    /** A look before that would find packets that were lost by what troubles another node. */
    @Test
    void aTroubleOfLinksIsSeenOnlyWhenItIsInForce() {
        assertThat(partition(Duration.ofSeconds(1), new Partition.Isolate(Partition.Ends.NODES))
                        .showsWhenInjected())
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void theCapabilitiesThatItNamesAreEnough(Fault fault) {
        fault.inject(cluster, node, context);
        fault.end(cluster, node, context);
        fault.heal(cluster, node, context);

        assertThat(fault.needs()).allMatch(type -> cluster.capability(type).isPresent());
        assertThat(fault.reaches()).isSorted().contains(fault.settles().phase());
    }
}
