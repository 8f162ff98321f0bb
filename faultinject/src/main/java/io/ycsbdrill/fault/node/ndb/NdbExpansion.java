package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.Expandable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.Rebalanceable;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.ndb.mgm.MgmException;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Lets spare data nodes join, and moves data to them. A data node joins as a part of a node group, which has as many nodes as
 * there are copies: the last of them to come up makes the group. The group has no data until the tables are reorganised
 * through a SQL node. NDB has no way back: rows cannot be moved off a node group while the cluster serves. Thread-safe.
 */
final class NdbExpansion implements Expandable, Rebalanceable {
    /** The configured group of a data node that belongs to none. */
    static final int NO_GROUP = 65536;

    private static final Duration UP_BOUND = Duration.ofHours(24);
    /** How long a node that is up waits for the others of its group. */
    private static final Duration GROUP_BOUND = Duration.ofMinutes(10);

    private static final Duration GROUP_POLL = Duration.ofMillis(500);
    private static final Duration ASK_BOUND = Duration.ofSeconds(30);
    private static final Duration MOVE_BOUND = Duration.ofHours(24);

    private final NdbCluster cluster;
    private final NdbPrograms programs;
    private final Members members;
    private final int replicas;
    private volatile boolean rebalanced;

    NdbExpansion(NdbCluster cluster, NdbPrograms programs, Members members, int replicas) {
        this.cluster = cluster;
        this.programs = programs;
        this.members = members;
        this.replicas = replicas;
    }

    @Override
    public List<NodeInfo> spares() {
        return members.spares().stream().map(cluster::info).toList();
    }

    @Override
    public void add(String node) {
        if (!members.spares().contains(node)) {
            throw new NodeControlException("node " + node + " is not a spare node; the spare nodes are "
                    + (members.spares().isEmpty() ? "none" : String.join(", ", members.spares())));
        }
        cluster.joined(node); // first: whatever happens from now on, healing knows it
        try {
            cluster.startInitial(node);
            cluster.awaitStarted(node, UP_BOUND);
            NodeLocks.await(
                    GROUP_BOUND,
                    GROUP_POLL,
                    () -> grouped(node),
                    () -> "node " + node + " is started and has no node group: a group takes " + replicas
                            + " nodes, which are to be added together (node: all, or a list)");
        } catch (NodeControlException e) {
            if (!Thread.currentThread().isInterrupted() && !inGroup(cluster.reported(node))) {
                programs.killNode(Integer.parseInt(node));
                cluster.left(node);
            }
            throw e;
        }
    }

    /** Whether the node belongs to a group; makes one when as many nodes as it takes are up and have none. */
    private synchronized boolean grouped(String node) {
        List<MgmNode> now;
        try {
            now = cluster.client().dataNodes();
        } catch (MgmException e) {
            return false; // a busy server may not answer in time: nothing is known
        }
        List<MgmNode> up = now.stream()
                .filter(each -> each.started() && members.members().contains(Integer.toString(each.id())))
                .toList();
        if (up.stream().anyMatch(each -> Integer.toString(each.id()).equals(node) && inGroup(each))) {
            return true;
        }
        List<Integer> without =
                up.stream().filter(each -> !inGroup(each)).map(MgmNode::id).toList();
        if (without.size() >= replicas) {
            cluster.client().createNodeGroup(without.subList(0, replicas), ASK_BOUND);
        }
        return false;
    }

    private static boolean inGroup(MgmNode node) {
        return node.group() >= 0 && node.group() < NO_GROUP;
    }

    @Override
    public Optional<String> removalLacks() {
        return Optional.of(
                "NDB cannot move the rows of a node to other node groups while it serves; a smaller cluster is"
                        + " made from a backup");
    }

    @Override
    public void remove(String node) {
        throw new NodeControlException(removalLacks().orElseThrow());
    }

    @Override
    public Optional<String> rebalanceLacks() {
        return cluster.frontEnds().isEmpty()
                ? Optional.of("tables are reorganised through a SQL node, and this cluster has none; start one with"
                        + " --sql-nodes 1")
                : Optional.empty();
    }

    @Override
    public Sight lookForMember(String node, boolean member) {
        MgmNode reported = cluster.reported(node);
        boolean is = reported.started() && inGroup(reported);
        return new Sight(
                is == member,
                "node " + node + (is ? " is in node group " + reported.group() : " is in no node group") + ", "
                        + reported.detail());
    }

    @Override
    public void rebalance() {
        NdbSql sql = new NdbSql(cluster.descriptor());
        // The list is of the tables of the cluster, also of those that were not made through this SQL node.
        List<String> tables = sql
                .rows(
                        "SHOW TABLES FROM ycsb; SELECT CONCAT('name ', table_name) FROM information_schema.tables"
                                + " WHERE table_schema = 'ycsb' AND engine = 'ndbcluster'",
                        ASK_BOUND)
                .stream()
                .filter(row -> row[0].startsWith("name "))
                .map(row -> row[0].substring("name ".length()))
                .toList();
        if (tables.isEmpty()) {
            throw new NodeControlException("there is no table whose data could be moved");
        }
        for (String table : tables) {
            String name = "ycsb.`" + table.replace("`", "``") + "`";
            sql.rows("ALTER TABLE " + name + " ALGORITHM=INPLACE, REORGANIZE PARTITION", MOVE_BOUND);
            // Gives the space of the rows that have moved back on the nodes that had them.
            sql.rows("OPTIMIZE TABLE " + name, MOVE_BOUND);
        }
        rebalanced = true;
    }

    @Override
    public Sight lookForBalance() {
        if (!rebalanced) {
            return new Sight(false, "the tables are not reorganised yet");
        }
        Set<String> holders = new NdbSql(cluster.descriptor())
                        .rows(
                                "SELECT DISTINCT node_id FROM ndbinfo.memory_per_fragment"
                                        + " WHERE fq_name LIKE 'ycsb/def/%' AND fixed_elem_count > 0",
                                ASK_BOUND)
                        .stream()
                        .map(row -> row[0])
                        .collect(Collectors.toCollection(TreeSet::new));
        return new Sight(
                holders.containsAll(members.members()),
                "ndbinfo.memory_per_fragment has rows on nodes " + String.join(", ", holders));
    }
}
