package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.Demands.Subject;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.FaultContext;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.inject.ScheduleCheck;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.node.Backupable;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.Switchable;
import io.ycsbdrill.fault.node.UnwatchedNodes;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.Impairable;
import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import io.ycsbdrill.fault.node.trouble.Partitionable;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A drill of which every command is said and none is run: the faults act on nodes that do as they are told. For one thread.
 */
public final class DrillRehearsal
        implements UnwatchedNodes,
                Killable,
                Stoppable,
                Startable,
                Initialisable,
                Pausable,
                Backupable,
                Switchable,
                Partitionable,
                Impairable {
    private final Inventory inventory;
    private final HostedEngine engine;
    private final HostedLinks links;
    private final HostedDisks disks;
    private final Consumer<String> lines;
    private boolean possible = true;

    private DrillRehearsal(Inventory inventory, Consumer<String> lines) {
        this.inventory = inventory;
        this.engine = inventory.engine();
        this.links = new HostedLinks(inventory);
        this.disks = new HostedDisks(inventory);
        this.lines = lines;
    }

    /**
     * Says what the steps of a schedule would run, each on every node that it may hit.
     *
     * @param lines receives the text
     * @return whether all of it can be done
     */
    public static boolean of(FaultSchedule schedule, Inventory inventory, Consumer<String> lines) {
        DrillRehearsal nodes = new DrillRehearsal(inventory, lines);
        List<String> refused = ScheduleCheck.problems(schedule, nodes, step -> !isOfProxies(step));
        for (ScheduledFault step : schedule.steps()) {
            String name = "step " + step.name() + ": ";
            lines.accept(name + step.fault().name() + " " + step.node().text());
            if (isOfProxies(step)) {
                lines.accept("  by a proxy of this tool's in front of the servers: nothing is run on their hosts");
            } else if (refused.stream().noneMatch(why -> why.startsWith(name))) {
                for (NodeInfo node : nodes.mayHit(step.node())) {
                    lines.accept("  on node " + node.id() + ":");
                    nodes.rehearse(step.fault(), node);
                }
            }
        }
        refused.forEach(nodes::impossible);
        return nodes.possible;
    }

    /** What the drill would be refused for, in the words of its start, as far as the inventory tells. */
    public static List<String> refusals(FaultSchedule schedule, Inventory inventory) {
        return ScheduleCheck.problems(schedule, new DrillRehearsal(inventory, line -> {}), step -> !isOfProxies(step));
    }

    private static boolean isOfProxies(ScheduledFault step) {
        return step.fault().subject() == Subject.CLIENT_LINKS;
    }

    private List<NodeInfo> mayHit(NodeSelector selector) {
        return nodes().stream()
                .filter(node -> selector instanceof NodeSelector.Zone inZone
                        ? inZone.zone().equals(zones().get(node.id()))
                        : selector.named().isEmpty() || selector.named().contains(node.id()))
                .toList();
    }

    private void impossible(String why) {
        lines.accept("    cannot be done: " + why);
        possible = false;
    }

    private void rehearse(Fault fault, NodeInfo node) {
        try {
            fault.inject(this, node, new Said());
            if (fault.hold().isPresent()) {
                fault.end(this, node, new Said());
            } else {
                lines.accept("    later, to heal it:");
                fault.heal(this, node, new Said());
            }
        } catch (NodeControlException | IllegalArgumentException e) {
            impossible(e.getMessage());
        }
    }

    private void say(NodeAction action, String node) {
        inventory.calls(action, inventory.node(node).orElseThrow().info()).forEach(call -> say(call));
    }

    private void say(HostCall call) {
        lines.accept("    " + call);
    }

    /** The commands of a step of the user's own. */
    private final class Said implements FaultContext {
        @Override
        public Duration stopBound() {
            return Duration.ofMinutes(2);
        }

        @Override
        public void run(List<String> command, Duration bound) {
            lines.accept("    " + Secrets.inCommand(command));
        }

        @Override
        public int ask(List<String> command, Duration bound) {
            run(command, bound);
            return 0;
        }

        @Override
        public void await(List<String> command, Duration bound) {
            run(command, bound);
        }
    }

    @Override
    public String engine() {
        return inventory.engine().name();
    }

    @Override
    public List<NodeInfo> nodes() {
        return inventory.nodes(Role.DATA).stream().map(HostedNode::info).toList();
    }

    @Override
    public Map<String, String> zones() {
        return inventory.zones();
    }

    @Override
    public List<NodeStatus> status() {
        return List.of();
    }

    /** Which one that is, nobody is asked. */
    @Override
    public boolean hasPrimary() {
        return engine.withoutPrimary().isEmpty();
    }

    @Override
    public String noPrimary() {
        return engine.withoutPrimary().orElseThrow();
    }

    /** Where others can be primary they are replicas, and a commit may wait for one. */
    @Override
    public boolean hasSynchronous() {
        return engine.switchedBy().isPresent();
    }

    @Override
    public <C> Optional<C> capability(Class<C> type) {
        boolean has = type.isInstance(this)
                && (type != Pausable.class || engine.pausesNodes())
                && (type != Initialisable.class || inventory.has(NodeAction.INITIALISE))
                && (type != Switchable.class || engine.switchedBy().isPresent())
                && (type != Partitionable.class || HostedLinks.possible(inventory))
                && (type != Impairable.class || HostedDisks.possible(inventory))
                && (type != Backupable.class || engine.backedUpBy().isPresent());
        return has ? Optional.of(type.cast(this)) : Optional.empty();
    }

    @Override
    public void kill(String node) {
        say(NodeAction.KILL, node);
    }

    @Override
    public void stop(String node, Mode mode, Duration bound) {
        engine.stoppedBy()
                .ifPresentOrElse(
                        who -> lines.accept(
                                "    " + who + " stops node " + node + (mode == Mode.ABORT ? " at once" : "")),
                        () -> say(NodeAction.STOP, node));
    }

    @Override
    public void start(String node) {
        say(NodeAction.START, node);
    }

    @Override
    public void awaitStarted(String node, Duration bound) {
        // It is.
    }

    @Override
    public void startInitial(String node) {
        say(NodeAction.INITIALISE, node);
    }

    @Override
    public void pause(String node) {
        say(NodeAction.PAUSE, node);
    }

    @Override
    public void resume(String node) {
        say(NodeAction.RESUME, node);
    }

    @Override
    public Optional<String> lacking(LinkTrouble trouble) {
        return links.unknown(trouble);
    }

    @Override
    public void trouble(String node, LinkTrouble trouble) {
        lacking(trouble).ifPresentOrElse(this::impossible, () -> say(links.call(node, trouble)));
    }

    @Override
    public Sight look(String node, LinkTrouble trouble) {
        return new Sight(true, "");
    }

    @Override
    public void mend(String node) {
        say(links.mending(node));
    }

    @Override
    public boolean mendAll() {
        return false;
    }

    @Override
    public Optional<String> lacking(DiskTrouble trouble) {
        return disks.lacking(trouble);
    }

    @Override
    public void impair(String node, DiskTrouble trouble) {
        lacking(trouble).ifPresentOrElse(this::impossible, () -> say(disks.filling(node)));
    }

    @Override
    public Sight look(String node, DiskTrouble trouble) {
        return new Sight(true, "");
    }

    @Override
    public void restore(String node, DiskTrouble trouble) {
        say(disks.freeing(node));
    }

    @Override
    public void restoreAll() {
        // Nothing is in force.
    }

    @Override
    public void backUp(String node) {
        lines.accept("    " + engine.backedUpBy().orElseThrow() + " makes a backup");
    }

    @Override
    public void switchOver(String node) {
        lines.accept("    " + engine.switchedBy().orElseThrow() + " makes another node primary, if this one is");
    }

    @Override
    public void failOver(String node) {
        lines.accept("    " + engine.switchedBy().orElseThrow() + " makes node " + node + " primary, if it is not");
    }

    @Override
    public Sight lookForBackup() {
        return new Sight(true, "");
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
