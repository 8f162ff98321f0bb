package io.ycsbdrill.client.cli.start;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.Finding;
import io.ycsbdrill.client.cluster.AccessFinder;
import io.ycsbdrill.client.cluster.AlterableCluster;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.fault.inject.ScheduleCheck;
import io.ycsbdrill.fault.inventory.DrillRehearsal;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.NetworkNamespaces;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.Limit;
import io.ycsbdrill.fault.schedule.OfferedLoad;
import io.ycsbdrill.fault.schedule.Repeat;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.SteadyState;
import io.ycsbdrill.fault.schedule.When;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** What a drill would do here, and what it lacks; starts and changes nothing. For one thread. */
public final class DrillPlan {
    private final CommandContext world;
    private boolean possible = true;

    /**
     * What is typed beside the drill file and counts instead of it.
     *
     * @param load empty when nothing is
     * @param audit whether an audit is asked for
     */
    public record Typed(Optional<String> load, boolean audit) {}

    public DrillPlan(CommandContext world) {
        this.world = world;
    }

    /**
     * Prints it.
     *
     * @param typed beside it
     * @param binding as typed
     * @param engine asked for by name
     * @param properties in effect
     * @return whether nothing is known to be missing
     */
    public boolean print(
            DrillFile file, Typed typed, Optional<String> binding, Optional<String> engine, Properties properties) {
        FaultSchedule schedule = file.schedule();
        line("drill", schedule.name() + " (" + file.file() + ")");
        String question = ShippedDrills.question(file);
        if (!question.isEmpty()) {
            line("question", question);
        }
        String load = file.load()
                + (file.load() instanceof OfferedLoad.Share
                        ? " of the maximum, which a closed loop measures first"
                        : "");
        line(
                "load",
                typed.load()
                        .map(given -> given + "; that of the drill file, " + file.load() + ", is not used")
                        .orElse(load));
        line("steady", schedule.steady().map(DrillPlan::steady).orElse("off: times count from the start"));
        schedule.steps().forEach(step -> line("step", step(step)));
        line("recovery", "each node within " + Durations.print(schedule.recoveryBound()));
        line(
                "cool-down",
                Durations.print(schedule.cooldown())
                        + (schedule.steady().isPresent() ? "; longer while the service is not back" : ""));
        schedule.cycles().ifPresent(all -> line("cycles", all.faults() + ", and " + all.nulls() + " without a fault"));
        schedule.limits().values().forEach((limit, value) -> line("limit", limit.key() + ": " + value(limit, value)));
        line(
                "audit",
                schedule.limits().needAudit()
                        ? "yes, a limit needs it"
                        : typed.audit() ? "yes, as --audit says" : "only with --audit");
        cluster(schedule, binding, engine, properties);
        world.out().flush();
        return possible;
    }

    private static String steady(SteadyState steady) {
        return "two windows of " + Durations.print(steady.window()) + ", not before " + Durations.print(steady.after())
                + " of this load, within " + Durations.print(steady.within());
    }

    private static String due(When when) {
        if (when instanceof When.After after) {
            return Durations.print(after.delay()) + " after " + after.step()
                    + after.phase().map(phase -> " is in " + phase.label()).orElse("");
        }
        return when instanceof When.InPhase aim
                ? Durations.print(aim.delay()) + " after " + aim.node() + " is in "
                        + aim.phase().label()
                : Durations.print(((When.At) when).offset()) + " after the start of the schedule";
    }

    private static String step(ScheduledFault step) {
        String due = due(step.when());
        String again = step.repeat().equals(Repeat.ONCE)
                ? ""
                : ", "
                        + (step.repeat().count().isPresent()
                                ? step.repeat().count().getAsInt() + " times"
                                : "once for each data node");
        return step.name() + ": " + step.fault().name() + " "
                + step.node().text() + ", " + due
                + step.fault()
                        .hold()
                        .map(hold -> ", for " + Durations.print(hold.atLeast()))
                        .orElse("")
                + (step.steady() ? ", when steady" : "") + again;
    }

    private static String value(Limit limit, Number value) {
        return value.equals(Limit.ANY)
                ? "any"
                : switch (limit.unit()) {
                    case SECONDS -> Durations.print(Duration.ofNanos((long) (value.doubleValue() * 1e9)));
                    case PERCENT -> value + "%";
                    default -> value.toString();
                };
    }

    private void cluster(
            FaultSchedule schedule, Optional<String> binding, Optional<String> engine, Properties properties) {
        if (new ClusterFinder(world).remote(properties).isPresent()) {
            line("cluster", "elsewhere, as the properties say; commands for the hosts of an inventory: --dry-run");
            new ClusterFinder(world).inventory(properties).ifPresent(inventory -> DrillRehearsal.refusals(
                            schedule, inventory)
                    .forEach(this::missing));
            return;
        }
        Optional<LocalEngine> started =
                new AccessFinder(world).wouldStart(binding, engine, properties).flatMap(world::engine);
        List<ClusterDescriptor> up = world.clusters().all().stream()
                .filter(each -> engine.isEmpty() || engine.get().equals(each.engine()))
                .filter(each -> world.engine(each.engine()).stream()
                        .anyMatch(of -> binding.filter(of.bindings()::contains).isPresent()))
                .toList();
        if (started.isPresent()) {
            line(
                    "cluster",
                    started.get().withArticle() + " one, started for this drill and stopped after it"
                            + (schedule.clusterSwitches().isEmpty()
                                    ? ""
                                    : ", with --" + String.join(" --", schedule.clusterSwitches())));
            lacking(schedule, started.get());
        } else if (up.isEmpty()) {
            missing(
                    "no cluster whose nodes can be controlled is up; start one: ycsb cluster up ENGINE, or list the hosts"
                            + " of one elsewhere: ycsb init");
        } else {
            attached(schedule, up.get(0), properties);
        }
    }

    private void lacking(FaultSchedule schedule, LocalEngine engine) {
        List<String> known =
                engine.options().stream().map(LocalEngine.Option::name).toList();
        for (String needed : schedule.clusterSwitches()) {
            if (!known.contains(needed.split(" ")[0])) {
                missing("--" + needed + ", which " + engine.name() + " clusters do not have");
            } else if (needed.equals(IsolatedNetwork.SWITCH)) {
                Finding network = NetworkNamespaces.diagnose();
                line(network.verdict() == Finding.Verdict.OK ? "network" : "missing", network.text());
                possible &= network.verdict() == Finding.Verdict.OK;
            }
        }
    }

    private void attached(FaultSchedule schedule, ClusterDescriptor descriptor, Properties properties) {
        line("cluster", descriptor.engine() + " in " + descriptor.directory());
        try (LocalCluster cluster = new ClusterFinder(world).attach(descriptor)) {
            cluster.status().forEach(node -> line("node", node.id() + " " + node.state()));
            ScheduleCheck.problems(
                            schedule,
                            AlterableCluster.of(
                                    ControlledCluster.local(cluster, true), world.environment(), properties))
                    .forEach(this::missing);
        } catch (NodeControlException e) {
            missing(e.getMessage());
        }
    }

    private void missing(String what) {
        possible = false;
        line("missing", what);
    }

    private void line(String what, String text) {
        world.out().printf("%-10s %s%n", what, text);
    }
}
