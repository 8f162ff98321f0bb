package io.ycsbdrill.client.drill;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.client.run.Calibrated;
import io.ycsbdrill.client.run.RunCompanion;
import io.ycsbdrill.client.run.RunControl;
import io.ycsbdrill.fault.inject.DrillOutcome;
import io.ycsbdrill.fault.inject.FaultInjector;
import io.ycsbdrill.fault.inject.HealRecord;
import io.ycsbdrill.fault.marker.CycleBegun;
import io.ycsbdrill.fault.marker.FaultEffective;
import io.ycsbdrill.fault.marker.FaultFailed;
import io.ycsbdrill.fault.marker.FaultStarted;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.marker.Noted;
import io.ycsbdrill.fault.marker.PhaseEntered;
import io.ycsbdrill.fault.marker.SteadyReached;
import io.ycsbdrill.fault.node.NamedServers;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLogs;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.recovery.PhaseTable;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ServedSecond;
import io.ycsbdrill.fault.schedule.SteadyState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Runs a schedule during a run: waits for steady throughput, injects, follows the recoveries, ends the run after the
 * cool-down, and heals. Used for one run; {@link #status} may be called from any thread.
 */
public final class DrillCompanion implements RunCompanion {
    private static final String WAITING = "waiting for steady throughput";
    private static final int LOG_LINES = 1000;
    /** Without a success for so long at the end of a drill, the binding is suspected. */
    private static final Duration SERVED_NOTHING = Duration.ofSeconds(5);

    private final NodeController controller;
    private final FaultSchedule schedule;
    private final HealRecord record;
    private final long seed;
    private final Consumer<String> say;
    private final int clients;
    private final CycleWidth width = new CycleWidth();
    private FaultInjector injector;
    private Thread waiter;
    private volatile RunControl run;
    private volatile String status;
    private volatile long loadSince;

    /**
     * Accompanies the next run.
     *
     * @param record where open faults are recorded
     * @param seed used when the schedule has none
     * @param calibrating whether the run begins with a calibration
     * @param clients of the run, of which this is the one whose throughput has to be steady
     * @param say notified by a line for each fault and phase
     */
    public DrillCompanion(
            NodeController controller,
            FaultSchedule schedule,
            HealRecord record,
            long seed,
            boolean calibrating,
            int clients,
            Consumer<String> say) {
        this.controller = controller;
        this.schedule = schedule;
        this.record = record;
        this.seed = seed;
        this.say = say;
        this.clients = clients;
        status = calibrating ? "calibration" : waiting();
        loadSince = calibrating ? Long.MAX_VALUE : 0;
    }

    private String waiting() {
        return schedule.steady().isPresent() ? WAITING : "";
    }

    /** Where the drill is, for the live status: {@code node2 synchronise}. */
    public String status() {
        return status.equals(WAITING) ? WAITING + left() : status;
    }

    /** The shortest time that it can still take, then the longest. */
    private String left() {
        RunControl now = run;
        if (now == null) {
            return "";
        }
        SteadyState steady = schedule.steady().orElseThrow();
        long waited = Math.max(0, now.clock().now() - loadSince) / 1_000_000_000;
        long least = Math.max(steady.after().toSeconds(), steady.length().toSeconds()) - waited;
        return least > 0
                ? ", " + least + " s or more"
                : ", at most " + Math.max(0, steady.within().toSeconds() - waited) + " s";
    }

    @Override
    public void started(RunControl run) {
        this.run = run;
        schedule.cycles().ifPresent(all -> say.accept(CycleWidth.expected(all.faults())));
        injector = FaultInjector.builder(controller, schedule)
                .clock(run.clock())
                .service(run::judgedSeconds)
                .loadSince(() -> loadSince)
                .record(record)
                .seed(seed)
                .onMarker(marker -> take(run, marker))
                .onPhase((at, phase) -> run.phase(at, phase.label()))
                .build();
        injector.start();
        waiter = Daemon.thread(() -> endWithDrill(run), "drill-end");
        waiter.start();
    }

    @Override
    public void calibrated(Calibrated result) {
        loadSince = result.sinceNanos();
        status = waiting();
    }

    private void endWithDrill(RunControl run) {
        try {
            DrillOutcome outcome = injector.await();
            outcome.failures().forEach(run::invalidate);
            if (!outcome.stopped()) { // else who has stopped it says how the run ends
                run.end();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(RunControl run, Marker marker) {
        run.marker(marker.atNanos(), marker.kind(), marker.label(), marker.fields());
        String told = width.after(marker);
        String line = marker instanceof CycleBegun cycle ? begun(cycle) : told.isEmpty() ? line(marker) : told;
        if (!line.isEmpty()) {
            say.accept(Formatted.of("%.1f s: %s", marker.atNanos() / 1e9, line));
        }
        if (marker instanceof PhaseEntered p) {
            status = p.node() + " " + p.phase().label();
        } else if (marker instanceof SteadyReached) {
            status = "steady";
        } else if (marker instanceof CycleBegun m) {
            status = m.label();
        }
    }

    private String begun(CycleBegun cycle) {
        int planned = schedule.cycles().map(all -> all.faults() + all.nulls()).orElse(cycle.number());
        return cycle.label() + " of " + planned + (cycle.isNull() ? ": nothing is injected" : "");
    }

    private String line(Marker marker) {
        if (marker instanceof FaultStarted m) {
            return m.of().fault() + " " + m.node();
        }
        if (marker instanceof FaultEffective m) {
            return m.of().fault() + " " + m.node() + " is effective: " + m.text();
        }
        if (marker instanceof FaultFailed m) {
            return "failed: " + m.text();
        }
        if (marker instanceof PhaseEntered m) {
            return m.node() + " " + m.phase().label()
                    + (m.phase().stage().isEmpty() ? "" : " (" + m.phase().stage() + ")");
        }
        if (marker instanceof SteadyReached m) {
            return "steady" + (clients > 1 ? ", as client 1 of " + clients + " sees it: " : ": ") + m.text();
        }
        return marker instanceof Noted m ? m.text() : "";
    }

    @Override
    public void ended(RunControl run) {
        if (injector == null) {
            return;
        }
        status = "healing";
        injector.stop();
        DrillOutcome outcome = outcome();
        outcome.failures().forEach(run::invalidate);
        if (outcome.stopped()) {
            run.invalidate("the run ended before the drill was complete");
        }
        run.file("phases.csv", PhaseTable.csv(outcome.recoveries()));
        if (controller instanceof NamedServers servers) {
            deaf(run, servers);
        }
        List<String> problems = injector.heal();
        problems.forEach(problem -> run.invalidate(FaultFailed.NOT_HEALED + problem));
        controller.capability(NodeLogs.class).ifPresent(logs -> tails(run, logs));
        injector.leave();
    }

    /** A healthy database that a client has lost for good looks like one that never came back. */
    private void deaf(RunControl run, NamedServers servers) {
        List<ServedSecond> last = run.judgedSeconds(SERVED_NOTHING);
        boolean nothing = last.size() >= SERVED_NOTHING.toSeconds()
                && last.stream().allMatch(second -> second.ok() == 0)
                && last.stream().anyMatch(second -> second.failed() > 0);
        if (nothing && servers.status().stream().allMatch(server -> server.state() == NodeStatus.State.STARTED)) {
            String names = servers.nodes().stream().map(NodeInfo::id).collect(Collectors.joining(" and "));
            String text = "the binding " + servers.engine() + " had no success in the last " + last.size()
                    + " s, while " + names + " accepted connections at the end: it may never connect again once a"
                    + " connection broke, and then its figures say nothing about the database";
            run.marker(run.clock().now(), "not-reconnected", servers.engine(), Map.of("text", text));
            say.accept(text);
        }
    }

    private DrillOutcome outcome() {
        boolean interrupted = Thread.interrupted();
        try {
            return Objects.requireNonNull(injector.await());
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while the drill was being closed", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void tails(RunControl run, NodeLogs logs) {
        for (NodeInfo node : controller.nodes()) {
            run.file(node.id() + ".log", Secrets.inText(logs.logTail(node.id(), LOG_LINES)));
        }
    }
}
