package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.kit.Restoring;
import io.ycsbdrill.fault.node.ndb.mgm.MgmException;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes backups of a local cluster, and puts them back. Each data node has a part of a backup, and a client, {@code ndb_restore}, brings the parts
 * back while the nodes run: so these are started without files, and no other client is let in until all is there ({@code single user mode}). SQL nodes
 * find the tables by themselves. Thread-safe.
 */
final class NdbBackups implements Restoring {
    private static final String PROGRAM = "ndb_restore";
    private static final String BACKUP = "BACKUP-";
    private static final List<String> ROWS = List.of("--restore-data", "--disable-indexes");
    private static final List<String> TABLES_AND_ROWS =
            List.of("--restore-meta", "--restore-data", "--disable-indexes");
    private static final String ALONE = "SINGLE USER MODE";
    private static final String STARTED = "STARTED";
    private static final Duration START_BOUND = Duration.ofMinutes(10);
    private static final Duration ASK_BOUND = Duration.ofSeconds(30);
    private static final Duration STATE_BOUND = Duration.ofSeconds(60);
    /** However long it takes: the step that it belongs to has a bound of its own, which interrupts it. */
    private static final Duration RESTORE_BOUND = Duration.ofHours(24);

    private static final int LAST_LINES = 5;

    private final NdbCluster cluster;
    private final NdbPrograms programs;
    private final NdbFiles files;
    private final DataNodes nodes;
    private volatile Optional<Made> made = Optional.empty();

    private record Made(int number, List<Path> files) {
        boolean complete() {
            return !files.isEmpty() && files.stream().allMatch(Files::isRegularFile);
        }
    }

    NdbBackups(NdbCluster cluster, NdbPrograms programs, NdbFiles files, DataNodes nodes) {
        this.cluster = cluster;
        this.programs = programs;
        this.files = files;
        this.nodes = nodes;
    }

    /** By a number that no backup here has: the cluster itself counts from 1 again after the loss of its data. */
    @Override
    public void backUp(String node) {
        made = Optional.empty();
        int last = NodeIo.get("the backups of before cannot be listed", this::last);
        int number = cluster.backUp(last == 0 ? 0 : last + 1);
        made = Optional.of(new Made(number, NodeIo.get("the backup cannot be looked at", () -> files(number))));
    }

    private int last() throws IOException {
        int last = 0;
        for (int id : ids()) {
            for (String name : Files.isDirectory(files.backups(id)) ? Io.names(files.backups(id)) : List.<String>of()) {
                last = Math.max(last, number(name));
            }
        }
        return last;
    }

    /** That of the backup in a folder of this name; 0 when there is none. */
    private static int number(String name) {
        return name.matches(BACKUP + "\\d{1,9}") ? Integer.parseInt(name.substring(BACKUP.length())) : 0;
    }

    /** The data nodes that have a part of the backup: all that were up. */
    private List<Integer> parts(int number) {
        return ids().stream().filter(id -> Files.isDirectory(part(id, number))).toList();
    }

    private List<Path> files(int number) throws IOException {
        List<Path> all = new ArrayList<>();
        for (int id : parts(number)) {
            try (Stream<Path> below = Files.walk(part(id, number))) {
                below.filter(Files::isRegularFile).forEach(all::add);
            }
        }
        return all;
    }

    private List<Integer> ids() {
        return cluster.nodes().stream().map(NodeInfo::id).map(Integer::valueOf).toList();
    }

    private Path part(int id, int number) {
        return files.backups(id).resolve(BACKUP + number);
    }

    @Override
    public Sight lookForBackup() {
        return cluster.lookForBackup();
    }

    @Override
    public Optional<Backup> lastBackup() {
        return made.filter(Made::complete).map(last -> {
            int first = parts(last.number()).get(0);
            return new Backup(Integer.toString(first), part(first, last.number()));
        });
    }

