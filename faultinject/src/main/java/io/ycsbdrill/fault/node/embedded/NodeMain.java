package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.embedded.NodeEvent.Kind;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteException;
import org.apache.ignite.Ignition;
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

    private NodeMain(Path directory, NodeFiles files, ClusterSettings settings) throws IOException {
        this.directory = directory;
        this.files = files;
        this.settings = settings;
        events = new NodeEventWriter(files.events());
        monitor = new NodeMonitor(events, () -> IsolatedNetwork.aside(directory, files.id()));
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
            Thread owner = new Thread(this::endWithOwner, "owner-watch");
            owner.setDaemon(true);
            owner.start();
        }
        NodeLog.install(files, monitor::step);
        ignite = Ignition.start(monitor.listeningTo(NodeConfiguration.of(directory, files, settings, index)));
        monitor.joined((IgniteEx) ignite);
        while (execute()) {
            monitor.sample();
            Thread.sleep(POLL_MILLIS);
        }
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
                }
                return true;
        }
    }

    /** Of all nodes, which Ignite calls a snapshot. */
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
