package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.embedded.NodeEvent.Kind;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.os.PartitionSides;
import io.ycsbdrill.fault.node.os.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
import org.apache.ignite.cluster.BaselineNode;
import org.apache.ignite.cluster.ClusterState;
import org.apache.ignite.internal.IgniteEx;

/**
 * The program of one data node. It reports to the node's event file, follows the node's command file, and, in a cluster that
 * is owned, ends with its owner.
 *
 * <p>Arguments: the cluster's directory, the node's index from 0, and the {@link System#nanoTime()} at which it was started.
 */
public final class NodeMain {
    /** The command that makes a backup, followed by the backup's name. */
    static final String BACKUP = "backup:";

    /** The command that takes a node that is down out of the cluster's baseline, followed by its id. */
    static final String FORGET = "forget:";

    /** Begins what is reported of that. */
    static final String FORGETTING = "baseline without ";

    static final String BEGUN = " begun";
    static final String COMPLETE = " complete";

    private static final int POLL_MILLIS = 10;
    private static final int OWNER_POLL_MILLIS = 100;

    private final Path directory;
    private final NodeFiles files;
    private final ClusterSettings settings;
    private final NodeEventWriter events;
    private final NodeMonitor monitor;
    private Ignite ignite;
    /** The node that is to be let go as soon as it has left, which may be seen a moment after its process has ended; empty when there is none. */
    private String leaving = "";
    /** The node whose copies the others are making again; empty when there is none. */
    private String forgotten = "";

    private NodeMain(Path directory, NodeFiles files, ClusterSettings settings) throws IOException {
        this.directory = directory;
        this.files = files;
        this.settings = settings;
        events = new NodeEventWriter(files.events());
        Members members = EmbeddedCluster.members(directory, settings);
        monitor = new NodeMonitor(events, () -> PartitionSides.aside(directory, files.id(), members.members()));
    }

    /** Runs the node until it is asked to stop. */
    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        int index = Integer.parseInt(args[1]);
        long startedNanos = Long.parseLong(args[2]);
        NodeFiles files = new NodeFiles(directory.resolve(ClusterSettings.nodeId(index)));
        NodeMain node = new NodeMain(directory, files, ClusterSettings.read(directory));
        try {
            node.run(index, startedNanos);
        } catch (Exception e) {
            // Ignite leaves threads behind that would keep a failed node alive.
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private void run(int index, long startedNanos) throws IOException, InterruptedException {
        long pid = ProcessHandle.current().pid();
        events.write(startedNanos, Kind.PROCESS_STARTED, Map.of("pid", Long.toString(pid)));
        if (!outlivesItsStarter()) {
            Daemon.thread(this::endWithOwner, "owner-watch").start();
        }
        NodeLog.install(files, monitor::step);
        ignite = Ignition.start(monitor.listeningTo(NodeConfiguration.of(directory, files, settings, index)));
        monitor.joined((IgniteEx) ignite);
        enterBaseline();
        while (execute()) {
            monitor.sample();
            if (!leaving.isEmpty() && hasLeft(leaving)) {
                forget(leaving);
                leaving = "";
            }
            if (!forgotten.isEmpty() && monitor.balanced()) {
                events.write(Kind.STEP, Map.of("text", FORGETTING + forgotten + COMPLETE));
                forgotten = "";
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** A node that was added, or is not to leave after all, takes its share of the data; at the cluster's first start there is none. */
    private void enterBaseline() {
        Object self = ignite.cluster().localNode().consistentId();
        Collection<BaselineNode> now = ignite.cluster().currentBaselineTopology();
        if (now != null && !now.isEmpty() && without(self, now).size() == now.size()) {
            List<BaselineNode> next = new ArrayList<>(now);
            next.add(ignite.cluster().localNode());
            ignite.cluster().setBaselineTopology(next);
        }
    }

    private boolean hasLeft(String node) {
        return ((IgniteEx) ignite)
                .context().discovery().aliveServerNodes().stream()
                        .noneMatch(each -> each.consistentId().equals(node));
    }

    /** Ignite has no way to let a node go that is up. */
    private void forget(String node) {
        try {
            ignite.cluster().setBaselineTopology(without(node, ignite.cluster().currentBaselineTopology()));
            forgotten = node;
        } catch (IgniteException e) {
            events.write(Kind.STEP, Map.of("text", FORGETTING + node + " refused: " + e.getMessage()));
        }
    }

    private static List<BaselineNode> without(Object node, Collection<BaselineNode> baseline) {
        return baseline.stream()
                .filter(each -> !each.consistentId().equals(node))
                .toList();
    }

    /** Executes the command file; false when the node has stopped. */
    private boolean execute() throws IOException {
        String command = command();
        switch (command) {
            case "activate":
                ignite.cluster().baselineAutoAdjustEnabled(false);
                ignite.cluster().state(ClusterState.ACTIVE);
                ignite.getOrCreateCache(settings.table());
                return true;
            case "stop":
                events.write(Kind.STOPPING, Map.of("text", "orderly stop"));
                Ignition.stop(ignite.name(), false);
                Runtime.getRuntime().halt(0);
                return false;
            case "halt":
                events.write(Kind.STOPPING, Map.of("text", "halt"));
                Runtime.getRuntime().halt(0);
                return false;
            default:
                if (command.startsWith(BACKUP)) {
                    backUp(command.substring(BACKUP.length()));
                } else if (command.startsWith(FORGET)) {
                    leaving = command.substring(FORGET.length());
                }
                return true;
        }
    }

    /** Backs up all nodes, which Ignite calls a snapshot. */
    private void backUp(String name) {
        events.write(Kind.STEP, Map.of("text", "backup " + name + BEGUN));
        ignite.snapshot().createSnapshot(name).listen(done -> {
            String end = COMPLETE;
            try {
                done.get();
            } catch (IgniteException e) {
                end = " failed: " + e.getMessage();
            }
            events.write(Kind.STEP, Map.of("text", "backup " + name + end));
        });
    }

    /** Takes the command, if there is one that is meant for this very process. */
    private String command() throws IOException {
        if (!Files.exists(files.command())) {
            return "";
        }
        String[] words = Files.readString(files.command()).strip().split(" ");
        Files.deleteIfExists(files.command());
        boolean mine = words.length == 2
                && words[0].equals(Long.toString(ProcessHandle.current().pid()));
        return mine ? words[1] : "";
    }

    private boolean outlivesItsStarter() {
        return settings.lifetime() == Lifetime.DETACHED
                && ClusterSettings.complete(files.home().getParent());
    }

    /**
     * Looks for the owner in the process table, where its start time distinguishes it from a later process with the same id. A pipe
     * would not do: nodes that are restarted by another process than the owner must end with the owner, too. A detached cluster
     * has an owner until it is complete.
     */
    private void endWithOwner() {
        try {
            while (!outlivesItsStarter()
                    && ProcFs.stat(settings.ownerPid())
                            .filter(stat -> !stat.ended() && stat.startTicks() == settings.ownerStart())
                            .isPresent()) {
                Thread.sleep(OWNER_POLL_MILLIS);
            }
            if (outlivesItsStarter()) {
                return;
            }
        } catch (InterruptedException e) {
            // The owner is not watched any more; do not outlive it.
        }
        Runtime.getRuntime().halt(0);
    }
}
