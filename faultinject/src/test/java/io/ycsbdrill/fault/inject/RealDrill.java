package io.ycsbdrill.fault.inject;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.marker.EngineObserved;
import io.ycsbdrill.fault.marker.FaultEffective;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.recovery.PhaseSpan;
import io.ycsbdrill.fault.recovery.Recovery;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.DrillFileException;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The steps of a drill on a real cluster, without load, and what was seen of them. */
public final class RealDrill {
    private final List<Marker> markers = new CopyOnWriteArrayList<>();
    private final DrillOutcome outcome;

    private RealDrill(LocalCluster cluster, String steps) throws Exception {
        HealRecord record = HealRecord.in(cluster.descriptor().directory());
        try (FaultInjector injector = FaultInjector.builder(cluster, schedule(steps))
                .record(record)
                .onMarker(markers::add)
                .build()) {
            injector.prepare();
            injector.start();
            outcome = injector.await();
        }
        markers.forEach(System.out::println);
        assertThat(record.open()).isEmpty();
    }

    /** @param steps as in a drill file, a list */
    public static RealDrill run(LocalCluster cluster, String steps) throws Exception {
        RealDrill drill = new RealDrill(cluster, steps);
        assertThat(drill.outcome.failures()).isEmpty();
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        return drill;
    }

    /** As {@link #run}, of steps of which one must fail. */
    public static RealDrill failing(LocalCluster cluster, String steps) throws Exception {
        RealDrill drill = new RealDrill(cluster, steps);
        assertThat(drill.outcome.failures()).isNotEmpty();
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        return drill;
    }

    private static FaultSchedule schedule(String steps) throws DrillFileException {
        return DrillFile.parse(
                        "real.yaml", "steady: off\ncooldown: 0s\nrecovery_timeout: 10m\nsteps:\n" + steps.indent(2))
                .schedule();
    }

    /** Why nothing was begun, asked of a cluster that is up. */
    public static List<String> problems(LocalCluster cluster, String steps) throws Exception {
        return ScheduleCheck.problems(schedule(steps), cluster);
    }

    public List<String> failures() {
        return outcome.failures();
    }

    /** What the effects were, as they were seen. */
    public List<String> effects() {
        return markers.stream()
                .filter(marker -> marker instanceof FaultEffective)
                .map(marker -> ((FaultEffective) marker).text())
                .toList();
    }

    /** The nodes that were reported to be down, in order. */
    public List<String> nodesDown() {
        return markers.stream()
                .filter(marker -> marker instanceof EngineObserved)
                .map(marker -> (EngineObserved) marker)
                .filter(event -> event.signal() == EngineEvent.Signal.NODE_DOWN)
                .map(EngineObserved::node)
                .toList();
    }

    /** The phases of the node's recovery from the step. */
    public List<Phase> phases(String step, String node) {
        return recovery(step, node).spans().stream().map(PhaseSpan::phase).toList();
    }

    private Recovery recovery(String step, String node) {
        return outcome.recoveries().stream()
                .filter(r -> r.of().step().equals(step) && r.node().equals(node))
                .findFirst()
                .orElseThrow();
    }
}