    @Override
    public Optional<String> restoreLacks() {
        String config = NodeIo.get(files.config() + " cannot be read", () -> Files.readString(files.config()));
        if (config.contains("NodeGroup=" + NdbExpansion.NO_GROUP)) {
            return Optional.of(
                    "a cluster of NDB with spare nodes is not restored, as those that have joined have no node"
                            + " group after an initial start; start one without --spare-nodes");
        }
        if (!config.contains("NodeId=" + NdbConfig.RESTORE_SLOT + "\n")) {
            return Optional.of("the NDB cluster has no node id for " + PROGRAM + ", as another version has started it;"
                    + " take it down and start it again");
        }
        try {
            programs.program(NdbPrograms.MANAGEMENT, PROGRAM);
            return Optional.empty();
        } catch (NodeControlException e) {
            return Optional.of("a restore of NDB needs the program " + PROGRAM + ": " + e.getMessage());
        }
    }

    @Override
    public void checkPutBack(Backup backup) {
        restoreLacks().ifPresent(lacks -> {
            throw new NodeControlException(lacks);
        });
        if (!lastBackup().equals(Optional.of(backup))) {
            throw new NodeControlException(backup.path() + " is not the last backup any more");
        }
        if (!programs.managementRuns()) {
            throw new NodeControlException(
                    "the management server is down, without which nothing can be restored; take the cluster down");
        }
    }

    @Override
    public boolean putBack(Backup backup) {
        int number = number(backup.path().getFileName().toString());
        List<Integer> parts = parts(number);
        cluster.watch().ifPresent(NdbWatch::emptied);
        ids().forEach(id -> nodes.launch(id, true));
        ids().forEach(id -> cluster.awaitReported(Integer.toString(id), START_BOUND));
        cluster.client().enterSingleUser(NdbConfig.RESTORE_SLOT, ASK_BOUND);
        awaitState(ALONE);
        for (int id : parts) {
            run(id, number, id == parts.get(0) ? TABLES_AND_ROWS : ROWS);
        }
        run(parts.get(0), number, List.of("--rebuild-indexes"));
        return false;
    }

    /** Lets clients in. */
    void serve() {
        cluster.client().exitSingleUser(ASK_BOUND);
        awaitState(STARTED);
        cluster.watch()
                .ifPresent(events -> events.filled("the backup is in the place of the data, and clients are let in"));
    }

    private void awaitState(String state) {
        NodeLocks.await(
                STATE_BOUND,
                () -> {
                    try {
                        List<Integer> members = ids();
                        return cluster.client().dataNodes().stream()
                                .filter(node -> members.contains(node.id()))
                                .map(MgmNode::status)
                                .allMatch(state::equals);
                    } catch (MgmException e) {
                        return false; // a busy server may not answer in time: nothing is known
                    }
                },
                () -> "not all data nodes are in " + state + " after " + STATE_BOUND.toSeconds() + " s; see "
                        + files.clusterLog());
    }

    private void run(int id, int number, List<String> what) {
        List<String> line = new ArrayList<>(Launcher.endingWithItsStarter());
        // SQL nodes make the tables of "mysql" anew, and could not use them without their indexes.
        line.addAll(List.of(
                programs.program(NdbPrograms.MANAGEMENT, PROGRAM),
                "--no-defaults",
                "--ndb-connectstring=" + cluster.client().servers(),
                "--ndb-nodeid=" + NdbConfig.RESTORE_SLOT,
                "--nodeid=" + id,
                "--backupid=" + number,
                "--backup-path=" + part(id, number),
                "--exclude-databases=mysql"));
        line.addAll(what);
        ProgramOutput output = NodeIo.get(
                "the part of node " + id + " cannot be put back", () -> ProgramOutput.of(line, RESTORE_BOUND));
        if (output.exit() != 0) {
            List<String> lines = output.text().lines().toList();
            throw new NodeControlException(PROGRAM + " of the part of node " + id + " ended with exit status "
                    + output.exit() + "; it printed at last: \""
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size())) + "\"");
        }
    }
}
